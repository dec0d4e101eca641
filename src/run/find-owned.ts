/**
 * What earlier runs left on this machine: the journal first, then the lock file; only what the store really holds counts. What they left
 * at the service is here too: requests that were sent, by this film or another one of the project, and are still open.
 */
import { extname } from 'node:path';
import type { Owned, SentRequest, SharedOwned } from '../model/plan.ts';
import { adoptedDigest } from '../model/plan.ts';
import { unreachable } from '../model/run/failure.ts';
import type { InstanceKey } from '../model/run/key.ts';
import {
  type CommandFiles,
  type CommandResult,
  contentsOf,
  everyFile,
  isStored,
  mapFiles,
  type StoredResult,
} from '../model/run/result.ts';
import { isFree } from '../model/run/run-money.ts';
import type { Journal } from '../records/journal/journal.ts';
import { askedOf, resultOf } from '../records/lock/lock-entry.ts';
import type { LockFile } from '../records/lock/lock-file.ts';
import type { StoreIndex } from '../records/store/store.ts';
import type { Submission } from '../records/views/ledger.ts';

/** Who else of the project may have sent the same request. */
export interface OtherFilms {
  /** Account and address of the service; see `Service.account`. Undefined: requests of other films never count as this one's. */
  readonly account: string | undefined;
  /** Whether this film, or another one of the project, is being run at the moment. */
  readonly isRunning: (film: string) => boolean;
  /** The most submissions of one request whose answers are lost (`Limits.attempts`); absent: unknown. */
  readonly attempts?: number | undefined;
}

/** What a team has, as far as it is known: see `records/store/shared/`. */
interface TeamIndex {
  readonly to: string;
  status(sha256: string): 'there' | 'missing' | 'not asked';
}

export function ownedBy(
  journal: Journal,
  lock: LockFile,
  store: StoreIndex,
  others: OtherFilms = { account: undefined, isRunning: () => false },
  team?: TeamIndex,
): Owned {
  const sent = sentBefore(journal, others);
  const isStudio = isFree({ service: lock.service });
  let everLost: ReadonlySet<string> | undefined;
  let everFailed: ReadonlySet<InstanceKey> | undefined;
  const known = (fingerprint: string) => journal.views.owned.find(fingerprint)?.result ?? lock.find(fingerprint);
  return {
    sent,
    otherFilm(fingerprint) {
      const film = journal.views.owned.rowOf(fingerprint)?.film;
      return film === undefined || film === journal.views.film ? undefined : filmName(film);
    },
    adopted(key) {
      const entry = lock.adoptions().get(key);
      if (!entry) return undefined;
      const { file, by, at } = entry.adopted;
      const here = onThisMachine(resultOf(entry), store);
      const sha256 = adoptedDigest(entry.fingerprint) ?? '';
      return { result: here ?? resultOf(entry), sha256, file, by, at, isHere: here !== undefined };
    },
    madeAt(fingerprint) {
      const made = journal.views.owned.find(fingerprint);
      return made?.type === 'succeeded' ? made.at : undefined;
    },
    find(fingerprint) {
      const result = known(fingerprint);
      return result && isStored(result) ? onThisMachine(result, store) : undefined;
    },
    atService(fingerprint) {
      const result = known(fingerprint);
      return result?.is === 'media' && (result.generation_id !== null || isStudio) ? result : undefined;
    },
    damaged(fingerprint) {
      const result = known(fingerprint);
      const file = result?.is === 'media' && !store.has(result.sha256) ? store.damaged?.(result.sha256) : undefined;
      return result?.is === 'media' && file !== undefined ? { result, file } : undefined;
    },
    ...(team && {
      shared(fingerprint) {
        const result = known(fingerprint);
        return result && isStored(result) ? inTeamStore(result, store, team) : undefined;
      },
    }),
    done(fingerprint) {
      const result = journal.views.owned.find(fingerprint)?.result ?? lock.findAnywhere(fingerprint);
      return result?.is === 'command' ? withExtensions(result, store) : undefined;
    },
    mayBeDone: fingerprint => journal.views.work.actLeftOpen(fingerprint) !== undefined,
    timesSpent(fingerprint) {
      const { attempts = Number.POSITIVE_INFINITY } = others;
      everLost ??= new Set(journal.views.sent.lost().map(one => one.fingerprint));
      const times = everLost.has(fingerprint) ? journal.views.sent.timesLost(fingerprint) : 0;
      return times >= attempts ? times : undefined;
    },
    lastFailure(key) {
      everFailed ??= journal.views.owned.everFailed();
      return everFailed.has(key) ? journal.views.owned.lastFailure(key)?.failure.code : undefined;
    },
    ...askedBefore(journal, lock),
  };
}

const askedBefore = (journal: Journal, lock: LockFile): Pick<Owned, 'askedElsewhere' | 'askedBefore' | 'last'> => ({
  askedElsewhere(key: InstanceKey) {
    const entry = lock.entry(key);
    const isKnown = entry && journal.views.owned.find(entry.fingerprint)?.type === 'succeeded';
    return entry && !isKnown ? askedOf(entry) : undefined;
  },
  askedBefore(key: InstanceKey) {
    const entry = lock.entry(key);
    const made = journal.views.owned.resultsOf(key).map(({ event }) => {
      const maker = event.type === 'succeeded' ? event : journal.views.owned.rowOf(event.fingerprint)?.event;
      return maker?.type === 'succeeded' ? maker.asked : undefined;
    });
    const all = entry ? [...made, askedOf(entry)] : made;
    const known = all.filter(asked => asked !== undefined);
    return known.length === all.length ? known : undefined;
  },
  last(key: InstanceKey) {
    const intent = journal.views.sent.lastIntent(key);
    if (intent) {
      const { fingerprint, request } = intent;
      return { fingerprint, request, failed: !journal.views.owned.has(fingerprint) };
    }
    const locked = lock.fingerprintOf(key);
    return locked === undefined ? undefined : { fingerprint: locked, request: null };
  },
});

/** Files that are not here keep the extension that they had. */
const withExtensions = (result: CommandResult, store: StoreIndex): CommandResult => ({
  ...result,
  files: mapFiles(result.files, made => {
    const file = store.file(made.sha256);
    return file === undefined ? made : { ...made, extension: extname(file) };
  }) as CommandFiles,
});

/** What other films have sent is read once, with the first question: ten thousand instances ask. Admission asks again, and has the last word. */
function sentBefore(journal: Journal, { account, isRunning }: OtherFilms): NonNullable<Owned['sent']> {
  let elsewhere: ReadonlyMap<string, { readonly film: string; readonly submission: Submission }> | undefined;
  const ofOthers = () => {
    const open = account === undefined ? [] : journal.views.sent.openOfOtherFilms(account);
    return new Map(open.map(one => [one.submission.fingerprint, one]));
  };
  return fingerprint => {
    const mine = journal.views.ledger.withFingerprint(fingerprint);
    if (mine) return asSent(mine, () => isRunning(journal.views.film));
    elsewhere ??= ofOthers();
    const theirs = elsewhere.get(fingerprint);
    return theirs && { ...asSent(theirs.submission, () => isRunning(theirs.film)), film: filmName(theirs.film) };
  };
}

function asSent(open: Submission, isRunning: () => boolean): SentRequest {
  const { id = null, url, price: usd } = open;
  if (open.state === 'made' || url !== undefined) return { is: 'made', generation: id, usd };
  // A run that goes on still waits for the answer: only one that has ended has lost it.
  const isAwaited = open.state === 'intended' || open.lostAt === open.at;
  const isLost = id === null && !(isAwaited && isRunning());
  const unlisted = isLost && open.via === 'chat' ? ({ unlisted: true } as const) : {};
  return { is: isLost ? 'lost' : 'under_way', generation: id, usd, ...unlisted };
}

/** `pipelines~fox/@draft` → `pipelines/fox (draft)`: how a journal calls it, and how a person does. */
export const filmName = (film: string): string => film.replaceAll('~', '/').replace(/\/@(\w+)$/, ' ($1)');

/** Undefined where some of it is in neither place. All is asked about, though one is missing: that is one round of questions less. */
function inTeamStore(result: StoredResult, store: StoreIndex, team: TeamIndex): SharedOwned | undefined {
  const away = contentsOf(result).filter(({ sha256 }) => !store.has(sha256));
  if (away.length === 0) return undefined;
  const statuses = () => away.map(({ sha256 }) => team.status(sha256));
  if (statuses().includes('missing')) return undefined;
  return { result, store: team.to, seen: () => (statuses().includes('not asked') ? 'not yet' : 'all') };
}

/** The same result, with the extensions that its files have in this store; undefined when a byte is missing. */
function onThisMachine(result: StoredResult, store: StoreIndex): StoredResult | undefined {
  switch (result.is) {
    case 'media': {
      const file = store.file(result.sha256);
      return file === undefined ? undefined : { ...result, extension: extname(file) };
    }
    case 'command': {
      if (everyFile(result.files).some(({ sha256 }) => store.file(sha256) === undefined)) return undefined;
      return withExtensions(result, store);
    }
    case 'text':
    case 'fine_tune':
      return result;
    default:
      return unreachable(result);
  }
}
