/** What a conversation asks for, read from its last instruction; what that leaves open comes from the system message and earlier turns. */
import { PLACES, SUBJECTS } from '../shared/vocabulary.ts';
import type { ParsedChatRequest } from './chat-request.ts';
import { coloursOf, type SeenImage } from './seen-image.ts';

export type Unit = 'beat' | 'shot' | 'scene' | 'prompt' | 'title' | 'logline' | 'line';
/** `look`: describe the images. `none`: nothing that the writer can do. */
type Task = 'write' | 'rewrite' | 'shorten' | 'score' | 'look' | 'none';

export interface Brief {
  readonly task: Task;
  /** Empty where the request names none. */
  readonly units: readonly { readonly unit: Unit; readonly count: number }[];
  /** The last instruction as it was sent. */
  readonly instruction: string;
  /** The words of the request, without the text it is about. */
  readonly request: string;
  /** The logline, or the text to work on; empty where none was given. */
  readonly source: string;
  readonly scale: readonly [from: number, to: number];
  readonly style: readonly string[];
  /** Most words of an answer. */
  readonly words: number | undefined;
  readonly seconds: number | undefined;
  readonly list: 'numbers' | 'bullets' | 'lines';
  /** JSON was asked for in words alone. */
  readonly json: boolean;
  readonly variation: string;
  readonly images: readonly SeenImage[];
}

export function readBrief(chat: ParsedChatRequest): Brief {
  const { images, variation } = chat;
  const system = endsOf(chat.system);
  const turns = chat.turns.slice(-MAX_TURNS).map(turn => ({ ...turn, text: endsOf(turn.text) }));
  // A turn that asks for a repair asks again for what the turn before it asked.
  const asked = turns.flatMap(({ by, text }) => (by === 'person' && !REPAIR.test(text) ? [text] : []));
  const answers = turns.flatMap(({ by, text }) => (by === 'writer' ? [text] : []));
  const instruction = asked.at(-1) ?? turns.at(-1)?.text ?? system;
  const { request, source } = splitInstruction(instruction.replace(CRITICISM, '') || instruction);
  const earlier = asked.slice(0, -1).reverse();
  const units = unitsIn(request, [system, ...earlier]);
  const task = taskOf(request, source || (answers.at(-1) ?? ''), units, chat, system);
  const back =
    task === 'write' || task === 'none'
      ? earlier.map(text => splitInstruction(text).source)
      : [itemNamed(request, answers.at(-1) ?? '')];
  const whole = `${system}\n${instruction}`;
  const isAgain = /\b(?:another|other|different|more|again|new)\b/i.test(request) && answers.length > 0;
  return {
    task,
    units,
    instruction,
    request,
    source: source || (back.find(text => text !== '') ?? ''),
    scale: scaleIn(request) ?? scaleIn(system) ?? [1, 10],
    style: [
      ...styleIn(whole),
      ...(images[0] && task === 'write' ? [`colours of ${coloursOf(images[0]).join(' and ')}`] : []),
    ],
    words: numberAt(/\b(\w+)[- ]words?\b/i, `${system}\n${request}`),
    seconds: numberAt(/\b(\w+)[- ]?(?:seconds?|secs?|s)\b(?! (?:each|per|a ))/i, request),
    list: /\bone per line\b|\bplain lines?\b|\b(?:no|without) number/i.test(whole)
      ? 'lines'
      : /\bbullet/i.test(whole)
        ? 'bullets'
        : 'numbers',
    json: /\bjson\b/i.test(whole),
    variation: [variation, isAgain ? `again ${answers.length}` : ''].filter(Boolean).join(' '),
    images,
  };
}

/** `the second one` of a list that was written; the whole text where the request names none. */
function itemNamed(request: string, text: string): string {
  const items = [...text.matchAll(/^\s*(?:\d+[.)]|[-*•])\s+(.+)$/gm)].map(match => match[1] ?? '');
  const [, word = ''] = /\bthe (\w+)(?: one| beat| shot| scene| prompt)?\b/i.exec(request) ?? [];
  return (word === 'last' ? items.at(-1) : items[ORDINALS.indexOf(word)]) ?? text;
}
const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'];

/** Instructions stand at the ends of what people paste; the middle of a book would be read for minutes. */
const endsOf = (text: string): string =>
  text.length <= MAX_READ ? text : `${text.slice(0, MAX_READ / 2)}\n${text.slice(-MAX_READ / 2)}`;
const MAX_READ = 12_000;
const MAX_TURNS = 40;

const REPAIR =
  /\b(?:do(?:es)?|did)(?: not|n't) (?:fit|match|satisfy|validate|conform|parse)\b|\b(?:not|no|invalid) (?:valid )?json\b|\bcorrected json\b/i;
/** What was said of the round before is no part of what this round is about. */
const CRITICISM =
  /(?:^|(?<=[.!?;,]\s+|\n\s*))(?:of the (?:last|previous) \w+[^:\n]{0,40}|(?:the )?(?:last|previous) (?:time|round|version|notes?|criticism|critique|review)[^:\n]{0,40}|(?:the )?(?:criticism|critique|feedback)(?: so far| (?:of|on) the last \w+)?)\s*:\s*\S[\s\S]*$/i;

/** Where the source text stands, group 1. The first that fits counts; the last three need an order before them. */
const SOURCES: readonly RegExp[] = [
  /^[-*#\s]*(?:logline|idea|story|premise|concept|subject|topic|brief|prompt|text)\s*[:=]\s*["“«]?(.+?)["”»]?$/im,
  /["“«](?=\S)([^"“”«»]{8,})["”»]/,
  /^[^\n:]{3,240}(?::\s+|[:.]?\n+)([\s\S]{3,})$/,
  /\b(?:about|based on)\s+(?!(?:me|us|it|this|that|them|\d+ words)\b)(\S[\s\S]*)/i,
  /\b(?:in which|where|showing|for|of|on)\s+(?!(?:me|us|each|every|them|it|this|that|the (?:film|video|beats?|shots?|same|first|second|third|last)|\d+ (?:words|seconds)|(?:\w+ ){0,2}(?:beats?|shots?|scenes?|prompts?|titles?))\b)(\S[\s\S]*)/i,
];

/** An instruction in its two parts, so that a "close-up" in a prompt is not taken for an order. */
function splitInstruction(text: string): { readonly request: string; readonly source: string } {
  const plain = withoutJson(text).trim();
  for (const [n, pattern] of SOURCES.entries()) {
    const match = pattern.exec(plain);
    if (!match?.[1]) continue;
    const at = match.index + match[0].lastIndexOf(match[1]);
    if (n >= 2 && !isOrder(plain.slice(0, at))) continue;
    const source = n < 3 ? match[1].trim() : match[1].replace(TAIL, '').replace(/[.!?\s]+$/, '');
    return { request: plain.replace(source, ' '), source: NO_SUBJECT.test(source) ? '' : source };
  }
  const sentences = plain.split(/(?<=[.!?])\s+/);
  const orders = sentences.filter(isOrder);
  if (orders.length > 0)
    return {
      request: orders.join(' '),
      source: sentences.filter(one => !isOrder(one) && namesSomething(one)).join(' '),
    };
  return plain.split(/\s+/).length <= 3 && !namesSomething(plain)
    ? { request: plain, source: '' }
    : { request: '', source: plain };
}

/** Orders that follow a logline in one breath. */
const TAIL =
  /(?:[,;]|\s[-–—]|\n|[.!?]\s)\s*(?:each|every|all|one per line|as (?:a )?(?:json|list|bullets?)|in json|no\b|at most|up to \d|under \d|in the style of|style:|please|answer|return|reply|output|give|write|make|use|keep|include|with (?:keys|timecodes|no)|for a \d|\d+ ?s(?:ec)?)[\s\S]*$/i;
const NO_SUBJECT =
  /^(?:an?|the|my|our|this)?\s*(?:[\w-]+ ){0,2}(?:film|video|movie|clip|spot|story|short|teaser|trailer|commercial|advert)$/i;

/** An example of JSON is no source text. */
function withoutJson(text: string): string {
  const [open, close] = [text.indexOf('{'), text.lastIndexOf('}')];
  return open >= 0 && close > open ? `${text.slice(0, open)} ${text.slice(close + 1)}` : text;
}

const ORDER =
  /^\s*(?:(?:please|now|then|and|so|ok|let's|(?:can|could|would|will) you|i(?:'d| would)? (?:need|want|like))[ ,]+)*(?:write|give|make|create|draft|list|suggest|propose|invent|generate|describe|plan|break|turn|rewrite|rephrase|improve|polish|shorten|trim|summari[sz]e|condense|rate|score|judge|grade|translate|expand|change|replace|answer|return|respond|reply|what|how|who|which|why|is|are|another|shorter|longer)\b/i;
/** `three short beats about …`, but not `a photographer takes one last shot`: a unit stands within so many words. */
const MAX_WORDS_TO_UNIT = 5;
const isOrder = (text: string): boolean =>
  text.split(/[.!?\n]\s+/).some(sentence => {
    const start = sentence.trim().split(/\s+/).slice(0, MAX_WORDS_TO_UNIT).join(' ');
    return ORDER.test(start) || UNITS.some(([, unit]) => unit.test(start));
  });
const namesSomething = (text: string): boolean =>
  [...SUBJECTS, ...PLACES].some(([, said]) => text.match(said) !== null);

const UNITS: readonly (readonly [Unit, RegExp])[] = [
  ['beat', /\bbeats?\b|\bstoryboards?\b|\bmoments?\b/i],
  ['shot', /\bshots?\b(?!-)|\bshot[- ]?lists?\b/i],
  ['scene', /\bscenes?\b/i],
  ['prompt', /\bprompts?\b|\bdescriptions?\b/i],
  ['title', /\btitles?\b|\bnames? for\b/i],
  ['logline', /\bloglines?\b|\bpremises?\b|\bideas?\b|\bconcepts?\b|\bsynops[ie]s\b/i],
  ['line', /\bvoice-?overs?\b|\bnarrations?\b|\bcaptions?\b|\btaglines?\b|\bslogans?\b|\bdialogues?\b/i],
];

/** `a title, a logline and three beats`: all of a request; where it names none, the first thing that was asked for before. */
function unitsIn(request: string, before: readonly string[]): Brief['units'] {
  const found = unitsNamed(request);
  if (found.length > 0) return found;
  const [unit] = before.flatMap(unitsNamed);
  return unit ? [{ ...unit, count: numberAt(/\b(\w+)\W*$/, request) ?? unit.count }] : [];
}

const unitsNamed = (text: string): Brief['units'] =>
  UNITS.flatMap(([unit, pattern]) => {
    const match = pattern.exec(text);
    // `this logline` is given, not wanted.
    if (!match || /\b(?:this|that|these|following|my|your)\s+(?:\w+ )?$/i.test(text.slice(0, match.index))) return [];
    const words =
      text
        .slice(0, match.index)
        .split(/[,.;:\n]/)
        .at(-1)
        ?.trim()
        .split(/\s+/)
        .slice(-4) ?? [];
    const given = words.map(numberOf).findLast(number => number !== undefined && number > 0);
    const after = /^\s*[:(]\s*(\d{1,3})\b/.exec(text.slice(match.index + match[0].length))?.[1];
    const usual = /s$|list/i.test(match[0]) && unit !== 'line' ? 3 : 1;
    return [{ unit, count: Math.min(MAX_COUNT, given ?? (after ? Number(after) : usual)), at: match.index }];
  }).sort((a, b) => a.at - b.at);
const MAX_COUNT = 100;

function taskOf(
  request: string,
  text: string,
  units: Brief['units'],
  { images, turns }: ParsedChatRequest,
  system: string,
): Task {
  const writes = /\b(?:write|give|make|list|create|draft)\b/i.test(request) && unitsNamed(request).length > 0;
  const isQuestion = /\?\s*$/.test(text);
  if (/\btranslat/i.test(request) || isForeign(`${request} ${text}`)) return 'none';
  if (text !== '') {
    if (scaleIn(request) || (!writes && scaleIn(system))) return 'score';
    if (/\b(?:shorten|shorter|trim|condense|tighten|fewer words|summari[sz]e)\b/i.test(request)) return 'shorten';
    if (
      /\b(?:re(?:write|phrase|word)|improve|polish|edit|change|adapt|expand|longer|enrich|make (?:it|this|that|them|the \w+)|turn (?:it|this|that) into)\b/i.test(
        request,
      )
    )
      return 'rewrite';
  }
  if (images.length > 0 && (/\bdescribe\b/i.test(request) || unitsNamed(request).length === 0)) return 'look';
  if (units.length > 0) return 'write';
  return !isQuestion && (namesSomething(text) || (request === '' && system !== '' && turns.length > 0))
    ? 'write'
    : 'none';
}

/** More letters of another script than of ours. */
const isForeign = (text: string): boolean =>
  (text.match(/(?!\p{Script=Latin})\p{L}/gu)?.length ?? 0) > (text.match(/\p{Script=Latin}/gu)?.length ?? 0);

/** `rate it from 1 to 10`, `out of 5`; undefined where nothing is to be scored. */
function scaleIn(text: string): readonly [from: number, to: number] | undefined {
  if (!/\b(?:rate|score|grade|judge|rank|evaluate)\b/i.test(text)) return undefined;
  const [, low, high] = /\b(\d+(?:\.\d+)?)\s*(?:to|-|–|and)\s*(\d+(?:\.\d+)?)\b/i.exec(text) ?? [];
  const top = /\bout of (\d+)\b/i.exec(text)?.[1];
  return low && high && Number(low) < Number(high) ? [Number(low), Number(high)] : top ? [0, Number(top)] : [1, 10];
}

/** The look that was asked for, in the author's words. */
const styleIn = (text: string): readonly string[] =>
  [...text.matchAll(/\b(in the style of [^.,;\n]{3,60}|(?:style|look): ?([^.,;\n]{3,60}))/gi)].map(match =>
    (match[2] ?? match[1] ?? '').trim().replace(/^In the/, 'in the'),
  );

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const OTHERS: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  single: 1,
  couple: 2,
  both: 2,
  few: 3,
  several: 5,
  dozen: 12,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  hundred: 100,
};

/** `3`, `three`, `a dozen`. */
function numberOf(word: string): number | undefined {
  const plain = word.toLowerCase();
  if (/^\d{1,4}$/.test(plain)) return Number(plain);
  const at = NUMBERS.indexOf(plain);
  return at >= 0 ? at : OTHERS[plain];
}

/** The first match of a pattern whose group 1 is a number of at least two. */
function numberAt(pattern: RegExp, text: string): number | undefined {
  for (const [, word = ''] of text.matchAll(new RegExp(pattern.source, 'gi'))) {
    const number = numberOf(word);
    if (number !== undefined && number >= 2) return number;
  }
  return undefined;
}
