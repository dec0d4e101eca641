/**
 * What the conversation asks for, read from its last instruction; what that leaves open is looked for in the system message and further
 * back. The request ("write three beats about …") and its matter (the logline, the prompt to rewrite) are told apart first, so that a
 * "close-up" in a prompt is not taken for an order.
 */
import { PLACES, SUBJECTS } from '../../render/words.ts';
import type { Ask } from '../ask.ts';
import { numberIn, wholeOf } from './numbers.ts';

export type Unit = 'beat' | 'shot' | 'scene' | 'prompt' | 'title' | 'logline' | 'line';
export type Task =
  | { readonly is: 'write'; readonly units: readonly { readonly unit: Unit; readonly count: number }[] }
  | { readonly is: 'rewrite'; readonly how: 'shorter' | 'longer' | 'other' }
  | { readonly is: 'score'; readonly from: number; readonly to: number; readonly bare: boolean }
  | { readonly is: 'translate' }
  | { readonly is: 'introduce' }
  | { readonly is: 'puzzled' };

export interface Brief {
  readonly task: Task;
  /** The words of the request, without its matter. */
  readonly request: string;
  /** The logline, or the text to work on; empty where none was given. */
  readonly matter: string;
  readonly style: readonly string[];
  readonly words: number | undefined;
  readonly seconds: number | undefined;
  readonly list: 'numbers' | 'bullets' | 'lines';
  readonly timecodes: boolean;
  /** Pictures that were counted beside what was asked for: `one prompt with 3 shots`. */
  readonly pictures: number | undefined;
  /** Where JSON was asked for in words alone. */
  readonly json: boolean;
  readonly variation: string;
}

export function readBrief(ask: Ask): Brief {
  const { variation } = ask;
  const turns = ask.turns.slice(-MOST_TURNS).map(turn => ({ ...turn, text: near(turn.text) }));
  const system = near(ask.system);
  const said = turns.filter(({ by }) => by === 'person').map(({ text }) => text);
  // What asks for a repair asks again for what was asked before.
  const repairs = said.length > 1 ? trailing(said, text => REPAIR.test(text)) : 0;
  const asked = said.slice(0, said.length - repairs);
  const last = asked.at(-1) ?? system;
  const answers = turns.filter(({ by }) => by === 'writer').map(({ text }) => text);
  const previous = repairs > 0 ? answers.at(-1 - repairs) : answers.at(-1);
  const { request, matter } = parted(last, asked.length > 1);
  const task = taskOf(request, matter, system, previous, asked);
  const all = `${system}\n${request}`;
  const whole = `${system}\n${last}`;
  const again = /\b(?:another|other|different|more|again|new)\b/i.test(request) ? answers.length - repairs : 0;
  return {
    task,
    request,
    matter: matterFor(task, request, matter, previous, asked),
    style: stylesIn(whole),
    words: limitIn(all),
    seconds: secondsIn(request),
    list: /\b(?:no|without) number|\bone per line\b|\bplain lines?\b/i.test(all)
      ? 'lines'
      : /\bbullet/i.test(whole)
        ? 'bullets'
        : 'numbers',
    timecodes:
      /\btime ?(?:stamps?|codes?)\b|\bmulti-?shot\b|\bprompt (?:with|of|in) \w+ shots\b|\[\d+(?:\.\d+)?\s*[-–]/i.test(
        all,
      ),
    pictures: pictureCount(request),
    json: /\bjson\b/i.test(whole),
    variation: [variation, again > 0 ? `again ${again}` : ''].filter(Boolean).join(' '),
  };
}

/** Instructions stand at the ends of what people paste; the middle of a book tells nothing new, and would be read for minutes. */
const LONGEST = 12_000;
const MOST_TURNS = 40;
const near = (text: string): string =>
  text.length <= LONGEST ? text : `${text.slice(0, LONGEST / 2)}\n${text.slice(-LONGEST / 2)}`;

const REPAIR =
  /\b(?:do(?:es)?|did) not (?:fit|match|satisfy|validate|conform|parse)\b|\b(?:doesn't|didn't) (?:fit|match|parse|validate)\b|\b(?:is|was) (?:not|no) (?:valid )?json\b|\binvalid json\b|\bfix (?:the|your) (?:json|answer)\b|\b(?:return|answer with|reply with) only (?:the )?(?:corrected )?json\b/i;

function trailing(list: readonly string[], test: (text: string) => boolean): number {
  let count = 0;
  while (count < list.length - 1 && test(list[list.length - 1 - count] ?? '')) count++;
  return count;
}

/** Quoted, after a colon, on lines of its own, or after `about`: what the request is about. */
function parted(text: string, follows = false): { readonly request: string; readonly matter: string } {
  const plain = withoutJson(text).trim();
  const quoted = /```[\w]*\n?([\s\S]+?)```|["“«]([^"”»]{8,})["”»]|(?:^|\s)'([^']{12,})'(?=\s|$|[.,])/.exec(plain);
  if (quoted) {
    const matter = (quoted[1] ?? quoted[2] ?? quoted[3] ?? '').trim();
    return { request: plain.replace(quoted[0], ' '), matter };
  }
  const labelled =
    /^(?:[-*#\s]*)(?:logline|idea|story|premise|concept|subject|topic|brief|prompt|text)\s*[:=]\s*(.+)$/im.exec(plain);
  if (labelled) return { request: plain.replace(labelled[0], ' '), matter: tidy(labelled[1] ?? '') };
  const colon = /^([^\n:]{3,240}):\s+([\s\S]{3,})$/.exec(plain) ?? /^([^\n]{3,240}?)[:.]?\n+([\s\S]{8,})$/.exec(plain);
  if (colon && asks(colon[1] ?? '') && !/^\s*[[{]/.test(colon[2] ?? ''))
    return { request: colon[1] ?? '', matter: (colon[2] ?? '').trim() };
  // `for a 30-second film about …`: what comes after `about` is the matter.
  const about = SUBJECT.exec(plain) ?? ABOUT.exec(plain);
  if (about && asks(plain.slice(0, about.index))) {
    const rest = plain.slice(about.index + about[0].length);
    const matter = tidy(rest);
    return { request: `${plain.slice(0, about.index)} ${rest.slice(rest.indexOf(matter) + matter.length)}`, matter };
  }
  const sentences = plain.split(/(?<=[.!?])\s+/);
  const telling = sentences.filter(sentence => !asks(sentence) && tellsOf(sentence));
  if (telling.length > 0 && telling.length < sentences.length) {
    return { request: sentences.filter(sentence => !telling.includes(sentence)).join(' '), matter: telling.join(' ') };
  }
  // `now five`: a word to what was talked of before.
  const isShort = follows && !tellsOf(plain) && plain.split(/\s+/).length <= 8;
  return asks(plain) || isShort ? { request: plain, matter: '' } : { request: '', matter: plain };
}

const SUBJECT = /\b(?:about|based on)\s+(?!(?:me|us|it|this|that|them|\d+ words)\b)(?=\S)/i;
const ABOUT =
  /\b(?:about|based on|in which|where|showing|featuring|starring|following|for a (?:film|video|clip|story|short|spot) (?:about|of)|for|of|on|from)\s+(?=(?!me\b|us\b|each\b|every\b|them\b|it\b|this\b|that\b|the (?:film|video|beats?|shots?|same|above|first|second|third|last)\b|\d+ (?:words|seconds)\b|\d+ to\b|a scale\b)\S)/i;
/** Orders that follow a logline in one breath. */
const TAIL =
  /(?:[,.;]|\s[-–—]|\n)\s*(?:(?:each|every|all|one per line|as (?:a )?(?:json|list|bullets?)|in json|(?:no|not) more than|at most|up to \d|under \d|within \d|max(?:imum)?\b|in the style of|style:|please|answer|return|respond|reply|output|give|number(?:ed)?\b|use\b|keep\b|write\b|make\b|include\b|\d+ ?(?:s|sec|seconds?)\b|no \w+|with (?:keys|timecodes|timestamps|no|a total)|for a \d|(?:and )?(?:also|then) |do not|don't|no (?:numbers|headings|explanation)|without (?:numbers|headings|explanation))[\s\S]*)$/i;
const tidy = (text: string): string =>
  text
    .replace(TAIL, '')
    .replace(/\s+(?:in (?:exactly )?(?:\w+|\d+) (?:beats|shots|scenes|prompts)|please|as json|in json)[.!]?$/i, '')
    .replace(/[.!?\s]+$/, '')
    .trim();

const UNITS: readonly (readonly [Unit, RegExp])[] = [
  ['beat', /\b(?:story )?beats?\b|\bstoryboards?\b(?! (?:writer|artist|assistant))|\bmoments?\b/i],
  ['shot', /\bshots?\b(?!-)|\bshot[- ]?lists?\b/i],
  ['scene', /\bscenes?\b/i],
  ['prompt', /\bprompts?\b|\bdescriptions?\b/i],
  ['title', /\btitles?\b|\bnames? for\b/i],
  ['logline', /\bloglines?\b|\bpremises?\b|\bideas?\b|\bconcepts?\b|\bpitch(?:es)?\b|\bsynops[ie]s\b/i],
  ['line', /\bvoice-?overs?\b|\bnarrations?\b|\bcaptions?\b|\btaglines?\b|\bslogans?\b|\bdialogues?\b/i],
];
/** An order stands at the start of a sentence, perhaps after some courtesy; elsewhere the same word may be told of somebody. */
const ORDERS =
  /(?:^|[.!?:\n]\s*)(?:(?:please|now|then|and|so|ok|okay|let's|(?:can|could|would|will) you|i(?:'d| would)? (?:need|want|like)(?: you to)?)[ ,]+)*(?:write|give|make|create|draft|list|suggest|propose|invent|come up with|generate|describe|plan|break|turn|rewrite|rephrase|improve|polish|shorten|tighten|trim|summari[sz]e|condense|rate|score|judge|grade|translate|expand|change|replace|answer|return|respond|reply|what|how|who|which|why|is|are|hello|hi|help|another|shorter|longer|more)\b/i;
/** So many words into a sentence its unit must have come: `three short beats about …`, but not `a photographer takes one last shot`. */
const UNIT_BY = 5;
const asks = (text: string): boolean =>
  ORDERS.test(text) ||
  text.split(/[.!?\n]\s+/).some(sentence => {
    const start = sentence.trim().split(/\s+/).slice(0, UNIT_BY).join(' ');
    return UNITS.some(([, unit]) => unit.test(start));
  });
const tellsOf = (text: string): boolean =>
  [...SUBJECTS, ...PLACES].some(([, said]) => text.search(new RegExp(said.source, 'i')) >= 0);

function taskOf(
  request: string,
  matter: string,
  system: string,
  previous: string | undefined,
  asked: readonly string[],
): Task {
  const hasText = matter !== '' || previous !== undefined;
  if (
    /\btranslat\w*\b|\b(?:in|into|auf|en) (?:french|german|spanish|italian|chinese|japanese|korean|portuguese|russian|arabic|dutch|polish|turkish|deutsch|français)\b/i.test(
      request,
    )
  ) {
    return { is: 'translate' };
  }
  const scoring = scoreIn(request) ?? (request.trim() === '' || !writes(request) ? scoreIn(system) : undefined);
  if (scoring && hasText) return scoring;
  if (
    hasText &&
    /\b(?:shorten|shorter|trim|condense|tighten|cut (?:it|this|that) (?:down|to)|fewer words|summari[sz]e|more concise)\b/i.test(
      request,
    )
  )
    return { is: 'rewrite', how: 'shorter' };
  if (
    hasText &&
    /\b(?:expand|longer|enrich|more (?:vivid|cinematic|detail(?:ed)?|descriptive|visual))\b/i.test(request)
  )
    return { is: 'rewrite', how: 'longer' };
  if (
    hasText &&
    /\b(?:rewrite|rephrase|improve|polish|reword|edit|change|adapt|make (?:it|this|that|them|the \w+|number \w+)|set (?:it|this)|turn (?:it|this|that) into)\b/i.test(
      request,
    )
  )
    return { is: 'rewrite', how: 'other' };
  if (
    /\b(?:who|what) are you\b|\bwhat (?:can|do) you do\b|\bare you (?:an? )?(?:ai|human|model|real)\b|^\s*(?:hello|hi|hey|help)\b[\s!.?]*$/i.test(
      request,
    )
  )
    return { is: 'introduce' };
  const units = unitsIn(request, system, asked);
  if (units.length > 0) return { is: 'write', units };
  if (tellsOf(matter) && !/\?\s*$/.test(matter)) return { is: 'write', units: [{ unit: 'prompt', count: 1 }] };
  if (request === '' && matter !== '' && !/\?\s*$/.test(matter) && system !== '')
    return { is: 'write', units: [{ unit: 'prompt', count: 1 }] };
  return { is: 'puzzled' };
}

const writes = (request: string): boolean =>
  UNITS.some(([, unit]) => unit.test(request)) && /\b(?:write|give|make|list|create|draft)\b/i.test(request);

/** `rate it from 1 to 10`, `out of 5`, `score between 0 and 1`. */
function scoreIn(text: string): Extract<Task, { is: 'score' }> | undefined {
  const isAsked = /\b(?:rate|score|grade|judge|rank|evaluate)\b/i.test(text) || /\bout of (?:5|10|100)\b/i.test(text);
  if (!isAsked) return undefined;
  const range = /\b(\d+(?:\.\d+)?)\s*(?:to|-|–|and|through)\s*(\d+(?:\.\d+)?)\b/i.exec(text);
  const outOf = /\b(?:out of|\/)\s*(\d+)\b/i.exec(text);
  const [from, to] = range ? [Number(range[1]), Number(range[2])] : outOf ? [0, Number(outOf[1])] : [1, 10];
  const bare =
    /\b(?:only|just) (?:the |a |one )?(?:number|score|digit|integer)\b|\bnumber only\b|\bnothing else\b|\bwith (?:a|one) (?:single )?number\b/i.test(
      text,
    );
  return { is: 'score', from: Math.min(from, to), to: Math.max(from, to), bare };
}

/** `a title, a logline and three beats` are three things; `a prompt for each of the three beats` is one. */
function unitsIn(request: string, system: string, asked: readonly string[]): readonly { unit: Unit; count: number }[] {
  const given = numberIn(request);
  for (const text of [request, system, ...asked.slice(0, -1).reverse()]) {
    const found = UNITS.flatMap(([unit, said]) => {
      const matches = [...text.matchAll(new RegExp(said.source, 'gi'))];
      const match = matches.find(({ index }) => (countBefore(text, index) ?? 1) > 1) ?? matches[0];
      return match ? [{ unit, at: match.index, end: match.index + match[0].length, word: match[0] }] : [];
    }).sort((a, b) => a.at - b.at);
    const [first, ...others] = found;
    if (!first) continue;
    const units = [first];
    for (const next of others) {
      const between = text.slice(units.at(-1)?.end, next.at);
      if (
        /^\s*(?:,|and|plus|&|\+|, and)[\s\w-]{0,20}$/i.test(between) &&
        !/\b(?:for|about|of|from|per)\b/i.test(between)
      )
        units.push(next);
    }
    // `for each of the three beats`, `a storyboard with 4 scenes`: the other is counted.
    const counted = found.find(
      one => one !== first && (first.unit === 'prompt' ? EACH : IN).test(text.slice(0, one.at)),
    );
    return units.map(({ unit, at, word, end }) => ({
      unit,
      count:
        (text !== request && text !== system && units.length === 1 ? given : undefined) ??
        (counted && units.length === 1 ? countBefore(text, counted.at) : undefined) ??
        countBefore(text, at) ??
        countAfter(text, end) ??
        usual(unit, word, request),
    }));
  }
  return [];
}

const EACH = /\beach of (?:the |these )?(?:\w+ )?$/i;
const IN = /\b(?:each of|with|of|in) (?:the |these )?(?:\w+ )?$/i;
const MOST = 100;
const countBefore = (text: string, at: number): number | undefined => {
  const before =
    text
      .slice(Math.max(0, at - 40), at)
      .split(/[,.;:\n]/)
      .at(-1) ?? '';
  const count = numberIn(before.trim().split(/\s+/).slice(-4).join(' '));
  return count === undefined ? undefined : Math.min(MOST, Math.max(1, count));
};
/** `beats: 3`, `beats (3)`. */
const countAfter = (text: string, end: number): number | undefined => {
  const match = /^\s*(?:[:=]|\()\s*(\d{1,3})\b/.exec(text.slice(end));
  return match ? Math.min(MOST, Math.max(1, Number(match[1]))) : undefined;
};
const usual = (unit: Unit, word: string, request: string): number => {
  if (!/s$|list/i.test(word) || unit === 'line') return 1;
  return wholeOf(/\b(\w+)[- ]part\b/i.exec(request)?.[1] ?? '') ?? 3;
};

/** What a task works on: its own matter, or what was talked of before. */
const NO_MATTER =
  /^(?:an?|the|my|our|this)?\s*(?:(?:short|new|little|small|own|next|feature|animated|silent|\d+[- ](?:second|minute))[- ]){0,2}(?:film|video|movie|clip|spot|story|short|teaser|trailer|commercial|ad)$/i;

function matterFor(
  task: Task,
  request: string,
  matter: string,
  previous: string | undefined,
  asked: readonly string[],
): string {
  if (matter !== '' && !NO_MATTER.test(matter)) return matter;
  if (task.is === 'rewrite' || task.is === 'score') return itemOf(previous ?? '', request);
  for (const text of asked.slice(0, -1).reverse()) {
    const earlier = parted(text).matter;
    if (earlier !== '') return earlier;
  }
  return '';
}

/** `the second one` of a list that was written; the whole of it where none is named. */
function itemOf(text: string, request: string): string {
  const named =
    /\b(?:number|beat|shot|scene|prompt|title|no\.?|#)\s*#?(\w+)\b/i.exec(request)?.[1] ??
    /\bthe (\w+)(?: one| beat| shot| scene| prompt)?\b/i.exec(request)?.[1];
  const index = named === undefined ? undefined : wholeOf(named);
  const items = text
    .split('\n')
    .filter(line => /^\s*(?:\d+[.)]|[-*•])\s+/.test(line))
    .map(line => line.replace(/^\s*(?:\d+[.)]|[-*•])\s+/, ''));
  if (named?.toLowerCase() === 'last' && items.length > 0) return items.at(-1) ?? text;
  return (index !== undefined && items[index - 1]) || text;
}

const KNOWN_STYLES =
  /\b(?:35 ?mm(?: film)?|16 ?mm(?: film)?|super ?8|imax|anamorphic|film grain|black and white|monochrome|noir|film noir|documentary|cinematic|photorealistic|hyper-?realistic|watercolou?r|oil painting|hand-?drawn|hand-?painted|stop[- ]motion|claymation|anime|pixel art|paper[- ]?cut|paper cut-?out|low[- ]poly|3d animation|cel[- ]shaded|comic(?: book)?|pastel colou?rs?|muted colou?rs?|saturated colou?rs?|soft focus|shallow depth of field|long takes?|minimalist|surreal|dreamlike|retro|vintage|sepia|technicolor|cyberpunk|steampunk)\b/gi;

/** The look that was asked for, in the author's words. */
function stylesIn(text: string): readonly string[] {
  const styled = /\b(?:in (?:the|a|an) style of|styled? like|style:|look:|in the manner of)\s+([^.,;\n]{3,60})/i.exec(
    text,
  );
  const ends = /\b(?:always )?(?:end|finish|close)s? (?:each|every|with|all)?[^"“\n]{0,30}["“]([^"”]{3,80})["”]/i.exec(
    text,
  );
  const known = [...text.matchAll(KNOWN_STYLES)].map(([word]) => word.toLowerCase());
  const own = styled
    ? [/^(?:style|look):/i.test(styled[0]) ? (styled[1] ?? '').trim() : `in the style of ${(styled[1] ?? '').trim()}`]
    : [];
  const told = [...own, ...(ends?.[1] ? [ends[1]] : [])];
  const kept = known.filter(word => !told.some(text => text.toLowerCase().includes(word)));
  return [...new Set([...kept, ...told])].slice(0, 6);
}

/** `at most 40 words`, `under twenty words`, `in one sentence`. */
function limitIn(text: string): number | undefined {
  const match =
    /\b(?:at most|max(?:imum)?(?: of)?|no more than|up to|under|within|below|fewer than|less than|about|in|to)?\s*(\w+)[- ]words?\b/i.exec(
      text,
    );
  const limit = match ? wholeOf(match[1] ?? '') : undefined;
  if (limit === undefined || limit < 2) return undefined;
  return /\b(?:under|below|fewer than|less than)\s/i.test(match?.[0] ?? '') ? limit - 1 : limit;
}

/** `a 30-second film`, `20 s in total`. */
function secondsIn(text: string): number | undefined {
  const all = text
    .replace(/(\d)s\b/g, '$1 s')
    .matchAll(/\b(\w+)[- ](?:seconds?|secs?|s)\b(?! (?:each|per|a (?:beat|shot)))/gi);
  const match = [...all].find(([, word]) => wholeOf(word ?? '') !== undefined);
  const minutes = /\b(\w+)[- ]minutes?\b/i.exec(text);
  const long = minutes ? wholeOf(minutes[1] ?? '') : undefined;
  const seconds = match ? wholeOf(match[1] ?? '') : undefined;
  return long !== undefined ? long * 60 : seconds !== undefined && seconds >= 2 ? seconds : undefined;
}

const pictureCount = (request: string): number | undefined =>
  [...request.matchAll(/\b(?:shots?|beats?|scenes?)\b/gi)]
    .map(({ index }) => countBefore(request, index))
    .find(count => count !== undefined && count > 1);

/** An example of JSON is no matter: braces and what is between them go. */
function withoutJson(text: string): string {
  let plain = text;
  for (let n = 0; n < 40 && /\{[^{}]*\}/.test(plain); n++) plain = plain.replace(/\[?\{[^{}]*\}\]?/g, ' ');
  return plain;
}
