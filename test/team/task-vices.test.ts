import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { Redactor } from '../../src/machine/redactor.ts';
import { type Clock, systemClock } from '../../src/machine/time/clock.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import type { SharedPlace } from '../../src/records/store/shared/shared-place.ts';
import type { CommandOutcome, CommandWork, Turn } from '../../src/run/ports/executor.ts';
import { TASK, TeamQueue } from '../../src/team/queue/team-queue.ts';
import { taskLogs } from '../../src/team/tasks/task-logs.ts';
import type { TeamExecutor } from '../../src/team/tasks/team-executor.ts';
import { oneFile, PROMISES_NOTHING } from '../run/command-files.ts';
import { temporaryFolder } from '../support/temp.ts';
import { TaskTeam } from './task-team.ts';
import { serverForTests } from './team-world.ts';

const postgres = serverForTests('quick');
let team: TaskTeam;
beforeAll(() => TeamQueue.setUp({ url: postgres().url }));
beforeEach(async () => {
  team = await TaskTeam.open(postgres(), await temporaryFolder());
});
afterEach(() => team.close());

test('the project of a command is what was handed in, and nobody may write into it', async () => {
  await team.handsIn({
    'tools/say.sh': '#!/bin/sh\necho "$1, said $(cat "$SHOTLIST_PROJECT/names/fox")"',
    'names/fox': 'the fox',
  });
  writeFileSync(join(team.folder, 'undeclared'), 'on the machine of the lead');
  await team.worker('worker');
  const lead = await team.lead({ root: join(team.folder, 'lead') });
  const said = await run(lead, { command: { argv: ['tools/say.sh', 'hello'] } });
  expect(stdoutOf(said)).toBe('hello, said the fox');
  const rights = await run(lead, sh('cd "$SHOTLIST_PROJECT"; find . -printf "%P %m\\n" | sort'));
  expect(stdoutOf(rights)).toBe(' 555\nnames 555\nnames/fox 444\ntools 555\ntools/say.sh 555');
});

test('a command sees no key, no password and no team', async () => {
  const environment = {
    PATH: process.env.PATH,
    SHOTLIST_API_KEY: 'k',
    PGPASSWORD: 'p',
    SHOTLIST_TEAM: 't',
    OTHER: 'o',
  };
  await team.worker('worker', { environment });
  const said = await run(await team.lead(), { ...sh('env | cut -d= -f1 | sort'), env: { GREETING: 'hello' } });
  const names = (stdoutOf(said) ?? '').split('\n');
  expect(names).toContain('GREETING');
  expect(names.filter(name => /KEY|PASSWORD|TEAM|OTHER/.test(name))).toEqual([]);
});

test('a secret reaches the command, and stands neither in what it says, nor in its log, nor in the tables when it is done', async () => {
  const machine = await team.machine();
  await team.worker('worker');
  const lead = await team.lead({ machine, secrets: new Redactor([['$TOKEN', 'hush-hush-hush']]) });
  const said = await run(lead, { ...sh('echo "$TOKEN"; echo "${#TOKEN}"; exit 0'), env: { TOKEN: 'hush-hush-hush' } });
  expect(stdoutOf(said)).toBe('$TOKEN\n14');
  const [log] = await taskLogs(team.team, team.run, 'step' as InstanceKey);
  await machine.shared.download(log?.sha256 ?? '', never());
  expect(readFileSync(await machine.store.pathOf(log?.sha256 ?? ''), 'utf8')).toBe('$TOKEN\n14\n');
  const tables = ['shotlist.hand', 'pgboss.job'].map(table => table.replace('shotlist', team.schema));
  for (const table of tables)
    expect(JSON.stringify(await team.team.query(`SELECT * FROM ${table}`))).not.toContain('hush-hush-hush');
});

test('what is given out names content and the project, and no place of the machine of the lead', async () => {
  const machine = await team.machine();
  const { sha256 } = await machine.local.put([Buffer.from('a fox')], '.mp4');
  const lead = await team.lead({ machine });
  const own = join(team.folder, 'lead');
  const asked = run(lead, {
    ...{ command: { argv: ['cat', `/content/${sha256}.mp4`, join(own, 'notes.txt')] } },
    ...{ env: { WHERE: own, BESIDE: `${own}-2` }, files: { notes: join(own, 'notes.txt') } },
  });
  await expect.poll(() => team.rows('id')).toHaveLength(1);
  const [row] = await team.rows<{ work: string }>("data ->> 'work' AS work");
  expect(row?.work.replaceAll(`${own}-2`, '')).not.toContain(team.folder);
  await team.handsIn({ 'notes.txt': ', and notes' });
  await team.worker('worker');
  expect(stdoutOf(await asked)).toBe('a fox, and notes');
});

test('what a command reads is in the team’s store before its job is given out, and what it made before it is done', async () => {
  const slow = new SlowPlace();
  team.placeOf = slow.around;
  const machine = await team.machine();
  const { sha256 } = await machine.local.put([Buffer.from('a fox')], '.txt');
  await team.worker('worker');
  const lead = await team.lead({ machine });
  const asked = run(lead, {
    ...sh('tr a-z A-Z <"$fox" >made.txt'),
    files: { fox: `/content/${sha256}.txt` },
    creates: { made: 'made.txt' },
  });
  await expect.poll(() => slow.waiting).toBe(1);
  expect(await team.rows('id')).toEqual([]);
  slow.go();
  await expect.poll(() => slow.waiting).toBe(1);
  expect(await team.rows('state')).toEqual([{ state: 'active' }]);
  slow.go();
  const done = await asked;
  expect(done.is === 'ok' && oneFile(done.result.files, 'made')?.bytes).toBe(5);
});

test('a store that is down holds the work, says so to the lead, and loses nothing', async () => {
  const faulty = new FaultyPlace();
  const machine = await team.machine();
  team.placeOf = faulty.around;
  await team.worker('worker');
  const troubles: (string | undefined)[] = [];
  const lead = await team.lead({ machine, trouble: message => troubles.push(message) });
  faulty.isDown = true;
  const asked = run(lead, {
    ...sh('echo made >made.txt; echo once >>"$OUT"'),
    creates: { made: 'made.txt' },
    env: { OUT: join(team.folder, 'count') },
  });
  await expect.poll(() => troubles.at(-1)).toMatch(/^at worker: .*the disk went away/);
  faulty.isDown = false;
  expect((await asked).is).toBe('ok');
  expect(troubles.at(-1)).toBeUndefined();
  expect(readFileSync(join(team.folder, 'count'), 'utf8')).toBe('once\n');
});

test('what a worker makes whose job another one got meanwhile is of no use: the result is known once', async () => {
  const [one, other] = [await idleWorker('one'), await idleWorker('other')];
  const lead = await team.lead();
  const asked = run(lead, sh(`echo x >>'${join(team.folder, 'count')}'; sleep 0.3; echo done`));
  const first = await team.taken();
  await team.missed(first);
  await Promise.all([one.do(first), other.do(await team.taken())]);
  expect(stdoutOf(await asked)).toBe('done');
  expect(readFileSync(join(team.folder, 'count'), 'utf8')).toBe('x\nx\n');
});

test('what acts outside is begun by one of two workers that have its job', async () => {
  const [one, other] = [await idleWorker('one'), await idleWorker('other')];
  const lead = await team.lead();
  const asked = act(lead);
  const first = await team.taken();
  await team.missed(first);
  await Promise.all([one.do(first), other.do(await team.taken())]);
  expect(await asked).toMatchObject({ is: 'ok', result: { effect: true } });
  expect(readFileSync(join(team.folder, 'posted'), 'utf8')).toBe('x\n');
});

test('what acts outside, and whose worker is gone, is never done again: it may have acted', async () => {
  const lead = await team.lead();
  const asked = act(lead);
  const job = await team.taken();
  const jobs = team.jobs();
  expect([await jobs.begins(job), await jobs.begins(job)]).toEqual([true, false]);
  await team.missed(job);
  expect(await asked).toMatchObject({
    is: 'failed',
    mayHaveActed: true,
    failure: { message: expect.stringContaining('not heard of again') },
  });
  expect(existsSync(join(team.folder, 'posted'))).toBe(false);
});

test('what acts outside, and was given out before the database was restored, is begun by no worker, and taken over by no lead', async () => {
  void act(await team.lead());
  const job = await team.taken();
  await team.team.query('SELECT count_as_restored(NULL, 0, false, 1)');
  const jobs = team.jobs();
  expect(await jobs.begins(job)).toBe(false);
  const begin = vi.fn(async () => false);
  expect(await act(await team.lead(), begin)).toEqual({ is: 'stopped' });
  expect(begin).toHaveBeenCalledOnce();
});

test('an act is asked for before its job is given out', async () => {
  const lead = await team.lead();
  const rows: unknown[] = [];
  const begin = async () => {
    rows.push(...(await team.rows('id')));
    return false;
  };
  expect(await lead.runCommand({ ...work(sh('true')), effect: true }, { ...TURN, begin }, never())).toEqual({
    is: 'stopped',
  });
  expect([...rows, ...(await team.rows('id'))]).toEqual([]);
});

test('a result that was lost before the lead had it is made again', async () => {
  const one = await idleWorker('one');
  const lost = Promise.withResolvers<void>();
  const machine = await team.machine();
  const bring = machine.shared.download.bind(machine.shared);
  machine.shared.download = async (sha256, signal) => {
    await lost.promise;
    return bring(sha256, signal);
  };
  const lead = await team.lead({ machine });
  const asked = run(lead, {
    ...sh(`echo x >>'${join(team.folder, 'count')}'; echo a fox >fox.txt`),
    creates: { fox: 'fox.txt' },
  });
  await one.do(await team.taken());
  for (const folder of readdirSync(join(team.folder, 'team')))
    await rm(join(team.folder, 'team', folder), { recursive: true });
  lost.resolve();
  await (await idleWorker('other')).do(await team.taken());
  const done = await asked;
  expect(
    done.is === 'ok' &&
      readFileSync(await machine.store.pathOf(oneFile(done.result.files, 'fox')?.sha256 ?? ''), 'utf8'),
  ).toBe('a fox\n');
  expect(readFileSync(join(team.folder, 'count'), 'utf8')).toBe('x\nx\n');
});

test('a lead that takes over takes up what the one before it had given out, whether it is done or not', async () => {
  const one = await idleWorker('one');
  const before = await team.lead({ listen: () => () => {} });
  const count = (name: string) => sh(`echo ${name} >>'${join(team.folder, 'count')}'; echo ${name}`);
  void run(before, count('done'));
  await one.do(await team.taken());
  void run(before, { ...count('waiting'), env: { N: '2' } });
  await expect.poll(() => team.rows('id')).toHaveLength(2);
  void act(before);
  await expect.poll(() => team.rows('id')).toHaveLength(3);
  // It is gone without a word.
  const after = await team.lead();
  const begin = vi.fn(async () => true);
  const asked = [run(after, count('done')), run(after, { ...count('waiting'), env: { N: '2' } }), act(after, begin)];
  await team.worker('worker');
  expect((await Promise.all(asked)).map(({ is }) => is)).toEqual(['ok', 'ok', 'ok']);
  expect(readFileSync(join(team.folder, 'count'), 'utf8').split('\n').sort()).toEqual(['', 'done', 'waiting']);
  expect([begin.mock.calls.length, readFileSync(join(team.folder, 'posted'), 'utf8')]).toEqual([0, 'x\n']);
});

test('what a lead has taken up is not taken for the outcome of a later one: what failed is tried again', async () => {
  await team.worker('worker');
  const once = sh(`test -e '${join(team.folder, 'second')}'`);
  const before = await team.lead();
  expect((await run(before, once)).is).toBe('failed');
  await expect.poll(() => team.rows('state')).toEqual([]);
  writeFileSync(join(team.folder, 'second'), '');
  expect((await run(await team.lead(), once)).is).toBe('ok');
});

test('a lead that leaves lets its work go on, for the next one', async () => {
  await team.worker('worker');
  const leaving = new AbortController();
  const before = await team.lead({ leaving: leaving.signal });
  const long = sh(
    `echo x >>'${join(team.folder, 'count')}'; until test -e '${join(team.folder, 'go')}'; do sleep 0.02; done; echo done`,
  );
  const left = before.runCommand(work(long), TURN, leaving.signal);
  await expect.poll(() => existsSync(join(team.folder, 'count'))).toBe(true);
  leaving.abort();
  expect(await left).toEqual({ is: 'stopped' });
  await before.close();
  const after = run(await team.lead(), long);
  writeFileSync(join(team.folder, 'go'), '');
  expect(stdoutOf(await after)).toBe('done');
  expect(readFileSync(join(team.folder, 'count'), 'utf8')).toBe('x\n');
});

test('a run that is at its end needs nothing more: what is under way is stopped', async () => {
  const worker = await team.worker('worker');
  const lead = await team.lead();
  void run(lead, sh(`touch '${join(team.folder, 'begun')}'; sleep 60`));
  await expect.poll(() => existsSync(join(team.folder, 'begun'))).toBe(true);
  await lead.close();
  await expect.poll(() => worker.busy).toBe(0);
  expect(await team.rows('state')).toEqual([]);
});

test('a worker that leaves hands its work to another one at once', async () => {
  const begun = join(team.folder, 'begun');
  const first = await team.worker('first');
  const asked = run(await team.lead(), sh(`test -e '${begun}' && echo done || { touch '${begun}'; sleep 60; }`));
  await expect.poll(() => existsSync(begun)).toBe(true);
  await team.worker('second');
  // Nobody finds out that it beats no more.
  await team.team.query('UPDATE pgboss.job SET heartbeat_seconds = 86400 WHERE name = $1', [TASK]);
  await team.leaves(first);
  expect(stdoutOf(await asked)).toBe('done');
});

test('a lead that leads no longer gives nothing out', async () => {
  const before = await team.lead();
  await team.lead();
  expect(await run(before, sh('true'))).toEqual({ is: 'stopped' });
  expect(await team.rows('id')).toEqual([]);
});

test('what ten workers have taken, and none has ended, is given up', async () => {
  const asked = run(await team.lead(), sh('true'));
  for (let n = 0; n < 10; n++) await team.missed(await team.taken());
  expect(await asked).toMatchObject({
    is: 'failed',
    failure: { message: expect.stringContaining('10 workers began it') },
  });
});

test('a job that is gone from the queue is given out once more', async () => {
  const asked = run(await team.lead({ clock: hasty }), sh('echo done'));
  await team.taken();
  await team.team.query('DELETE FROM pgboss.job WHERE name = $1', [TASK]);
  await team.worker('worker');
  expect(stdoutOf(await asked)).toBe('done');
});

test('what the run wants no more is not begun', async () => {
  let isWanted = true;
  const lead = await team.lead({ clock: hasty });
  const asked = lead.runCommand(work(sh('true')), { ...TURN, isWanted: () => isWanted }, never());
  await expect.poll(() => team.rows('id')).toHaveLength(1);
  isWanted = false;
  expect(await asked).toEqual({ is: 'stopped' });
  expect(await team.rows('state')).toEqual([]);
});

test('a database that goes away in the middle of a command takes nothing with it', async () => {
  await team.worker('worker');
  const lead = await team.lead();
  const asked = run(
    lead,
    sh(
      `echo x >>'${join(team.folder, 'count')}'; until test -e '${join(team.folder, 'go')}'; do sleep 0.02; done; echo done`,
    ),
  );
  await expect.poll(() => existsSync(join(team.folder, 'count'))).toBe(true);
  await postgres().kill();
  writeFileSync(join(team.folder, 'go'), '');
  await new Promise(resolve => setTimeout(resolve, 500));
  await postgres().start();
  expect(stdoutOf(await asked)).toBe('done');
});

/** Of this process, and given jobs by the test alone. */
const idleWorker = (name: string) => team.worker(name, { atOnce: 0 });

const never = () => new AbortController().signal;
/** Looks at a job of which nothing is heard ten times as often. */
const hasty: Clock = {
  ...systemClock,
  sleep: (ms, ...more) => systemClock.sleep(ms === 3_000 ? 300 : ms, ...more),
};
const TURN: Turn = { priority: 0, started: () => {} };

const sh = (script: string): Pick<CommandWork, 'command'> => ({ command: { script, shell: 'sh' } });
const work = (given: Partial<CommandWork>): CommandWork => ({
  ...{ ...PROMISES_NOTHING, fingerprint: 'f', key: 'step' as InstanceKey, command: { argv: [] } },
  ...given,
});
const run = (executor: TeamExecutor, given: Partial<CommandWork>): Promise<CommandOutcome> =>
  executor.runCommand(work(given), TURN, never());
const act = (executor: TeamExecutor, begin = async () => true): Promise<CommandOutcome> =>
  executor.runCommand(
    { ...work(sh(`echo x >>'${join(team.folder, 'posted')}'; sleep 0.2`)), effect: true },
    { ...TURN, begin },
    never(),
  );
const stdoutOf = (done: CommandOutcome) => (done.is === 'ok' ? done.result.stdout : JSON.stringify(done));

/** Sends nothing until it is told to. */
class SlowPlace {
  readonly #held: (() => void)[] = [];

  get waiting(): number {
    return this.#held.length;
  }

  go(): void {
    for (const one of this.#held.splice(0)) one();
  }

  readonly around = (place: SharedPlace): SharedPlace => ({
    ...bound(place),
    send: async (...given) => {
      await new Promise<void>(resolve => this.#held.push(resolve));
      return place.send(...given);
    },
  });
}

class FaultyPlace {
  isDown = false;

  readonly around = (place: SharedPlace): SharedPlace => ({
    ...bound(place),
    send: async (...given) => (this.isDown ? { is: 'failed', message: 'the disk went away' } : place.send(...given)),
  });
}

const bound = (place: SharedPlace): SharedPlace => ({
  to: place.to,
  look: (...given) => place.look(...given),
  read: (...given) => place.read(...given),
  send: (...given) => place.send(...given),
  close: () => place.close(),
});
