/**
 * Whether there is a place for one more request, and whose it is. Where fewer are free than films wait, the film with the fewest under way is
 * served first, and of those with as many the one that waits longest; no place stays empty while a waiting film could use it.
 */

import type { Allowed, InLine, PlacesLine } from '../../records/journal/admission-rows.ts';
import type { Limits } from '../engine/limits.ts';

interface PlacesAsked {
  readonly model: string;
  /** Unix milliseconds. */
  readonly now: number;
  readonly limits: Pick<Limits, 'in_flight' | 'per_model' | 'submits_per_second'>;
  readonly allowed: Allowed | undefined;
  readonly line: PlacesLine | undefined;
  /** What is under way, by model: of this film, and of all others. */
  readonly mine: ReadonlyMap<string, number>;
  readonly theirs: ReadonlyMap<string, number>;
  /** When the submits of the last second were, Unix milliseconds, oldest first. */
  readonly recent: readonly number[];
}

/** Milliseconds that a rate is counted over. */
export const WINDOW = 1_000;
/** Milliseconds until it is looked again whether a place is free. */
const LOOK = 1_000;

/**
 * Milliseconds for which a film far behind in the line does not ask again. A film that has gone blocks the line for as long, unless its end was
 * noticed.
 */
const LONGEST_LOOK = 60_000;

/** What is waited for: some places that others leave, or a moment. */
export interface PlaceAwaited {
  /** Milliseconds until it is worth asking again; 0: there is a place, and it is this film's. */
  readonly ms: number;
  /** Places that have to be left before it is this film's turn. Absent: time alone helps. */
  readonly behind?: number;
}

export function waitForPlace(asked: PlacesAsked): PlaceAwaited {
  const { model, now, limits, allowed, line, mine, theirs, recent } = asked;
  const bound = least(limits.per_model, allowed?.models[model]);
  const freeOfModel = bound - (mine.get(model) ?? 0) - (theirs.get(model) ?? 0);
  const ahead = aheadInAll(asked);
  const free = least(limits.in_flight, allowed?.in_flight) - sum(mine) - sum(theirs);
  const places = Math.max(ahead - free, aheadOfModel(asked) - freeOfModel) + 1;
  if (places > 0) return behind(places, line);
  const perSecond = least(limits.submits_per_second, allowed?.submits_per_second);
  if (perSecond - recent.length > ahead) return { ms: 0 };
  // As many as are ahead go first, so many in each second, and each as soon as one of the last second is a second old.
  const first = recent.length - perSecond + (ahead % perSecond);
  const oldest = first < 0 ? now - WINDOW : (recent[first] ?? recent.at(-1) ?? now);
  const ms = Math.min(WINDOW, Math.max(1, oldest + WINDOW - now));
  return { ms: Math.min(LONGEST_LOOK, ms + WINDOW * Math.floor(ahead / perSecond)) };
}

/**
 * Each film that asks locks the key for a moment. Of a thousand waiting films, only those near their turn ask often. Films further behind ask
 * seldom, but they do: news of places may be lost, and a film ahead may be gone.
 */
const behind = (places: number, line: PlacesLine | undefined): PlaceAwaited => ({
  behind: places,
  ms: line ? Math.min(LONGEST_LOOK, LOOK * places) : LOOK,
});

function aheadOfModel({ line, model, mine }: PlacesAsked): number {
  const own = mine.get(model) ?? 0;
  return ahead(
    line,
    model,
    other => other.model === model,
    own,
    ({ underWay }) => underWay.ofModel,
  );
}

/** A film that waits for a model without a free place could not use this one. */
function aheadInAll({ line, model, mine, theirs, allowed }: PlacesAsked): number {
  const isFull = (of: string) =>
    (mine.get(of) ?? 0) + (theirs.get(of) ?? 0) >= (allowed?.models[of] ?? Number.POSITIVE_INFINITY);
  return ahead(
    line,
    model,
    other => !isFull(other.model),
    sum(mine),
    ({ underWay }) => underWay.all,
  );
}

/** Films that are served before this one. */
function ahead(
  line: PlacesLine | undefined,
  model: string,
  isRival: (other: InLine) => boolean,
  own: number,
  has: (other: InLine) => number,
): number {
  if (!line) return 0;
  const since = line.since(model) ?? Number.POSITIVE_INFINITY;
  const first = line.others.filter(
    other => isRival(other) && (has(other) < own || (has(other) === own && other.since < since)),
  );
  return new Set(first.map(({ film }) => film)).size;
}

const sum = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((all, n) => all + n, 0);
const least = (limit = Number.POSITIVE_INFINITY, other = Number.POSITIVE_INFINITY): number => Math.min(limit, other);
