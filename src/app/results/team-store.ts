/** A team's store as the settings name it, on this machine: the folder, or the bucket with its key. */
import { isAbsolute, join, resolve } from 'node:path';
import { systemClock } from '../../machine/time/clock.ts';
import { LocalStore } from '../../records/store/local-store.ts';
import { bucketPlace, shownPlace } from '../../records/store/publish/bucket-place.ts';
import type { ResultCache } from '../../records/store/shared/result-cache.ts';
import type { NotePlace, SharedPlace } from '../../records/store/shared/shared-place.ts';
import type { SharedResults } from '../../records/store/shared/shared-results.ts';
import type { Store } from '../../records/store/store.ts';
import {
  type AwsCredentials,
  type CredentialPlaces,
  type FoundCredentials,
  findCredentials,
} from '../../settings/aws-credentials.ts';
import type { StoreSettings } from '../../settings/publish-settings.ts';

export interface StoreChoice {
  readonly settings: StoreSettings;
  /** Absolute; of a folder. */
  readonly folder?: string;
  /** Of a bucket. */
  readonly credentials?: FoundCredentials;
  /** Looks for the key once more: its session may be over in the middle of a run. */
  readonly renew?: () => Promise<AwsCredentials | undefined>;
  /** Milliseconds for which an answer is waited for; absent: as long as the place may take. */
  readonly patience?: number;
  /** Bounds what this machine keeps of it; absent: all of it stays. */
  readonly cache?: Pick<ResultCache, 'over'>;
}

/** Milliseconds: about what a draft of the same takes to draw. */
const WHILE_DRAWING = 3_000;

/** For drafts that cost nothing: what is there is taken, nothing is sent, and one that is slow to answer is not waited for. */
export const forDrafts = (choice: StoreChoice): StoreChoice => ({
  ...choice,
  settings: { ...choice.settings, write: false },
  patience: WHILE_DRAWING,
});

/** @param root of the project, which a folder is relative to. */
export async function storeChoice(
  settings: StoreSettings,
  root: string,
  places: CredentialPlaces,
): Promise<StoreChoice> {
  if (settings.is === 'folder') {
    const path = settings.path.replace(/^~(?=$|[\\/])/, places.home);
    return { settings, folder: isAbsolute(path) ? path : resolve(join(root, path)) };
  }
  const find = () => findCredentials(settings, places);
  const renew = async () => {
    const found = await find();
    return found.is === 'found' ? found.credentials : undefined;
  };
  return { settings, credentials: await find(), renew };
}

/** `s3://films/results`, `/mnt/team/shotlist` */
const sharedAt = ({ settings, folder = '' }: StoreChoice): string =>
  settings.is === 's3' ? shownPlace(settings) : folder;

export interface Stores {
  /** Brings what is not on this machine from the team's, where there is one. */
  readonly store: Store;
  /** Absent: a team has no place for its results. */
  readonly shared: SharedResults | undefined;
}

/** @param folder of the content store of this machine. @param choice absent: there is no other. */
export async function openStores(folder: string, choice: StoreChoice | undefined): Promise<Stores> {
  const here = await LocalStore.open(folder);
  const local = choice?.cache?.over(here) ?? here;
  if (!choice) return { store: local, shared: undefined };
  const shared = await openShared(choice, local);
  const { SharedStore } = await import('../../records/store/shared/index.ts');
  return { store: new SharedStore(local, shared), shared };
}

/** @param store of this machine. */
export async function openShared(choice: StoreChoice, store: Store): Promise<SharedResults> {
  const { SharedResults, ...places } = await import('../../records/store/shared/index.ts');
  const { write } = choice.settings;
  const { patience } = choice;
  const place = placeOf(choice, places);
  return new SharedResults({ place, store, clock: systemClock, write, ...(patience !== undefined && { patience }) });
}

/** Which of these the place has. @throws where it cannot say. */
export async function keptThere(choice: StoreChoice, digests: readonly string[]): Promise<ReadonlySet<string>> {
  const place = placeOf(choice, await import('../../records/store/shared/index.ts'));
  try {
    const looked = await Promise.all(
      digests.map(async sha256 => [sha256, await place.look(sha256, new AbortController().signal)] as const),
    );
    const fault = looked.map(([, answer]) => answer).find(({ is }) => is === 'fault');
    if (fault?.is === 'fault') throw new Error(`${place.to}: ${fault.message}`);
    return new Set(looked.flatMap(([sha256, { is }]) => (is === 'there' ? [sha256] : [])));
  } finally {
    await place.close();
  }
}

/** The place of small texts in the store. */
export const notesAt = async (choice: StoreChoice): Promise<NotePlace> =>
  placeOf(choice, await import('../../records/store/shared/index.ts'));

type Places = Pick<typeof import('../../records/store/shared/index.ts'), 'SharedBucket' | 'SharedFolder'>;

function placeOf(choice: StoreChoice, { SharedBucket, SharedFolder }: Places): SharedPlace & NotePlace {
  const { settings, folder = '', credentials, renew } = choice;
  const clock = systemClock;
  if (settings.is === 'folder') return new SharedFolder({ folder, clock });
  if (credentials?.is !== 'found') return closedPlace(sharedAt(choice), credentials?.message ?? '');
  const place = bucketPlace(settings, credentials.region);
  return new SharedBucket({ place, credentials: credentials.credentials, clock, ...(renew && { renew }) });
}

/** The key is missing. What is there is not missing for that: it would be paid for again. */
const closedPlace = (to: string, message: string): SharedPlace & NotePlace => ({
  to,
  look: async () => ({ is: 'fault', message }),
  read: async () => ({ is: 'fault', message }),
  send: async () => ({ is: 'failed', message }),
  readNote: async () => ({ is: 'fault', message }),
  writeNote: async () => ({ is: 'fault', message }),
  close: async () => {},
});
