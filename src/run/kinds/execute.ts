import type { Step } from '../../domain/pipeline.ts';
import type { Instance } from '../../domain/plan.ts';
import type { WorkOf } from '../../plan/resolved.ts';
import type { RunServices } from '../run-services.ts';

/**
 * From an instance whose work is resolved, and not owned, to its last event. Resolves when nothing of it is at work any more on this
 * machine; never throws for what a service, an author or a disk does.
 */
export type Execute<K extends Step['kind']> = (
  instance: Instance,
  work: WorkOf<K>,
  services: RunServices,
) => Promise<void>;
