/**
 * The words after the file of `pick` and `approve`: `best[beat=3] take=2 best[beat=4] shot[beat=4,take=1]`, `ok final`. Each name of a
 * question is followed by what is chosen there. All mistakes are reported at once, before anything is decided.
 */

import { type FilmQuestion, questionAt, type Unasked } from '../../app/choices/film-questions.ts';
import type { Instance, Plan } from '../../model/plan.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { parseSelector, selectorsIn, selects, stepNamedIn } from '../../model/selector.ts';
import { nearest } from '../../model/text/nearest.ts';
import { candidateNamed, namesCandidate } from '../../plan/graph/gathered-candidates.ts';
import { decides } from '../../plan/kinds/index.ts';
import { messages, selectorMistake } from '../../plan/selector-messages.ts';
import { UsageError } from '../arguments.ts';
import type { Session } from './session.ts';

interface NamedQuestion {
  readonly question: FilmQuestion;
  /** Ids of what was named, best first; undefined where nothing was. */
  readonly chosen: readonly string[] | undefined;
}

type Is = 'pick' | 'approve';

export function namedAnswers(
  words: readonly string[],
  is: Is,
  film: Session,
): { readonly answers: readonly NamedQuestion[]; readonly mistakes: readonly string[] } {
  const groups: { readonly questions: readonly FilmQuestion[]; readonly words: string[] }[] = [];
  const mistakes: string[] = [];
  for (const word of words) {
    const group = groups.at(-1);
    const first = group?.questions[0];
    const isFull = first !== undefined && group !== undefined && group.words.length >= first.asking.count;
    const instances = questionsNamed(word, is, film.plan);
    if (
      is === 'pick' &&
      first &&
      group &&
      namesCandidate(word, first.asking.called) &&
      !(isFull && instances.length > 0)
    )
      group.words.push(word);
    else if (instances.length === 0)
      mistakes.push(
        first && group && is === 'pick' ? notNamed(word, first, film.plan) : notAQuestion(word, is, film.plan),
      );
    else {
      const asked = instances.map(instance => questionAt(film, instance));
      mistakes.push(...asked.flatMap(one => ('why' in one ? [notYet(one)] : [])));
      groups.push({ questions: asked.filter(one => 'asking' in one), words: [] });
    }
  }
  const answers = groups.flatMap(group =>
    group.questions.map((question): NamedQuestion => {
      if (group.words.length === 0) return { question, chosen: undefined };
      const named = group.words.map(word => candidateNamed(word, question.asking));
      mistakes.push(...named.flatMap(one => (one.is === 'mistaken' ? [one.message] : [])));
      const chosen = named.flatMap(one => (one.is === 'found' ? (question.asking.from[one.place] ?? []) : []));
      const { key, count, from } = question.asking;
      const wanted = Math.min(count, from.length);
      if (chosen.length === named.length && (chosen.length !== wanted || new Set(chosen).size < wanted))
        mistakes.push(messages.howMany(key, wanted, chosen.length));
      return { question, chosen };
    }),
  );
  return { answers, mistakes: [...new Set(mistakes)] };
}

/** Picks and approvals alike. */
export function decisionsNamed(
  words: readonly string[],
  plan: Plan,
): { readonly instances: readonly Instance[]; readonly mistakes: readonly string[] } {
  const found = words.flatMap(selectorsIn).map(word => {
    const instances = [...questionsNamed(word, 'pick', plan), ...questionsNamed(word, 'approve', plan)];
    return { instances, mistakes: instances.length > 0 ? [] : [notAQuestion(word, 'pick', plan)] };
  });
  return { instances: found.flatMap(one => one.instances), mistakes: found.flatMap(one => one.mistakes) };
}

function questionsNamed(word: string, is: Is, { instances }: Plan): readonly Instance[] {
  const selector = parseSelector(word);
  if (!selector) return [];
  return [...instances].filter(({ key, step }) => decides(step) === is && selects(selector, key));
}

const notYet = ({ key, why }: Unasked): string => messages.notYetAsked(key, why);

function notAQuestion(word: string, is: Is, { instances, pipeline, open }: Plan): string {
  const steps = pipeline.steps.filter(step => decides(step) === is).map(({ name }) => name as string);
  const step = parseSelector(word)?.step;
  if (step === undefined)
    return messages.badSelector(
      word,
      instances.of(stepNamedIn(word)).map(({ key }) => key),
    );
  const waiting = open.find(one => one.step === step);
  if (waiting && instances.isOpen(step)) return messages.stillOpen(step, waiting.why);
  if (!steps.includes(step)) return messages.noQuestion(step, is, nearest(step, steps), steps);
  return selectorMistake(
    word,
    steps,
    instances.of(step).map(({ key }) => key),
  );
}

/** It was meant as a candidate, or as the next pick. */
function notNamed(word: string, { asking }: FilmQuestion, plan: Plan): string {
  const named = candidateNamed(word, asking);
  const step = parseSelector(word)?.step;
  const picks = plan.pipeline.steps.filter(one => decides(one) === 'pick').map(({ name }) => name as string);
  const isOfAPick = step !== undefined && (picks.includes(step) || nearest(step, picks) !== undefined);
  return isOfAPick || named.is === 'found' ? notAQuestion(word, 'pick', plan) : named.message;
}

/** @throws UsageError where it picks none, or several. */
export function oneInstance(text: string, { instances, open }: Plan): InstanceKey {
  const selector = parseSelector(text);
  const keys = instances.of(stepNamedIn(text)).map(({ key }) => key);
  const chosen = keys.filter(key => selector && selects(selector, key));
  const [only, ...more] = chosen;
  const waiting = open.find(({ step }) => step === selector?.step);
  if (waiting && instances.isOpen(waiting.step)) throw new UsageError(messages.stillOpen(waiting.step, waiting.why));
  if (only === undefined) throw new UsageError(selectorMistake(text, [...instances.steps], keys));
  if (more.length > 0) throw new UsageError(messages.several(text, chosen));
  return only;
}
