/** Why something is owned, was sent already, or is made again. */
import type { InstanceKey } from '../domain/key.ts';
import type { Step } from '../domain/pipeline.ts';
import type { Owned, SentRequest, SharedOwned } from '../domain/plan.ts';
import type { Result, StoredResult } from '../domain/result.ts';
import { actsOutside, kindOf } from './kinds/index.ts';
import type { Slot } from './plan-graph.ts';
import { messages } from './plan-messages.ts';
import type { ResolvedWork } from './resolved.ts';

/** Its reason is found when somebody prints a plan: a run of 10,000 hits would ask the journal 10,000 times for nobody. */
export class Hit {
  readonly is = 'hit';
  readonly result: Result;
  readonly #slot: Pick<Slot, 'key' | 'step'>;
  readonly #fingerprint: string;
  readonly #owned: Owned;

  constructor(result: Result, slot: Pick<Slot, 'key' | 'step'>, fingerprint: string, owned: Owned) {
    this.result = result;
    this.#slot = slot;
    this.#fingerprint = fingerprint;
    this.#owned = owned;
  }

  get why(): string {
    const { key, step } = this.#slot;
    if (actsOutside(step)) return messages.doneOnce();
    const last = this.#owned.last(key);
    const isSame = last?.fingerprint === this.#fingerprint;
    const film = isSame ? undefined : this.#owned.otherFilm?.(this.#fingerprint);
    if (film !== undefined) return messages.madeFor(film);
    return last === undefined || isSame ? messages.unchanged() : messages.madeBefore();
  }
}

/** The same for what a team has: the store is asked about all of a plan at once, when all of it is known. */
export class FromTeam {
  readonly is = 'fetch';
  readonly result: StoredResult;
  readonly store: string;
  readonly #seen: SharedOwned['seen'];

  constructor({ result, store, seen }: SharedOwned) {
    this.result = result;
    this.store = store;
    this.#seen = seen;
  }

  get why(): string {
    return messages.fromTeam(this.store, this.#seen());
  }
}

export function runReason(key: InstanceKey, step: Step, work: ResolvedWork, owned: Owned): string {
  const acts = actsOutside(step);
  if (acts && owned.mayBeDone?.(work.fingerprint)) return messages.mayBeDone();
  const last = owned.last(key);
  if (!last) return acts ? messages.actsOnce() : messages.neverRun();
  if (last.fingerprint === work.fingerprint) return last.failed ? messages.triedInVain() : messages.notHere();
  return kindOf(step).changedSince(last.request, work);
}

export const sentReason = ({ is, generation, usd, film }: SentRequest): string =>
  messages.sentBefore(is, generation, usd, film);
