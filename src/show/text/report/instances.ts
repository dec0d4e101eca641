/** Each instance of a run, as a report shows it. */

import { rejectionOf, shownRejection } from '../../../model/run/choice.ts';
import { type CommandOutput, failedHere } from '../../../model/run/failure.ts';
import type { InstanceKey } from '../../../model/run/key.ts';
import type { Asked, AskedValue, StoredResult } from '../../../model/run/result.ts';
import type {
  ReportedFailure,
  ReportedField,
  ReportedInstance,
  ReportedQuestion,
  ReportedState,
  ReportedWhy,
} from '../../../model/run/run-report.ts';
import { cleanText, messageText, safeLines, safeUnpainted } from '../../../model/text/clean.ts';
import type { Json } from '../../../model/text/json.ts';
import { whyText } from '../../../plan/cost/budget-text.ts';
import { fieldOfPath } from '../../../plan/owned/asked-fields.ts';
import { messages as planMessages } from '../../../plan/plan-messages.ts';
import { askedFields } from '../../../plan/why/changes.ts';
import { costOf } from '../../../records/views/instance-story.ts';
import type { InstanceStory, RunStory } from '../../../records/views/run-story.ts';
import { failureText, failureWords, outputOf } from '../failure-text.ts';
import { filesOf, mediaOf } from './reported-media.ts';
import { decisionOf } from './reported-questions.ts';
import type { States } from './reported-states.ts';
import { clipped, promptOf, requestOf, requestText, seedOf } from './request-text.ts';
import { messages } from './state-words.ts';
import type { Results, RunRecord } from './stored-results.ts';

interface InstanceContext {
  readonly record: RunRecord;
  readonly story: RunStory;
  readonly states: States;
  readonly results: Results;
  readonly questions: readonly ReportedQuestion[];
  readonly command: string | null;
}

export function reportedInstances(context: InstanceContext): readonly ReportedInstance[] {
  const picks = picksOf(context.questions);
  return [...context.story.instances.values()].map(recorded =>
    reportedInstance(recorded, picks.get(recorded.planned.key), context),
  );
}

interface Picks {
  readonly chosenBy: readonly InstanceKey[];
  readonly lost: boolean;
}

/** Of each candidate: who chose it, and whether all that it was offered to have chosen others. */
function picksOf(questions: readonly ReportedQuestion[]): ReadonlyMap<InstanceKey, Picks> {
  const picks = new Map<InstanceKey, Picks>();
  for (const { key, is, options, decided } of questions) {
    if (is !== 'pick' || !decided) continue;
    for (const option of options) {
      const before = picks.get(option.key) ?? { chosenBy: [], lost: true };
      const isChosen = decided.chosen.includes(option.key);
      picks.set(option.key, {
        chosenBy: isChosen ? [...before.chosenBy, key] : before.chosenBy,
        lost: before.lost && !isChosen,
      });
    }
  }
  // A question that is open may still choose it.
  for (const { is, options, decided } of questions)
    if (is === 'pick' && !decided)
      for (const { key } of options) picks.set(key, { chosenBy: picks.get(key)?.chosenBy ?? [], lost: false });
  return picks;
}

function reportedInstance(
  recorded: InstanceStory,
  picks: Picks | undefined,
  context: InstanceContext,
): ReportedInstance {
  const { planned, step, story } = recorded;
  const { record, states, results } = context;
  const { key } = planned;
  const state = states.of(key);
  const result = results.of(recorded);
  const request = requestOf(recorded, step?.isGathered ? undefined : result);
  const choice = step?.decides ? results.choiceOf(recorded) : undefined;
  const log = logOf(recorded, record);
  const { fingerprint = planned.fingerprint } = story;
  const rejected = rejectionOf(record.rejections, { key, fingerprint });
  return {
    ...{ key, label: cleanText(key), step: planned.step, coordinates: coordinatesOf(planned.coordinates ?? {}), state },
    kind: step?.kind ?? kindOf(result, story.sentTo),
    model: cleanText(planned.model ?? step?.model ?? story.sentTo ?? step?.kind ?? ''),
    needs: states.needs(planned),
    ...{ prompt: promptOf(request), request: requestText(request), seed: seedOf(request) },
    ...{ media: mediaOf(result), files: filesOf(result), text: textOf(result) },
    ...{ cost: costOf(story), price: state === 'reused' ? priceWhenMade(result) : planned.price },
    generation: generationOf(recorded, result),
    fingerprint: fingerprint ?? null,
    rejected: rejected ? shownRejection(rejected) : null,
    attempts: story.attempts.map(one => ({ ...one, reason: one.reason === null ? null : messageText(one.reason) })),
    why: whyOf(recorded, state, () => record.askedBefore(key)),
    decision: choice ? decisionOf(choice) : null,
    ...{ chosenBy: picks?.chosenBy ?? [], lost: picks?.lost ?? false },
    failure: failureOf(recorded, context),
    waitsFor: waitsForOf(recorded, context),
    fraction: null,
    log,
  };
}

const coordinatesOf = (coordinates: Readonly<Record<string, Json>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(coordinates).map(([name, value]) => [
      name,
      cleanText(typeof value === 'string' ? value : JSON.stringify(value)),
    ]),
  );

/** Of an instance that no plan is kept of. */
function kindOf(result: StoredResult | undefined, model: string | null): string {
  switch (result?.is) {
    case 'media':
      return result.media.kind;
    case 'text':
      return 'chat';
    case 'command':
      return 'run';
    case 'fine_tune':
      return 'tokenize';
    case undefined:
      return model === null ? 'step' : 'model';
  }
}

function textOf(result: StoredResult | undefined): string | null {
  if (result?.is === 'text') return clipped(safeLines(result.text));
  if (result?.is === 'command' && result.stdout !== '') return clipped(safeUnpainted(result.stdout));
  return result?.is === 'fine_tune' ? clipped(safeLines(JSON.stringify(result.fine_tune, null, 2))) : null;
}

/** US dollars; null where that is not known. */
const priceWhenMade = (result: StoredResult | undefined): number | null =>
  result && 'cost' in result ? result.cost : 0;

const generationOf = ({ story }: InstanceStory, result: StoredResult | undefined): string | null => {
  const own = story.attempts.findLast(({ generation }) => generation !== null)?.generation;
  const made = own ?? (result?.is === 'media' ? result.generation_id : null);
  return made === null || made === undefined ? null : cleanText(made);
};

function failureOf(
  { planned, story }: InstanceStory,
  { story: { run }, record, command }: InstanceContext,
): ReportedFailure | null {
  if (story.state.is === 'blocked')
    return { code: 'blocked', message: messages.blocked(story.state.by), cost: 0, first: null, command };
  const { failure } = story;
  if (!failure) return null;
  const text = failureText(failure, planned.key, {
    pipeline: record.file ?? run.pipeline,
    command: command ?? '',
    service: run.service,
    ...{ price: story.sentUsd === undefined ? planned.price : story.sentUsd, paid: story.wholeUsd },
  });
  return {
    ...{ code: failure.code, message: failureWords(failure), first: text.first, command },
    ...(failedHere(failure) && { here: true }),
    cost: story.isUnpriced || isUncertain(story.attempts.at(-1), story.wholeUsd) ? null : story.wholeUsd,
  };
}

/** The service took it, and has not reported its cost. */
const isUncertain = (last: InstanceStory['story']['attempts'][number] | undefined, paid: number): boolean =>
  paid === 0 && last !== undefined && last.generation !== null && last.is !== 'made' && last.cost === null;

function waitsForOf({ planned, story }: InstanceStory, { story: run, states }: InstanceContext): string | null {
  if (!run.isRunning || states.of(planned.key) !== 'waiting') return null;
  const { state } = story;
  if (state.is === 'refused') return messageText(state.reason);
  if (state.is === 'retrying') return messageText(state.failure.message);
  const unmet = states
    .needs(planned)
    .filter(key => !['made', 'reused', 'skipped', 'left_out', 'failed', 'blocked'].includes(states.of(key)));
  return unmet.length === 0 ? null : messages.waitsForSome(unmet);
}

/** The last output of a failed command, and the file with the output of any command. */
function logOf({ planned, story }: InstanceStory, { logOf: find }: RunRecord): CommandOutput | null {
  const output = story.failure ? outputOf(story.failure) : undefined;
  const isCommand = story.attempts.length > 0 && story.attempts.every(({ generation }) => generation === null);
  const found = isCommand ? find(planned.key) : undefined;
  const [lines, log] = [output?.lines ?? [], output?.log ?? found?.log];
  return lines.length === 0 && log === undefined
    ? null
    : { ...(lines.length > 0 && { lines }), ...(log !== undefined && { log }) };
}

/** Characters of a value that are shown. */
const LONGEST = 4_000;

function whyOf(recorded: InstanceStory, state: ReportedState, askedBefore: () => Asked | undefined): ReportedWhy {
  const { asked } = recorded.story;
  const isMade = state === 'made' || state === 'failed';
  const before = asked && isMade ? (askedBefore() ?? recorded.planned.was) : undefined;
  const fields = before && asked ? fieldsOf(before, asked) : [];
  return { verdict: asked && isMade ? madeBecause(recorded, fields, before) : verdictOf(recorded, state), fields };
}

function verdictOf({ planned, story }: InstanceStory, state: ReportedState): string {
  const { state: last } = story;
  if ((last.is === 'skipped' || last.is === 'left_out') && last.why !== '') return last.why;
  if (last.is === 'blocked') return messages.blocked(last.by);
  if (last.is === 'over_budget' && state === 'not_run') return messages.overBudget(whyText(last.stop));
  if (state === 'not_run') return notRunBecause(story);
  if (last.is === 'reused' && planned.decision === 'maybe') return messages.owned();
  if (last.is === 'reused' && planned.decision === 'run') return messages.madeMeanwhile();
  return planned.why === '' ? messages.notKept() : messageText(planned.why);
}

function notRunBecause({ attempts }: InstanceStory['story']): string {
  const last = attempts.at(-1);
  if (!last) return messages.notRun();
  return last.ended === null ? messages.leftOpen() : messages.notTriedAgain();
}

/** Why it would be made was not known before the run, where it had to wait for what it reads. */
function madeBecause({ planned }: InstanceStory, fields: readonly ReportedField[], before: Asked | undefined): string {
  if (planned.decision !== 'maybe' && planned.why !== '') return messageText(planned.why);
  if (!before) return planMessages.neverRun();
  const changed = [...new Set(fields.flatMap(({ name, is }) => (is === 'same' ? [] : [fieldOfPath(name)])))];
  return changed.length > 0 ? planMessages.changed(changed.map(cleanText)) : messages.again();
}

const fieldsOf = (before: Asked, asked: Asked): readonly ReportedField[] =>
  askedFields(before, asked).map(({ name, is, was, now }) => ({ name, is, was: shown(was), now: shown(now) }));

function shown(value: AskedValue | undefined): string | null {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? safeLines(value) : JSON.stringify(value);
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}…`;
}
