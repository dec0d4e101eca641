/**
 * The cases at a service that shares no code with the client: transcripts. Those in `transcript/hosted/` were written by hand, after what
 * services of this shape were observed to do; catalog and fine-tunes are what the studio answered once. And one film, made there from its
 * first request to its last file.
 */
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { Service } from '../../src/api/service.ts';
import { compile } from '../../src/language/compile.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import { guardFor } from '../../src/machine/net/url-guard.ts';
import { CommandRunner } from '../../src/machine/process/command-runner.ts';
import { systemClock } from '../../src/machine/time/clock.ts';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import { type PlanContext, plan } from '../../src/plan/plan.ts';
import { openJournal } from '../../src/records/journal/journal-file.ts';
import { LocalChoices } from '../../src/records/journal/local-choices.ts';
import { LockFile } from '../../src/records/lock/lock-file.ts';
import { download } from '../../src/records/store/download.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import { JournalAdmission } from '../../src/run/admission/journal-admission.ts';
import { DEFAULT_LIMITS } from '../../src/run/engine/limits.ts';
import { type Outcome, start } from '../../src/run/engine/run.ts';
import { ownedBy } from '../../src/run/find-owned.ts';
import { LocalExecutor } from '../../src/run/local/local-executor.ts';
import { presetDecider } from '../../src/run/ports/decider.ts';
import { Watcher } from '../../src/run/requests/watcher.ts';
import { eventLines } from '../run/rig.ts';
import { temporaryFolder } from '../support/temp.ts';
import { SUITES, UNABLE } from './cases.ts';
import { parse, replayFixture } from './replay.ts';

const BY_HAND = 'write down what a hosted service would be asked, and what it would say';
const read = (name: string) => parse(readFileSync(new URL(`./transcript/${name}.txt`, import.meta.url), 'utf8'));

describe.each([
  ['queue', 'hosted'],
  ['sync', 'hosted'],
  ['chat', 'hosted'],
  ['catalog', 'studio'],
  ['tuning', 'studio'],
] as const)('the %s of the %s service', (suite, folder) => {
  const transcript = read(`${folder}/${suite}`);
  const cases = Object.entries(SUITES[suite]);
  for (const [name, story] of cases) {
    if (UNABLE.hosted[name] === undefined)
      test(name, async () => {
        const lines = transcript.get(name);
        if (lines === undefined) throw new Error(`this case is not in ${folder}/${suite}.txt: ${BY_HAND}`);
        await story(() => replayFixture(lines, BY_HAND));
      });
  }
  test('nothing is written that no case tells', () => {
    const told = cases.map(([name]) => name).filter(name => UNABLE.hosted[name] === undefined);
    expect([...transcript.keys()].filter(name => !told.includes(name))).toEqual([]);
  });
});

const FILM = `
shotlist: 1
name: fox
steps:
  still:
    model: I-GEN-A
    with: { prompt: a red fox }
  shot:
    model: V-I2V-A
    with:
      prompt: it turns its head
      input_image: \${{ steps.still.result_url }}
`;

test('a film is made there, whatever it calls the time between', async () => {
  const [lines = []] = [...read('hosted/film').values()];
  const { outcome, events } = await filmAt(FILM, await replayFixture(lines, BY_HAND));
  const said = events.flatMap(event => (event.type === 'progress' ? [`${event.key} ${event.status}`] : []));
  expect(said).toEqual(['still queued', 'still processing', 'still moderating', 'shot awaiting_capacity']);
  const steps = ['submit_intended', 'submit_accepted', 'generated', 'succeeded'];
  expect(eventLines(events)).toEqual([
    'stream_changed',
    ...['still', 'shot'].flatMap(step => steps.map(what => `${step} ${what}`)),
    'still billed',
    'shot billed',
    'run_finished',
  ]);
  expect(events.flatMap(event => (event.type === 'billed' ? [event.cost] : []))).toEqual([0.01, 0.42]);
  const got = [...outcome.results.values()].map(({ result }) =>
    result.is === 'media' ? [result.bytes, result.extension] : [],
  );
  expect(got).toEqual([
    [36, '.webp'],
    [12, '.mp4'],
  ]);
});

interface Shot {
  readonly outcome: Outcome;
  readonly events: readonly RecordedEvent[];
}

/** Looks at a generation every few milliseconds: the transcript is in no hurry, and neither must a test be. */
async function filmAt(text: string, { service, url }: { service: Service; url: string }): Promise<Shot> {
  const folder = await temporaryFolder();
  const work = join(folder, 'work');
  await mkdir(work);
  const clock = systemClock;
  const journal = openJournal({ folder, film: 'film', clock, to: 'run' });
  const store = await LocalStore.open(join(folder, 'store'));
  const lock = LockFile.open(undefined, service.name, 'film.lock.yaml', false);
  const { pipeline, diagnostics } = compile({ path: 'film.yaml', text }, modelLibrary);
  if (!pipeline) throw new Error(formatDiagnostics(diagnostics));
  const planContext: PlanContext = {
    params: {},
    library: modelLibrary,
    pricing: new Map(),
    service: service.name,
    env: {},
    run: { id: 'run', name: pipeline.name },
    owned: ownedBy(journal, lock, store),
    localMedia: () => undefined,
  };
  const planned = plan(pipeline, planContext);
  if (!planned.plan) throw new Error(formatDiagnostics(planned.diagnostics));
  const commands = new CommandRunner({ environment: {} });
  const events: RecordedEvent[] = [];
  let ids = 0;
  const pace = { slow: 20, least: 5 };
  const run = start(planned.plan, {
    service,
    journal,
    choices: new LocalChoices({ journal, locked: [], hasStep: () => true }),
    admission: new JournalAdmission({
      ...{ journal, clock, account: service.account, limits: DEFAULT_LIMITS },
      owned: fingerprint => planContext.owned.find(fingerprint),
      isRunning: () => false,
    }),
    store,
    clock,
    newId: () => `id-${++ids}`,
    random: () => 0.5,
    watcher: new Watcher(service, clock, pace),
    executor: new LocalExecutor({
      ...{ store, commands, root: folder, scratch: join(work, 'commands') },
      newId: () => `id-${++ids}`,
      probe: async path => ({ kind: path.endsWith('.webp') ? 'image' : 'video' }),
      fetchResult: (address, id, signal) => download(address, { store, id, allow: guardFor(url), clock, signal }),
    }),
    decider: presetDecider([]),
    reporters: [{ report: event => void events.push(event), close: async () => {} }],
    planContext,
    settings: {
      limits: DEFAULT_LIMITS,
      pace,
      patience: 10_000,
      proof: { settled: 10, settledBehindGateway: 10, apart: 5, witnessAfter: 0, trusted: true },
      settleActivation: 10,
      root: folder,
      resume: 'shotlist run film.yaml',
      localStudio: false,
      elsewhere: true,
    },
  });
  const outcome = await run.done;
  await commands.close();
  await journal.close();
  return { outcome, events };
}
