/** Why an instance was made, reused or not run: a sentence, and the fields in which it was asked for something else than before. */
import type { Asked, AskedValue } from '../../domain/asked.ts';
import { cleanText, safeLines } from '../../domain/clean.ts';
import { messageText } from '../../domain/message-text.ts';
import type { ReportedField, ReportedState, ReportedWhy } from '../../domain/run-report.ts';
import { fieldOfPath } from '../../plan/asked-fields.ts';
import { messages as planMessages } from '../../plan/plan-messages.ts';
import { askedFields } from '../../plan/why/changes.ts';
import type { Told } from '../../records/views/run-story.ts';
import { messages } from './report-messages.ts';

/** Characters of a value that are shown. */
const LONGEST = 4_000;

export function whyOf(told: Told, state: ReportedState, askedBefore: () => Asked | undefined): ReportedWhy {
  const { asked } = told.story;
  const isMade = state === 'made' || state === 'failed';
  const before = asked && isMade ? (askedBefore() ?? told.planned.was) : undefined;
  const fields = before && asked ? fieldsOf(before, asked) : [];
  return { verdict: asked && isMade ? madeBecause(told, fields, before) : verdictOf(told, state), fields };
}

function verdictOf({ planned, story }: Told, state: ReportedState): string {
  const { state: last } = story;
  if ((last.is === 'skipped' || last.is === 'left_out') && last.why !== '') return last.why;
  if (last.is === 'blocked') return messages.blocked(last.by);
  if (state === 'not_run') return story.attempts.length > 0 ? messages.leftOpen() : messages.notRun();
  // What was found to be owned only when all that it reads was there.
  if (last.is === 'reused' && planned.decision !== 'hit') return messages.owned();
  return planned.why === '' ? messages.notKept() : messageText(planned.why);
}

/** Why it would be made was not known before the run, where it had to wait for what it reads. */
function madeBecause({ planned }: Told, fields: readonly ReportedField[], before: Asked | undefined): string {
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
