/** What the execution of a step is given: the run, and what all of its requests share. */

import type { Step } from '../../model/pipeline.ts';
import type { Instance } from '../../model/plan.ts';
import type { WorkOf } from '../../plan/values/resolved.ts';
import type { Questions } from '../choices/open-questions.ts';
import type { RequestOutcome } from '../ports/admission.ts';
import type { Cancellations } from '../requests/cancel.ts';
import type { Deployments } from '../requests/deployments.ts';
import type { DurationEstimates } from '../requests/follow.ts';
import type { PublishedMedia } from '../requests/published-media.ts';
import type { ResultAddresses } from '../requests/result-addresses.ts';
import type { ServiceHealth } from '../requests/service-health.ts';
import type { TeamResults } from '../requests/team-results.ts';
import type { WatchedService } from '../requests/watcher.ts';
import type { RunCore } from './run-core.ts';

export interface RunServices {
  readonly run: RunCore;
  readonly watched: WatchedService;
  readonly health: ServiceHealth;
  readonly addresses: ResultAddresses;
  /** Absent where the service reads files of this machine, or nothing is to leave it. */
  readonly published?: PublishedMedia | undefined;
  readonly estimates: DurationEstimates;
  readonly deployments: Deployments;
  readonly cancellations: Cancellations;
  readonly questions: Questions;
  readonly team: TeamResults;
  /** Commands and cuts that this run makes, or has tried, by fingerprint; see `kinds/made-once.ts`. */
  readonly inTheMaking: Map<string, Promise<RequestOutcome>>;
}

/** Without what is kept of the request to show it: ten thousand instances wait for their turn with it. */
export type WorkToDo<K extends Step['kind']> = K extends unknown ? Omit<WorkOf<K>, 'asks' | 'shown'> : never;

/**
 * From an instance with resolved work, not owned, to its last event. Resolves when none of its work is left on this machine; never throws for a
 * fault of a service, an author or a disk.
 */
export type Execute<K extends Step['kind']> = (
  instance: Instance,
  work: WorkToDo<K>,
  services: RunServices,
) => Promise<void>;
