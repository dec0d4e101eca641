/**
 * What a command without a pipeline file runs in: its own part of the project's journal, the store, the shell. Equal requests share
 * a part, so that a command finds what an earlier one like it left open; while that one is still running, a second gets a part beside it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isUnmarked } from '../../app/film/read-film.ts';
import type { LocalEnvironment } from '../../app/local-environment.ts';
import { openStores } from '../../app/results/team-store.ts';
import { secretTexts } from '../../app/service/secret-texts.ts';
import { stateFolders } from '../../app/state-folders.ts';
import { findProject } from '../../machine/files/project.ts';
import { CommandRunner } from '../../machine/process/command-runner.ts';
import { systemClock } from '../../machine/time/clock.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { Result } from '../../model/run/result.ts';
import { FilmBusy, isRunning } from '../../records/journal/film-lease.ts';
import { openJournal } from '../../records/journal/journal-file.ts';
import type { LocalJournal } from '../../records/journal/local-journal.ts';
import { CommandError } from '../errors/command-error.ts';
import { say } from '../outlets.ts';
import { type Connection, WITHOUT_FILE } from '../service/with-service.ts';
import { failpointFrom } from '../session/failpoint-setting.ts';

type EnvironmentParts = Pick<
  LocalEnvironment,
  'choice' | 'service' | 'journal' | 'store' | 'shared' | 'commands' | 'secrets' | 'failpoint' | 'isRunning'
>;

/** All that `runEnvironment` needs for a run of one step, beside its plan and its reporters. */
export interface Workspace extends EnvironmentParts, AsyncDisposable {
  readonly root: string;
  /** Absolute. */
  readonly work: string;
  /** As the project's settings say. */
  readonly isUnmarked: boolean;
}

/** @throws {Refusal} when the journal cannot be used: nothing was sent. */
export async function openWorkspace(
  { service, choice, signal }: Connection,
  name: string,
  key: InstanceKey,
): Promise<Workspace> {
  const failpoint = failpointFrom(process.env);
  const project = await findProject(WITHOUT_FILE, process.cwd());
  const { store: storeFolder } = await stateFolders(project);
  const folder = project.stateFolder;
  const journal = await openFreePart(folder, name, key, () => failpoint('journal-committing'));
  const secrets = secretTexts(choice.key, { env: [], params: [] }, { environment: process.env, params: {} });
  journal.hiding(value => secrets.redactIn(value));
  const commands = new CommandRunner({ environment: process.env, atOnce: choice.limits.commands, secrets });
  const { store, shared } = await openStores(storeFolder, choice.store);
  return {
    ...{ choice, service, journal, store, shared, commands, secrets, failpoint },
    isUnmarked: await isUnmarked(project),
    isRunning: film => isRunning(folder, film),
    root: project.root,
    work: join(folder, 'runs', journal.views.film),
    [Symbol.asyncDispose]: async () => {
      const ended = await shared?.end({ wait: 'for all', say, signal, named: 'nowhere' });
      for (const line of ended?.reported ?? []) say(line);
      await commands.close();
      await journal.close();
    },
  };
}

/** Equal requests at once: more than anybody waits for. */
const MOST = 1_000;

/** The first part of the journal that no process uses; preferably one with something to take up. */
async function openFreePart(
  folder: string,
  name: string,
  key: InstanceKey,
  committing: () => void,
): Promise<LocalJournal> {
  let free: LocalJournal | undefined;
  for (let nth = 1; nth <= MOST; nth++) {
    const film = nth === 1 ? name : `${name}-${nth}`;
    const isNew = !existsSync(join(folder, 'runs', film));
    if (isNew && free) return free;
    if (!isNew && isRunning(folder, film)) continue;
    const journal = unlessBusy(() => openJournal({ folder, film, clock: systemClock, to: 'run', committing }));
    if (journal === undefined) continue;
    if (isNew || journal.views.ledger.open.length > 0 || undeliveredResult(journal, key) !== undefined) {
      await free?.close();
      return journal;
    }
    if (free) await journal.close();
    else free = journal;
  }
  if (free) return free;
  throw new CommandError(2, `${MOST} of these are being made at this moment: wait for one of them to end`);
}

function unlessBusy(open: () => LocalJournal): LocalJournal | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof FilmBusy) return undefined;
    throw error;
  }
}

const lastMade = ({ views }: Pick<LocalJournal, 'views'>, key: InstanceKey) =>
  views.owned.resultsOf(key).find(({ event }) => event.type === 'succeeded');

/** A result that is paid for and here, and was not handed over before its command ended. */
export function undeliveredResult(
  journal: Pick<LocalJournal, 'views' | 'notes'>,
  key: InstanceKey,
): Result | undefined {
  const made = lastMade(journal, key);
  return made === undefined || made.run === journal.notes.get('given') ? undefined : made.event.result;
}

/** Notes that the result was handed over: the same command makes another one from now on. */
export async function markDelivered(journal: Pick<LocalJournal, 'views' | 'notes'>, key: InstanceKey): Promise<void> {
  const made = lastMade(journal, key);
  if (made) await journal.notes.set('given', made.run);
}
