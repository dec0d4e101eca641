/** Which service a film is sent to, and how it is used there. */
import type { Service } from '../../api/service.ts';
import type { Secret } from '../../machine/redactor.ts';
import type { Budget } from '../../model/budget.ts';
import type { ServiceRates } from '../../model/request-rates.ts';
import type { Limits } from '../../run/engine/limits.ts';
import type { Proof } from '../../run/requests/proof-of-absence.ts';
import type { Pace } from '../../run/requests/watcher.ts';
import { type CredentialPlaces, type FoundCredentials, findCredentials } from '../../settings/aws-credentials.ts';
import type { PublishSettings } from '../../settings/publish-settings.ts';
import type { StoreChoice } from '../results/team-store.ts';

/** The service is on another machine. `publish`: how it comes to read files of this one; absent: it does not. */
export type RemoteService = false | { readonly publish?: PublishChoice };

export interface PublishChoice {
  readonly settings: PublishSettings;
  /** Of a bucket. */
  readonly credentials?: FoundCredentials;
  /** What a command is given beside the few variables that every command gets. */
  readonly variables: Readonly<Record<string, string>>;
}

export interface ServiceChoice {
  /** Part of every fingerprint: a draft of the studio never replaces a finished picture. */
  readonly name: string;
  readonly hosted: boolean;
  /** A draft to look at: nothing of the film acts outside of this machine. */
  readonly draft?: boolean;
  /** False: it can read files of this machine. */
  readonly elsewhere: RemoteService;
  /** The chat service that the built-in studio passes requests on to. */
  readonly chatBy?: string;
  /** The origin of results; undefined for the built-in studio, because its address is not known before it starts. */
  readonly baseUrl: string | undefined;
  readonly limits: Limits;
  /** What the service allows, as its settings say. */
  readonly rates?: ServiceRates;
  /** It makes one generation of all requests that are sent under one `Idempotency-Key`. */
  readonly idempotent?: true;
  /** What all films of the project may come to together. */
  readonly budget?: Budget;
  /** Where a team keeps its results. */
  readonly store?: StoreChoice;
  readonly onUnknown: 'fail' | 'resubmit';
  readonly proof: Proof;
  readonly onInterrupt: 'detach' | 'cancel';
  readonly pace: Pace;
  /** Undefined for the built-in studio: its key never leaves this process. */
  readonly key?: Secret | null;
  connect(): Promise<Service>;
}

/** Reading a record of the studio costs nothing, and shows its progress; a hosted service is left alone between events. */
export const STUDIO_PACE: Pace = { slow: 1_000, least: 250, progress: 500 };
export const HOSTED_PACE: Pace = { slow: 30_000, least: 500 };

/** A missing key is reported by the plan of a film that publishes something: most publish nothing. */
export async function publishChoice(settings: PublishSettings, places: CredentialPlaces): Promise<PublishChoice> {
  if (settings.is === 's3') return { settings, credentials: await findCredentials(settings, places), variables: {} };
  const variables = settings.env.flatMap(name => {
    const value = places.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { settings, variables: Object.fromEntries(variables) };
}
