/** What a conversation asks for, read from its last instruction. What that leaves open comes from the system message and earlier turns. */
import { PLACES, SUBJECTS } from '../shared/vocabulary.ts';
import type { ParsedChatRequest } from './chat-request.ts';
import words from './data/instructions.json' with { type: 'json' };
import { coloursOf, type SeenImage } from './seen-image.ts';

export type Unit = keyof typeof words.units;

export interface Brief {
  /** `look`: describe the images. `none`: nothing that the writer can do. */
  readonly task: 'write' | 'rewrite' | 'score' | 'look' | 'none';
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
  /** Seconds of all beats together. */
  readonly seconds: number | undefined;
  /** What a list puts before its items. */
  readonly mark: 'number' | 'bullet' | 'none';
  /** JSON was asked for in words alone. */
  readonly json: boolean;
  readonly variation: string;
  readonly images: readonly SeenImage[];
}

export function readBrief(chat: ParsedChatRequest): Brief {
  const { images, variation } = chat;
  const system = endsOf(chat.system);
  const turns = chat.turns.slice(-MAX_TURNS).map(turn => ({ ...turn, text: endsOf(turn.text) }));
  // A turn that asks for a repair repeats the request before it.
  const asked = turns.filter(({ by, text }) => by === 'person' && !REPAIR.test(text)).map(({ text }) => text);
  const answer = turns.findLast(({ by }) => by === 'writer')?.text ?? '';
  const [instruction = turns.at(-1)?.text ?? system, ...earlier] = asked.reverse();
  const { request, source } = splitInstruction(instruction.replace(CRITICISM, '') || instruction);
  const units = unitsNamed(request);
  const [before] = [system, ...earlier].flatMap(unitsNamed);
  if (units.length === 0 && before)
    units.push({ unit: before.unit, count: numberAt(/\b(\w+)\W*$/, request) ?? before.count });
  const task = taskOf(request, source || answer, units, chat, system);
  const isEdit = task === 'rewrite' || task === 'score';
  const whole = `${system}\n${instruction}`;
  const isAgain = answer !== '' && /\b(?:another|other|different|more|again|new)\b/i.test(request);
  return {
    task,
    units,
    instruction,
    request,
    source:
      source ||
      (isEdit ? itemNamed(request, answer) : (earlier.map(text => splitInstruction(text).source).find(Boolean) ?? '')),
    scale: scaleIn(request) ?? scaleIn(system) ?? [1, 10],
    style: [
      ...styleIn(whole),
      ...(images[0] && task === 'write' ? [`colours of ${coloursOf(images[0]).join(' and ')}`] : []),
    ],
    words: numberAt(/\b(\w+)[- ]words?\b/i, `${system}\n${request}`),
    seconds: numberAt(/\b(\w+)[- ]?(?:seconds?|secs?|s)\b(?! (?:each|per|a ))/i, request),
    mark: /\bone per line\b|\bplain lines?\b|\b(?:no|without) number/i.test(whole)
      ? 'none'
      : /\bbullet/i.test(whole)
        ? 'bullet'
        : 'number',
    json: /\bjson\b/i.test(whole),
    variation: isAgain ? `${variation} again ${turns.length}`.trim() : variation,
    images,
  };
}

/** Instructions stand at the ends of what people paste; the middle of a book would be read for minutes. */
const endsOf = (text: string): string =>
  text.length <= MAX_READ ? text : `${text.slice(0, MAX_READ / 2)}\n${text.slice(-MAX_READ / 2)}`;
const MAX_READ = 12_000;
const MAX_TURNS = 40;
const MAX_COUNT = 100;

const REPAIR = new RegExp(words.repair, 'i');
/** Criticism of the round before, which is no part of what this round is about. */
const CRITICISM = new RegExp(words.criticism, 'i');
const ORDER = new RegExp(words.order, 'i');
/** Orders that follow a logline in the same sentence. */
const TAIL = new RegExp(words.tail, 'i');
const UNITS = Object.entries(words.units).map(([unit, names]) => [unit as Unit, new RegExp(names, 'i')] as const);

/** Group 1 of the first matching pattern is the source text. From the third pattern on, the text before it must be an order. */
const SOURCES: readonly RegExp[] = [
  /^[-*#\s]*(?:logline|idea|story|premise|concept|subject|topic|brief|prompt|text)\s*[:=]\s*["“«]?(.+?)["”»]?$/im,
  /["“«](?=\S)([^"“”«»]{8,})["”»]/,
  /^[^\n:]{3,240}(?::\s+|[:.]?\n+)([\s\S]{3,})$/,
  /\b(?:about|based on)\s+(?!(?:me|us|it|this|that|them|\d+ words)\b)(\S[\s\S]*)/i,
  new RegExp(words.subjectAfter, 'i'),
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
    const isFilm = /^(?:(?:an?|the|my|our|this) )?(?:[\w-]+ ){0,2}(?:film|video|movie|clip|spot|story|trailer)$/i;
    return { request: plain.replace(source, ' '), source: isFilm.test(source) ? '' : source };
  }
  const sentences = plain.split(/(?<=[.!?])\s+/);
  const orders = sentences.filter(isOrder);
  if (orders.length > 0) {
    const others = sentences.filter(one => !isOrder(one) && namesSomething(one));
    return { request: orders.join(' '), source: others.join(' ') };
  }
  const isWord = plain.split(/\s+/).length <= 3 && !namesSomething(plain);
  return isWord ? { request: plain, source: '' } : { request: '', source: plain };
}

/** An example of JSON is no source text. */
function withoutJson(text: string): string {
  const [open, close] = [text.indexOf('{'), text.lastIndexOf('}')];
  return open >= 0 && close > open ? `${text.slice(0, open)} ${text.slice(close + 1)}` : text;
}

/** An order names its unit within five words: `three short beats about …`, but not `a photographer takes one last shot`. */
const isOrder = (text: string): boolean =>
  text.split(/[.!?\n]\s+/).some(sentence => {
    const start = sentence.trim().split(/\s+/).slice(0, 5).join(' ');
    return ORDER.test(start) || UNITS.some(([, unit]) => unit.test(start));
  });
const namesSomething = (text: string): boolean =>
  [...SUBJECTS, ...PLACES].some(([, pattern]) => text.match(pattern) !== null);

/** `a title, a logline and three beats`, in their order. */
const unitsNamed = (text: string): { unit: Unit; count: number }[] =>
  UNITS.flatMap(([unit, pattern]) => {
    const match = pattern.exec(text);
    const before = text.slice(0, match?.index);
    // `this logline` is given, not wanted.
    if (!match || /\b(?:this|that|these|following|my|your)\s+(?:\w+ )?$/i.test(before)) return [];
    const nearby =
      before
        .split(/[,.;:\n]/)
        .at(-1)
        ?.trim()
        .split(/\s+/)
        .slice(-4) ?? [];
    const given = nearby.map(numberOf).findLast(number => number !== undefined && number > 0);
    const after = /^\s*[:(]\s*(\d{1,3})\b/.exec(text.slice(match.index + match[0].length))?.[1];
    const usual = /s$|list/i.test(match[0]) && unit !== 'line' ? 3 : 1;
    return [{ unit, count: Math.min(MAX_COUNT, given ?? Number(after ?? usual)), at: match.index }];
  }).sort((a, b) => a.at - b.at);

/** `the second one` of a list in the answer; the whole answer where the request names none. */
function itemNamed(request: string, answer: string): string {
  const items = [...answer.matchAll(/^\s*(?:\d+[.)]|[-*•])\s+(.+)$/gm)].map(match => match[1] ?? '');
  const [, word = ''] = /\bthe (\w+)(?: one| beat| shot| scene| prompt)?\b/i.exec(request) ?? [];
  return (word === 'last' ? items.at(-1) : items[words.ordinals.indexOf(word)]) ?? answer;
}

function taskOf(
  request: string,
  text: string,
  units: Brief['units'],
  { images, turns }: ParsedChatRequest,
  system: string,
): Brief['task'] {
  const namesUnits = unitsNamed(request).length > 0;
  const writes = namesUnits && /\b(?:write|give|make|list|create|draft)\b/i.test(request);
  if (/\btranslat/i.test(request) || isForeign(`${request} ${text}`)) return 'none';
  if (text !== '' && (scaleIn(request) || (!writes && scaleIn(system)))) return 'score';
  if (text !== '' && new RegExp(words.edit, 'i').test(request)) return 'rewrite';
  if (images.length > 0 && (!namesUnits || /\bdescribe\b/i.test(request))) return 'look';
  if (units.length > 0) return 'write';
  const isLogline = namesSomething(text) || (request === '' && system !== '' && turns.length > 0);
  return isLogline && !/\?\s*$/.test(text) ? 'write' : 'none';
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

/** `3`, `three`, `a dozen`. */
const numberOf = (word: string): number | undefined =>
  /^\d{1,4}$/.test(word) ? Number(word) : NUMBERS.get(word.toLowerCase());
const NUMBERS = new Map<string, number>(Object.entries(words.numbers));

/** The first match of a pattern whose group 1 is a number of at least two. */
const numberAt = (pattern: RegExp, text: string): number | undefined =>
  [...text.matchAll(new RegExp(pattern, 'gi'))]
    .map(([, word = '']) => numberOf(word))
    .find(number => Number(number) >= 2);
