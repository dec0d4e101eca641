/** What a run is handed on this machine: the same for a film, for one request and for a turn of a conversation. */
import { randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { Service } from '../api/service.ts';
import type { CommandRunner } from '../machine/process/command-runner.ts';
import type { Redactor } from '../machine/redactor.ts';
import { type Clock, systemClock } from '../machine/time/clock.ts';
import type { Deriver } from '../media/derived/deriver.ts';
import type { Reporter } from '../model/run/event.ts';
import type { Failpoint } from '../model/run/failpoint.ts';
import type { MediaResult, Result } from '../model/run/result.ts';
import { contentsOf } from '../model/run/result.ts';
import type { PlanContext } from '../plan/plan.ts';
import type { Choices } from '../records/journal/choices.ts';
import type { FilmJournal } from '../records/journal/film-journal.ts';
import { LocalChoices } from '../records/journal/local-choices.ts';
import { DerivedIndex } from '../records/store/derived-index.ts';
import type { SharedResults } from '../records/store/shared/shared-results.ts';
import type { SharedContent } from '../records/store/shared/shared-sending.ts';
import type { Store } from '../records/store/store.ts';
import { JournalAdmission } from '../run/admission/journal-admission.ts';
import { JournalBudgets } from '../run/admission/journal-budgets.ts';
import type { RunEnvironment } from '../run/engine/run-core.ts';
import type { ResultSink } from '../run/engine/run-recorder.ts';
import type { RunSettings } from '../run/engine/run-settings.ts';
import { CommandLogs } from '../run/local/command-logs.ts';
import { DerivedFiles, type TakePart } from '../run/local/derived-files.ts';
import { LocalExecutor } from '../run/local/local-executor.ts';
import type { AuthorFiles } from '../run/ports/author-files.ts';
import { type Decider, presetDecider } from '../run/ports/decider.ts';
import { Watcher } from '../run/requests/watcher.ts';
import type { Film } from './film/open-film.ts';
import { ProgressFile } from './reports/live-progress.ts';
import { fetchResults, inspectorLater, probeMade } from './results/fetch-results.ts';
import { publisherLater } from './results/result-publisher.ts';
import { SERVICE_PATIENCE } from './service/models-of-service.ts';
import type { ServiceChoice } from './service/service-choice.ts';
import { VERSION } from './service/version.ts';

export interface LocalEnvironment {
  readonly choice: ServiceChoice;
  readonly service: Service;
  readonly journal: FilmJournal;
  /** Absent: that of this machine. */
  readonly clock?: Clock;
  /** Follows the generations of several runs at once; absent: one of its own. */
  readonly watcher?: Watcher | undefined;
  readonly store: Store;
  /** A team's results; absent: it has no place for them. */
  readonly shared?: SharedResults | undefined;
  readonly context: PlanContext;
  /** Chooses and approves: a terminal, a flag, a page. Absent: no person does. */
  readonly decide?: NonNullable<Decider['decide']>;
  /** Absent: nothing is to be decided. */
  readonly choices?: Choices;
  readonly authorFiles?: AuthorFiles | undefined;
  readonly commands: CommandRunner;
  readonly secrets: Redactor;
  readonly reporters: readonly Reporter[];
  /** Whether another film of the project is being run at the moment. */
  readonly isRunning: (film: string) => boolean;
  readonly failpoint?: (name: Failpoint) => void;
  readonly lock?: ResultSink;
  readonly frozen?: boolean;
  /** Absent: the project's, of the settings, alone. */
  readonly budgets?: JournalBudgets;
  /** What the settings of the service do not tell. */
  readonly settings: Pick<RunSettings, 'root' | 'resume' | 'reserved' | 'cancel'> &
    Partial<Pick<RunSettings, 'options' | 'keptIn' | 'onInterrupt' | 'onFailure'>>;
  /** Absolute path of the folder for what is private to this film's runs. */
  readonly work: string;
  /** What to do with a POST, or a command that acts outside, of unknown outcome: for a POST the settings of the service may set it. */
  readonly onUnknown?: 'fail' | 'resubmit' | 'done' | undefined;
}

const mediaIn = (result: Result | undefined): MediaResult | undefined => (result?.is === 'media' ? result : undefined);

export function runEnvironment(local: LocalEnvironment): RunEnvironment {
  const inspector = inspectorLater();
  const { clock = systemClock } = local;
  const { choice, service, journal, store, shared, context, commands, secrets, reporters, failpoint, lock, frozen } =
    local;
  const budgets = local.budgets ?? ofProjectAlone(local);
  const publish = choice.elsewhere ? choice.elsewhere.publish : undefined;
  return {
    ...{ service, journal, store, secrets },
    reporters: [...reporters, new ProgressFile(local.work, systemClock)],
    ...(failpoint && { failpoint }),
    watcher: local.watcher ?? new Watcher(service, clock, choice.pace),
    admission: new JournalAdmission({
      ...{ journal, clock, account: service.account, limits: choice.limits },
      owned: fingerprint => context.owned.find(fingerprint),
      madeElsewhere: fingerprint =>
        (context.owned.atService(fingerprint) ?? mediaIn(context.owned.shared?.(fingerprint)?.result))?.sha256,
      actDone: fingerprint => (context.owned.done ?? context.owned.find)(fingerprint),
      isRunning: local.isRunning,
      ...(frozen !== undefined && { frozen }),
      budgets,
      rates: choice.rates,
    }),
    ...(lock && { lock: shared ? sharingLock(lock, shared) : lock }),
    ...(shared && { sharing: shared }),
    ...(publish && { publisher: publisherLater(publish, { root: local.settings.root, commands }) }),
    clock,
    newId: randomUUID,
    random: Math.random,
    executor: new LocalExecutor({
      ...{ store, commands, root: local.settings.root, newId: randomUUID },
      scratch: join(local.work, 'commands'),
      probe: probeMade(inspector),
      logs: new CommandLogs({ folder: join(local.work, 'logs'), root: local.settings.root, clock: systemClock }),
      fetchResult: fetchResults(store, choice.baseUrl, inspector),
      derived: derivedFiles(store),
      renderCut: async order => (await import('../media/cut/index.ts')).renderCut({ ...order, clock: systemClock }),
    }),
    choices: local.choices ?? new LocalChoices({ journal, locked: [], hasStep: () => true }),
    decider: { ...onUnknown(local.onUnknown, choice.onUnknown), ...(local.decide && { decide: local.decide }) },
    planContext: context,
    authorFiles: local.authorFiles,
    settings: {
      limits: choice.limits,
      rates: choice.rates,
      onInterrupt: choice.onInterrupt,
      ...(choice.idempotent && { idempotent: true }),
      pace: choice.pace,
      patience: SERVICE_PATIENCE,
      proof: choice.proof,
      settleActivation: 2_000,
      localStudio: !choice.hosted,
      elsewhere: choice.elsewhere !== false,
      shotlist: VERSION,
      ...local.settings,
    },
  };
}

type OfFilm = 'journal' | 'store' | 'shared' | 'context' | 'choices' | 'authorFiles' | 'isRunning' | 'secrets' | 'work';

/** The same for a film that is open: its records are the run's. */
export function filmEnvironment(film: Film, given: Omit<LocalEnvironment, OfFilm>): RunEnvironment {
  const { journal, store, shared, context, choices, files: authorFiles, isRunning, secrets, runs: work } = film;
  return runEnvironment({
    ...{ ...given, journal, store, shared, context, choices, authorFiles, isRunning, secrets, work },
  });
}

/** What has no file of its own has no budget of its own. */
function ofProjectAlone({ journal, service, choice: { budget } }: LocalEnvironment): JournalBudgets {
  const budgets = budget ? [{ of: 'project', budget } as const] : [];
  return new JournalBudgets({ journal, account: service.account, budgets, locked: () => [] });
}

/**
 * What the author or the settings set beforehand for an unknown outcome: a request with a lost answer, a command that acts outside and was cut off.
 * The settings of a service are about requests to it, and nothing else.
 */
export function onUnknown(answer: LocalEnvironment['onUnknown'], ofService: 'fail' | 'resubmit' = 'fail'): Decider {
  const options = answer === undefined ? (ofService === 'fail' ? [] : ['resubmit']) : ANSWERS[answer];
  return presetDecider(options.map(option => ({ option, by: `--on-unknown ${answer ?? ofService}` })));
}

const ANSWERS = { fail: [], resubmit: ['resubmit', 'again'], done: ['done'] } as const;

/** What a run makes goes into the lock, and to the team: every reader of the lock can have it. */
const sharingLock = (lock: ResultSink, sharing: { share(content: SharedContent): void }): ResultSink => ({
  decided: choice => lock.decided?.(choice),
  replayed: choice => lock.replayed?.(choice),
  gone: id => lock.gone?.(id),
  reuse: (...given) => lock.reuse(...given),
  learn(key, model, fingerprint, result, asked) {
    lock.learn(key, model, fingerprint, result, asked);
    for (const content of contentsOf(result)) sharing.share(content);
  },
});

/** Frames and sound of videos, taken in processes of their own and noted beside the store. */
const derivedFiles = (store: Store): DerivedFiles =>
  new DerivedFiles({ store, index: derivedIndexOf(store), take: takePart(), newId: randomUUID });

/** It is this machine's own, as the folder of files that are not whole yet is. */
export const derivedIndexOf = ({ partials }: Pick<Store, 'partials'>): DerivedIndex =>
  new DerivedIndex(join(dirname(partials), 'derived'));

/** The processes are started with the first frame. */
function takePart(): TakePart {
  let started: Promise<Deriver> | undefined;
  return async (path, what, out, signal) => {
    started ??= import('../media/derived/deriver.ts').then(({ Deriver }) => new Deriver({ clock: systemClock }));
    return (await started).take(path, what, out, signal);
  };
}
