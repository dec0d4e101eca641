/** A run as people see it afterwards, and while it goes on: what the journal, what was planned and what was decided come to. */
import type { RunReport } from '../../domain/run-report.ts';
import { runStory } from '../../records/views/run-story.ts';
import { criticalPath } from './critical.ts';
import { filmOf, outputsOf } from './film.ts';
import { reportedInstances } from './instances.ts';
import { questionsOf } from './questions.ts';
import { Results } from './results.ts';
import { reportedRun } from './run.ts';
import type { RunRecord } from './run-record.ts';
import { States } from './states.ts';
import { edgesOf, reportedSteps } from './steps.ts';

export function runReport(record: RunRecord): RunReport {
  const story = runStory(record);
  const states = new States(story);
  const results = new Results(record, story, states);
  const run = reportedRun(record, story, states, results);
  const questions = questionsOf(story, states, results);
  const instances = reportedInstances({ record, story, states, results, questions, command: run.command });
  const byKey = new Map(instances.map(one => [one.key, one]));
  const steps = reportedSteps(record.plan?.steps ?? [], instances);
  const outputs = outputsOf(record.plan?.outputs ?? [], byKey, story.run);
  const isWanted = (record.plan?.outputs ?? []).length > 0;
  return {
    version: 1,
    run,
    film: filmOf(outputs, byKey, steps, { isWanted, shots: record.plan?.shots ?? new Map() }),
    ...{ outputs, steps, edges: edgesOf(steps), instances },
    critical: criticalPath(story, states),
    questions,
  };
}
