/**
 * An instance and what it reads → what exactly would be done. The plan asks with the results that are owned, the run with
 * those that are finished: one piece of code, so that what was planned is what is sent. Only what is needed is asked for: a condition
 * first, and of a choice the side that it takes.
 */

import type { Until, Value } from '../../model/pipeline.ts';
import type { Place } from '../../model/plan.ts';
import { deciderName, type Rejections } from '../../model/run/choice.ts';
import { calledAs, groupInside, type InstanceKey, type StepName } from '../../model/run/key.ts';
import { canonical, isObject } from '../../model/text/json.ts';
import { type PlanGraph, type Slot, stepNamed } from '../graph/plan-graph.ts';
import { otherRounds } from '../graph/round-order.ts';
import { actsOutside, kindOf } from '../kinds/index.ts';
import type { Kind, Unresolved } from '../kinds/kind.ts';
import { MediaIndex } from '../media/media-index.ts';
import { type MediaSources, partsRead } from '../media/media-origins.ts';
import type { Inputs, ResultLookup } from '../obstacles.ts';
import { UsedReads } from '../obstacles.ts';
import { contentDigest, fingerprintAt } from '../owned/instance-fingerprint.ts';
import { mediaFrom, pathFrom, type ResolveContext } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import { PartialEvaluator } from './partial-evaluation.ts';
import { inputsOf, readInputs } from './read-inputs.ts';
import { eachAround, invalid, pendingValues, type Resolved, stoppedBy } from './resolved.ts';
import { readsOfStep } from './step-reads.ts';
import type { Reads } from './value-reads.ts';

export type { ResolvedCommand, ResolvedRequest, ResolvedTuning, ResolvedWork } from './resolved.ts';

export const resolve = (graph: PlanGraph, slot: Slot, lookup: ResultLookup, context: ResolveContext): Resolved =>
  resolveWithReads(graph, slot, lookup, context).resolved;

/** `used`: what its values have asked for. While its condition waits, that is what the condition asks for. */
export function resolveWithReads(
  graph: PlanGraph,
  slot: Slot,
  lookup: ResultLookup,
  context: ResolveContext,
): { readonly resolved: Resolved; readonly used: UsedReads } {
  const rejections = context.rejections?.();
  const read = readInputs(graph, slot, lookup);
  const fingerprintOf = (key: InstanceKey) =>
    fingerprintAt(key, { graph, lookup, resolve: other => resolve(graph, other, lookup, context) });
  const inputs = rejections?.size ? withNotes(read, slot, { rejections, lookup, fingerprintOf }) : read;
  // Whatever its condition comes to: with nothing to stand in, it is skipped.
  if (inputs.each?.is === 'skipped' && !slot.step.else)
    return { resolved: skippedWith(inputs.each.name), used: new UsedReads() };
  const refused = refusalBefore(graph, slot, lookup);
  if (refused) return { resolved: refused, used: new UsedReads() };
  const asked = new PartialEvaluator(graph, slot, inputs, context);
  const condition = conditionOf(slot, asked);
  if (condition === 'false') return { resolved: standingIn(graph, slot, lookup), used: new UsedReads() };
  const off = condition === 'waits' ? whatIsOff(graph, slot, inputs, context) : undefined;
  if (off === slot) return { resolved: standingIn(graph, slot, lookup), used: new UsedReads() };
  if (off) return { resolved: skippedWith(off.key), used: new UsedReads() };
  const { profile } = graph.pipeline;
  if ((context.isDraft || profile !== undefined) && actsOutside(slot.step)) {
    const why = profile === undefined ? messages.notInDraft() : messages.notInProfile(profile);
    return { resolved: { is: 'skip', why }, used: new UsedReads() };
  }
  if (typeof condition === 'object') return { resolved: condition, used: asked.used };
  const values = condition === 'waits' ? new PartialEvaluator(graph, slot, inputs, context) : asked;
  const inputsAt = (place: Slot, reads: Reads, join?: 'in parts') => inputsOf(graph, place, reads, lookup, join);
  const resolved = bodyOf(graph, slot, { inputs, values, inputsAt, lookup, fingerprintOf }, context);
  if (condition !== 'waits') return { resolved, used: values.used };
  // Nothing is waited for but the condition: what the rest needs may fail, and never be needed.
  const waiting = waitingFor(resolved, slot, inputs, asked, standInOf(graph, slot));
  return {
    resolved: waiting.is === 'pending' ? { ...waiting, ...whyOfRound(graph, slot) } : waiting,
    used: asked.used,
  };
}

const skippedWith = (name: string): Resolved => ({ is: 'skip', why: messages.upstreamSkipped(name), by: name });

function bodyOf(
  graph: PlanGraph,
  slot: Slot,
  asked: Pick<Unresolved<Kind>, 'inputs' | 'values' | 'inputsAt' | 'lookup' | 'fingerprintOf'>,
  context: ResolveContext,
): Resolved {
  const { inputs, values, inputsAt, ...others } = asked;
  for (const each of eachAround(inputs)) if (each.is === 'skipped') return skippedWith(each.name);
  const { file } = slot.step.inside ?? {};
  if (!file) {
    const unresolved = { graph, slot, step: slot.step, inputs, values, inputsAt, ...others };
    return withParts(kindOf(slot.step).resolve(unresolved, context), unresolved, context.localMedia);
  }
  // Files that it is given are found where they are given, everything else beside its own file.
  const withGiven = (read: Inputs): Inputs => ({
    ...read,
    known: new MediaIndex([values.givenMedia]).and(read.known),
  });
  const localMedia = mediaFrom(file.folder, context.localMedia);
  const unresolved = {
    ...{ graph, slot, step: slot.step, inputs: withGiven(inputs), values },
    inputsAt: (...asked: Parameters<typeof inputsAt>) => withGiven(inputsAt(...asked)),
    ...others,
  };
  const found = kindOf(slot.step).resolve(unresolved, { ...context, localMedia });
  const resolved = withParts(found, unresolved, localMedia);
  if (!('authorFiles' in resolved)) return resolved;
  const authorPaths = resolved.authorFiles.map(path => pathFrom(file.folder, path));
  return { ...resolved, authorFiles: [...authorPaths, ...values.givenMedia.paths] };
}

/** What only waits for an approval is skipped after a person's rejection, with that person's words. A step that reads the answer goes on. */
function refusalBefore(graph: PlanGraph, slot: Slot, lookup: ResultLookup): Resolved | undefined {
  for (const key of approvalsBefore(graph, slot)) {
    const result = lookup(key);
    if (result === undefined || result === 'skipped' || result.is !== 'approved' || result.approved) continue;
    return { is: 'skip', why: messages.notApproved(key, deciderName(result.choice), result.choice.note) };
  }
  return undefined;
}

/** The approvals that an instance waits for without reading the answer. Of those that are fanned out as it is, its own one. */
export function* approvalsBefore({ pipeline, instances }: PlanGraph, slot: Slot): Iterable<InstanceKey> {
  const { step, outer, coordinates } = slot;
  for (const name of step.needs) {
    const before = stepNamed(pipeline, name);
    const local = step.inside ? (name.slice(calledAs(step.inside.by).length + 1) as StepName) : name;
    if (!kindOf(before).mayRefuse || readsOfStep(step).steps.has(local)) continue;
    for (const one of instances.of(groupInside(outer?.key, local))) {
      const isOther = Object.entries(one.coordinates).some(
        ([axis, value]) => axis in coordinates && canonical(coordinates[axis] ?? null) !== canonical(value),
      );
      if (!isOther) yield one.key;
    }
  }
}

function withParts(resolved: Resolved, unresolved: Unresolved<Kind>, localMedia: MediaSources['localMedia']): Resolved {
  if (resolved.is !== 'pending') return resolved;
  const { step } = unresolved;
  const parts = partsRead(kindOf(step).values(step), { ...unresolved, localMedia });
  return parts.length === 0 ? resolved : { ...resolved, parts };
}

/** Asked before anything else: a condition on `params` alone is decided even while an upstream instance is still missing. */
function conditionOf(slot: Slot, values: PartialEvaluator): Resolved | 'true' | 'false' | 'waits' {
  const { step, outer } = slot;
  if (outer && values.outer) {
    // A step inside a file that is not used after all: its author has decided so, as with a condition of its own.
    const around = conditionOf(outer, values.outer);
    if (around === 'false') return { is: 'skip', why: messages.upstreamSkipped(outer.key) };
    if (around !== 'true') return around;
  }
  const own = step.if ? ownCondition(step.if, step, values) : 'true';
  return own === 'true' && step.until && slot.previous !== undefined ? roundIsNeeded(step.until, values) : own;
}

/** The instance, or one that it is inside, with a condition that is false already: whether those around it are made is not waited for. */
function whatIsOff(graph: PlanGraph, slot: Slot, inputs: Inputs, context: ResolveContext): Slot | undefined {
  const { step, outer } = slot;
  const isOff = step.if && ownCondition(step.if, step, new PartialEvaluator(graph, slot, inputs, context)) === 'false';
  if (isOff) return slot;
  return outer && inputs.outer && whatIsOff(graph, outer, inputs.outer, context);
}

/** What a further round waits for, as a plan shows it. */
function whyOfRound(graph: PlanGraph, slot: Slot): { readonly why?: string } {
  const { round, previous } = slot;
  if (round === undefined || previous === undefined) return {};
  return { why: messages.roundWaits(round, otherRounds(graph, slot).length, previous) };
}

function ownCondition(
  condition: Value,
  { inside }: Slot['step'],
  values: PartialEvaluator,
): Resolved | 'true' | 'false' | 'waits' {
  const holds = values.evaluate(condition);
  if (pendingValues(values)) return 'waits';
  const stopped = stoppedBy(values);
  if (stopped) return stopped;
  if (holds === true) return 'true';
  if (holds === false) return 'false';
  const { source } = inside?.file ?? {};
  const message = messages.conditionNotBoolean(holds);
  return invalid('expression_failed', [{ message, at: condition.at, ...(source && { source }) }]);
}

/** The round before it is there and does not pass. The step that takes one of the rounds reports any other fault of it. */
function roundIsNeeded({ holds }: Until, values: PartialEvaluator): Resolved | 'true' | 'waits' {
  const needless = { is: 'skip', why: messages.earlierHolds(), needless: true } as const;
  if (values.before?.is === 'skipped') return needless;
  const answer = values.evaluate(holds);
  if (pendingValues(values)) return 'waits';
  return answer === false && !stoppedBy(values) ? 'true' : needless;
}

/**
 * `else`: the instance with the result that is taken where a step is off; undefined without it. `${{ each }}` is what it would have been made from,
 * `${{ steps.master }}` another step's one result.
 */
function standInOf({ instances }: PlanGraph, { step, each = [], outer }: Slot): InstanceKey | undefined {
  const [read] = step.else?.reads ?? [];
  if (!read) return undefined;
  const [name] = read.path;
  if (read.root === 'steps') return instances.of(groupInside(outer?.key, name ?? ''))[0]?.key;
  const place = name === undefined ? 0 : step.fanOut.each.findIndex(source => source.name === name);
  return each[place];
}

/** The step is off: another one replaces it, made or not, or nothing does. */
function standingIn(graph: PlanGraph, slot: Slot, lookup: ResultLookup): Resolved {
  const key = standInOf(graph, slot);
  if (key === undefined) return { is: 'skip', why: messages.conditionFalse() };
  if (lookup(key) === 'skipped') return { is: 'skip', why: messages.upstreamSkipped(key), by: key };
  return { is: 'skip', why: messages.standsIn(key), standIn: key };
}

function waitingFor(
  resolved: Resolved,
  { step }: Slot,
  { known }: Inputs,
  condition: PartialEvaluator,
  standIn: InstanceKey | undefined,
): Resolved {
  // Where its condition turns out to be false, another one replaces it; and an incomplete list is no mistake of a step that is off.
  const isDecided =
    (resolved.is === 'skip' && !step.else) || (resolved.is === 'invalid' && resolved.problems.length > 0);
  const waits = isDecided ? undefined : pendingValues(condition);
  if (!waits) return resolved;
  const undecided = standIn === undefined ? {} : { else: standIn };
  if (resolved.is === 'pending') return { ...resolved, ...waits, undecided };
  if (resolved.is === 'skip' || resolved.is === 'invalid')
    return { ...waits, request: {}, shown: {}, asks: { fields: {}, known }, media: [], undecided };
  const request = 'request' in resolved ? resolved.request : resolved.shown;
  const media = 'media' in resolved ? resolved.media : [];
  return { ...waits, request, shown: resolved.shown, asks: resolved.asks, media, undecided };
}

// `previous.note`: rejections of the instance before, or of a candidate inside it.

interface NoteSources {
  readonly rejections: Rejections;
  readonly lookup: ResultLookup;
  readonly fingerprintOf: (key: InstanceKey) => string | undefined;
}

/** The inputs of an instance, and of the `uses` steps around it, with the notes on what came before. */
function withNotes<Of extends Inputs>(
  inputs: Of,
  { previous: before, outer: around }: Place,
  sources: NoteSources,
): Of {
  const { previous, outer } = inputs;
  const isThere = before !== undefined && previous?.is === 'ready' && isObject(previous.value);
  const note = isThere ? noteOn(before, sources) : undefined;
  return {
    ...inputs,
    ...(note !== undefined && isThere && { previous: { ...previous, value: { ...(previous.value as object), note } } }),
    ...(outer && around && { outer: withNotes(outer, around, sources) }),
  };
}

function noteOn(before: InstanceKey, { rejections, lookup, fingerprintOf }: NoteSources): string | undefined {
  const result = lookup(before);
  // In a pick it is known by what it asks for, or by what it gives where its rounds stand behind another name.
  const ids = [fingerprintOf(before), result === undefined || result === 'skipped' ? undefined : contentDigest(result)];
  const notes = [...rejections].flatMap(([id, { key, note }]) => {
    const isInside = key?.startsWith(`${before}/`) && fingerprintOf(key) === id;
    return note !== null && (isInside || ids.includes(id)) ? [note] : [];
  });
  return notes.length === 0 ? undefined : notes.join('\n');
}
