/**
 * Where the person at the keyboard is while a run goes on, and what a key does to that. Pure.
 *
 *     live ◀─ s ─▶ stream          ↑ ↓ ─▶ list ─ Enter ─▶ one in full ─ ← → ─▶ the one before, the next
 *     p pick · a approve · r review · ? keys                Esc goes back
 */
import type { InstanceKey } from '../domain/key.ts';

export interface Browsing {
  /** Rows that are drawn in place, or every event in a line of its own. */
  readonly mode: 'live' | 'stream';
  readonly over: Over | undefined;
  /** What came of the last key, where that needs a word. */
  readonly told: string;
}

/** What lies over the live part. */
export type Over =
  | { readonly is: 'help' }
  | { readonly is: 'list'; readonly at: InstanceKey }
  /** `from`: lines that are scrolled out above. */
  | { readonly is: 'one'; readonly at: InstanceKey; readonly from: number };

export type BrowsingAct = 'pick' | 'approve' | 'review';

export interface Browsed {
  readonly browsing: Browsing;
  readonly act?: BrowsingAct;
}

export const NOT_BROWSING: Browsing = { mode: 'live', over: undefined, told: '' };

/** Instances in the order of the plan, and where a list of them begins: with what is under way. */
export interface Among {
  readonly keys: readonly InstanceKey[];
  readonly first: InstanceKey | undefined;
}

/** @param key one key as the terminal sends it: a character, `\r`, `\x1b[A`. */
export function browsed(before: Browsing, key: string, among: () => Among): Browsed {
  const browsing: Browsing = { ...before, told: '' };
  const { over } = browsing;
  const act = ACTS[key];
  if (act) return { browsing: { ...browsing, over: undefined }, act };
  if (key === 's')
    return { browsing: { ...browsing, over: undefined, mode: browsing.mode === 'live' ? 'stream' : 'live' } };
  if (key === '?') return { browsing: { ...browsing, over: over?.is === 'help' ? undefined : { is: 'help' } } };
  if (BACK.has(key))
    return { browsing: { ...browsing, over: over?.is === 'one' ? { is: 'list', at: over.at } : undefined } };
  return { browsing: { ...browsing, over: moved(over, key, among) } };
}

function moved(over: Over | undefined, key: string, among: () => Among): Over | undefined {
  const by = MOVES[key];
  switch (over?.is) {
    case undefined:
    case 'help': {
      if (by === undefined && !ENTER.has(key)) return over;
      const { first } = among();
      return first === undefined ? over : { is: 'list', at: first };
    }
    case 'list': {
      if (ENTER.has(key)) return { is: 'one', at: over.at, from: 0 };
      return by === undefined ? over : { is: 'list', at: neighbour(over.at, by, among()) };
    }
    case 'one': {
      const aside = ASIDE[key];
      if (aside !== undefined) return { is: 'one', at: neighbour(over.at, aside, among()), from: 0 };
      return by === undefined ? over : { ...over, from: Math.max(0, Math.min(LONGEST, over.from + by)) };
    }
  }
}

function neighbour(at: InstanceKey, by: number, { keys }: Among): InstanceKey {
  const place = keys.indexOf(at);
  return keys[Math.max(0, Math.min(keys.length - 1, place + by))] ?? at;
}

const ACTS: Readonly<Record<string, BrowsingAct>> = { p: 'pick', a: 'approve', r: 'review' };
const ENTER: ReadonlySet<string> = new Set(['\r', '\n']);
const BACK: ReadonlySet<string> = new Set(['\x1b', 'q', '\x7f', '\b']);
const FAR = 1_000_000;
/** Lines of one instance, at most. */
const LONGEST = 10_000;
const MOVES: Readonly<Record<string, number>> = {
  ...{ '\x1b[A': -1, '\x1bOA': -1, k: -1, '\x1b[B': 1, '\x1bOB': 1, j: 1 },
  ...{ '\x1b[5~': -10, '\x1b[6~': 10, '\x1b[H': -FAR, '\x1b[F': FAR, '\x1bOH': -FAR, '\x1bOF': FAR },
};
const ASIDE: Readonly<Record<string, number>> = { '\x1b[D': -1, '\x1bOD': -1, h: -1, '\x1b[C': 1, '\x1bOC': 1, l: 1 };
