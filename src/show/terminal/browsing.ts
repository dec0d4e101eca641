/**
 * Where the person at the keyboard is while a run goes on, and what a key does to that. Pure.
 *
 *     live ◀─ s ─▶ stream          ↑ ↓ ─▶ list ─ Enter ─▶ one in full ─ ← → ─▶ the one before, the next
 *                                  / ─▶ list, filtered      Esc goes back
 *     p pick · a approve · r review · ? keys
 */
import type { InstanceKey } from '../../model/run/key.ts';

export interface Browsing {
  /** Rows that are drawn in place, or every event in a line of its own. */
  readonly mode: 'live' | 'stream';
  readonly over: Over | undefined;
  /** What came of the last key, where that needs a word. */
  readonly notice: string;
}

/** What lies over the live part. */
export type Over =
  | { readonly is: 'help' }
  | { readonly is: 'list'; readonly at: InstanceKey; readonly filter?: Filter | undefined }
  /** `from`: lines that are scrolled out above. */
  | { readonly is: 'one'; readonly at: InstanceKey; readonly from: number; readonly filter?: Filter | undefined };

/** Narrows a list to names that contain `text`, in upper or lower case. */
export interface Filter {
  readonly text: string;
  /** Keys are letters of it. */
  readonly isTyping: boolean;
}

export const matches = (key: InstanceKey, filter: Filter | undefined): boolean =>
  filter === undefined || key.toLowerCase().includes(filter.text.toLowerCase());

export type BrowsingAct = 'pick' | 'approve' | 'review';

interface Browsed {
  readonly browsing: Browsing;
  readonly act?: BrowsingAct;
}

export const NOT_BROWSING: Browsing = { mode: 'live', over: undefined, notice: '' };

/** Instances in the order of the plan, and where a list of them begins: with what is under way. */
interface Among {
  readonly keys: readonly InstanceKey[];
  readonly first: InstanceKey | undefined;
}

/** @param key one key as the terminal sends it: a character, `\r`, `\x1b[A`. */
export function browsed(before: Browsing, key: string, among: () => Among): Browsed {
  const browsing: Browsing = { ...before, notice: '' };
  const { over } = browsing;
  if (over?.is === 'list' && over.filter?.isTyping && !(key in MOVES && key.length > 1))
    return { browsing: { ...browsing, over: typed(over.at, over.filter, key, among()) } };
  const act = ACTS[key];
  if (act) return { browsing: { ...browsing, over: undefined }, act };
  if (key === 's')
    return { browsing: { ...browsing, over: undefined, mode: browsing.mode === 'live' ? 'stream' : 'live' } };
  if (key === '?') return { browsing: { ...browsing, over: over?.is === 'help' ? undefined : { is: 'help' } } };
  if (BACK.has(key)) return { browsing: { ...browsing, over: back(over) } };
  return { browsing: { ...browsing, over: moved(over, key, among) } };
}

/** Out of the filter first, then out of the list. */
function back(over: Over | undefined): Over | undefined {
  if (over?.is === 'one') return { is: 'list', at: over.at, filter: over.filter };
  return over?.is === 'list' && over.filter ? { is: 'list', at: over.at } : undefined;
}

function typed(at: InstanceKey, { text }: Filter, key: string, { keys }: Among): Over {
  if (key === '\x1b') return { is: 'list', at };
  if (ENTER.has(key)) return { is: 'list', at, ...(text !== '' && { filter: { text, isTyping: false } }) };
  const isLetter = [...key].length === 1 && key >= ' ' && key !== '\x7f';
  const words = key === '\x7f' || key === '\b' ? [...text].slice(0, -1).join('') : isLetter ? text + key : text;
  const filter = { text: words, isTyping: true };
  const found = matches(at, filter) ? at : keys.find(one => matches(one, filter));
  return { is: 'list', at: found ?? at, filter };
}

function moved(over: Over | undefined, key: string, among: () => Among): Over | undefined {
  const by = MOVES[key];
  switch (over?.is) {
    case undefined:
    case 'help': {
      if (by === undefined && !ENTER.has(key) && key !== FILTER) return over;
      const { first } = among();
      return first === undefined ? over : { is: 'list', at: first, ...(key === FILTER && { filter: TYPING }) };
    }
    case 'list': {
      const { at, filter } = over;
      if (key === FILTER) return { is: 'list', at, filter: TYPING };
      if (ENTER.has(key)) return { is: 'one', at, from: 0, filter };
      return by === undefined ? over : { is: 'list', at: neighbour(at, by, among(), filter), filter };
    }
    case 'one': {
      const aside = ASIDE[key];
      const { at, filter } = over;
      if (aside !== undefined) return { is: 'one', at: neighbour(at, aside, among(), filter), from: 0, filter };
      return by === undefined ? over : { ...over, from: Math.max(0, Math.min(LONGEST, over.from + by)) };
    }
  }
}

function neighbour(at: InstanceKey, by: number, among: Among, filter: Filter | undefined): InstanceKey {
  const keys = among.keys.filter(key => matches(key, filter));
  const place = keys.indexOf(at);
  return keys[Math.max(0, Math.min(keys.length - 1, place + by))] ?? at;
}

const ACTS: Readonly<Record<string, BrowsingAct>> = { p: 'pick', a: 'approve', r: 'review' };
const FILTER = '/';
const TYPING: Filter = { text: '', isTyping: true };
const ENTER: ReadonlySet<string> = new Set(['\r', '\n']);
const BACK: ReadonlySet<string> = new Set(['\x1b', 'q', '\x7f', '\b']);
const FAR = 1_000_000;
/** Lines of one instance, at most. */
const LONGEST = 10_000;
const MOVES: Readonly<Record<string, number>> = {
  ...{ '\x1b[A': -1, '\x1bOA': -1, k: -1, '\x1b[B': 1, '\x1bOB': 1, j: 1 },
  ...{ '\x1b[5~': -10, '\x1b[6~': 10, '\x1b[H': -FAR, '\x1b[F': FAR, '\x1bOH': -FAR, '\x1bOF': FAR },
  // Home and End of tmux, screen, PuTTY and the Linux console, and of rxvt.
  ...{ '\x1b[1~': -FAR, '\x1b[4~': FAR, '\x1b[7~': -FAR, '\x1b[8~': FAR },
};
const ASIDE: Readonly<Record<string, number>> = { '\x1b[D': -1, '\x1bOD': -1, h: -1, '\x1b[C': 1, '\x1bOC': 1, l: 1 };
