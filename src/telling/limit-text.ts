/** Which limit of the settings holds instances back that could start. */
import { phase, type Stage } from '../records/views/instance-state.ts';
import type { RunView } from '../records/views/run-view.ts';
import type { StepTally } from './step-tally.ts';

/** How much is done at once, as the settings have it. */
export interface LimitsTold {
  /** Requests at the service. */
  readonly in_flight: number;
  /** Of one model. */
  readonly per_model: number;
  /** Commands on this machine. */
  readonly commands: number;
}

/** What takes the places that the limits count. */
export interface Taken {
  readonly requests: number;
  readonly commands: number;
  readonly byModel: ReadonlyMap<string, number>;
}

const HOLDS_A_PLACE: ReadonlySet<Stage> = new Set(['intended', 'unknown', 'generating', 'unfit'] as const);

export function placesTaken(run: RunView): Taken {
  const taken = { requests: 0, commands: 0, byModel: new Map<string, number>() };
  for (const { state, model } of run.instances.values()) {
    if (state.stage === 'running') taken.commands += 1;
    if (!HOLDS_A_PLACE.has(state.stage)) continue;
    taken.requests += 1;
    taken.byModel.set(model, (taken.byModel.get(model) ?? 0) + 1);
  }
  return taken;
}

/** `8 at once for V-T2V-A is this service's limit`; null where no limit holds anything of this step back. */
export function limitText({ next, instances }: StepTally, taken: Taken, limits: LimitsTold | undefined): string | null {
  const waits = next === 0 ? undefined : instances.find(({ state }) => phase(state) === 'ahead');
  if (limits === undefined || waits === undefined) return null;
  const { model } = waits;
  const ofModel = taken.byModel.get(model) ?? 0;
  if (ofModel === 0 && taken.commands >= limits.commands && waits.price === 0)
    return `${limits.commands} commands at once is this machine's limit`;
  if (ofModel >= limits.per_model && limits.per_model <= limits.in_flight)
    return `${limits.per_model} at once for ${model} is this service's limit`;
  if (taken.requests >= limits.in_flight && waits.price !== 0)
    return `${limits.in_flight} requests at once is this service's limit`;
  return null;
}
