/**
 * Words with their times, as recognisers and editors write them: the JSON of whisper (`segments`, each perhaps with `words`, or `words`
 * alone; whisper.cpp has `transcription` with `offsets`), SRT and VTT, or a plain list of `{ start, end, text }`.
 */
import type { CutCue } from '../../model/media/cut.ts';
import { isObject, type Json, type JsonObject, jsonIn } from '../../model/text/json.ts';
import { cutMessages } from './assembly.ts';

type Cues = { readonly is: 'cues'; readonly cues: readonly CutCue[] } | { readonly is: 'wrong'; readonly why: string };

/** Cues in the order of their times; empty texts are left out. */
export function readCues(given: Json): Cues {
  if (typeof given === 'string') return readText(given);
  if (Array.isArray(given)) return readList(given);
  if (isObject(given)) {
    const { segments, words, transcription } = given;
    if (Array.isArray(segments)) return readList(segments, Array.isArray(words) ? words : []);
    if (Array.isArray(transcription)) return readList((transcription as readonly Json[]).map(fromOffsets));
    if (Array.isArray(words)) return readWords(words);
  }
  return wrong(cutMessages.noCues);
}

function readText(text: string): Cues {
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) {
    const json = jsonIn(trimmed);
    if (json !== null && typeof json === 'object') return readCues(json);
  }
  return readSubtitleText(trimmed);
}

type Word = NonNullable<CutCue['words']>[number];

/** A segment without words of its own takes those that fall into it: some recognisers list them beside. */
function readList(entries: readonly Json[], beside: readonly Json[] = []): Cues {
  const besideWords = beside.flatMap(word => wordOf(word) ?? []);
  const cues: CutCue[] = [];
  for (const [index, entry] of entries.entries()) {
    const given = isObject(entry) ? entry : {};
    const [start, end] = [seconds(given.start), seconds(given.end)];
    if (start === undefined || end === undefined || end < start) return wrong(cutMessages.badTimes(index + 1));
    const own = Array.isArray(given.words) ? (given.words as readonly Json[]).flatMap(word => wordOf(word) ?? []) : [];
    const near = besideWords.filter(word => word.start >= start - 0.01 && word.start < end);
    const words = own.length > 0 ? own : near;
    const text = typeof given.text === 'string' ? given.text : words.map(word => word.text).join(' ');
    if (text.trim() === '' && given.text === undefined) return wrong(cutMessages.badText(index + 1));
    if (text.trim() === '' || end === start) continue;
    cues.push({ start, end, text: text.trim(), ...(words.length > 0 && { words }) });
  }
  return inOrder(cues);
}

/** Words alone: a line ends with a sentence, with a pause, or when it is full. */
const FULL = 42;
const PAUSE = 0.7;

function readWords(entries: readonly Json[]): Cues {
  const words = entries.map(wordOf);
  const missing = words.indexOf(undefined);
  if (missing >= 0) return wrong(cutMessages.badTimes(missing + 1));
  const lines: Word[][] = [];
  for (const word of words as readonly Word[]) {
    const line = lines.at(-1);
    const last = line?.at(-1);
    const length = line?.reduce((sum, { text }) => sum + text.length + 1, 0) ?? 0;
    const isFull = length + word.text.length > FULL;
    if (!line || !last || isFull || word.start - last.end > PAUSE || /[.!?…]["'”’)]*$/.test(last.text))
      lines.push([word]);
    else line.push(word);
  }
  return inOrder(
    lines.map(line => ({
      start: line[0]!.start,
      end: Math.max(...line.map(({ end }) => end)),
      text: line.map(({ text }) => text).join(' '),
      words: line,
    })),
  );
}

function wordOf(given: Json): Word | undefined {
  if (!isObject(given)) return undefined;
  const text = typeof given.word === 'string' ? given.word : given.text;
  const [start, end] = [seconds(given.start), seconds(given.end)];
  if (typeof text !== 'string' || text.trim() === '' || start === undefined || end === undefined || end < start)
    return undefined;
  return { start, end, text: text.trim() };
}

/** whisper.cpp counts milliseconds. */
function fromOffsets(given: Json): Json {
  const { offsets, text = '' } = isObject(given) ? given : ({} as JsonObject);
  const { from = null, to = null } = isObject(offsets) ? offsets : ({} as JsonObject);
  const inSeconds = (ms: Json) => (typeof ms === 'number' ? ms / 1000 : null);
  return { start: inSeconds(from), end: inSeconds(to), text };
}

/** A number of seconds, or `00:01:02.500`. */
function seconds(given: Json | undefined): number | undefined {
  if (typeof given === 'number') return given >= 0 && Number.isFinite(given) ? given : undefined;
  if (typeof given !== 'string') return undefined;
  if (/^\d+(\.\d+)?$/.test(given.trim())) return Number(given);
  return clock(given.trim());
}

function clock(text: string): number | undefined {
  const [, hours = '0', minutes, whole, part = '0'] =
    /^(?:(\d+):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?$/.exec(text) ?? [];
  if (minutes === undefined || whole === undefined) return undefined;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(whole) + Number(part.padEnd(3, '0')) / 1000;
}

const TIMES = /^\s*((?:\d+:)?\d{1,2}:\d{1,2}[.,]\d{1,3})\s*-->\s*((?:\d+:)?\d{1,2}:\d{1,2}[.,]\d{1,3})/;

/** SRT and VTT: blocks with a line of times; numbers, notes, styles and tags are stepped over. */
function readSubtitleText(text: string): Cues {
  const blocks = text
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replace(/^\ufeff/, '')
    .split(/\n[ \t]*\n+/);
  const cues: CutCue[] = [];
  for (const block of blocks) {
    const lines = block.split('\n');
    const at = lines.findIndex(line => TIMES.test(line));
    if (at < 0) continue;
    const [, from = '', to = ''] = TIMES.exec(lines[at]!) ?? [];
    const [start, end] = [clock(from), clock(to)];
    if (start === undefined || end === undefined || end < start) return wrong(cutMessages.badTimes(cues.length + 1));
    const words = lines
      .slice(at + 1)
      .map(line => line.replaceAll(/<[^>]*>|\{\\[^}]*\}/g, '').trim())
      .filter(line => line !== '')
      .join('\n');
    if (words !== '' && end > start) cues.push({ start, end, text: unescaped(words) });
  }
  return cues.length === 0 ? wrong(cutMessages.noCues) : inOrder(cues);
}

const unescaped = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&nbsp;', ' ').replaceAll('&amp;', '&');

const inOrder = (cues: readonly CutCue[]): Cues => ({
  is: 'cues',
  cues: cues.toSorted((a, b) => a.start - b.start),
});

const wrong = (why: string): Cues => ({ is: 'wrong', why });

/** Later by so many seconds. */
export const shifted = (cues: readonly CutCue[], by: number): readonly CutCue[] =>
  cues.map(({ start, end, text, words }) => ({
    start: exact(start + by),
    end: exact(end + by),
    text,
    ...(words && { words: words.map(word => ({ ...word, start: exact(word.start + by), end: exact(word.end + by) })) }),
  }));

/** One after the other, within the film: one that begins before the last has ended takes its place. */
export function fitted(cues: readonly CutCue[], seconds: number): readonly CutCue[] {
  const ordered = cues.filter(({ start }) => start < seconds).toSorted((a, b) => a.start - b.start);
  return ordered.flatMap((cue, index) => {
    const next = ordered[index + 1];
    const end = Math.min(cue.end, seconds, next?.start ?? Number.POSITIVE_INFINITY);
    return end > cue.start ? [{ ...cue, end }] : [];
  });
}

/** Without the dust of binary fractions: a microsecond is enough. */
const exact = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;
