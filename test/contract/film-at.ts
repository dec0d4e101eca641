/** One run of a film at any service, with the client, the downloader, the store and the journal that every run has. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
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
import { LocalHands } from '../../src/run/local/local-hands.ts';
import { ownedBy } from '../../src/run/owned.ts';
import { presetDecider } from '../../src/run/ports/decider.ts';
import { Watcher } from '../../src/run/requests/watcher.ts';
import { temporaryFolder } from '../support/temp.ts';

export interface Shot {
  readonly outcome: Outcome;
  readonly events: readonly RecordedEvent[];
}

/** Looks at a generation every few milliseconds: the transcript is in no hurry, and neither must a test be. */
export async function filmAt(text: string, { service, url }: { service: Service; url: string }): Promise<Shot> {
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
    hands: new LocalHands({
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
