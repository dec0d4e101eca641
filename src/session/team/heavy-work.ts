/**
 * The heavy work of a worker, as its duties say: that of the runs it leads, which any worker of the team does, and that of any run, which
 * this one does. A worker without commands gives all of it out; one with nothing but commands leads nothing, and never sees a key.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { TeamDatabase } from '../../cluster/database/team-database.ts';
import type { HandJob, TeamQueue } from '../../cluster/queue/team-queue.ts';
import type { Clock } from '../../host/clock.ts';
import { HandsAtWork, type HandsOptions } from './hands-at-work.ts';
import { handsOfLead } from './lead-hands.ts';
import type { Leading } from './lead-run.ts';
import { environmentForFilms, type WorkerDuties } from './worker-duties.ts';

export interface HeavyWorkOptions extends Pick<HandsOptions, 'storesFor' | 'environment'> {
  readonly team: TeamDatabase;
  readonly queue: TeamQueue;
  readonly clock: Clock;
  readonly duties: Pick<WorkerDuties, 'hands'>;
  /** How this worker is called. */
  readonly worker: string;
  /** Absolute, and this worker's alone. */
  readonly folder: string;
  /** Calls back when this was told at the team's. Returns how to stop that. */
  readonly hear: (topic: string, listener: () => void) => () => void;
  /** Hears why work of this run does not go on; undefined: it does. */
  readonly trouble: (run: string, message: string | undefined) => void;
}

export interface HeavyWork {
  readonly handsFor: NonNullable<Leading['handsFor']>;
  /** Absent: this worker does none. */
  readonly doHand?: (job: HandJob, signal: AbortSignal) => Promise<void>;
  /** Jobs under way here. */
  readonly busy: () => number;
  /** Lets go of what is under way here, for other workers; resolves when none of it is at work here any more. */
  readonly leave: () => Promise<void>;
}

export function heavyWork(options: HeavyWorkOptions): HeavyWork {
  const { team, queue, clock, duties, worker, folder, hear, trouble, storesFor, environment } = options;
  const handsFor: HeavyWork['handsFor'] = ({ film, run, epoch, here, leaving }) =>
    handsOfLead({
      ...{ team, queue, clock, newId: randomUUID, run, epoch, film, here, leaving, hear },
      trouble: message => trouble(run.id, message),
    });
  if (duties.hands === 0) return { handsFor, busy: () => 0, leave: async () => {} };
  const hands = new HandsAtWork({
    ...{ team, worker, atOnce: duties.hands, folder: join(folder, 'hands'), clock, newId: randomUUID, hear, storesFor },
    environment: environmentForFilms(environment),
  });
  return {
    handsFor,
    doHand: ({ id }, signal) => hands.do(id, signal),
    busy: () => hands.busy,
    leave: () => hands.leave(),
  };
}
