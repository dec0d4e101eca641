/** What a plan says is made once is made once: equal commands and equal cuts of one run. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/run/engine/limits.ts';
import { newestReport } from '../text/report/report-of.ts';
import { ran, rig, type StartedRun, withRig } from './rig.ts';

withRig();

/** Three instances that ask for the same; each time that it is done leaves a line in a file. */
const commands = (script: string, more = '') => `
steps:
  part:
    matrix: { n: [1, 2, 3] }
    run: [sh, -c, ${JSON.stringify(script.replaceAll('COUNT', join(rig.folder, 'count')))}]
    ${more}
`;
const timesDone = () => readFileSync(join(rig.folder, 'count'), 'utf8').split('\n').length - 1;
const said = (started: StartedRun) =>
  started.events.flatMap(event => ('key' in event ? [`${event.key} ${event.type}`] : [])).sort();
const WHY = ['never run', 'the same request as part[n=1]: made once', 'the same request as part[n=1]: made once'];

test('a command is run once, as the plan says', async () => {
  const run = await rig.start(commands('echo x >> COUNT; echo made'));
  expect([...run.plan.instances].map(({ decision }) => decision.why)).toEqual(WHY);
  const outcome = await rig.runToEnd(run);
  expect(outcome).toMatchObject({ is: 'done', counts: { succeeded: 1, reused: 2 } });
  expect(timesDone()).toBe(1);
  expect(said(run)).toEqual([
    'part[n=1] command_started',
    'part[n=1] succeeded',
    'part[n=2] reused',
    'part[n=3] reused',
  ]);
  expect(newestReport(rig).instances.map(({ why }) => why.verdict)).toEqual([
    'never run',
    'the same request was made meanwhile',
    'the same request was made meanwhile',
  ]);
});

test('whoever waits for it holds no place', async () => {
  rig.settings = { limits: { ...DEFAULT_LIMITS, commands: 1 } };
  expect((await ran(commands('echo x >> COUNT; echo made'))).outcome.counts).toMatchObject({ succeeded: 1, reused: 2 });
});

test('it fails once, with what it was given to try again', async () => {
  expect(
    (await ran(commands('echo x >> COUNT; exit 3', 'retry: { attempts: 2, backoff: 1s }'))).outcome.counts,
  ).toMatchObject({ failed: 3 });
  expect(timesDone()).toBe(2);
});

test('without a cache each is run', async () => {
  expect((await ran(commands('echo x >> COUNT; echo made', 'cache: false'))).outcome.counts).toMatchObject({
    succeeded: 3,
  });
  expect(timesDone()).toBe(3);
});

test('a cut is rendered once', async () => {
  const { renderCut } = rig;
  let times = 0;
  rig.renderCut = order => {
    times += 1;
    return renderCut(order);
  };
  const run = await rig.start(`
steps:
  film:
    matrix: { n: [1, 2] }
    cut: { clips: [{ title: Fox, for: 2s }] }
`);
  expect((await rig.runToEnd(run)).counts).toMatchObject({ succeeded: 1, reused: 1 });
  expect(times).toBe(1);
});
