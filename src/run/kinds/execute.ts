import type { Step } from '../../domain/pipeline.ts';
import type { Instance } from '../../domain/plan.ts';
import type { WorkOf } from '../../plan/resolved.ts';
import type { RunServices } from '../run-services.ts';

/** Without what is kept of it to be told: ten thousand instances wait for their turn with it. */
export type WorkToDo<K extends Step['kind']> = K extends unknown ? Omit<WorkOf<K>, 'asks' | 'shown'> : never;

/**
 * From an instance whose work is resolved, and not owned, to its last event. Resolves when nothing of it is at work any more on this
 * machine; never throws for what a service, an author or a disk does.
 */
export type Execute<K extends Step['kind']> = (
  instance: Instance,
  work: WorkToDo<K>,
  services: RunServices,
) => Promise<void>;
