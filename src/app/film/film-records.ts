/** Second step of opening a film: what earlier runs, the team and people have left of it. */
import { createReadStream, statSync } from 'node:fs';
import { dirname, extname, relative, resolve } from 'node:path';
import { isInside } from '../../machine/files/project.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { adoptedDigest } from '../../model/plan.ts';
import type { Rejections } from '../../model/run/choice.ts';
import type { Choices } from '../../records/journal/choices.ts';
import type { FilmJournal } from '../../records/journal/film-journal.ts';
import { isRunning } from '../../records/journal/film-lease.ts';
import { openJournal } from '../../records/journal/journal-file.ts';
import { LocalChoices } from '../../records/journal/local-choices.ts';
import {
  digestOf as digestOfText,
  LockFile,
  lockPath,
  lockSection,
  readLockText,
} from '../../records/lock/lock-file.ts';
import { digestOf } from '../../records/store/digest.ts';
import type { SharedResults } from '../../records/store/shared/shared-results.ts';
import type { Store } from '../../records/store/store.ts';
import { PresetChoices } from '../../run/choices/preset-choices.ts';
import { type OtherFilms, ownedBy } from '../../run/find-owned.ts';
import { hiddenInJournal } from '../../run/hide-secrets.ts';
import { liveRejections } from '../../run/rejections.ts';
import { LocalFiles } from '../local-files.ts';
import { openStores } from '../results/team-store.ts';
import { filmOf, stateFolders } from '../state-folders.ts';
import { notedPromotion } from './film-notes.ts';
import type { FilmToOpen } from './film-to-open.ts';
import type { FilmRead } from './read-film.ts';

export interface FilmRecords {
  /** Absolute: what is private to this pipeline's runs. */
  readonly runs: string;
  /** Absolute: the folder of the content store. */
  readonly keptIn: string;
  readonly journal: FilmJournal;
  readonly store: Store;
  /** A team's results, which the store brings what is not here from; absent: it has no place for them. */
  readonly shared: SharedResults | undefined;
  readonly lock: LockFile;
  readonly lockPath: string;
  /** The media that the file names by path. */
  readonly files: LocalFiles;
  /** What was decided for it. */
  readonly choices: Choices;
  /** Rejections of candidates: the newest each time. */
  readonly rejections: () => Rejections;
  /** Of these, the command line's answers; none of them is kept yet. */
  readonly presets: PresetChoices | undefined;
  /** What the film has already, or has asked for. */
  readonly owned: ReturnType<typeof ownedBy>;
  /** Whether another film of the project is being run at the moment. */
  readonly isRunning: (film: string) => boolean;
  close(): Promise<void>;
}

/** @throws JournalRefused, LockRefused, FilmBusy, and the system's errors, with everything closed that it had opened. */
export async function openRecords(asked: FilmToOpen, { pipeline, secrets }: FilmRead): Promise<FilmRecords> {
  const { project, profile, to, committing } = asked;
  const { runs, store: keptIn } = await stateFolders(project, profile);
  const folder = project.stateFolder;
  const film = filmOf(project, profile);
  const journal: FilmJournal =
    (await asked.journal?.(film)) ?? openJournal({ folder, film, clock: systemClock, to, committing });
  let shared: SharedResults | undefined;
  const close = async () => {
    await shared?.end({ wait: 'for nothing' });
    await journal.close();
  };
  try {
    journal.hiding(value => hiddenInJournal(value, secrets));
    const stores = await openStores(keptIn, asked.store);
    const { store } = stores;
    shared = stores.shared;
    const { lock, path } = openLock(asked, journal);
    await journal.team?.pullLocked(lock.charges());
    await fetchAdopted(lock, { store, shared }, project.root);
    const { looking } = asked;
    const files = new LocalFiles(
      dirname(resolve(project.pipelineFile)),
      {
        ...asked.readingFiles,
        ...(looking && { looking: one => looking.files.add(one), found: (one, sha256) => looking.found(one, sha256) }),
      },
      project.root,
    );
    const names = new Set(pipeline.steps.map(({ name }) => name));
    const promotion = asked.promotion ?? notedPromotion(journal);
    const kept = new LocalChoices({ journal, locked: lock.choices(), hasStep: name => names.has(name), promotion });
    const presets = asked.presets && new PresetChoices(kept, asked.presets);
    const isMade = (other: string) => journal.team?.isRunning(other) ?? isRunning(folder, other);
    const others: OtherFilms = {
      account: asked.hosted?.account,
      attempts: asked.attempts,
      isRunning: other => (to === 'look' || other !== journal.views.film) && isMade(other),
    };
    return {
      ...{ runs, keptIn, journal, store, shared, lock, lockPath: path, files, choices: presets ?? kept, presets },
      rejections: liveRejections(journal, lock.rejections()),
      ...{ owned: ownedBy(journal, lock, store, others, shared), isRunning: isMade, close },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function openLock({ project, service, profile }: FilmToOpen, journal: FilmJournal) {
  const path = lockPath(project.pipelineFile);
  const shown = relative('', path);
  const text = readLockText(path, shown);
  const [digest, settled] = journal.notes.get('lock')?.split(' ') ?? [];
  const isOurs = text !== undefined && digestOfText(text) === digest;
  return { path, lock: LockFile.open(text, lockSection(service, profile), shown, isOurs && { settled }) };
}

/**
 * Puts adopted files into the store of a machine that has their bytes in the project: in a fresh clone they are in git. A file that is in
 * neither place is brought from where a team keeps its results.
 */
async function fetchAdopted(
  lock: LockFile,
  { store, shared }: { readonly store: Store; readonly shared: Pick<SharedResults, 'download'> | undefined },
  root: string,
): Promise<void> {
  for (const { adopted, fingerprint } of lock.adoptions().values()) {
    const wanted = adoptedDigest(fingerprint);
    if (wanted === undefined || store.has(wanted)) continue;
    const path = resolve(root, adopted.file);
    // A link from git may lead to a device that never ends.
    if (!isInside(path, root) || !isFile(path) || (await digestOf(path).catch(() => undefined))?.sha256 !== wanted)
      await shared?.download(wanted, NEVER);
    else await store.put(createReadStream(path), extname(path).toLowerCase());
  }
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

const NEVER = new AbortController().signal;
