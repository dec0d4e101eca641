/** As much of a plan as it takes to resolve one instance: the file, its params, and where each instance stands. A `Plan` is one. */
import type { Source } from '../domain/diagnostic.ts';
import type { Instances } from '../domain/instances.ts';
import type { JsonObject } from '../domain/json.ts';
import { type StepName, stepOf } from '../domain/key.ts';
import type { Pipeline, Step, UsedFile } from '../domain/pipeline.ts';
import type { Place } from '../domain/plan.ts';

export interface PlanGraph {
  readonly pipeline: Pipeline;
  readonly params: JsonObject;
  readonly data: JsonObject;
  readonly usedData: ReadonlyMap<UsedFile, JsonObject>;
  readonly service: string;
  readonly instances: Pick<Instances<Slot>, 'of' | 'isOpen' | 'get'>;
}

/** An instance before anything is known of it but its place. */
export type Slot = Place;

/** The step of this name, which may be a group of its instances. */
export function stepNamed(pipeline: Pipeline, name: StepName): Step {
  let steps = knownSteps.get(pipeline);
  if (!steps) {
    steps = new Map(pipeline.steps.map(step => [step.name, step]));
    knownSteps.set(pipeline, steps);
  }
  const step = steps.get(stepOf(name));
  if (!step) throw new Error(`no step ${name} in this film`);
  return step;
}

/** The steps that stand in the file which a step uses, without those of further files. */
export function stepsInside(pipeline: Pipeline, user: StepName): readonly Step[] {
  let inside = knownInside.get(pipeline);
  if (!inside) {
    inside = new Map<StepName, Step[]>();
    for (const step of pipeline.steps) {
      const by = step.inside?.by;
      if (by !== undefined) inside.set(by, [...(inside.get(by) ?? []), step]);
    }
    knownInside.set(pipeline, inside);
  }
  return inside.get(user) ?? [];
}

const knownInside = new WeakMap<Pipeline, Map<StepName, Step[]>>();

/** The file that a step stands in. */
export const sourceOf = (pipeline: Pipeline, { inside }: Step): Source => inside?.file.source ?? pipeline.source;

const knownSteps = new WeakMap<Pipeline, ReadonlyMap<StepName, Step>>();

/** Does a bare reference to this step, in its own file, give a list? The declaration decides it, never how many instances there happen to be. */
export function fansOut(pipeline: Pipeline, name: StepName): boolean {
  let known = knownFans.get(pipeline);
  if (!known) {
    known = fansOf(pipeline);
    knownFans.set(pipeline, known);
  }
  return known.has(stepOf(name));
}

const knownFans = new WeakMap<Pipeline, ReadonlySet<StepName>>();

/** `each` takes fanned-out steps only, so a step with `each` fans out whatever it names. What gathers takes has the coordinates that are left. */
function fansOf({ steps }: Pipeline): ReadonlySet<StepName> {
  const byName = new Map(steps.map(step => [step.name, step]));
  const hasAxes = ({ fanOut: { matrix, include } }: Step) => matrix.length + include.length > 0;
  const inherits = ({ fanOut: { each } }: Step): boolean => {
    if (each.some(source => !source.gathers)) return true;
    const behind = each.flatMap(source => byName.get(source.step) ?? []);
    for (let step = behind.pop(); step; step = behind.pop()) {
      if (hasAxes(step)) return true;
      behind.push(...step.fanOut.each.flatMap(source => byName.get(source.step) ?? []));
    }
    return false;
  };
  return new Set(
    steps
      .filter(step => step.until !== undefined || step.fanOut.takes !== undefined || hasAxes(step) || inherits(step))
      .map(step => step.name),
  );
}
