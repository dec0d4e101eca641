/** What a Shotlist file offers to another one that uses it. */
import type { DerivedPart } from '../../model/media/derived-media.ts';
import type { MediaKind } from '../../model/media/media.ts';
import type { CutClip, Output, OutputForm, Step, UntilStep, UsedFile, UsesStep } from '../../model/pipeline.ts';
import { roundsOf, type StepName } from '../../model/run/key.ts';
import type { Type } from '../types/types.ts';

export interface Offer {
  readonly file: UsedFile;
  /** Its own steps and those of the files that it uses, under the names that they have in it. */
  readonly steps: readonly Step[];
  readonly outputs: ReadonlyMap<string, OfferedOutput>;
  /** Params that decide how many instances its steps have. */
  readonly counted: ReadonlyMap<string, CountedParam>;
  /** Variables of the environment that it reads, and custom models that it brings up. */
  readonly env: readonly string[];
  readonly deployments: readonly string[];
  /** How many files deep it is: 1 where it uses no other. */
  readonly depth: number;
}

export interface OfferedOutput {
  /** The step that makes it; of a step of a file that this one uses, its whole way. */
  readonly maker: Pick<Output, 'from' | 'file' | 'list' | 'part'>;
  /** The same as the file itself names it. */
  readonly from: StepName;
  readonly file?: string;
  readonly output?: string;
  /** A frame of it, or its sound. */
  readonly part?: DerivedPart;
  /** Of one result. */
  readonly type: Type;
  readonly isList: boolean;
  readonly coordinates: readonly string[];
  readonly several: ReadonlySet<string>;
  readonly produces?: MediaKind | 'text' | undefined;
  readonly forms?: readonly OutputForm[] | undefined;
}

export interface CountedParam {
  readonly step: string;
  /** `list`: an axis; `takes`, `rounds`: how often the same is made; `instances`: how many at most. All but a list are known before the run. */
  readonly by: 'list' | 'takes' | 'instances' | 'rounds';
  /** The step bounds the number of entries of its list. */
  readonly hasMax: boolean;
}

/**
 * The steps of used files become steps of the pipeline, under their whole way: `cleaned/repair`. What their expressions say stays as it
 * is written; the names that the graph is made of are changed.
 */

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

/**
 * A step with `until` becomes two: its rounds, which are made as it says, and what is called by its name, which is the round that holds.
 * Steps inside it are inside each round.
 */

/** @param whole the step as it is written, and behind it what is inside. */
function inRounds(whole: readonly Step[]): readonly Step[] {
  const [step, ...inside] = whole;
  const { until } = step ?? {};
  if (!step || !until) return whole;
  const rounds = roundsOf(step.name);
  const { else: standIn, ...once } = step;
  const { name, at, description, needs, upstream, if: condition, fanOut } = step;
  const settled: UntilStep = {
    ...{ kind: 'until', name, at, needs, fanOut, rounds },
    ...(description !== undefined && { description }),
    ...(condition && { if: condition }),
    ...(standIn && { else: standIn }),
    upstream: [...upstream, rounds],
    cache: true,
    holds: until.holds,
    ...(until.otherwise !== undefined && { otherwise: until.otherwise }),
  };
  const moved = inside.map(one =>
    one.inside?.by === name ? { ...one, inside: { ...one.inside, by: rounds } } : one,
  ) as readonly Step[];
  return [{ ...once, name: rounds } as Step, ...moved, settled];
}
