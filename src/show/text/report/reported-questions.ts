/** What a person was asked in a run, or is: what there is to choose from, and what it came to. */

import { type Choice, deciderName } from '../../../model/run/choice.ts';
import type { InstanceKey } from '../../../model/run/key.ts';
import type { ReportedDecision, ReportedQuestion } from '../../../model/run/run-report.ts';
import { cleanText, safeLines } from '../../../model/text/clean.ts';
import { isObject } from '../../../model/text/json.ts';
import { messages as planMessages } from '../../../plan/plan-messages.ts';
import type { InstanceStory, RunStory } from '../../../records/views/run-story.ts';
import type { States } from './reported-states.ts';
import { candidatesIn, chosenIn, type Results } from './stored-results.ts';

export function questionsOf(story: RunStory, states: States, results: Results): readonly ReportedQuestion[] {
  const outdated = outdatedIn(story, states, results);
  return [...story.instances.values()].flatMap(recorded => {
    const { planned, step } = recorded;
    const state = states.of(planned.key);
    if (!step?.decides || state === 'left_out' || state === 'skipped' || state === 'blocked') return [];
    const choice = results.choiceOf(recorded);
    const options = optionsOf(recorded, choice);
    return {
      ...{ key: planned.key, is: step.decides.is, ask: askOf(recorded, options), count: step.decides.count },
      options: options.map(key => ({ key, id: idOf(key, choice, story) })),
      decided: choice ? decisionOf(choice) : null,
      isOpen: outdated.has(planned.key) || !options.some(key => ['made', 'reused'].includes(states.of(key))),
    };
  });
}

/** Instances behind a pick that was decided anew after the run: what they are asked about is not made yet. */
function outdatedIn({ instances }: RunStory, states: States, results: Results): ReadonlySet<InstanceKey> {
  const anew = new Set<InstanceKey>();
  const outdated = new Set<InstanceKey>();
  // In topological order, as the plan has them.
  for (const recorded of instances.values()) {
    const { key } = recorded.planned;
    if (results.isDecidedAnew(recorded)) anew.add(key);
    if (states.needs(recorded.planned).some(need => anew.has(need) || outdated.has(need))) outdated.add(key);
  }
  return outdated;
}

export const decisionOf = (choice: Choice): ReportedDecision => ({
  ...{ by: choice.by, who: cleanText(deciderName(choice)), at: choice.at },
  note: choice.note === undefined ? null : safeLines(choice.note),
  chosen: chosenIn(choice),
  scores: (choice.scores ?? []).flatMap(({ score, words }, at) => {
    const key = choice.called[at];
    return key === undefined ? [] : { key, score, words: words === undefined ? null : safeLines(words) };
  }),
});

/** The plan knew all candidates, where nothing was decided; otherwise the choice does. */
function optionsOf({ planned }: InstanceStory, choice: Choice | undefined): readonly InstanceKey[] {
  const planned_ = candidatesIn(planned);
  return choice ? [...new Set([...choice.called, ...planned_])] : planned_;
}

function askOf({ planned, step }: InstanceStory, options: readonly InstanceKey[]): string {
  const asked = isObject(planned.request) && typeof planned.request.ask === 'string' ? planned.request.ask : undefined;
  if (asked !== undefined) return safeLines(asked);
  const names = options.join(', ');
  return cleanText(
    step?.decides?.is === 'approve'
      ? planMessages.approveWhat(names)
      : planMessages.whichOf(planned.key, step?.decides?.count ?? 1),
  );
}

/** As a choice names it: by its request. What is approved is named by its content, which is in the choice. */
function idOf(key: InstanceKey, choice: Choice | undefined, { instances }: RunStory): string | null {
  const known = choice?.from[choice.called.indexOf(key)];
  if (known !== undefined) return known;
  const recorded = instances.get(key);
  return recorded?.story.fingerprint ?? recorded?.planned.fingerprint ?? null;
}
