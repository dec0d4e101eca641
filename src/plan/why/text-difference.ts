/** Two texts, cut down to the place where they differ: `…crosses the «frozen» river` says more than both of them in full. */
import { cellWidth, clipEnd } from '../../domain/cells.ts';

/** Characters of what is the same that stand before a difference. */
const BEFORE = 24;

export interface Excerpts {
  readonly was: string;
  readonly now: string;
}

/** @param room terminal cells for each of the two. */
export function excerpts(was: string, now: string, room: number): Excerpts {
  if (cellWidth(was) <= room && cellWidth(now) <= room) return { was, now };
  const same = sameStart(was, now);
  const from = same <= BEFORE ? 0 : wordAt(was, same - BEFORE);
  const cut = (text: string) => clipEnd(`${from > 0 ? '…' : ''}${text.slice(from)}`, room);
  return { was: cut(was), now: cut(now) };
}

function sameStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  // Half of a character is none.
  return /[\udc00-\udfff]/.test(a[at] ?? b[at] ?? '') ? at - 1 : at;
}

/** The first beginning of a word from there on; long words are cut where they are. */
function wordAt(text: string, from: number): number {
  const blank = text.indexOf(' ', Math.max(0, from));
  return blank >= 0 && blank < from + BEFORE / 2 ? blank + 1 : Math.max(0, from);
}
