/** Why something is owned, was sent already, or is made again. */
import type { InstanceKey } from '../domain/key.ts';
import type { Step } from '../domain/pipeline.ts';
import type { Owned, SentRequest } from '../domain/plan.ts';
import { actsOutside, kindOf } from './kinds/index.ts';
import { messages } from './plan-messages.ts';
import type { ResolvedWork } from './resolved.ts';

export function hitReason(key: InstanceKey, step: Step, fingerprint: string, owned: Owned): string {
  if (actsOutside(step)) return messages.doneOnce();
  const last = owned.last(key);
  const film = last?.fingerprint === fingerprint ? undefined : owned.otherFilm?.(fingerprint);
  if (film !== undefined) return messages.madeFor(film);
  return last === undefined || last.fingerprint === fingerprint ? messages.unchanged() : messages.madeBefore();
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
