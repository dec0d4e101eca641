/**
 * Cuts a prompt into its shots: at timestamps (`[0-2s]`, `0:02–0:04`), at numbered shots, at "cut to", or by "multi-shot"; otherwise it is
 * one shot.
 */
import { first, SAID, SIZES } from '../../shared/vocabulary.ts';

/** Characters. A page is 2,000; what follows the fifth changes no picture, and patterns take longer with every page. */
export const MAX_READ = 10_000;

interface Part {
  /** Seconds. */
  readonly start: number;
  readonly text: string;
}
interface Parts {
  /** The words before the first shot: true of all of them. */
  readonly head: string;
  readonly parts: readonly Part[];
}

/** The shots that a prompt asks for, in order. */
export function splitIntoShots(prompt: string, duration: number): Parts {
  const stamped = byTimestamps(prompt, duration);
  if (stamped) return stamped;
  if (SAID.single.test(prompt)) return { head: '', parts: [{ start: 0, text: prompt }] };
  return (
    byNumbers(prompt, duration) ??
    byList(prompt, duration) ??
    byCuts(prompt, duration) ??
    byOrder(prompt, duration) ??
    byCoverage(prompt, duration) ?? { head: '', parts: [{ start: 0, text: prompt }] }
  );
}

// A clock has few digits: without bounds a page of them takes minutes to read.
const CLOCK = String.raw`(?<!\d)(\d{1,4}(?::\d{1,2})?(?:\.\d{1,3})?)\s{0,3}(?:seconds?|secs?|s|秒)?`;
const RANGE = new RegExp(
  String.raw`(?:from\s+)?[[(（【第]?\s*${CLOCK}\s*(?:-|–|—|to|~|至|到)\s*${CLOCK}\s*[\])）】]?\s*[:：,，]?\s*`,
  'gi',
);
const MARK = new RegExp(String.raw`[[(（【]\s*${CLOCK}\s*[\])）】]\s*[:：,，]?\s*`, 'gi');
const LABEL_BEFORE = /(?:\b(?:shot|scene)\s*\d*|镜头\s*\d*|第.{1,2}(?:个)?镜头)\s*[:：]?\s*$/i;

/** `null` where the prompt has no timestamps. "2-3 people" is none: a range needs a unit, a colon or a bracket. */
function byTimestamps(prompt: string, duration: number): Parts | null {
  const marks: { readonly at: number; readonly after: number; readonly start: number }[] = [];
  let last = -1;
  for (const match of prompt.matchAll(RANGE)) {
    const [whole, from = '', to = ''] = match;
    const start = seconds(from);
    const end = seconds(to);
    if (!isRange(whole, start, end) || start < last) continue;
    last = start;
    marks.push({ at: match.index, after: match.index + whole.length, start });
  }
  if (marks.length === 0) {
    const single = [...prompt.matchAll(MARK)];
    if (single.length < 2) return null;
    for (const match of single)
      marks.push({ at: match.index, after: match.index + match[0].length, start: seconds(match[1] ?? '') });
  }
  const head = tidy(prompt.slice(0, marks[0]?.at).replace(LABEL_BEFORE, ''));
  const parts = marks
    .map((mark, i) => ({
      start: mark.start,
      text: tidy(prompt.slice(mark.after, marks[i + 1]?.at).replace(LABEL_BEFORE, '')),
    }))
    .filter(part => part.start < duration);
  return parts.length > 0 ? { head, parts } : null;
}

/** Where a prompt with time ranges ends, in seconds: `[0-2s] … [2-6s] …` is six seconds long. */
export function lastMoment(prompt: string): number | undefined {
  let end: number | undefined;
  for (const [whole, from = '', to = ''] of prompt.slice(0, MAX_READ).matchAll(RANGE))
    if (isRange(whole, seconds(from), seconds(to))) end = Math.max(end ?? 0, seconds(to));
  return end;
}

const isRange = (whole: string, start: number, end: number): boolean =>
  /[[(（【第:：]|\d\s*(?:s\b|sec|秒)/i.test(whole) && end > start && end <= 600;

function seconds(clock: string): number {
  const [minutes, rest] = clock.includes(':') ? clock.split(':') : ['0', clock];
  return Number(minutes) * 60 + Number(rest);
}

const COUNT = String.raw`(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|[一二三四五六七八九十])`;
/** `Shot 2:`, `Scene two —`, `镜头二：`, `第二个镜头，`. */
const NUMBERED = new RegExp(
  String.raw`(?:^|[\s.;,，。；])(?:(?:shot|scene|镜头)\s*${COUNT}|第[一二三四五六七八九\d]个?镜头)\s*[:：.\-–—)，,]\s*`,
  'i',
);

function byNumbers(prompt: string, duration: number): Parts | null {
  const pieces = prompt.split(NUMBERED);
  if (pieces.length < 3) return null;
  const [head = '', ...texts] = pieces.map(tidy);
  return {
    head,
    parts: evenly(
      texts.filter(text => text !== ''),
      duration,
    ),
  };
}

/** `1) … 2) … 3) …` or `1. … 2. …`: counted from one, without a gap. */
function byList(prompt: string, duration: number): Parts | null {
  const marks = [...prompt.matchAll(/(?:^|\s)(\d{1,2})[.)、）]\s+(?=\S)/g)];
  if (marks.length < 2 || marks.some((mark, i) => Number(mark[1]) !== i + 1)) return null;
  const texts = marks.map((mark, i) => tidy(prompt.slice(mark.index + mark[0].length, marks[i + 1]?.index)));
  return { head: tidy(prompt.slice(0, marks[0]?.index)), parts: evenly(texts, duration) };
}

/** "First, a wide shot of … Next, a close-up of …": sentences in an order, when at least two of them say how they are framed. */
function byOrder(prompt: string, duration: number): Parts | null {
  const texts = prompt
    .split(/(?:^|(?<=[.;。；]\s*))(?:first|next|then|after that|finally|lastly|首先|接着|然后|最后)[,，:：]?\s+/i)
    .map(tidy)
    .filter(text => text !== '');
  const framed = texts.filter(text => first(SIZES, text) !== undefined).length;
  return texts.length > 1 && framed > 1 ? { head: '', parts: evenly(texts, duration) } : null;
}

function byCuts(prompt: string, duration: number): Parts | null {
  const texts = prompt
    .split(/[\s,，.。;；]*(?:\b(?:then )?(?:hard |smash |match )?cuts? to\b|切换到|切至|切到)[:：,，]?\s*/i)
    .map(tidy)
    .filter(text => text !== '');
  return texts.length > 1 ? { head: '', parts: evenly(texts, duration) } : null;
}

/** "Multi-shot" without shots: its sentences, or the classic coverage of wide, medium, close. */
function byCoverage(prompt: string, duration: number): Parts | null {
  if (!SAID.several.test(prompt)) return null;
  const rest =
    tidy(
      prompt.replace(
        /[^.。:：,，]*?(?:multi[- ]?shots?|multiple shots|several shots|多镜头)(?: video| film| sequence|视频)?\s*(?:of|[.。:：,，])?\s*/i,
        '',
      ),
    ) || prompt;
  const sentences = (rest.match(/[^.!?。！？]+[.!?。！？]?/g) ?? []).map(tidy).filter(text => text.length > 2);
  const count = Math.max(2, Math.min(4, Math.round(duration / 2.2)));
  if (sentences.length > 1)
    return { head: '', parts: evenly(sentences.slice(0, Math.max(2, Math.floor(duration))), duration) };
  const sizes = ['wide shot', 'medium shot', 'close-up', 'wide shot'].slice(0, count);
  return {
    head: '',
    parts: evenly(
      sizes.map(size => `${size}: ${rest}`),
      duration,
    ),
  };
}

const evenly = (texts: readonly string[], duration: number): Part[] =>
  texts.map((text, i) => ({ start: (duration * i) / texts.length, text }));
export const tidy = (text: string) => text.replace(/^[\s,，.。;；:：]+|[\s,，;；]+$/g, '').trim();
