/** As much of a plan as it takes to resolve one instance: the file, its params, and the place of each instance. A `Plan` is one. */
import type { Source } from '../../model/diagnostic.ts';
import type { Pipeline, Step, UsedFile } from '../../model/pipeline.ts';
import type { Instances, Place } from '../../model/plan.ts';
import { type StepName, stepOf } from '../../model/run/key.ts';
import type { JsonObject } from '../../model/text/json.ts';
import { memoized } from '../../model/text/json.ts';

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
  const step = stepsByName(pipeline).get(stepOf(name));
  if (!step) throw new Error(`no step ${name} in this film`);
  return step;
}

const stepsByName = memoized(
  ({ steps }: Pipeline): ReadonlyMap<StepName, Step> => new Map(steps.map(step => [step.name, step])),
);

/** The steps of the file which a step uses, without those of further files. */
export const stepsInside = (pipeline: Pipeline, user: StepName): readonly Step[] =>
  stepsByUser(pipeline).get(user) ?? [];

const stepsByUser = memoized(({ steps }: Pipeline) => Map.groupBy(steps, ({ inside }) => inside?.by));

/** The file that has the step. */
export const sourceOf = (pipeline: Pipeline, { inside }: Step): Source => inside?.file.source ?? pipeline.source;

/** Does a bare reference to this step, in its own file, give a list? The declaration decides it, never how many instances there happen to be. */
export const fansOut = (pipeline: Pipeline, name: StepName): boolean => fansOf(pipeline).has(stepOf(name));

/** `each` takes fanned-out steps only, so a step with `each` fans out whatever it names. What gathers takes has the coordinates that are left. */
const fansOf = memoized(({ steps }: Pipeline): ReadonlySet<StepName> => {
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
});

/** A step with an axis as its model is another step for each of its models. By the value of the axis; empty where the model is no axis. */
export const stepsByModel = memoized((step: Step): ReadonlyMap<string, Step> => {
  const variants = 'byModel' in step ? [...(step.byModel?.variants ?? [])] : [];
  return new Map(variants.map(([name, variant]) => [name, { ...step, ...variant } as Step]));
});
