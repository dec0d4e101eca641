/** Reads the inputs of an instance: the results of the instances before it, as far as they are there. */

import type { Pipeline, Step } from '../../model/pipeline.ts';
import { calledAs, groupInside, type InstanceKey, localName, type StepName } from '../../model/run/key.ts';
import type { Json } from '../../model/text/json.ts';
import { memoized } from '../../model/text/json.ts';
import { fansOut, type PlanGraph, type Slot } from '../graph/plan-graph.ts';
import { kindOf } from '../kinds/index.ts';
import { MediaIndex, MediaTable } from '../media/media-index.ts';
import type { Input, Inputs, Member, ResultLookup } from '../obstacles.ts';
import { messages } from '../plan-messages.ts';
import { gather, mediaIn, memberValue } from './result-kinds.ts';
import { readsForInside, readsOfStep, stepsOfLists } from './step-reads.ts';
import type { Reads } from './value-reads.ts';
import { givenBy, outputsOf } from './value-reads.ts';

/**
 * Instances that are asked for with one and the same `lookup` share what they read: give the same one for a whole plan or run.
 * A result that is there once stays as it is.
 */
export function readInputs(graph: PlanGraph, slot: Slot, lookup: ResultLookup): Inputs {
  const inputs = inputsOf(graph, slot, readsOfStep(slot.step), lookup);
  const outputs = outputsOf(slot.step);
  return outputs ? { ...inputs, gathered: gather(graph, slot, outputs, lookup) } : inputs;
}

/** As much of them as something reads that belongs to an instance: its work, or a value that it gives to what is inside. */
export function inputsOf(
  graph: PlanGraph,
  place: Pick<Slot, 'step' | 'each' | 'previous' | 'outer'>,
  reads: Reads,
  lookup: ResultLookup,
  join: 'whole' | 'in parts' = 'whole',
): Inputs {
  const { step, outer } = place;
  if (isUnread(graph.pipeline, place, reads)) return NO_INPUTS;
  const read = readSteps(graph, outer?.key, reads.steps, lookup);
  // A coordinate may be a file that another step has made, or a row that names one.
  const listed = readSteps(graph, outer?.key, sourcesOfCoordinates(graph.pipeline, step), lookup);
  const isRead = reads.each || kindOf(step).isGathered === true;
  const each = (place.each ?? []).map(key => {
    const one = cacheOf(lookup).one(key, lookup);
    return !isRead && one.input.is === 'waiting' && lookup.isCertain?.(key) ? UNREAD : one;
  });
  const before = reads.previous ? place.previous : undefined;
  const previous = before === undefined ? undefined : cacheOf(lookup).one(before, lookup);
  const readBefore = [...read.map(([, one]) => one), ...listed.map(([, one]) => one), ...each, previous];
  const tables = readBefore.flatMap(one => one?.table ?? []);
  const known = new MediaIndex(tables);
  const around = outer && inputsOf(graph, outer, readsForInside(outer.step, reads.params), lookup);
  return {
    each: joinedEach(
      step,
      each.map(one => one.input),
      join === 'in parts' ? place.each : undefined,
    ),
    previous: previous?.input,
    steps: new Map(read.map(([name, { input }]) => [name, input])),
    listOf(name) {
      const place = groupInside(outer?.key, name);
      const slots = slotsOf(graph, place);
      return (
        slots && {
          length: slots.length,
          isWhole: () => cacheOf(lookup).all(place, slots, lookup).isWhole(lookup),
          at(index) {
            const found = memberAt(slots[index], lookup);
            // All of its list may not be there: what is picked of it brings its own media.
            if (found?.table && !tables.includes(found.table)) tables.push(found.table);
            return found;
          },
        }
      );
    },
    known: around ? known.and(around.known) : known,
    ...(outer && around && { outer: { ...around, given: givenBy(outer.step) } }),
  };
}

/** What an instance is made for, but does not read, keeps nothing of its request open. */
const UNREAD: CachedInput = { input: { is: 'ready', value: null } };

/** One and the same for ten thousand instances that read no other. */
const NO_INPUTS: Inputs = {
  each: undefined,
  previous: undefined,
  steps: new Map(),
  listOf: () => undefined,
  known: new MediaIndex(),
};

const isUnread = (
  pipeline: Pipeline,
  { step, each = [], previous, outer }: Pick<Slot, 'step' | 'each' | 'previous' | 'outer'>,
  reads: Reads,
): boolean =>
  reads.steps.size + each.length === 0 &&
  previous === undefined &&
  outer === undefined &&
  sourcesOfCoordinates(pipeline, step).length === 0;

/** Undefined for a step that does not fan out, or is not known yet. */
const slotsOf = ({ pipeline, instances }: PlanGraph, step: StepName): readonly Slot[] | undefined =>
  fansOut(pipeline, step) && !instances.isOpen(step) ? instances.of(step) : undefined;

/** It has its coordinates, as it has among all of its list. */
const memberAt = (slot: Slot | undefined, lookup: ResultLookup): (Member & Pick<CachedInput, 'table'>) | undefined =>
  slot && { key: slot.key, matrix: slot.matrix, ...cacheOf(lookup).member(slot, lookup) };

const sourcesKnown = new WeakMap<Step, readonly StepName[]>();

/**
 * Steps that wrote the lists with the coordinates of an instance: its own, and those that it has by `each`. Under the names of their own file: what
 * is around it is read with the params that it gives.
 */
function sourcesOfCoordinates(pipeline: Pipeline, step: Step): readonly StepName[] {
  const known = sourcesKnown.get(step);
  if (known) return known;
  const { inside } = step;
  const named = stepsOfLists(step, pipeline);
  const local = inside
    ? named.flatMap(name => (userOf(name) === calledAs(inside.by) ? [localName(name) as StepName] : []))
    : named;
  const names = new Set(local);
  for (const { step: name } of step.fanOut.each) {
    const source = pipeline.steps.find(one => one.name === name);
    for (const inherited of source ? sourcesOfCoordinates(pipeline, source) : []) names.add(inherited);
  }
  const sources = [...names];
  sourcesKnown.set(step, sources);
  return sources;
}

const userOf = (name: StepName): string => name.slice(0, Math.max(0, name.lastIndexOf('/')));

/**
 * What `each` reads: one result, or one for each name of a join. Undefined without `each`.
 * @param keys given: what was skipped of a join is left out of it, unless all of it was.
 */
function joinedEach({ fanOut }: Step, inputs: readonly Input[], keys?: readonly InstanceKey[]): Input | undefined {
  const [first] = inputs;
  if (!first || fanOut.each[0]?.name === undefined) return first;
  const skipped = inputs.flatMap((input, place) => (input.is === 'skipped' ? [place] : []));
  const isPart = keys !== undefined && skipped.length < inputs.length;
  // One that was skipped decides, whatever becomes of the others.
  if (!isPart && skipped.length > 0) return inputs[skipped[0]!];
  const names = fanOut.each.map(({ name = '' }) => name);
  const without = isPart && skipped.length > 0 && { without: new Map(skipped.map(at => [names[at]!, keys[at]!])) };
  const missing = inputs.find(input => input.is === 'waiting' || input.is === 'incomplete');
  if (missing) return { ...missing, ...(missing.is === 'waiting' && without) };
  const named = inputs.flatMap((input, at) => (input.is === 'ready' ? [[names[at]!, input.value] as const] : []));
  return { is: 'ready', value: Object.fromEntries(named), ...without };
}

/** The same for the lists of a step; undefined where one of them was skipped. */
export function eachValue(step: Step, keys: readonly InstanceKey[], lookup: ResultLookup): Json | undefined {
  const inputs = keys.map(key => cacheOf(lookup).one(key, lookup).input);
  const each = joinedEach(step, inputs);
  return each?.is === 'ready' ? each.value : undefined;
}

interface CachedInput {
  readonly input: Input;
  /** The media in it. */
  readonly table?: MediaTable;
}

/** Within one instance of the step that uses their file, where one does. */
function readSteps(
  { pipeline, instances }: PlanGraph,
  outer: InstanceKey | undefined,
  names: Iterable<StepName>,
  lookup: ResultLookup,
): readonly (readonly [StepName, CachedInput])[] {
  const cache = cacheOf(lookup);
  return Array.from(names, name => {
    // Nothing is kept of an open step: once it is fanned out, all of it is read.
    const place = groupInside(outer, name);
    if (instances.isOpen(place)) return [name, { input: { is: 'waiting', on: place, name: place, whole: place } }];
    const slots = instances.of(place);
    if (fansOut(pipeline, place)) return [name, cache.all(place, slots, lookup)];
    return [name, cache.one(slots[0]?.key ?? missing(place), lookup)];
  });
}

function missing(name: StepName): never {
  throw new Error(`step ${name} has no instance although it does not fan out`);
}

const cacheOf = memoized((_lookup: ResultLookup) => new ReadCache());

/** Everything read so far: N readers of M results cost N + M. */
class ReadCache {
  readonly #ones = new Map<InstanceKey, CachedInput>();
  readonly #members = new Map<InstanceKey, CachedInput>();
  readonly #all = new Map<StepName, StepResults>();

  one(key: InstanceKey, lookup: ResultLookup): CachedInput {
    const before = this.#ones.get(key);
    if (before) return before;
    const result = lookup(key);
    if (result === undefined) return { input: { is: 'waiting', on: key, name: key } };
    const one: CachedInput =
      result === 'skipped'
        ? { input: { is: 'skipped', name: key } }
        : { input: { is: 'ready', value: memberValue(result) }, table: MediaTable.of(mediaIn(result, key)) };
    this.#ones.set(key, one);
    return one;
  }

  member({ key, matrix }: Slot, lookup: ResultLookup): CachedInput {
    const before = this.#members.get(key);
    if (before) return before;
    const one = this.one(key, lookup);
    const result = lookup(key);
    if (one.input.is !== 'ready' || result === undefined || result === 'skipped') return one;
    const member: CachedInput = { ...one, input: { is: 'ready', value: memberValue(result, matrix) } };
    this.#members.set(key, member);
    return member;
  }

  all(name: StepName, slots: readonly Slot[], lookup: ResultLookup): StepResults {
    let all = this.#all.get(name);
    if (!all) {
      all = new StepResults(name, slots);
      this.#all.set(name, all);
    }
    all.readOn(lookup);
    return all;
  }
}

/** All results of a step, read in order as they come in. Its readers get them when the last one is there. */
class StepResults {
  readonly table = new MediaTable();
  readonly #name: StepName;
  readonly #slots: readonly Slot[];
  readonly #values: Json[] = [];
  readonly #skipped: InstanceKey[] = [];
  #read = 0;
  /** How many of them, from the first, are there or certainly will be. */
  #certain = 0;
  #input: Input | undefined;

  constructor(name: StepName, slots: readonly Slot[]) {
    this.#name = name;
    this.#slots = slots;
  }

  get input(): Input {
    return this.#input ?? { is: 'waiting', on: this.#slots[this.#read]!.key, name: this.#name, whole: this.#name };
  }

  /** Up to the first that is missing: naming all for each reader would cost the square of the fan-out. */
  readOn(lookup: ResultLookup): void {
    for (; this.#read < this.#slots.length; this.#read++) {
      const { key, matrix } = this.#slots[this.#read]!;
      const result = lookup(key);
      if (result === undefined) return;
      if (result === 'skipped') this.#skipped.push(key);
      else {
        this.table.addAll(mediaIn(result, key));
        // Which of the list it is: `steps.still.filter(s, s.matrix.who == 'fox')`.
        this.#values.push(memberValue(result, matrix));
      }
    }
    this.#input ??= this.#settled();
  }

  isWhole(lookup: ResultLookup): boolean {
    for (; this.#certain < this.#slots.length; this.#certain++) {
      const { key } = this.#slots[this.#certain]!;
      const result = lookup(key);
      if (result === 'skipped' || (result === undefined && !lookup.isCertain?.(key))) return false;
    }
    return this.#slots.length > 0;
  }

  /** A step without instances, because its sources were all skipped. */
  #settled(): Input {
    if (this.#values.length === 0) return { is: 'skipped', name: this.#name };
    if (this.#skipped.length === 0) return { is: 'ready', value: this.#values };
    return { is: 'incomplete', message: messages.incomplete(this.#name, this.#skipped) };
  }
}
