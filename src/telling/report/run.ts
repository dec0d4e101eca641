/** The run as a whole: when, how it ended, what it cost and what it saved. */

import { cleanText, safeLines } from '../../domain/clean.ts';
import { messageText } from '../../domain/message-text.ts';
import { addUsd } from '../../domain/money.ts';
import { moneyOf } from '../../domain/run-money.ts';
import type { ReportedRun } from '../../domain/run-report.ts';
import { type RunStory, spentIn } from '../../records/views/run-story.ts';
import { isFree } from '../../records/views/run-view.ts';
import type { Results } from './results.ts';
import type { RunRecord } from './run-record.ts';
import type { States } from './states.ts';

export function reportedRun(record: RunRecord, story: RunStory, states: States, results: Results): ReportedRun {
  const { started, finished } = story;
  const { head, isWhole = false } = record.plan ?? {};
  const service = started?.service ?? '';
  const outcome = outcomeOf(record, story);
  const command = head?.command ?? story.detached?.resume;
  return {
    ...{ id: record.run, name: cleanText(started?.name ?? '') },
    description: head?.description === undefined ? null : safeLines(head.description),
    file: cleanText(record.file ?? started?.pipeline ?? ''),
    ...{ service: cleanText(service), isFree: isFree({ service }) },
    profile: started?.profile === undefined ? null : cleanText(started.profile),
    began: story.began,
    ended: record.isRunning ? null : story.last,
    outcome,
    reason: finished?.reason === undefined ? null : messageText(finished.reason),
    // A command is typed as it stands: two blanks in a value are two.
    command: outcome === 'done' || command === undefined ? null : safeLines(command).replace(/[\n\t]/g, ' '),
    options: safeLines(head?.options ?? (service === 'studio-draft' ? '--draft' : '')).replace(/[\n\t]/g, ' '),
    ...reportedMoney(story),
    saved: savedIn(story, states, results),
    budget: started?.budget?.find(({ of, measure }) => of !== 'project' && measure === 'usd')?.limit ?? null,
    waitedForPeople: Math.round(story.waitedForPeople * 1000) / 1000,
    shotlist: head?.shotlist ?? '',
    ...{ isEdited: record.isEdited, isWhole: isWhole && started !== undefined },
  };
}

function outcomeOf({ isRunning }: RunRecord, { finished, detached }: RunStory): string {
  if (isRunning) return 'running';
  return finished?.outcome ?? (detached ? 'interrupted' : 'cut_off');
}

/** What the run itself counted; while it goes on, and where it was cut off, what its instances come to. */
function reportedMoney({
  finished,
  instances,
}: RunStory): Pick<ReportedRun, 'spent' | 'in_flight' | 'perhaps' | 'estimated' | 'unpriced'> {
  if (finished) {
    const { usd: spent, ...unsettled } = moneyOf(finished);
    return { spent, ...unsettled, estimated: finished.estimated ?? 0, unpriced: finished.unpriced ?? 0 };
  }
  const { usd: spent, unpriced } = spentIn({ instances });
  return { spent, estimated: spent, unpriced };
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
