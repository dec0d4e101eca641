/** A film that is made on this machine, under review: its journal, its lock and its run's progress are files here. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Project } from '../../machine/files/project.ts';
import type { Clock } from '../../machine/time/clock.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import type { RunReport } from '../../model/run/run-report.ts';
import { isRunning } from '../../records/journal/film-lease.ts';
import { lockPath } from '../../records/lock/lock-file.ts';
import { LocalStore } from '../../records/store/local-store.ts';
import type { Store } from '../../records/store/store.ts';
import type { Progress } from '../../records/views/progress.ts';
import type { ReviewQuestion } from '../../show/pages/review/review-state.ts';
import type { FilmToOpen } from '../film/film-to-open.ts';
import { progressFile, readProgress } from '../reports/live-progress.ts';
import { reportOf, withJournal } from '../reports/make-run-report.ts';
import { filmOf, stateFolders } from '../state-folders.ts';

interface FilmHere {
  readonly project: Project;
  /** As it was named. */
  readonly file: string;
  readonly profile: string | undefined;
  readonly clock: Clock;
}

/** Milliseconds between two looks at whether anything has changed. */
const LOOK = 400;

export async function localPlace({ project, file, profile, clock }: FilmHere): Promise<ReviewPlace> {
  const { store } = await stateFolders(project, profile);
  const { stateFolder, pipelineFile } = project;
  const film = filmOf(project, profile);
  const runs = join(stateFolder, 'runs', film);
  const isGoing = () => isRunning(stateFolder, film);
  const report = (): RunReport | undefined => {
    const asked = { project, file, profile };
    try {
      return withJournal(asked, journal => {
        const [newest] = journal.views.runs.of(film, 'this');
        return newest && reportOf(newest, journal, asked);
      });
    } catch (error) {
      // Opening the film reports what is wrong with the journal.
      if (error instanceof Refusal) return undefined;
      throw error;
    }
  };
  return {
    store: await LocalStore.open(store),
    isGoing: async () => isGoing(),
    report: async () => report(),
    progress: () => readProgress(runs),
    // A run that was killed changes no file, and lets go of its lock.
    signs: async () => {
      const journal = join(stateFolder, 'journal.db');
      const paths = [journal, `${journal}-wal`, lockPath(pipelineFile), pipelineFile, progressFile(runs)];
      return [...(await Promise.all(paths.map(signOf))), isGoing()].join('\n');
    },
    pause: signal => clock.sleep(LOOK, signal, 'in the background'),
    // Forgetting needs the film alone: a run would write what it knows into the lock again.
    toForget: 'run',
  };
}

/** Of a file: it was written where this is another. */
export const signOf = (path: string): Promise<string> =>
  stat(path, { bigint: true }).then(
    ({ mtimeNs, size, ino }) => `${mtimeNs} ${size} ${ino}`,
    () => '-',
  );

/** Where the film under review is made: what a review asks of that place, whichever it is. */
export interface ReviewPlace {
  /** Of this machine: what the page is given. */
  readonly store: Store;
  /** A process works on it at this moment. */
  isGoing(): Promise<boolean>;
  /** Its newest run; undefined: it has none, or that is unknown now. */
  report(): Promise<RunReport | undefined>;
  /** The progress of each generation, as far as it is known. */
  progress(): Promise<ReadonlyMap<string, Progress>>;
  /** Whatever the review is made of has changed where these differ. */
  signs(): Promise<string>;
  /** Resolves after a moment, when something may have changed before that, or when the signal aborts. */
  pause(signal: AbortSignal): Promise<void>;
  /** How the film is opened to forget a decision. */
  readonly toForget: FilmToOpen['to'];
  /** A choice was made or forgotten: a run elsewhere goes on. */
  decided?(): Promise<void>;
  /** These are shown: what of them is not here is brought, in the background. */
  prefetch?(questions: readonly ReviewQuestion[]): void;
}
