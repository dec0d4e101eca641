/** As much of a plan as it takes to resolve one instance: the file, its params, and where each instance stands. A `Plan` is one. */
import type { Instances } from '../domain/instances.ts';
import type { JsonObject } from '../domain/json.ts';
import type { Coordinates, InstanceKey, StepName } from '../domain/key.ts';
import type { Pipeline, Step } from '../domain/pipeline.ts';

export interface PlanGraph {
  readonly pipeline: Pipeline;
  readonly params: JsonObject;
  readonly data: JsonObject;
  readonly service: string;
  readonly instances: Pick<Instances<Slot>, 'of' | 'isOpen'>;
}

/** An instance before anything is known of it but its place. */
export interface Slot {
  readonly key: InstanceKey;
  readonly step: Step;
  readonly coordinates: Coordinates;
  /** Axes, own and inherited. */
  readonly matrix: JsonObject;
  readonly each?: readonly InstanceKey[];
  readonly take?: number;
  readonly previous?: InstanceKey;
  /** Of a sample of an open step: axes whose values are not known yet. */
  readonly unknown?: ReadonlySet<string>;
}

/** Does a bare reference to this step give a list? The declaration decides it, never how many instances there happen to be. */
export function fansOut(pipeline: Pipeline, name: StepName): boolean {
  let known = knownFans.get(pipeline);
  if (!known) {
    known = fansOf(pipeline);
    knownFans.set(pipeline, known);
  }
  return known.has(name);
}

const knownFans = new WeakMap<Pipeline, ReadonlySet<StepName>>();

/** `each` takes fanned-out steps only, so a step with `each` fans out whatever it names. */
const fansOf = ({ steps }: Pipeline): ReadonlySet<StepName> =>
  new Set(
    steps
      .filter(
        ({ fanOut: { each, matrix, include, takes } }) => each.length + matrix.length + include.length > 0 || takes,
      )
      .map(step => step.name),
  );
