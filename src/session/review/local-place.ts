/** A film that is made on this machine, under review: its journal, its lock and its run's progress are files here. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LocalStore } from '../../artifacts/local-store.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RunReport } from '../../domain/run-report.ts';
import type { Clock } from '../../host/clock.ts';
import type { Project } from '../../host/project.ts';
import { isRunning } from '../../run/local/film-lease.ts';
import { lockPath } from '../../run/lock/lock-file.ts';
import { progressFile, readProgress } from '../live-progress.ts';
import { reportOf, withJournal } from '../run-report.ts';
import { filmOf, stateFolders } from '../state-folders.ts';
import type { ReviewPlace } from './review-place.ts';

export interface FilmHere {
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
      // The film, opened beside it, tells what is the matter with the journal.
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
    // Whoever forgets is alone with the film: a run would write what it knows into the lock again.
    toForget: 'run',
  };
}

/** Of a file: it was written where this is another. */
export const signOf = (path: string): Promise<string> =>
  stat(path, { bigint: true }).then(
    ({ mtimeNs, size, ino }) => `${mtimeNs} ${size} ${ino}`,
    () => '-',
  );
