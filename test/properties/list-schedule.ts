/** When everything would begin and end if nothing ever waited for anything but what it needs. Milliseconds from the beginning. */
import { canonical } from '../../src/model/text/json.ts';
import { msOfChat, msOfCommand, msOfCut, msOfRequest } from './content.ts';
import { type Expected, type ExpectedFilm, type ExpectedStep, type ExpectedWork, instancesOf } from './expected.ts';

export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * Of every instance that is not blocked.
 *
 * @param open steps whose instances the plan does not know. Of others it knows that there will be none, before anything is made.
 */
export function scheduleOf(film: ExpectedFilm, open: ReadonlySet<string>): ReadonlyMap<string, Span> {
  const spans = new Map<Expected, Span>();
  /** By what they make: the first of them, and when it is there. */
  const made = new Map<string, number>();
  const ends = (one: Expected) => spans.get(one)?.to;
  let left = instancesOf(film).filter(({ outcome }) => outcome.is !== 'blocked');
  while (left.length > 0) {
    const ready = left.flatMap(one => {
      const from = readyAt(one, film, ends, open);
      return from === undefined ? [] : [{ one, from }];
    });
    const [next] = ready.sort((a, b) => a.from - b.from);
    // What is left waits for something that is blocked: it is nobody's list.
    if (!next) break;
    spans.set(next.one, { from: next.from, to: endOf(next.one, next.from, made) });
    left = left.filter(one => one !== next.one);
  }
  return new Map([...spans].map(([one, span]) => [one.key, span]));
}

/** Undefined while something of what it waits for has no end. */
export function readyAt(
  one: Expected,
  film: ExpectedFilm,
  ends: (one: Expected) => number | undefined,
  open: ReadonlySet<string>,
): number | undefined {
  const own = film.get(one.step.name);
  const steps = [...one.waitsForSteps, ...(own ? [own] : [])].map(step => knownAt(step, ends, open));
  const left = one.leftOutBy.map(ends).filter(at => at !== undefined);
  const leftOut = one.leftOutBy.length === 0 ? [] : [left.length === 0 ? undefined : Math.min(...left)];
  return latest([...steps, ...leftOut, ...[...one.waits].map(ends)]);
}

/** When the instances of a step are known. */
function knownAt(
  { name, opens }: ExpectedStep,
  ends: (one: Expected) => number | undefined,
  open: ReadonlySet<string>,
): number | undefined {
  if (!opens || !open.has(name)) return 0;
  const { lists, follows } = opens;
  return latest([
    ...lists.flatMap(({ instances }) => instances.map(ends)),
    ...[...lists, ...follows].map(step => knownAt(step, ends, open)),
  ]);
}

const latest = (all: readonly (number | undefined)[]): number | undefined =>
  all.reduce(
    (sum: number | undefined, at) => (sum === undefined || at === undefined ? undefined : Math.max(sum, at)),
    0,
  );

function endOf({ outcome, ...one }: Expected, from: number, made: Map<string, number>): number {
  if (outcome.is !== 'made' || outcome.work.is === 'none') return from;
  const identity = identityOf(outcome.work, one.take);
  const there = made.get(identity);
  const to = Math.max(from, there ?? from + msOf(outcome.work));
  if (there === undefined) made.set(identity, to);
  return to;
}

function msOf(work: ExpectedWork): number {
  switch (work.is) {
    case 'command':
      return msOfCommand(work.argv);
    case 'chat':
      return msOfChat(work.prompt);
    case 'request':
      return msOfRequest(work.model, work.request);
    case 'cut':
      return msOfCut(work.clips);
    case 'none':
      return 0;
  }
}

/** Two pieces of work with one identity are the same, and are made once. A further take is another one, with a seed or without. */
export function identityOf(work: ExpectedWork, take: number | undefined): string {
  const again = take !== undefined && take > 1 ? `take ${take} of ` : '';
  if (work.is === 'command') return `${again}${canonical(work.argv)}`;
  if (work.is === 'none') return 'nothing';
  if (work.is === 'cut') return `${again}cut ${work.clips.join(' ')}`;
  if (work.is === 'chat') return `${again}chat ${work.prompt}`;
  return `${again}${work.model} ${canonical(work.request)}`;
}
