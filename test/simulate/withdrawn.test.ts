/** A disk that is full for one commit: the intent it refused was never sent, and nobody looks for it afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { Dice } from './dice.ts';
import { Judge } from './judge.ts';
import { Disk, Life } from './machine.ts';
import { Provider } from './provider.ts';
import { startRunner, TABLES } from './runner.ts';
import { Time } from './time.ts';
import { Manners, type Tally } from './vices.ts';

let work: string;
beforeEach(() => {
  work = mkdtempSync(join(tmpdir(), 'shotlist-withdrawn-'));
});
afterEach(() => rmSync(work, { recursive: true, force: true }));

test('the next run sends it, and is not told of an answer that was lost', async () => {
  const text = 'shotlist: 1\nname: fox\nsteps:\n  shot: { model: V-T2V-B, with: { prompt: "a fox at the river" } }\n';
  const { pipeline } = compile({ path: 'fox.yaml', text }, modelLibrary);
  if (!pipeline) throw new Error('it does not compile');
  const time = new Time();
  const tally: Tally = new Map();
  const dice = new Dice(1);
  const provider = new Provider(time, dice, new Manners(dice, tally, 'good'), false);
  provider.manners.isQuiet = true;
  const disk = new Disk(TABLES);
  let looks = 0;
  Object.defineProperty(disk, 'isFull', { get: () => looks++ === 0 });
  const judge = new Judge(provider, disk, time);
  let ids = 0;
  const run = async () => {
    const runner = startRunner({
      ...{ disk, time, dice, tally, provider, judge, pipeline, work, film: 'fox', params: {} },
      ...{ life: new Life('fox', Number.POSITIVE_INFINITY), network: { isCut: false }, plant: undefined, budgets: [] },
      ...{ onUnknown: 'fail', onInterrupt: 'detach', isRunning: () => false, report: () => {} },
      newId: () => `id-${++ids}`,
    });
    await time.pass(() => runner.ended, 10_000);
    return runner.outcome?.is;
  };
  expect(await run()).toBe('unwritable');
  expect(provider.generations).toEqual([]);
  expect(disk.database.prepare("SELECT * FROM submission WHERE state <> 'closed'").all()).toEqual([]);
  expect(await run()).toBe('done');
  expect(provider.generations).toHaveLength(1);
  expect(judge.broken).toBeUndefined();
});
