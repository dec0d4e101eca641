/** A clip with `each` is as many clips as there are instances: the place of each, and what its fields can read. */

import type { Option } from '../../language/cut/cut-options.ts';
import type { CutClip, CutStep, MapValue, Step, Value } from '../../model/pipeline.ts';
import { isPending } from '../../model/plan.ts';
import { groupInside, groupOf, type InstanceKey, localName, type StepName } from '../../model/run/key.ts';
import { canonical, isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import { joinedSources } from '../graph/join.ts';
import { type PlanGraph, type Slot, sourceOf } from '../graph/plan-graph.ts';
import type { Inputs, Problem } from '../obstacles.ts';
import { PlanDiagnostics } from '../obstacles.ts';
import { messages } from '../plan-messages.ts';
import type { PartialEvaluator } from '../values/partial-evaluation.ts';
import type { Waiting } from '../values/resolved.ts';
import { type Reads, readsOf } from '../values/value-reads.ts';
import type { Places } from './assembly.ts';
import { cutMessages } from './assembly.ts';

export interface ClipPlace {
  readonly slot: Slot;
  readonly inputs: Inputs;
}

type ClipPlaces =
  | { readonly is: 'known'; readonly places: readonly ClipPlace[] }
  /** Their number is not known yet. */
  | { readonly is: 'open' }
  /** The obstacle is noted. */
  | { readonly is: 'stopped' };

export interface CutPlace {
  readonly graph: PlanGraph;
  readonly slot: Slot;
  readonly step: CutStep;
  readonly inputs: Inputs;
  readonly values: PartialEvaluator;
  readonly inputsAt: (place: Slot, reads: Reads, join?: 'in parts') => Inputs;
}

export function clipPlaces(clip: CutClip, cut: CutPlace): ClipPlaces {
  const { slot, inputs, values } = cut;
  if (clip.each.length === 0) return { is: 'known', places: [{ slot, inputs }] };
  const groups = clip.each.map(({ step }) => groupOfSource(step, slot));
  const open = groups.find(group => cut.graph.instances.isOpen(group));
  if (open !== undefined) {
    values.used.addStep(open);
    values.meet({ is: 'waiting', on: open, name: open, whole: open });
    return { is: 'open' };
  }
  const found = slotsOf(clip, groups, cut);
  if ('problems' in found) {
    values.problems.push(...found.problems);
    return { is: 'stopped' };
  }
  const places = found.slots.map(one => ({
    slot: one,
    inputs: cut.inputsAt(one, readsOf(clip.fields), 'in parts'),
  }));
  return settled(places, groups, found.isPart, clip, cut);
}

/** Within the instance of the step that uses their file, where one does. */
const groupOfSource = (step: StepName, { outer }: Slot): StepName =>
  outer ? groupInside(outer.key, localName(step)) : step;

interface FoundSlots {
  readonly slots: readonly Slot[];
  /** Some instances belong to other instances of the cut. */
  readonly isPart: boolean;
}

function slotsOf(
  clip: CutClip,
  groups: readonly StepName[],
  { graph, slot, step }: CutPlace,
): FoundSlots | { readonly problems: readonly Problem[] } {
  const diagnostics = new PlanDiagnostics(sourceOf(graph.pipeline, step));
  const asStep = stepOfClip(clip, step);
  const all = groups.map(group => graph.instances.of(group));
  const own = all.map(slots => slots.filter(one => agrees(one, slot)));
  const empty = own.findIndex((slots, index) => slots.length === 0 && all[index]!.length > 0);
  if (empty >= 0)
    return { problems: [{ message: cutMessages.noneMeet(groups[empty]!, coordinatesText(slot)), at: clip.at }] };
  const origins = joinedSources(asStep, own, diagnostics);
  if (diagnostics.any) {
    // Another instance of the cut may have what this one lacks.
    const isPart = own.some((slots, index) => slots.length < all[index]!.length);
    const where = isPart ? `${slot.key}: ` : '';
    return { problems: diagnostics.all.map(({ message, code }) => ({ message: where + message, code, at: clip.at })) };
  }
  const slots = origins.flatMap(origin =>
    origin
      ? [
          {
            ...slot,
            step: asStep,
            coordinates: { ...slot.coordinates, ...origin.coordinates },
            matrix: { ...slot.matrix, ...origin.matrix },
            each: origin.keys,
          },
        ]
      : [],
  );
  return { slots, isPart: own.some((slots, index) => slots.length < all[index]!.length) };
}

const asSteps = new WeakMap<CutClip, Step>();

/** The clip as a step that follows what its `each` names: that is what readers of inputs know. */
function stepOfClip(clip: CutClip, step: CutStep): Step {
  let made = asSteps.get(clip);
  if (!made) {
    made = { ...step, fanOut: { each: clip.each, matrix: [], include: [], exclude: [] } };
    asSteps.set(clip, made);
  }
  return made;
}

/** A cut for each ratio takes the clips of its own ratio. */
const agrees = ({ coordinates }: Slot, cut: Slot): boolean =>
  Object.entries(cut.coordinates).every(
    ([name, value]) => !Object.hasOwn(coordinates, name) || canonical(coordinates[name] ?? null) === canonical(value),
  );

const coordinatesText = ({ coordinates }: Slot): string =>
  Object.entries(coordinates)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(', ');

/** All of them are waited for as one; of some of a fan-out each is waited for by itself. */
function settled(
  places: readonly ClipPlace[],
  groups: readonly StepName[],
  isPart: boolean,
  clip: CutClip,
  { values }: CutPlace,
): ClipPlaces {
  const keys = places.flatMap(({ slot }) => slot.each ?? []);
  if (isPart) for (const key of keys) values.used.addInstance(key);
  else for (const group of groups) values.used.addStep(group);
  const waiting = places.flatMap(({ inputs: { each } }) => (each?.is === 'waiting' ? [each] : []));
  const [first] = waiting;
  if (first) {
    const group = groupOf(first.on as InstanceKey);
    const whole = { is: 'waiting', on: first.on, name: group, whole: group } as const;
    if (!isPart) values.meet(whole);
    // One that was skipped makes the rest incomplete; until all of them are there, only those that will be are looked at.
    const others = places.filter(({ inputs: { each } }) => each?.is !== 'skipped');
    if (isPart) return { is: 'known', places: others };
    return {
      is: 'known',
      places: others.map(place => (place.inputs.each?.is === 'waiting' ? withEach(place, whole) : place)),
    };
  }
  const skipped = places.filter(({ inputs: { each } }) => each?.is === 'skipped');
  if (places.length === 0 || skipped.length === places.length) values.meet({ is: 'skipped', name: groups.join(', ') });
  else if (skipped.length > 0) {
    const missing = skipped.flatMap(({ slot }): readonly InstanceKey[] => slot.each?.slice(0, 1) ?? []);
    values.meet({ is: 'incomplete', message: messages.incomplete(groups.join(', '), missing) }, clip.follows[0]);
  } else return { is: 'known', places };
  return { is: 'stopped' };
}

const withEach = ({ slot, inputs }: ClipPlace, each: Waiting): ClipPlace => ({
  slot,
  inputs: { ...inputs, each: { ...inputs.each, ...each } },
});

// The options of one mapping of a cut, as its expressions gave them. What is not there yet is left out, and counts as open.

export class OptionReader {
  readonly written: Value;
  readonly #given: JsonObject;
  readonly #called: (name: string) => string;
  readonly #problems: Problem[];
  #isOpen = false;

  /** @param given what the values came to; the value itself where the short form of a mapping was written. */
  constructor(written: Value, given: JsonObject, called: (name: string) => string, problems: Problem[]) {
    this.written = written;
    this.#given = given;
    this.#called = called;
    this.#problems = problems;
  }

  /** Something that was asked for is not there yet. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  readonly places: Places = option =>
    (option !== undefined && this.written.is === 'map' ? valueNamed(this.written, option)?.at : undefined) ??
    this.written.at;

  called(name: string): string {
    return this.#called(name);
  }

  /** What an expression gave; null counts as left out. */
  given(name: string): Json | undefined {
    const given = Object.hasOwn(this.#given, name) ? this.#given[name] : undefined;
    return given ?? undefined;
  }

  value(name: string): Value | undefined {
    return this.written.is === 'map' ? valueNamed(this.written, name) : undefined;
  }

  read<T>(name: string, option: Option<T>): T | undefined {
    const given = this.given(name);
    if (given === undefined) return undefined;
    if (isPending(given)) {
      this.#isOpen = true;
      return undefined;
    }
    const read = option.read(given);
    if (read === undefined) this.report(cutMessages.value(this.#called(name), option.takes, given), name);
    return read;
  }

  /** The reader of a mapping inside; its short form is `from` alone. Undefined where it is left out. */
  inside(name: string, called: (name: string) => string): OptionReader | undefined {
    const given = this.given(name);
    const value = this.value(name);
    if (given === undefined || !value) return undefined;
    if (value.is === 'map') return new OptionReader(value, isObject(given) ? given : {}, called, this.#problems);
    return new OptionReader(value, { from: given }, called, this.#problems);
  }

  report(message: string, option?: string): void {
    this.#problems.push({ message, at: this.places(option) });
  }
}

export const valueNamed = ({ entries }: MapValue, name: string): Value | undefined =>
  entries.find(entry => entry.name === name)?.value;
