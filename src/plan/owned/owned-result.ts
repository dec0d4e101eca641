/** What is owned already of the work of a step, was put in its place, or is made once more; and why. */

import type { Step } from '../../model/pipeline.ts';
import type { Adoption, Owned, Plan, SentRequest, SharedOwned } from '../../model/plan.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { Result, StoredResult } from '../../model/run/result.ts';
import { isFree } from '../../model/run/run-money.ts';
import { parseSelector, selects } from '../../model/selector.ts';
import { memoized } from '../../model/text/json.ts';
import type { Slot } from '../graph/plan-graph.ts';
import { actsOutside, kindOf } from '../kinds/index.ts';
import type { ResultLookup } from '../obstacles.ts';
import type { PlanContext } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import type { ResolvedWork } from '../values/resolved.ts';

/** Whether files of what is owned may be missing on this machine: a team may have them. */
export const mayBeAway = (step: Step, owned: Result | undefined): boolean => !owned || actsOutside(step);

/** What acted outside stays done, although its files may be gone. */
export function ownedResult(step: Step, fingerprint: string, owned: Owned): Result | undefined {
  if (!step.cache) return undefined;
  return actsOutside(step) && owned.done ? owned.done(fingerprint) : owned.find(fingerprint);
}

/** A person's own file in the place of a result; undefined where there is none, or it is given up by being made once more. */
export function adoptionOf(key: InstanceKey, context: Pick<PlanContext, 'selection' | 'owned'>): Adoption | undefined {
  const adoption = context.owned.adopted?.(key);
  return adoption && !isRedone(key, undefined, context) ? adoption : undefined;
}

/** Its bytes are nowhere: it is never made, and paid for, in the place of what a person has chosen. */
export const adoptedMissing = (key: InstanceKey, adoption: Adoption): string =>
  messages.adoptedMissing(key, adoption, adoption.sha256);

/** The results that are there as far as a plan knows. Where another instance replaces one, its result counts. */
export function resultsIn({ instances }: Pick<Plan, 'instances'>): ResultLookup {
  const results: ResultLookup = key => {
    const decision = instances.get(key)?.decision;
    if (decision?.is === 'hit' || decision?.is === 'fetch' || decision?.is === 'run') return decision.result;
    if (decision?.is !== 'skip') return undefined;
    return decision.standIn === undefined ? 'skipped' : results(decision.standIn);
  };
  return Object.assign(results, { isCertain: (key: InstanceKey) => instances.get(key)?.isCertain === true });
}

/**
 * A run that ended before its time goes on with the same words: what it had made once more by then is not made a third time.
 *
 * @param fingerprint undefined where it is not known yet.
 */
export function isRedone(
  key: InstanceKey,
  fingerprint: string | undefined,
  { selection, owned }: Pick<PlanContext, 'selection' | 'owned'>,
): boolean {
  if (!selection || selection.redo.length === 0) return false;
  const isAsked = selectorsOf(selection.redo).some(selector => aroundAnd(key).some(one => selects(selector, one)));
  if (!isAsked) return false;
  const { redoneSince } = selection;
  const made = fingerprint === undefined || redoneSince === undefined ? undefined : owned.madeAt?.(fingerprint);
  return made === undefined || redoneSince === undefined || made < redoneSince;
}

/** The instance, and those of the steps that use its files: `cleaned[beat=3]/repair`, `cleaned[beat=3]`. */
function aroundAnd(key: InstanceKey): readonly InstanceKey[] {
  const all = [key];
  for (let at = key.lastIndexOf('/'); at > 0; at = key.lastIndexOf('/', at - 1))
    if (parseSelector(key.slice(0, at))) all.push(key.slice(0, at) as InstanceKey);
  return all;
}

const selectorsOf = memoized((texts: readonly string[]) => texts.flatMap(text => parseSelector(text) ?? []));

/** Its reason is found when a plan is printed: a run of 10,000 hits would ask the journal 10,000 times in vain. */
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
  const failed = !last || last.failed ? owned.lastFailure?.(key) : undefined;
  if (failed === 'generation_cancelled') return messages.cancelled();
  if (!last) return acts ? messages.actsOnce() : failed ? messages.triedInVain() : messages.neverRun();
  if (last.fingerprint === work.fingerprint) return last.failed ? messages.triedInVain() : messages.notHere();
  return kindOf(step).changedSince(last.request, work);
}

export const sentReason = (sent: SentRequest, by: { readonly service: string }): string =>
  messages.sentBefore(sentAs(sent), sent.generation, isFree(by) ? 'free' : sent.usd, sent.film);

export const sentAs = ({ is, unlisted }: SentRequest): SentRequest['is'] | 'lost_chat' => (unlisted ? 'lost_chat' : is);
