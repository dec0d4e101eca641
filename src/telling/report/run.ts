/** The run as a whole: when, how it ended, what it cost and what it saved. */

import { cleanText, safeLines } from '../../domain/clean.ts';
import { addUsd } from '../../domain/money.ts';
import { isFree, moneyOf, spentAt } from '../../domain/run-money.ts';
import type { ReportedRun } from '../../domain/run-report.ts';
import type { RunStory } from '../../records/views/run-story.ts';
import { type RunView, spentIn } from '../../records/views/run-view.ts';
import type { Results, RunRecord } from './results.ts';
import type { States } from './states.ts';

export function reportedRun(record: RunRecord, story: RunStory, states: States, results: Results): ReportedRun {
  const { run } = story;
  const { head, isWhole = false } = record.plan ?? {};
  const outcome = outcomeOf(record, run);
  const command = head?.command ?? run.detached?.resume;
  return {
    ...{ id: record.run, name: run.name },
    description: head?.description === undefined ? null : safeLines(head.description),
    file: record.file === undefined ? run.pipeline : cleanText(record.file),
    ...{ service: run.service, isFree: isFree(run), profile: run.profile },
    began: story.began,
    ended: record.isRunning ? null : run.lastEventAt,
    outcome,
    reason: run.finished?.reason || null,
    // A command is typed as it stands: two blanks in a value are two.
    command: outcome === 'done' || command === undefined ? null : safeLines(command).replace(/[\n\t]/g, ' '),
    options: safeLines(head?.options ?? (run.service === 'studio-draft' ? '--draft' : '')).replace(/[\n\t]/g, ' '),
    ...reportedMoney(run),
    saved: savedIn(story, states, results),
    budget: run.budgetAtStart.find(({ of, measure }) => of !== 'project' && measure === 'usd')?.limit ?? null,
    waitedForPeople: Math.round(run.waitedForPeople) / 1000,
    shotlist: head?.shotlist ?? '',
    ...{ isEdited: record.isEdited, isWhole: isWhole && run.startedAt > 0 },
  };
}

function outcomeOf({ isRunning }: RunRecord, { finished, detached }: RunView): string {
  if (isRunning) return 'running';
  return finished?.outcome ?? (detached ? 'interrupted' : 'cut_off');
}

/** What the run itself counted; while it goes on, and where it was cut off, what its instances come to. */
function reportedMoney(
  run: RunView,
): Pick<ReportedRun, 'spent' | 'list_price' | 'in_flight' | 'perhaps' | 'estimated' | 'unpriced'> {
  const { usd, unpriced } = spentIn(run);
  const money = spentAt(run, usd);
  if (!run.finished) return { ...money, estimated: money.spent, unpriced };
  const { usd: _, ...unsettled } = moneyOf(run.finished);
  return { ...money, ...unsettled, estimated: isFree(run) ? 0 : run.finished.estimated, unpriced };
}

/** Each piece once, however many read it. */
function savedIn({ instances }: RunStory, states: States, results: Results): number {
  const seen = new Set<string>();
  let saved = 0;
  for (const told of instances.values()) {
    const fingerprint = told.story.fingerprint ?? told.planned.fingerprint;
    if (told.step?.isGathered || fingerprint === undefined || seen.has(fingerprint)) continue;
    if (states.of(told.planned.key) !== 'reused') continue;
    seen.add(fingerprint);
    const result = results.of(told);
    saved = addUsd(saved, result && 'cost' in result ? (result.cost ?? 0) : 0);
  }
  return saved;
}
