/** Ten thousand instances are told quickly, and kept in little room. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { joined, type KeptPart } from '../../../src/model/run/kept-plan.ts';
import type { InstanceKey, RunId, StepName } from '../../../src/model/run/key.ts';
import { runReport } from '../../../src/show/text/report/report.ts';
import { processorTime } from '../../support/processor-time.ts';
import { manyEvents, shotKey } from '../many-events.ts';

const MANY = 10_000;
const key = shotKey;

const PARTS: readonly KeptPart[] = [
  {
    head: { command: 'shotlist run film.yaml', files: [] },
    steps: [
      { name: 'shot' as StepName, kind: 'video', model: 'V-T2V-A', needs: [], line: 4, column: 3 },
      { name: 'film' as StepName, kind: 'cut', needs: ['shot' as StepName], line: 5, column: 3 },
    ],
    instances: [
      ...Array.from({ length: MANY }, (_, n) => ({
        ...{ key: key(n), step: 'shot' as StepName, coordinates: { n }, decision: 'run' as const, why: 'never run' },
        ...{ request: { prompt: `a fox crosses the river, part ${n}`, duration: 5 }, price: 0.5 },
      })),
      {
        ...{ key: 'film' as InstanceKey, step: 'film' as StepName, needsAll: ['shot' as StepName] },
        ...{ decision: 'maybe', why: 'waits for shot', price: 0 },
      },
    ],
  },
];

test('of 60,000 events, in well under five seconds', () => {
  const worked = processorTime();
  const report = runReport({
    ...{ run: 'run' as RunId, events: manyEvents(MANY), plan: joined(PARTS, true), isRunning: false, isEdited: false },
    ...{ resultOf: () => undefined, askedBefore: () => undefined, choices: [], logOf: () => undefined },
  });
  expect(worked()).toBeLessThan(5_000);
  expect(report.instances).toHaveLength(MANY + 1);
  expect(report.instances[MANY]).toMatchObject({ key: 'film', state: 'not_run' });
  // What it waits for as a whole is named by its first ones.
  expect(report.instances[MANY]?.needs).toHaveLength(100);
  expect(report.critical).toEqual([key(MANY - 1)]);
  expect(report.run).toMatchObject({ outcome: 'cut_off', spent: 5_000 });
});

test('in less than 50 bytes of the journal for each instance', async () => {
  const { addPlan, pastRuns } = await import('../../../src/records/journal/past-runs.ts');
  const database = new DatabaseSync(':memory:');
  database.exec('CREATE TABLE run_plan (id INTEGER PRIMARY KEY, run TEXT, token INTEGER, body BLOB)');
  const rows = { sql: (text: string) => database.prepare(text), path: 'journal.db' };
  for (const part of PARTS) addPlan(rows, 'run' as RunId, part, 1);
  expect(Number(database.prepare('SELECT sum(length(body)) AS n FROM run_plan').get()?.n)).toBeLessThan(50 * MANY);
  expect(pastRuns(rows).planOf('run' as RunId)?.instances).toHaveLength(MANY + 1);
});
