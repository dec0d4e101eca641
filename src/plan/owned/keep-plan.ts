/** What is kept of a plan, for a later look at its run: `model/run/kept-plan.ts`. */
import { createHash } from 'node:crypto';
import { basename, posix } from 'node:path';
import { position } from '../../language/yaml/excerpt.ts';
import type { Source } from '../../model/diagnostic.ts';
import type { Cut } from '../../model/media/cut.ts';
import type { ModelLibrary } from '../../model/model.ts';
import type { Pipeline, Step, UsedFile } from '../../model/pipeline.ts';
import { type Expansion, type Instance, isToBeMade, type Plan, type PlannedOutput } from '../../model/plan.ts';
import type { KeptHead, KeptInstance, KeptOutput, KeptPart, KeptShot, KeptStep } from '../../model/run/kept-plan.ts';
import type { Json } from '../../model/text/json.ts';
import { decides, kindOf, labelOf, modelOf } from '../kinds/index.ts';
import type { ResultLookup } from '../obstacles.ts';
import type { PlanContext } from '../plan-context.ts';
import { resolve } from '../values/resolve.ts';
import { resultsIn } from './owned-result.ts';

/** Instances in one part: a part that is damaged takes no more with it. */
const IN_ONE_PART = 500;

/** What the plan does not know. */
type RunMetadata = Pick<KeptHead, 'command' | 'options' | 'shotlist'>;

/** All of a plan, part by part: ten thousand instances are never one text. */
export function* keptPlan(plan: Plan, context: PlanContext, metadata: RunMetadata): Iterable<KeptPart> {
  const { pipeline, instances, outputs } = plan;
  const steps = inOrder(plan).map(step => keptStep(step, pipeline.source, context.library));
  yield { head: keptHead(pipeline, metadata), steps, outputs: outputs.map(keptOutput) };
  yield* keptInstances([...instances], context);
  const results = resultsIn(plan);
  for (const instance of instances) {
    const all = shotsOwned(instance, plan, results, context);
    if (all) yield { shots: { key: instance.key, all } };
  }
}

/** What a plan grows by. */
export function* keptGrowth({ instances, outputs }: Expansion, context: PlanContext): Iterable<KeptPart> {
  if (outputs.length > 0) yield { outputs: outputs.map(keptOutput) };
  yield* keptInstances(instances, context);
}

export const keptShots = ({ shots, rate }: Pick<Cut, 'shots' | 'rate'>): readonly KeptShot[] =>
  shots.map(({ at, frames, name }) => ({ at: seconds(at, rate), for: seconds(frames, rate), name }));

const seconds = (frames: number, rate: Cut['rate']): number =>
  Math.round(((frames * rate.seconds) / rate.frames) * 1000) / 1000;

function* keptInstances(all: readonly Instance[], context: PlanContext): Iterable<KeptPart> {
  for (let at = 0; at < all.length; at += IN_ONE_PART)
    yield { instances: all.slice(at, at + IN_ONE_PART).map(one => keptInstance(one, context)) };
}

function keptHead(pipeline: Pipeline, metadata: RunMetadata): KeptHead {
  const { source, description, steps } = pipeline;
  const used = new Set(steps.flatMap(({ inside }) => (inside ? [inside.file] : [])));
  return {
    ...metadata,
    ...(description !== undefined && { description }),
    files: [{ path: basename(source.path), sha256: digest(source.text) }, ...[...used].map(keptFile)],
  };
}

const keptFile = (file: UsedFile) => ({ path: pathOf(file), sha256: digest(file.source.text) });
const pathOf = ({ folder, source }: UsedFile): string => posix.join(folder, basename(source.path));
const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The steps of the pipeline as the plan orders them. */
function inOrder({ pipeline, instances }: Plan): readonly Step[] {
  const named = new Map(pipeline.steps.map(step => [step.name, step]));
  return [...instances.steps].flatMap(name => named.get(name) ?? []);
}

function keptStep(step: Step, main: Source, library: ModelLibrary): KeptStep {
  const { name, at, description, upstream, inside } = step;
  const model = modelOf(step);
  const place = position(inside?.file.source ?? main, at.start);
  return {
    ...{ name, kind: kindName(step, library), needs: upstream, line: place.line, column: place.column },
    ...(model !== undefined && { model }),
    ...(description !== undefined && { description: clipped(description) as string }),
    ...(inside && { file: pathOf(inside.file) }),
    ...(kindOf(step).isGathered && { isGathered: true }),
    ...keptQuestion(step),
  };
}

function keptQuestion(step: Step): Pick<KeptStep, 'decides'> {
  const is = decides(step);
  const { pick } = kindOf(step).json(step) as { readonly pick?: { readonly by: 'person'; readonly count: number } };
  return is ? { decides: { is, by: pick?.by ?? 'person', count: pick?.count ?? 1 } } : {};
}

/** What it makes, of a step that asks a model; of others, what the language calls them. */
function kindName(step: Step, library: ModelLibrary): string {
  const model = modelOf(step);
  if (model === undefined) return step.kind;
  const produces = library.get(model)?.produces;
  return produces === 'text' ? 'chat' : (produces ?? 'model');
}

const keptOutput = ({ name, instance, path, file, part, as, list, unmarked }: PlannedOutput): KeptOutput => ({
  ...{ name, key: instance, path },
  ...(file !== undefined && { file }),
  ...(!part && !as && !list && { isWhole: true }),
  ...(unmarked && { unmarked }),
});

function keptInstance(instance: Instance, { owned }: PlanContext): KeptInstance {
  const { key, step, coordinates, needs, needsAll, decision, request, fingerprint, price, facts } = instance;
  const model = labelOf(step);
  const was = isToBeMade(decision) ? owned.askedElsewhere?.(key) : undefined;
  return {
    ...{ key, step: step.name, decision: decision.is, why: decision.why, price },
    ...(Object.keys(coordinates).length > 0 && { coordinates }),
    ...(model !== step.kind && { model }),
    ...(needs.length > 0 && { needs }),
    ...(needsAll.length > 0 && { needsAll }),
    ...(decision.is === 'skip' && decision.needless && { isNeedless: true }),
    ...(request && { request: clipped(request) }),
    ...(fingerprint !== undefined && fingerprint !== '' && { fingerprint }),
    ...(was && { was }),
    ...(decision.is === 'sent' && { sentUsd: decision.sent.usd }),
    ...(facts && { facts }),
  };
}

/** A film that is owned is not cut again: its clips are placed as they were. */
function shotsOwned(
  instance: Instance,
  plan: Plan,
  results: ResultLookup,
  context: PlanContext,
): readonly KeptShot[] | undefined {
  const { decision, step } = instance;
  if (!kindOf(step).takesEncoder || (decision.is !== 'hit' && decision.is !== 'fetch')) return undefined;
  const resolved = resolve(plan, instance, results, context);
  const cut = 'cut' in resolved ? resolved.cut : undefined;
  return cut && keptShots(cut);
}

/** Characters of a text that are kept. */
const KEPT = 4_000;

/** The same with long texts cut. */
function clipped(value: Json): Json {
  if (typeof value === 'string')
    return value.length <= KEPT ? value : `${value.slice(0, KEPT).toWellFormed()}… (${value.length} characters)`;
  if (Array.isArray(value)) return (value as readonly Json[]).map(clipped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, clipped(item)]));
}
