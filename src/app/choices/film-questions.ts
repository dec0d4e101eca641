/** What a film has to be decided, as its plan shows it: which questions there are, what there is to choose from, and what was chosen. */

import { type Instance, isToBeMade } from '../../model/plan.ts';
import type { Asking, Choice } from '../../model/run/choice.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { pieceOf, type Result } from '../../model/run/result.ts';
import { decides } from '../../plan/kinds/index.ts';
import { resultsIn } from '../../plan/owned/owned-result.ts';
import { messages } from '../../plan/plan-messages.ts';
import { resolve } from '../../plan/values/resolve.ts';
import type { Resolved } from '../../plan/values/resolved.ts';
import type { Film } from '../film/open-film.ts';

/** What there is to be decided of one pick or approval. */
export interface FilmQuestion {
  readonly key: InstanceKey;
  /** As a sentence. */
  readonly ask: string;
  readonly asking: Asking;
  readonly candidates: readonly FilmCandidate[];
  /** What holds at this moment; undefined where nothing was decided. */
  readonly choice: Choice | undefined;
}

export interface FilmCandidate {
  /** As a choice names it. */
  readonly id: string;
  readonly key: InstanceKey;
  /** Undefined while it is not made. */
  readonly result: Result | undefined;
  /** US dollars that it cost, or will cost; null where no price is known. */
  readonly usd: number | null;
  /** Absolute path, where it is one file on this machine. */
  readonly file: string | undefined;
}

/** It cannot be asked yet, and why. */
export interface Unasked {
  readonly key: InstanceKey;
  readonly why: string;
}

type Looked = Pick<Film, 'plan' | 'context'> & {
  readonly choices: Pick<Film['choices'], 'find'>;
  readonly store: Pick<Film['store'], 'file'>;
};

/** Everything that a person may decide now: undecided, and no rule or judge decides it. */
export function openQuestions(film: Looked): readonly FilmQuestion[] {
  return [...film.plan.instances].flatMap(instance => {
    if (decides(instance.step) === undefined || !isToBeMade(instance.decision)) return [];
    const asked = questionAt(film, instance);
    if ('why' in asked) return [];
    const { asking, choice, candidates } = asked;
    const isOpen =
      choice === undefined &&
      asking.by === 'person' &&
      candidates.some(({ result }) => result !== undefined) &&
      (asking.is === 'approve' || candidates.length > asking.count);
    return isOpen ? [asked] : [];
  });
}

/** Whether or not it is decided, and by whom: a person's word outranks a rule's and a judge's. */
export function questionAt(film: Looked, instance: Instance): FilmQuestion | Unasked {
  const { plan, context, choices, store } = film;
  const { key } = instance;
  const lookup = resultsIn(plan);
  // The question does not depend on the answer; the planner passes it to the holder of the answers.
  let asking: Asking | undefined;
  const listening = {
    find: (asked: Asking): undefined => {
      asking = asked;
    },
  };
  const resolved = resolve(plan, instance, lookup, { ...context, choices: listening });
  if (asking === undefined) return { key, why: whyNot(resolved) };
  const { from, called } = asking;
  const asked = 'ask' in resolved ? resolved.ask : 'question' in resolved ? resolved.question?.ask : undefined;
  return {
    ...{ key, asking, ask: asked ?? '', choice: choices.find(asking) },
    candidates: called.map((one, place) => {
      const result = lookup(one);
      const made = result === 'skipped' ? undefined : result;
      const piece = made && pieceOf(made);
      return {
        ...{ id: from[place] ?? '', key: one, result: made },
        usd: piece && 'cost' in piece ? piece.cost : made ? 0 : (plan.instances.get(one)?.price ?? null),
        file: piece?.is === 'media' ? store.file(piece.sha256) : undefined,
      };
    }),
  };
}

function whyNot(resolved: Resolved): string {
  if (resolved.is === 'pending') return messages.waitsFor([...new Set(resolved.on)]);
  if (resolved.is === 'skip') return resolved.why;
  return resolved.is === 'invalid' ? resolved.failure.message : '';
}
