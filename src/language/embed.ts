/**
 * The steps of used files become steps of the pipeline, under their whole way: `cleaned/repair`. What their expressions say stays as it
 * is written; the names that the graph is made of are changed.
 */
import type { StepName } from '../domain/key.ts';
import type { CutClip, Step, UsesStep } from '../domain/pipeline.ts';
import type { Offer } from './offer.ts';
import { inRounds } from './rounds.ts';

/** In the order of the file, each `uses` step before what it brings in. `offers`: by step, of those alone that use a file. */
export function withUsedSteps(steps: readonly Step[], offers: ReadonlyMap<string, Offer>): readonly Step[] {
  return steps.flatMap(step => {
    const offer = offers.get(step.name);
    const waiting = waitingForAll(step, offers);
    const whole = offer && 'outputs' in waiting ? embedded(waiting, offer) : [waiting];
    return inRounds(whole);
  });
}

/** `needs` of a `uses` step means all that is inside. */
function waitingForAll(step: Step, offers: ReadonlyMap<string, Offer>): Step {
  if (!step.needs.some(name => offers.has(name))) return step;
  const inside = step.needs.flatMap(name => (offers.get(name)?.steps ?? []).map(one => within(name, one.name)));
  return { ...step, needs: [...step.needs, ...inside], upstream: [...step.upstream, ...inside] };
}

function embedded(user: UsesStep, { steps, file }: Offer): readonly Step[] {
  const inner = steps.map(step => moved(step, user, file));
  const outputs = user.outputs.map(output => ({ ...output, from: within(user.name, output.from) }));
  const upstream = [...user.upstream, ...inner.map(({ name }) => name)];
  return [{ ...user, outputs, upstream }, ...inner];
}

function moved(step: Step, user: UsesStep, file: UsesStep['file']): Step {
  const { name } = user;
  const { fanOut, inside } = step;
  const shared = {
    name: within(name, step.name),
    needs: step.needs.map(need => within(name, need)),
    // What the `uses` step reads is there before anything inside is planned.
    upstream: [...new Set([...step.upstream.map(one => within(name, one)), ...user.upstream])],
    fanOut: { ...fanOut, each: fanOut.each.map(source => ({ ...source, step: within(name, source.step) })) },
    inside: inside ? { ...inside, by: within(name, inside.by) } : { by: name, file },
    cache: step.cache && user.cacheInside !== false,
    ...('pick' in step && { pick: within(name, step.pick) }),
    ...('rounds' in step && { rounds: within(name, step.rounds) }),
    ...('judge' in step && step.judge !== undefined && { judge: within(name, step.judge) }),
  };
  if ('clips' in step) return { ...step, ...shared, clips: step.clips.map(clip => clipWithin(name, clip)) };
  if (!('outputs' in step)) return { ...step, ...shared };
  return {
    ...step,
    ...shared,
    outputs: step.outputs.map(output => ({ ...output, from: within(name, output.from) })),
  };
}

const clipWithin = (user: string, clip: CutClip): CutClip => ({
  ...clip,
  each: clip.each.map(source => ({ ...source, step: within(user, source.step) })),
});

const within = (user: string, step: string): StepName => `${user}/${step}` as StepName;
