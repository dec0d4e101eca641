/** Bugs of the kind that cost money, to be put into the core for a test. */
import type { World } from '../../src/run/context.ts';
import type { RunnerOptions } from './runner.ts';

export interface Plant {
  readonly name: string;
  change(world: World, options: RunnerOptions): World;
}
export const PLANTS: readonly Plant[] = [];
