/** A film that is led here, whose commands and cut are done by another worker: what it gives, and that a later turn finds it. */
import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Service } from '../../src/api/service.ts';
import { type ServiceChoice, STUDIO_PACE } from '../../src/app/service/service-choice.ts';
import { VERSION } from '../../src/app/service/version.ts';
import { CommandRunner } from '../../src/machine/process/command-runner.ts';
import { systemClock } from '../../src/machine/time/clock.ts';
import type { Asking, Choice } from '../../src/model/run/choice.ts';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import { LocalChoices } from '../../src/records/journal/local-choices.ts';
import { DEFAULT_LIMITS } from '../../src/run/engine/limits.ts';
import { STUDIO_PROOF } from '../../src/run/requests/proof-of-absence.ts';
import type { FilmStatus } from '../../src/show/text/status/film-status.ts';
import { filmInTeam, journalOfRun, type Team } from '../../src/team/client/open-team.ts';
import { stateOf } from '../../src/team/client/team-project.ts';
import { statusOfEvents, statusOfTeamRun } from '../../src/team/client/team-run-status.ts';
import { TeamJournal } from '../../src/team/journal/team-journal.ts';
import { type Manifest, runRow, submitRun, wake } from '../../src/team/runs/run-rows.ts';
import { taskLogs } from '../../src/team/tasks/task-logs.ts';
import { type OwnTasks, TeamExecutor } from '../../src/team/tasks/team-executor.ts';
import { type Leading, leadRun } from '../../src/team/worker/lead-run.ts';
import { temporaryFolder } from '../support/temp.ts';
import { TaskTeam } from './task-team.ts';
import { databaseForTests } from './team-world.ts';

const database = databaseForTests();
let team: TaskTeam;
beforeEach(async () => {
  team = await TaskTeam.open(database(), await temporaryFolder());
});
afterEach(() => team.close());

const FILM = `
shotlist: 1
name: fox
steps:
  card:
    matrix: { n: [1, 2, 3] }
    run: 'sh "$SHOTLIST_PROJECT/tools/card.sh" "$names" "$n" >card.txt; echo said'
    env: { n: "\${{ matrix.n }}" }
    files: { names: names.txt }
    creates: { text: card.txt }
  all:
    run: [cat, "\${{ steps.card[0].files.text.file }}", "\${{ steps.card[2].files.text.file }}"]
  posted:
    run: cat "$list" >>POSTED
    effect: true
    files: { list: "\${{ steps.card[1].files.text }}" }
  film:
    cut:
      clips: [{ title: "\${{ steps.all.stdout }}", for: 0.2s }]
      size: 64x64
`;

const PICKED = `
shotlist: 1
name: fox
steps:
  card: { matrix: { n: [1, 2] }, run: [echo, card, "\${{ matrix.n }}"] }
  best: { pick: "\${{ steps.card }}" }
  told: { run: [echo, "\${{ steps.best.stdout }}"] }
`;

test('commands, an act and a cut are done by a worker that has nothing but the team’s store', async () => {
  const posted = join(team.folder, 'posted');
  await team.worker('worker');
  const run = await submitted(FILM.replace('POSTED', posted));
  const { events, led } = await leads(run, 'one');
  expect(led).toMatchObject({ is: 'ended', status: 'done' });
  const succeeded = events.filter(event => event.type === 'succeeded');
  const all = succeeded.find(({ key }) => key === 'all');
  expect(all?.result).toMatchObject({ stdout: '1 red fox\n3 red fox' });
  expect(succeeded.map(({ key }) => key).sort()).toEqual([
    'all',
    'card[n=1]',
    'card[n=2]',
    'card[n=3]',
    'film',
    'posted',
  ]);
  expect(await readFile(posted, 'utf8')).toBe('2 red fox\n');
  // Of all commands that wrote something, the log says who did it.
  expect(await team.team.query('SELECT DISTINCT worker FROM hand')).toEqual([{ worker: 'worker' }]);
  const film = succeeded.find(({ key }) => key === 'film')?.result;
  expect(film?.is === 'media' && film.media).toMatchObject({ kind: 'video', width: 64, height: 64 });

  // Another machine leads it once more: everything is owned, and in the team's store.
  const again = await submitted(FILM.replace('POSTED', posted));
  const second = await leads(again, 'two');
  expect(second.led).toMatchObject({ is: 'ended', status: 'done' });
  expect(second.events.filter(({ type }) => type === 'command_started')).toEqual([]);
});

test('a lead does with its own hands what it has hands for, and other workers do the rest', async () => {
  const posted = join(team.folder, 'posted');
  const own = await team.worker('own');
  const sent = vi.spyOn(team.queue, 'giveOut');
  const first = await submitted(FILM.replace('POSTED', posted));
  expect((await leads(first, 'one', { own })).led).toMatchObject({ is: 'ended', status: 'done' });
  expect(await readFile(posted, 'utf8')).toBe('2 red fox\n');
  expect([sent.mock.calls.length, (await taskLogs(team.team, first)).map(({ worker }) => worker)]).toEqual([
    0,
    ['own', 'own', 'own', 'own'],
  ]);

  while (own.occupy('command'));
  await team.worker('other');
  const others = FILM.replace('POSTED', `${posted}-again`).replace('[1, 2, 3]', '[4, 5, 6]');
  const second = await submitted(others.slice(0, others.indexOf('  film:')));
  expect((await leads(second, 'two', { own })).led).toMatchObject({ is: 'ended', status: 'done' });
  const logs = await taskLogs(team.team, second);
  expect([sent.mock.calls.length, new Set(logs.map(({ worker }) => worker))]).toEqual([5, new Set(['other'])]);
});

/** Takes a key that lies in the worker's environment apart: in a prompt, in rows, backwards. */
const THIEF = `
shotlist: 1
name: thief
env: [HOUSE_KEY, CDN_TOKEN]
steps:
  row:
    matrix: { n: [0, 1, 2] }
    run: [echo, "\${{ env.HOUSE_KEY.substring(matrix.n, matrix.n + 1) }}"]
  backwards: { run: 'echo "$key" | rev', env: { key: "\${{ env.HOUSE_KEY }}" } }
  shows: { run: [echo, "\${{ env.CDN_TOKEN }}"] }
`;

test('a film reads no key of the worker that leads it, and only the variables that the worker lists', async () => {
  await team.worker('worker');
  const environment = { HOUSE_KEY: 'sk-house', CDN_TOKEN: 'tok-cdn' };
  const secrets = new Map([['HOUSE_KEY', '`key_env` of services.house in shotlist.config.yaml']]);
  const run = await submitted(THIEF);
  const { led, events } = await leads(run, 'one', { environment, access: { secrets, exposed: new Set() } });
  expect(led).toMatchObject({ is: 'ended', status: 'failed' });
  const reason = led.is === 'ended' ? String(led.outcome.reason) : '';
  expect(reason).toContain('fox.yaml:4:7: error: `HOUSE_KEY` holds a secret of Shotlist itself (`key_env` of services');
  expect(reason).toContain(
    'fox.yaml:4:18: error: the worker lets no film read `CDN_TOKEN`; start it with `shotlist team',
  );
  expect(events).toEqual([]);

  const shown = THIEF.replace('HOUSE_KEY, ', '').replace(/ {2}row:.*(?= {2}shows)/s, '');
  const again = await submitted(shown);
  const exposed = new Set(['CDN_TOKEN']);
  const second = await leads(again, 'two', { environment, access: { secrets, exposed } });
  expect(second.led).toMatchObject({ is: 'ended', status: 'done' });
});

test('a pick that is changed while the film of the first one is made has the film made again, by the next turn', async () => {
  await team.worker('worker');
  const run = await submitted(PICKED);
  const first = await leads(run, 'one');
  expect(first.led).toMatchObject({ is: 'ended', status: 'waiting' });
  const asked = first.events.findLast(event => event.type === 'waiting_for');
  const [one, two] = asked?.options ?? [];
  if (!asked || !one || !two) throw new Error('it asks which of two');
  const asking: Asking = {
    ...{ is: 'pick', key: asked.key, count: 1, by: 'person' },
    ...{ from: [one.id, two.id], called: [one.key, two.key] },
  };
  const picks = async (chosen: string, at: number) => {
    const journal = await filmInTeam({ database: team.team, project: 'films' }, 'house')('fox');
    const choices = new LocalChoices({ journal, locked: [], hasStep: () => true });
    const { key, from, called } = asking;
    const choice: Choice = { key, from, called, chosen: [chosen], by: 'person', who: 'Ada', at };
    expect(await choices.record(choice, asking, choices.find(asking))).toEqual({ is: 'kept' });
    await journal.close();
  };
  await picks(one.id, 1);
  expect(await wake(team.team, team.queue, 'films:fox')).toEqual([run]);
  const told = (all: Awaited<ReturnType<typeof leads>>) =>
    all.events.flatMap(event => (event.type === 'succeeded' && event.key === 'told' ? [event.result] : []));
  const second = await leads(run, 'two', { meanwhile: () => picks(two.id, 2) });
  expect([second.led, told(second)]).toMatchObject([{ is: 'ended', status: 'queued' }, [{ stdout: 'card 1' }]]);
  const third = await leads(run, 'three');
  expect([third.led, told(third)]).toMatchObject([{ is: 'ended', status: 'done' }, [{ stdout: 'card 2' }]]);
});

describe('a run that no lead can continue ends as failed, after a bounded number of leads, and its status shows why', () => {
  interface Doomed {
    readonly why: string;
    /** Leads that it takes until it is given up. */
    readonly most: number;
    readonly reason: RegExp;
    readonly how?: Parameters<typeof leads>[2];
    readonly prepare?: (team: TaskTeam) => Promise<unknown>;
  }

  test.each<Doomed>([
    { why: 'its file is refused', most: 1, reason: /`nonsense`/ },
    {
      ...{ why: 'no worker has its key', most: 3, reason: /^HOUSE_KEY is not set$/ },
      how: { serviceFor: () => Promise.reject(new Error('HOUSE_KEY is not set')) },
    },
    {
      ...{ why: 'a row of it cannot be read', most: 1, reason: /the team's journal cannot be read/ },
      prepare: ({ team }) =>
        team.query(
          `INSERT INTO submission (nonce, film, fingerprint, account, model, state, at, body)
           VALUES ('n', 'films:fox', 'f', 'house', 'V', 'intended', 1, '["no", "submission"')`,
        ),
    },
    {
      ...{ why: 'each worker dies of it', most: 1, reason: /^20 workers in a row vanished/ },
      prepare: ({ team }) =>
        team.query("UPDATE run SET status = 'led', lead_job = 'gone', cut_off = 19, changed_at = now()"),
    },
  ])('$why', async ({ why, most, reason, how, prepare }) => {
    const run = await submitted(why === 'its file is refused' ? `${PICKED}nonsense: 1\n` : PICKED);
    await prepare?.(team);
    for (let n = 1; n < most; n++)
      expect((await leads(run, 'one', how)).led).toMatchObject({ is: 'ended', status: 'queued' });
    expect((await leads(run, 'one', how)).led).toMatchObject({ is: 'ended', status: 'failed' });
    expect((await statusOf(run)).team?.reason).toMatch(reason);
  });

  test('one that the worker it was offered to refuses waits for another one, and its status shows why', async () => {
    const run = await submitted(PICKED);
    const refused = await leads(run, 'one', { refuses: async () => 'no service `farm` is set up here' });
    expect(refused.led.is).toBe('left to others');
    expect((await statusOf(run)).team).toMatchObject({
      ...{ status: 'queued', reason: 'one: no service `farm` is set up here' },
    });
    await team.worker('worker');
    expect((await leads(run, 'two')).led).toMatchObject({ status: 'waiting' });
    expect((await statusOf(run)).team).toMatchObject({ status: 'waiting', reason: null });
  });
});

test('a status is one row that the lead keeps, and says the same as all that the run has kept', async () => {
  await team.worker('worker');
  const run = await submitted(
    `${PICKED}  sorry: { run: "echo no >&2; exit 3" }\n  film: { run: [echo, "\${{ steps.sorry.stdout }}"] }\n`,
  );
  expect((await leads(run, 'one')).led).toMatchObject({ is: 'ended', status: 'failed' });
  const journals = vi.spyOn(TeamJournal, 'open');
  const failed = await statusOf(run);
  expect(journals).toHaveBeenCalledTimes(1);
  expect(failed).toMatchObject({
    ...{ outcome: 'failed', at_work: [], waiting: [], counts: { failed: 1, blocked: 1, asks: 1 } },
    ...{ failed: [{ key: 'sorry' }], questions: [{ key: 'best' }] },
  });
  await team.team.query("UPDATE run SET status = 'queued' WHERE id = $1", [run]);
  expect((await leads(run, 'two')).led).toMatchObject({ is: 'ended', status: 'failed' });
  expect((await statusOf(run)).began).toBe(failed.began);

  // Another run of the film is read without this one, and knows what the film owns.
  const other = await submitted(`${PICKED}  more: { run: [echo, more] }\n`);
  const { events } = await leads(other, 'one');
  expect((await statusOf(other)).counts).toMatchObject({ reused: 2, made: 1, asks: 1 });
  const journal = await journalOfRun({ database: team.team }, { id: other, filmId: 'films:fox' });
  const runs = journal.views.runs.of('films:fox', 'this');
  const owned = events.flatMap(event => (event.type === 'reused' ? [event.fingerprint] : []));
  expect([runs.length, owned.map(one => journal.views.owned.has(one))]).toEqual([1, [true, true]]);
  await journal.close();
});

/** As it is read; the same as it is told from the events and the plan that are kept. */
async function statusOf(id: string) {
  const { team: tables, queue, folder } = team;
  const house: Team = {
    ...{ name: 'house', url: database().url, database: tables, queue, project: 'films', store: undefined, cache: 0 },
    [Symbol.asyncDispose]: async () => {},
  };
  const files = { root: folder, pipelineFile: join(folder, 'fox.yaml'), settingsFile: '', stateFolder: folder };
  const asked = { team: house, project: files };
  const status = await statusOfTeamRun(id, asked);
  const run = await runRow(tables, id);
  if (!status || !run) throw new Error('it was handed in');
  const { counts, ...kept } = status;
  const { counts: ofEvents, ...told } = (await statusOfEvents(run, asked).catch(() => status)) ?? status;
  expect({ ...kept, counts: thereIn(counts) }).toEqual({ ...told, counts: thereIn(ofEvents) });
  return status;
}

/** What is gathered is made in the turn that gathers it, and in no event. */
const thereIn = ({ made = 0, reused = 0, ...rest }: FilmStatus['counts']) => ({ ...rest, there: made + reused });

async function submitted(source: string): Promise<string> {
  const { local, shared } = await team.machine();
  const manifest: { -readonly [path in keyof Manifest]: Manifest[path] } = {};
  for (const [path, text] of Object.entries({ 'names.txt': 'red fox', 'tools/card.sh': 'echo "$2 $(cat "$1")"' })) {
    await mkdir(join(team.folder, 'own', 'tools'), { recursive: true });
    await writeFile(join(team.folder, 'own', path), text);
    const { sha256, bytes } = await local.put(createReadStream(join(team.folder, 'own', path)), '.txt');
    await shared.sent({ sha256, extension: '.txt' }, new AbortController().signal);
    manifest[path] = { sha256, bytes };
  }
  const handed = await submitRun(
    team.team,
    team.queue,
    {
      ...{ project: 'films', path: 'fox.yaml', profile: null, film: 'fox', service: 'studio', source },
      ...{ params: {}, options: {}, manifest, price: 0, priority: 0, shotlist: VERSION },
    },
    'fox.lock.yaml',
  );
  return handed.is === 'same' ? handed.run.id : handed.run;
}

/**
 * A worker of this name leads it to its end. `meanwhile` begins once something was made of what is picked, and is over before the turn is.
 */
async function leads(
  run: string,
  worker: string,
  {
    meanwhile,
    environment = {},
    access = { secrets: new Map() },
    serviceFor = async () => choice(),
    refuses,
    own,
  }: Partial<Pick<Leading, 'environment' | 'access' | 'serviceFor' | 'refuses'>> & {
    readonly own?: OwnTasks;
    readonly meanwhile?: () => Promise<void>;
  } = {},
) {
  const events: RecordedEvent[] = [];
  let hear: () => void = () => {};
  let over: Promise<void> | undefined;
  const report = (event: RecordedEvent) => {
    events.push(event);
    if (event.type === 'succeeded' && event.key === 'told') over ??= meanwhile?.().then(() => hear());
  };
  const { store } = await team.machine();
  const folders = { root: join(team.folder, worker) };
  await mkdir(stateOf(folders, { project: 'films' }), { recursive: true });
  const leading: Leading = {
    ...{ on: 'house', team: team.team, queue: team.queue, folders, worker },
    ...{ clock: systemClock, storeFor: async () => store, environment, access },
    ...{ serviceFor, ...(refuses && { refuses }) },
    commandsFor: () => new CommandRunner({ environment: {} }),
    executorFor: lead => {
      const executor = new TeamExecutor({
        ...{ ...lead, team: team.team, queue: team.queue, clock: systemClock, listen: team.hear },
        ...{ own, others: () => ({ hands: 4, workers: 1 }), trouble: () => {} },
      });
      const close = executor.close.bind(executor);
      return Object.assign(executor, {
        close: async () => {
          await over;
          await close();
        },
      });
    },
    reporters: () => [{ report, close: async () => {} }],
    changed: (ms, signal) => systemClock.sleep(ms, signal),
    onBroadcast: (_, heard) => {
      hear = heard;
      return () => {};
    },
    trouble: () => {},
  };
  const led = await leadRun(run, randomUUID(), new AbortController().signal, leading);
  return { events, led };
}

/** Nothing of the film is asked of a service. */
const choice = (): ServiceChoice => ({
  ...{ name: 'studio', hosted: false, elsewhere: false, baseUrl: undefined, limits: DEFAULT_LIMITS, onUnknown: 'fail' },
  ...{ proof: STUDIO_PROOF, onInterrupt: 'detach', pace: STUDIO_PACE },
  store: {
    settings: { is: 'folder', path: join(team.folder, 'team'), write: true, where: 'the test' },
    folder: join(team.folder, 'team'),
  },
  connect: async () => ({ account: 'house', close: async () => {} }) as unknown as Service & { close(): Promise<void> },
});
