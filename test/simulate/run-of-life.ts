/** The real core, wired to a disk, a time and a network in memory: one run of one film by one process, which may die at any step. */
import { join } from 'node:path';
import type { Pricing } from '../../src/api/catalog.ts';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { Service } from '../../src/api/service.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import type { AppliedBudget } from '../../src/model/budget.ts';
import type { Pipeline } from '../../src/model/pipeline.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import { type PlanContext, plan } from '../../src/plan/plan.ts';
import { LocalChoices } from '../../src/records/journal/local-choices.ts';
import { LocalJournal } from '../../src/records/journal/local-journal.ts';
import { LockFile } from '../../src/records/lock/lock-file.ts';
import { LockKeeper } from '../../src/records/lock/lock-keeper.ts';
import { JournalAdmission } from '../../src/run/admission/journal-admission.ts';
import { JournalBudgets } from '../../src/run/admission/journal-budgets.ts';
import { type Outcome, type Run, start } from '../../src/run/engine/run.ts';
import type { RunEnvironment } from '../../src/run/engine/run-core.ts';
import type { RunSettings } from '../../src/run/engine/run-settings.ts';
import { ownedBy } from '../../src/run/find-owned.ts';
import { LocalExecutor } from '../../src/run/local/local-executor.ts';
import type { Decider } from '../../src/run/ports/decider.ts';
import type { Executor } from '../../src/run/ports/executor.ts';
import { Watcher } from '../../src/run/requests/watcher.ts';
import { databaseFor, type Life, lockFor, type Place, storeFor } from './machine.ts';

export type ProjectPlace = Pick<Place, 'disk' | 'life' | 'time' | 'dice' | 'tally' | 'plant'>;

export const PRICES: ReadonlyMap<string, Pricing> = new Map(
  modelLibrary.labels.flatMap(label => {
    const pricing = modelLibrary.get(label)?.pricing as unknown as Pricing | undefined;
    return pricing ? [[label, pricing] as const] : [];
  }),
);

/** The project of a film, as a process finds it that begins now. */
export function openProject(place: ProjectPlace, film: string, pipeline: Pipeline, given: Partial<PlanContext> = {}) {
  const { disk, life, time } = place;
  const journal = new LocalJournal({ database: databaseFor(place), film, clock: time.clockOf(life) });
  const store = storeFor(place);
  const found = disk.locks.get(film);
  const lock = LockFile.open(found, 'house', `${film}.lock.yaml`, false);
  const names = new Set(pipeline.steps.map(({ name }) => name));
  const choices = new LocalChoices({ journal, locked: lock.choices(), hasStep: name => names.has(name) });
  const planContext = {
    ...{ choices, params: {}, library: modelLibrary, pricing: PRICES, service: 'house', env: {} },
    ...{ run: { id: life.name, name: film }, owned: ownedBy(journal, lock, store), localMedia: () => undefined },
    ...given,
  };
  return { journal, store, found, lock, choices, planContext };
}

/** What differs from one simulated world to another. */
interface RunParts {
  readonly plan?: Partial<PlanContext>;
  readonly service: Service;
  readonly executor: Pick<ConstructorParameters<typeof LocalExecutor>[0], 'commands' | 'probe' | 'fetchResult'>;
  /** Absent: this machine renders no cuts. */
  readonly makeCut?: Executor['makeCut'];
  readonly decider: Decider;
  readonly budgets: readonly AppliedBudget[];
  readonly settings: Pick<RunSettings, 'limits' | 'pace' | 'proof'> & Partial<RunSettings>;
  readonly newId: () => string;
  readonly random: () => number;
  readonly isRunning?: (film: string) => boolean;
  /** Is told nothing once the process is dead. */
  readonly report: (event: RecordedEvent) => void;
  /** A folder for what commands scribble. */
  readonly work: string;
  readonly change?: (environment: RunEnvironment, budgets: JournalBudgets) => RunEnvironment;
}

export interface RunOfLife {
  readonly film: string;
  readonly life: Life;
  readonly plan: Plan;
  readonly ended: boolean;
  /** Undefined where the process was killed. */
  readonly outcome: Outcome | undefined;
  /** What the core threw. */
  readonly bug: unknown;
  /** What is the matter with the lock file, as a person is told. */
  lockProblem(): string | undefined;
  detach(): void;
}

/** It begins with the next thing that happens. @throws where the film cannot be planned. */
export function startRunOfLife(place: ProjectPlace, film: string, pipeline: Pipeline, parts: RunParts): RunOfLife {
  const { life, time } = place;
  const { service, settings, newId, work } = parts;
  const { limits, rates, pace } = settings;
  const clock = time.clockOf(life);
  const { journal, store, found, lock, choices, planContext } = openProject(place, film, pipeline, parts.plan);
  const planned = plan(pipeline, planContext);
  if (planned.unselectable) throw new Error(planned.unselectable.join('\n'));
  if (!planned.plan) throw new Error(formatDiagnostics(planned.diagnostics));
  const filmPlan: Plan = planned.plan;
  const path = `${film}.lock.yaml`;
  const keeper = new LockKeeper({
    ...{ disk: lockFor({ ...place, film }), clock, service: 'house', path, found, isOurs: false },
    ...{ written: () => {}, stale: () => {} },
  });
  const { account } = service;
  const budgets = new JournalBudgets({ journal, account, budgets: parts.budgets, locked: () => lock.charges() });
  const executor = new LocalExecutor({ store, root: work, scratch: join(work, 'commands'), newId, ...parts.executor });
  const whileAlive = (act: () => void): void => void (life.dead || act());
  const environment: RunEnvironment = {
    ...{ service, journal, choices, store, clock, newId, random: parts.random, planContext, decider: parts.decider },
    admission: new JournalAdmission({
      ...{ journal, clock, account, limits, rates, budgets, isRunning: parts.isRunning ?? (() => false) },
      owned: fingerprint => planContext.owned.find(fingerprint),
    }),
    watcher: new Watcher(service, clock, pace),
    executor: parts.makeCut ? Object.assign(executor, { makeCut: parts.makeCut }) : executor,
    reporters: [{ report: event => whileAlive(() => parts.report(event)), close: async () => {} }],
    lock: {
      learn: (...learnt) => whileAlive(() => keeper.learn(...learnt)),
      reuse: (...owned) => whileAlive(() => keeper.reuse(...owned)),
      decided: choice => whileAlive(() => void keeper.decided(choice)),
      replayed: choice => whileAlive(() => void keeper.replayed(choice)),
    },
    settings: {
      ...{ patience: 120_000, settleActivation: 2_000, root: work, localStudio: false },
      ...{ resume: `shotlist run ${film}.yaml`, cancel: `shotlist cancel ${film}.yaml` },
      ...settings,
    },
  };
  let run: Run | undefined;
  const own = {
    ...{ film, life, plan: filmPlan, ended: false },
    ...{ outcome: undefined as Outcome | undefined, bug: undefined as unknown },
    lockProblem: () => keeper.problem(),
    detach: () => void time.after(0, 'an interrupt', () => run?.detach(), life),
  };
  const ends = (how: Partial<Pick<RunOfLife, 'outcome' | 'bug'>>) =>
    whileAlive(() => {
      Object.assign(own, how, { ended: true });
      life.end();
    });
  const begin = () => {
    run = start(filmPlan, parts.change?.(environment, budgets) ?? environment);
    const close = async (outcome: Outcome) => {
      const wentToItsEnd = outcome.is === 'done' || outcome.is === 'failed';
      await keeper.close(wentToItsEnd ? { instances: [...filmPlan.instances].map(({ key }) => key) } : undefined);
      // What could not be written is lost with the process, and was said.
      await journal.close().catch(() => {});
      ends({ outcome });
    };
    run.done.then(close).catch(bug => ends({ bug: bug ?? new Error('nothing was thrown') }));
  };
  time.after(0, 'the start', begin, life);
  return own;
}
