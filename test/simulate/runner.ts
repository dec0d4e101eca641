/** One process that runs one film: the real core, wired to a simulated world. It ends, or its life does. */

import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';

import type { Pricing } from '../../src/api/catalog.ts';
import { modelLibrary } from '../../src/api/model-library.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import type { AppliedBudget } from '../../src/model/budget.ts';
import type { Pipeline } from '../../src/model/pipeline.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { ServiceRates } from '../../src/model/request-rates.ts';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { type PlanContext, plan } from '../../src/plan/plan.ts';
import { JOURNAL } from '../../src/records/journal/journal-tables.ts';
import { LocalChoices } from '../../src/records/journal/local-choices.ts';
import { LocalJournal } from '../../src/records/journal/local-journal.ts';
import { LockFile } from '../../src/records/lock/lock-file.ts';
import { LockKeeper } from '../../src/records/lock/lock-keeper.ts';
import { JournalAdmission } from '../../src/run/admission/journal-admission.ts';
import { JournalBudgets } from '../../src/run/admission/journal-budgets.ts';
import { type Outcome, type Run, start } from '../../src/run/engine/run.ts';
import type { RunEnvironment } from '../../src/run/engine/run-environment.ts';
import { LocalHands } from '../../src/run/local/local-hands.ts';
import { ownedBy } from '../../src/run/owned.ts';
import { presetDecider } from '../../src/run/ports/decider.ts';
import { HOSTED_PROOF, STUDIO_PROOF } from '../../src/run/requests/proof.ts';
import { Watcher } from '../../src/run/requests/watcher.ts';
import { ATTEMPTS, type Judge, type TimedFailure } from './judge.ts';
import { commandsFor, databaseFor, digestIn, fetchFor, type Life, lockFor, type Place, storeFor } from './machine.ts';
import type { PlantedBug } from './planted-bugs.ts';
import { ServiceOverNetwork } from './service-over-network.ts';

export const TABLES = JOURNAL.migrations as readonly string[];

export interface RunnerOptions extends Place {
  readonly film: string;
  readonly pipeline: Pipeline;
  readonly params: JsonObject;
  readonly onUnknown: 'fail' | 'resubmit';
  readonly onInterrupt: 'detach' | 'cancel';
  readonly judge: Judge;
  readonly newId: () => string;
  readonly isRunning: (film: string) => boolean;
  readonly report: (event: RecordedEvent) => void;
  readonly plant: PlantedBug | undefined;
  /** What the service allows, as the settings say. */
  readonly rates?: ServiceRates | undefined;
  readonly budgets: readonly AppliedBudget[];
  /** A folder for what commands scribble. */
  readonly work: string;
}

export interface Runner {
  readonly film: string;
  readonly life: Life;
  readonly plan: Plan;
  readonly failures: ReadonlyMap<string, TimedFailure>;
  /** The last request of each instance that had one. */
  readonly fingerprints: ReadonlyMap<string, string>;
  readonly ended: boolean;
  readonly outcome: Outcome | undefined;
  readonly bug: unknown;
  /** What is the matter with the lock file, as a person is told. */
  lockProblem(): string | undefined;
  detach(): void;
}

/** As the cheapest chat models: any price will do, as long as there is one. */
const PRICES: ReadonlyMap<string, Pricing> = new Map([
  ...modelLibrary.labels.flatMap(label => {
    const pricing = modelLibrary.get(label)?.pricing as unknown as Pricing | undefined;
    return pricing ? [[label, pricing] as const] : [];
  }),
  ['C-D', { method: 'token', input_cost_per_token: 0.001, output_cost_per_token: 0.002 }],
]);

const LIMITS = { in_flight: 4, per_model: 3, submits_per_second: 20, attempts: ATTEMPTS, commands: 2, downloads: 2 };

/** It begins with the next thing that happens. */
export function startRunner(options: RunnerOptions): Runner {
  const { life, time, provider, film, pipeline, judge, plant } = options;
  const clock = time.clockOf(life);
  const database = databaseFor(options);
  const journal = new LocalJournal({ database, film, clock });
  const store = storeFor(options);
  const text = options.disk.locks.get(film);
  const lock = LockFile.open(text, 'house', `${film}.lock.yaml`, false);
  const planContext: PlanContext = {
    params: options.params,
    library: modelLibrary,
    pricing: PRICES,
    service: 'house',
    env: {},
    run: { id: life.name, name: film },
    owned: ownedBy(journal, lock, store),
    localMedia: () => undefined,
  };
  const planned = plan(pipeline, planContext).plan;
  if (!planned) throw new Error(formatDiagnostics(plan(pipeline, planContext).diagnostics));
  judge.knows(film, planned);
  const failures = new Map<string, TimedFailure>();
  const fingerprints = new Map<string, string>();
  const keeper = new LockKeeper({
    disk: lockFor(options),
    clock,
    service: 'house',
    path: `${film}.lock.yaml`,
    found: text,
    isOurs: false,
    written: () => {},
    stale: () => {},
  });
  const hear = (event: RecordedEvent) => {
    if (life.dead) return;
    options.report(event);
    if ('key' in event && 'fingerprint' in event) fingerprints.set(event.key, event.fingerprint);
    if (event.type === 'failed') failures.set(event.key, { failure: event.failure, at: event.at - life.skew });
  };
  const line = new ServiceOverNetwork({
    ...options,
    known: () => knownIn(database),
    taken: made => judge.took(made),
    posted: nonce => judge.posted(nonce),
    // A budget counts nothing for what was refused, until it is known to be taken.
    refusesWhatItTook: provider.isStudio && options.budgets.length === 0,
  });
  const { account } = line;
  const budgets = new JournalBudgets({ journal, account, budgets: options.budgets, locked: () => lock.charges() });
  const pace = provider.isStudio ? { slow: 30_000, least: 200, progress: 1_000 } : { slow: 30_000, least: 500 };
  const world: RunEnvironment = {
    service: line,
    journal,
    choices: new LocalChoices({ journal, locked: [], hasStep: () => true }),
    admission: new JournalAdmission({
      ...{ journal, clock, account: line.account, limits: LIMITS },
      owned: fingerprint => planContext.owned.find(fingerprint),
      isRunning: options.isRunning,
      rates: options.rates,
      budgets,
    }),
    store,
    clock,
    newId: options.newId,
    random: () => options.dice.next(),
    watcher: new Watcher(line, clock, pace),
    hands: new LocalHands({
      ...{ store, root: options.work, scratch: join(options.work, 'commands'), newId: options.newId },
      commands: commandsFor(options),
      probe: async path =>
        provider.get(options.disk.store.get(digestIn(path)) ?? '')?.model.startsWith('I-')
          ? { kind: 'image' }
          : { kind: 'video', duration: 5 },
      fetchResult: fetchFor(options),
    }),
    decider: presetDecider(
      options.onUnknown === 'resubmit' ? [{ option: 'resubmit', by: '--on-unknown resubmit' }] : [],
    ),
    reporters: [{ report: hear, close: async () => {} }],
    planContext,
    lock: {
      learn: (...learnt) => void (life.dead || keeper.learn(...learnt)),
      reuse: (...owned) => void (life.dead || keeper.reuse(...owned)),
    },
    settings: {
      limits: LIMITS,
      rates: options.rates,
      onInterrupt: options.onInterrupt,
      pace,
      patience: 120_000,
      proof: provider.isStudio ? STUDIO_PROOF : HOSTED_PROOF,
      ...(provider.isIdempotent && { idempotent: true }),
      settleActivation: 2_000,
      root: options.work,
      resume: `shotlist run ${film}.yaml`,
      cancel: `shotlist cancel ${film}.yaml`,
      localStudio: false,
    },
  };
  const own = { outcome: undefined as Outcome | undefined, bug: undefined as unknown, ended: false };
  let run: Run | undefined;
  const begin = () => {
    run = start(planned, plant?.change ? plant.change(world, options, budgets) : world);
    const ending = async (outcome: Outcome) => {
      const wentToItsEnd = outcome.is === 'done' || outcome.is === 'failed';
      await keeper.close(wentToItsEnd ? { instances: [...planned.instances].map(({ key }) => key) } : undefined);
      // What could not be written is lost with the process, and was said.
      await journal.close().catch(() => {});
      if (life.dead) return;
      own.outcome = outcome;
      own.ended = true;
      life.end();
    };
    run.done.then(ending).catch(bug => {
      if (life.dead) return;
      own.bug = bug ?? new Error('nothing was thrown');
      own.ended = true;
      life.end();
    });
  };
  time.after(0, 'the start', begin, life);
  return {
    film,
    life,
    plan: planned,
    failures,
    fingerprints,
    get ended() {
      return own.ended;
    },
    get outcome() {
      return own.outcome;
    },
    get bug() {
      return own.bug;
    },
    lockProblem: () => keeper.problem(),
    detach: () => void time.after(0, 'an interrupt', () => run?.detach(), life),
  };
}

/** Generations that the films of this project know of, newest last. */
const knownIn = (database: DatabaseSync): readonly string[] =>
  database
    .prepare('SELECT generation_id AS id FROM submission WHERE generation_id IS NOT NULL ORDER BY at DESC LIMIT 200')
    .all()
    .map(({ id }) => String(id))
    .reverse();
