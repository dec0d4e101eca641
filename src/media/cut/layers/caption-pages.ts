/**
 * Captions as they are shown (pure): a cue that takes more than two lines becomes several pages, one after the other, and each page
 * knows which of its words is spoken when. Times are frames of the film.
 */
import type { CutCaptions, CutCue, FrameRate } from '../../../model/media/cut.ts';

export interface CaptionPage {
  readonly from: number;
  /** The first frame that it is no longer seen. */
  readonly to: number;
  readonly text: string;
  /** Empty where only lines are known. */
  readonly words: readonly SpokenWord[];
}

interface SpokenWord {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

interface PageTerms {
  readonly rate: FrameRate;
  /** Whether a text can be shown at once. */
  readonly fits: (text: string) => boolean;
}

/** Seconds of silence after a word during which it stays marked: the mark would flicker. */
const PAUSE = 0.2;

export function captionPages({ cues, style }: CutCaptions, { rate, fits }: PageTerms): readonly CaptionPage[] {
  const frameAt = (seconds: number) => Math.round((seconds * rate.frames) / rate.seconds);
  return cues.flatMap(cue => {
    const pieces = piecesOf(cue);
    if (pieces.length === 0) return [];
    const groups = grouped(pieces, fits);
    return groups.flatMap((group, i) => {
      const from = frameAt(i === 0 ? cue.start : group[0]!.start);
      const to = frameAt(groups[i + 1]?.[0]?.start ?? cue.end);
      const words = style === 'word' && cue.words ? spoken(group, frameAt) : [];
      return to > from ? [{ from, to, text: joined(group), words }] : [];
    });
  });
}

/** A word and the blank before it. */
interface Piece {
  readonly text: string;
  readonly isApart: boolean;
  readonly start: number;
  readonly end: number;
}

const joined = (pieces: readonly Piece[]): string =>
  pieces.map(({ text, isApart }, i) => (isApart && i > 0 ? ` ${text}` : text)).join('');

/** Words that have no times share the cue's by their length. */
function piecesOf({ text, words = [], start, end }: CutCue): readonly Piece[] {
  if (words.length > 0) return withBlanks(words, text);
  const parts = text.trim().match(PART) ?? [];
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  let before = 0;
  return parts.map(part => {
    const at = (letters: number) => start + ((end - start) * letters) / length;
    const piece = { text: part.trim(), isApart: /^\s/.test(part), start: at(before), end: at(before + part.length) };
    before += part.length;
    return piece;
  });
}

/** A word with the blank before it; a Chinese character is a word of its own, with the mark that follows it. */
const PART = /\s*(?:[\u2e80-\u9fff\uac00-\ud7ff][\u3000-\u303f\uff00-\uffef]*|[^\s\u2e80-\u9fff\uac00-\ud7ff]+)/gu;

/** The blanks between words are the text's; where it has other words, there is one between any two. */
function withBlanks(words: NonNullable<CutCue['words']>, text: string): readonly Piece[] {
  let at = 0;
  return words
    .map(word => ({ ...word, text: word.text.trim() }))
    .filter(word => word.text !== '')
    .map(({ text: word, start, end }) => {
      const found = text.indexOf(word, at);
      const isApart = found < 0 || /\s/.test(text.slice(at, found)) || (at === 0 && found === 0);
      if (found >= 0) at = found + word.length;
      return { text: word, isApart, start, end };
    });
}

/** As few groups as fit, of much the same length. */
function grouped(pieces: readonly Piece[], fits: (text: string) => boolean): readonly (readonly Piece[])[] {
  if (fits(joined(pieces))) return [pieces];
  const greedy = greedily(pieces, fits);
  const length = joined(pieces).length / greedy.length;
  const fair = greedily(pieces, (text, next) => fits(text) && text.length - next.length / 2 <= length);
  return fair.length === greedy.length ? fair : greedy;
}

function greedily(pieces: readonly Piece[], fits: (text: string, next: string) => boolean): Piece[][] {
  const groups: Piece[][] = [];
  for (const piece of pieces) {
    const last = groups.at(-1);
    if (last && fits(joined([...last, piece]), piece.text)) last.push(piece);
    else groups.push([piece]);
  }
  return groups;
}

function spoken(pieces: readonly Piece[], frameAt: (seconds: number) => number): readonly SpokenWord[] {
  return pieces.map(({ text, start, end }, i) => {
    const next = pieces[i + 1]?.start;
    const until = next !== undefined && (next - end < PAUSE || next < end) ? next : end;
    return { from: frameAt(start), to: frameAt(until), text };
  });
}
