/**
 * A person decides, changes a decision, or forgets one: it goes into the journal, where a run that waits finds it, and into the lock, which
 * is in git. Beside a run that goes on and without one alike.
 */

import { addUsd } from '../../model/money.ts';
import { type Decision, type Instance, isDrawnAgain, isKnown, type Plan } from '../../model/plan.ts';
import type { Choice, KeptRejection } from '../../model/run/choice.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { decides } from '../../plan/kinds/index.ts';
import { plan } from '../../plan/plan.ts';
import { choiceEntry, choicesSection, rejectionEntry, rejectionsSection } from '../../records/lock/lock-choices.ts';
import type { LockDisk } from '../../records/lock/lock-keeper.ts';
import { blockOf } from '../../records/lock/lock-text.ts';
import { keepRejection } from '../../run/rejections.ts';
import type { Film } from '../film/open-film.ts';
import { rewriteSection } from '../results/keep-lock.ts';
import type { FilmQuestion } from './film-questions.ts';

export interface Answer {
  /** Ids of candidates, best first; none: not approved. */
  readonly chosen: readonly string[];
  readonly who: string;
  readonly note?: string | undefined;
  /** Unix milliseconds. */
  readonly at: number;
}

export type Decided =
  | { readonly is: 'kept'; readonly choice: Choice; readonly before: Choice | undefined }
  /** The same was decided before, with the same words: that stays. */
  | { readonly is: 'same'; readonly choice: Choice }
  /** Another process decided between the look and the answer. */
  | { readonly is: 'taken'; readonly choice: Choice }
  | { readonly is: 'unwritable' };

/** @throws LockRefused, and the disk's error: the choice is in the journal then, and the next run writes it. */
export async function decide(
  film: Film,
  { asking, choice: before }: FilmQuestion,
  { chosen, who, note, at }: Answer,
  disk: LockDisk,
): Promise<Decided> {
  const { key, from, called, asked, is } = asking;
  const isSame = before !== undefined && before.chosen.join() === chosen.join();
  if (isSame && (note === undefined || note === before.note)) {
    await write(film, disk, [before]);
    return { is: 'same', choice: before };
  }
  const { login } = film.journal;
  const choice: Choice = {
    ...{ key, from, called, chosen, by: 'person', who, at },
    ...(login !== undefined && { login }),
    ...(note !== undefined && note !== '' && { note }),
    ...(is === 'approve' && asked !== undefined && { asked }),
  };
  const recorded = await film.choices.record(choice, asking, before);
  if (recorded.is !== 'kept') return recorded;
  await write(film, disk, [choice]);
  return { is: 'kept', choice, before };
}

/**
 * The next run asks again. No run may be under way: it would write what it knows into the lock again. @returns what was forgotten; undefined where
 * the journal cannot be written.
 */
export async function forget(
  film: Film,
  { asking, choice }: FilmQuestion,
  disk: LockDisk,
): Promise<readonly Choice[] | undefined> {
  const gone = [asking.key, ...(choice ? [choice.key] : [])];
  // A process that is cut off between the two finds the choice in the journal, where it still holds.
  await write(film, disk, [], gone);
  return film.choices.withdraw(asking);
}

/**
 * Keeps a person's rejection of a candidate, in the journal and in the lock; undefined: it is taken back. @returns false where the journal cannot
 * be written. @throws LockRefused, and the disk's error: the journal has it then, and the next run writes it.
 */
export async function reject(
  { journal, lock, lockPath: path }: Pick<Film, 'journal' | 'lock' | 'lockPath'>,
  { id, key }: { readonly id: string; readonly key: InstanceKey },
  rejection: KeptRejection | undefined,
  disk: LockDisk,
): Promise<boolean> {
  if (!(await keepRejection(journal, id, rejection))) return false;
  const { login } = journal;
  const entry = rejection && { ...rejection, ...(login !== undefined && { login }) };
  const put = new Map(entry ? [[key, blockOf(key, rejectionEntry(id, entry))]] : []);
  await rewriteSection({ disk, path, section: rejectionsSection(lock.section) }, put, one => one === key);
  return true;
}

const write = (
  { lock, lockPath: path }: Pick<Film, 'lock' | 'lockPath'>,
  disk: LockDisk,
  put: readonly Choice[],
  gone: readonly string[] = [],
): Promise<void> =>
  rewriteSection(
    { disk, path, section: choicesSection(lock.section) },
    new Map(put.map(choice => [choice.key, blockOf(choice.key, choiceEntry(choice))])),
    key => gone.includes(key),
  );

export interface Following {
  /** What was here, and is made once more. */
  readonly again: readonly InstanceKey[];
  /** What was decided about something else than there will be. */
  readonly asked: readonly InstanceKey[];
  /** US dollars of these, as far as prices are known; how many have none. */
  readonly usd: number;
  readonly unpriced: number;
}

/** What a choice changes: the plan before it, held against the plan with it. */
export function followingFrom({
  plan: before,
  context,
  pipeline,
}: Pick<Film, 'plan' | 'context' | 'pipeline'>): Following {
  const after = plan(pipeline, context).plan;
  const again = after
    ? [...after.instances].filter(({ key, decision }) => isMade(decision) && wasHere(before, key))
    : [];
  const known = again.flatMap(({ price }) => price ?? []);
  return {
    again: again.map(({ key }) => key),
    asked: after ? [...after.instances].flatMap(one => (isOpenAgain(before, one) ? [one.key] : [])) : [],
    usd: known.reduce((sum, price) => addUsd(sum, price), 0),
    unpriced: again.length - known.length,
  };
}

const isMade = (decision: Decision): boolean =>
  (decision.is === 'run' && !isDrawnAgain(decision)) || decision.is === 'maybe' || decision.is === 'sent';

const isOpenAgain = ({ instances }: Plan, { key, step, decision }: Instance): boolean =>
  decides(step) !== undefined && isMade(decision) && instances.get(key)?.decision.is === 'hit';

/** Not what is gathered from others: that is made of nothing. */
function wasHere({ instances }: Plan, key: InstanceKey): boolean {
  const { decision, fingerprint } = instances.get(key) ?? {};
  return fingerprint !== undefined && decision !== undefined && isKnown(decision);
}
