/**
 * The language once more, in the plainest words: which instances a film has, what each reads, waits for and gives. Nothing of the
 * program is used but the spelling of keys, so that the program can be held against it.
 */

import { instanceKey, type StepName } from '../../src/model/run/key.ts';
import { canonical, type Json, type JsonObject } from '../../src/model/text/json.ts';
import { answered, DATA_ROWS, filmed, isApproved, joined, judged, said } from './content.ts';
import {
  type Cell,
  type Condition,
  type Field,
  type Film,
  type FilmAxis,
  type FilmStep,
  speaks,
  type Text,
} from './film.ts';

export interface Expected {
  readonly key: string;
  readonly step: FilmStep;
  readonly coordinates: JsonObject;
  readonly matrix: JsonObject;
  readonly take: number | undefined;
  /** In the order of `each`. */
  readonly each: readonly Expected[];
  previous?: Expected;
  /** From 1 on. */
  readonly round?: number;
  /** Of what is made in rounds: all that there may be. */
  rounds?: readonly Expected[];
  /** What a pick chooses from, an approval shows. */
  candidates?: readonly Expected[];
  /** Everything that its start waits for: what it reads on the way that it takes, what it is made from, what it `needs`. */
  readonly waits: Set<Expected>;
  /** What it is made from and was skipped: the first of these is enough to say that it is skipped too. */
  leftOutBy: readonly Expected[];
  /** Steps that it waits for as a whole: they are known first. */
  readonly waitsForSteps: Set<ExpectedStep>;
  outcome: Outcome;
}

export type Outcome =
  | { readonly is: 'made'; readonly work: ExpectedWork; readonly result: JsonObject }
  | { readonly is: 'skipped'; readonly standIn?: Expected }
  | { readonly is: 'failed' }
  | { readonly is: 'blocked' };

export type ExpectedWork =
  | { readonly is: 'command'; readonly argv: readonly string[]; readonly acts: boolean }
  | { readonly is: 'chat'; readonly prompt: string }
  /** `input_video` is told by its content. `take`: it is another one than the same request of another take. */
  | { readonly is: 'request'; readonly model: string; readonly request: JsonObject }
  /** Digests. */
  | { readonly is: 'cut'; readonly clips: readonly string[] }
  /** It is decided, or gathered. */
  | { readonly is: 'none' };

export interface ExpectedStep {
  /** As the plan calls it. */
  readonly name: string;
  readonly step: FilmStep;
  readonly instances: readonly Expected[];
  readonly fansOut: boolean;
  /** Names of the coordinates of its instances. */
  readonly names: readonly string[];
  /** Undefined where they are known from the beginning. */
  readonly opens?: { readonly lists: readonly ExpectedStep[]; readonly follows: readonly ExpectedStep[] };
}

/** The film cannot be fanned out: the program says so before the run, or fails the step. */
export class NoFilm extends Error {}

export type ExpectedFilm = ReadonlyMap<string, ExpectedStep>;

export function expectedOf(film: Film): ExpectedFilm {
  const steps = new Map<string, ExpectedStep>();
  for (const step of film.steps) for (const one of new Reading(film, steps).step(step)) steps.set(one.name, one);
  return steps;
}

export const instancesOf = (film: ExpectedFilm): readonly Expected[] =>
  [...film.values()].flatMap(({ instances }) => instances);

/** The result that others read: its own, or that of what stands in. */
export function resultOf({ outcome }: Expected): JsonObject | undefined {
  if (outcome.is === 'made') return outcome.result;
  return outcome.is === 'skipped' && outcome.standIn ? resultOf(outcome.standIn) : undefined;
}

export const cannotGive = ({ outcome }: Expected): boolean => outcome.is === 'failed' || outcome.is === 'blocked';

class Skipped extends Error {}
class Incomplete extends Error {}
class Blocked extends Error {}

class Reading {
  readonly #film: Film;
  readonly #steps: ReadonlyMap<string, ExpectedStep>;

  constructor(film: Film, steps: ReadonlyMap<string, ExpectedStep>) {
    this.#film = film;
    this.#steps = steps;
  }

  /** What is made in rounds is two: they, and the one that is taken. */
  step(step: FilmStep): readonly ExpectedStep[] {
    const whole = this.#whole(step);
    if (!step.until) return [whole];
    const rounds = whole.instances.flatMap(one => one.rounds ?? []);
    return [{ ...whole, name: `${step.name} rounds`, instances: rounds }, whole];
  }

  #whole(step: FilmStep): ExpectedStep {
    const { name } = step;
    const fansOut =
      step.each !== undefined || step.axes !== undefined || step.include !== undefined || step.takes !== undefined;
    const sources = (step.each ?? []).map(({ step: name }) => this.#step(name));
    const lists = (step.axes ?? []).flatMap(({ values }) => {
      if (values.is === 'written' || values.is === 'gathered') return [this.#step(values.step)];
      return values.is === 'of each' ? sources : [];
    });
    const follows = sources.filter(source => source.opens);
    const isOpen = lists.length + follows.length > 0;
    const known = { name, step, fansOut, ...(isOpen && { opens: { lists, follows } }) };
    const inherited = [...new Set([...sources.flatMap(source => source.names), ...ownNames(step)])];
    const names = picksTakes(step) ? inherited.filter(axis => axis !== 'take') : inherited;
    if (lists.some(({ instances }) => instances.some(cannotGive))) throw new NoFilm('a list is not written');
    // What is gathered, or written by a step that was skipped: there is nothing to make.
    for (const { values } of step.axes ?? []) {
      if (values.is !== 'written' && values.is !== 'gathered') continue;
      const { instances } = this.#step(values.step);
      const given = instances.filter(one => resultOf(one)).length;
      if (given === 0) return { ...known, names, instances: [] };
      if (given < instances.length) throw new NoFilm('a list is incomplete');
    }
    const instances = picksTakes(step) ? gatherings(step, sources[0]!) : this.#fanOut(step, sources);
    const keys = new Set(instances.map(({ key }) => key));
    if (keys.size < instances.length) throw new NoFilm('two instances with one name');
    if (instances.length === 0 && !isOpen) throw new NoFilm('no instances');
    if (usesPrevious(step) && !step.until) link(step, instances);
    for (const one of instances) {
      if (step.until) this.#makeRounds(one, step.until);
      this.#settle(one);
    }
    return { ...known, names, instances };
  }

  #step(name: string): ExpectedStep {
    const step = this.#steps.get(name);
    if (!step) throw new Error(`${name} is not behind what it reads`);
    return step;
  }

  #fanOut(step: FilmStep, sources: readonly ExpectedStep[]): Expected[] {
    const takes =
      step.takes === undefined ? [undefined] : range(1, step.takes === 'n + 1' ? this.#film.params.n + 1 : step.takes);
    return meetings(step, sources).flatMap(each => {
      const coordinates = merged(each.map(one => one.coordinates));
      const matrix = merged(each.map(one => one.matrix));
      return this.#cells(step, each, matrix).flatMap(cell =>
        takes.map((take): Expected => {
          const taken = take === undefined ? {} : { take };
          const own = { ...coordinates, ...cell.coordinates, ...taken };
          return {
            key: instanceKey(step.name as StepName, own),
            coordinates: own,
            matrix: { ...matrix, ...cell.matrix, ...taken },
            ...{
              step,
              take,
              each,
              waits: new Set(),
              waitsForSteps: new Set(),
              leftOutBy: [],
              outcome: { is: 'failed' },
            },
          };
        }),
      );
    });
  }

  #cells(step: FilmStep, each: readonly Expected[], inherited: JsonObject) {
    const axes = (step.axes ?? []).map(axis => ({
      name: axis.name,
      values: this.#values(step, axis, each, inherited),
    }));
    if (axes.some(({ values }) => values === 'nothing')) return [];
    type Value = { readonly value: Json; readonly name: Json };
    const onlyIncluded = axes.length === 0 && step.include !== undefined;
    let cells: readonly { readonly matrix: JsonObject; readonly coordinates: JsonObject }[] = onlyIncluded
      ? []
      : [{ matrix: {}, coordinates: {} }];
    for (const { name, values } of axes)
      cells = cells.flatMap(cell =>
        (values as readonly Value[]).map(({ value, name: called }) => ({
          matrix: { ...cell.matrix, [name]: value },
          coordinates: { ...cell.coordinates, [name]: called },
        })),
      );
    const kept = cells.filter(
      ({ matrix }) =>
        !(step.exclude ?? []).some(names =>
          Object.entries(names).every(([axis, value]) => same(matrix[axis] ?? null, value)),
        ),
    );
    const order = axes.length > 0 ? axes.map(({ name }) => name) : Object.keys(step.include?.[0] ?? {});
    const included = (step.include ?? []).map((cell: Cell) => ({
      matrix: Object.fromEntries(order.map(name => [name, cell[name] ?? null])),
      coordinates: Object.fromEntries(order.map(name => [name, cell[name] ?? null])),
    }));
    if (kept.length + included.length === 0) throw new NoFilm('all is left out');
    return [...kept, ...included];
  }

  #values(step: FilmStep, { name, values }: FilmAxis, each: readonly Expected[], inherited: JsonObject) {
    const list = this.#list(step, values, each, inherited);
    if (list === 'nothing') return list;
    // Rows may differ in their columns.
    if (!Array.isArray(list) || list.length === 0) throw new NoFilm('an empty axis');
    const written = values.is === 'written' || values.is === 'gathered' || values.is === 'of each';
    if (written && step.max !== undefined && list.length > step.max) throw new NoFilm('more than max');
    return list.map((value, index) => {
      const row = typeof value === 'object' && value !== null;
      return { value, name: !row ? value : step.key === name ? ((value as JsonObject).w ?? null) : index + 1 };
    });
  }

  #list(step: FilmStep, values: FilmAxis['values'], each: readonly Expected[], inherited: JsonObject) {
    switch (values.is) {
      case 'list':
        return values.items;
      case 'range':
        return range(values.from, values.to);
      case 'words':
        return this.#film.params.words;
      case 'data':
        return DATA_ROWS as readonly Json[];
      case 'column':
        return (inherited[values.axis] as JsonObject)[values.column] as readonly Json[];
      case 'written':
        return jsonOf(this.#step(values.step).instances[0]!)[values.list] as readonly Json[];
      case 'gathered':
        return this.#step(values.step).instances.map(one => fieldOf(resultOf(one)!, 'json.id'));
      case 'of each': {
        if (each.some(one => !resultOf(one))) return 'nothing';
        const place = (step.each ?? []).findIndex(source => source.name === values.name);
        return jsonOf(each[place]!).list as readonly Json[];
      }
    }
  }

  #makeRounds(one: Expected, { max }: NonNullable<FilmStep['until']>): void {
    const rounds: Expected[] = [];
    for (const round of range(1, max === 'n + 1' ? this.#film.params.n + 1 : max)) {
      const coordinates = { ...one.coordinates, round };
      const key = instanceKey(one.step.name as StepName, coordinates);
      const previous = rounds.at(-1);
      const made = {
        ...one,
        key,
        coordinates,
        round,
        waits: new Set<Expected>(),
        waitsForSteps: new Set<ExpectedStep>(),
      };
      rounds.push({ ...made, ...(previous && { previous }) });
      this.#settle(rounds.at(-1)!);
    }
    one.rounds = rounds;
  }

  /** What becomes of one instance. */
  #settle(one: Expected): void {
    one.leftOutBy = one.each.filter(before => !cannotGive(before) && !resultOf(before));
    if (one.leftOutBy.length === 0) this.#awaitFirst(one);
    one.outcome = this.#outcome(one);
  }

  #awaitFirst(one: Expected): void {
    const { step } = one;
    for (const before of one.each) one.waits.add(before);
    if (one.previous && one.round === undefined) one.waits.add(one.previous);
    for (const name of step.needs ?? []) this.#awaitAll(one, name);
  }

  #outcome(one: Expected): Outcome {
    const { step } = one;
    try {
      this.#unlessBlocked(one);
      const standIn = one.round === undefined ? step.else : undefined;
      if (one.leftOutBy.length > 0 && !standIn) return { is: 'skipped' };
      if (this.#isRefused(step)) return { is: 'skipped' };
      if (step.if && !this.#holds(step.if, one)) return standIn ? this.#standingIn(one) : { is: 'skipped' };
      if (one.round !== undefined && one.previous && !this.#isNeeded(one, one.previous)) return { is: 'skipped' };
      if (one.each.some(before => !resultOf(before))) return { is: 'skipped' };
      if (one.rounds) return this.#taken(one, one.rounds);
      return this.#made(one);
    } catch (error) {
      if (error instanceof Skipped) return { is: 'skipped' };
      if (error instanceof Incomplete) return { is: 'failed' };
      if (error instanceof Blocked) return { is: 'blocked' };
      throw error;
    }
  }

  /** Somebody has said no to what it waits for, and it does not read the answer. */
  #isRefused(step: FilmStep): boolean {
    return (step.needs ?? []).some(name => {
      const before = this.#step(name);
      if (before.step.work.is !== 'approve' || JSON.stringify(step).includes(`"approved","step":"${name}"`))
        return false;
      return before.instances.some(one => resultOf(one)?.approved === false);
    });
  }

  /** The round before was made, and does not hold. */
  #isNeeded(one: Expected, previous: Expected): boolean {
    one.waits.add(previous);
    this.#unlessBlocked(one);
    const before = resultOf(previous);
    return before !== undefined && !roundHolds(one.step, before);
  }

  #taken(one: Expected, rounds: readonly Expected[]): Outcome {
    const { step } = one;
    const made: JsonObject[] = [];
    for (const round of rounds) {
      one.waits.add(round);
      this.#unlessBlocked(one);
      const result = resultOf(round);
      if (!result) break;
      made.push(result);
      if (roundHolds(step, result)) return gathered(result);
    }
    if (made.length === 0) return { is: 'skipped' };
    const { otherwise } = step.until ?? {};
    if (!otherwise) return { is: 'failed' };
    const all = made.map(result => (otherwise === 'last' ? 0 : scoreOf(step, result)));
    return gathered(made[all.lastIndexOf(Math.max(...all))]!);
  }

  #decided(one: Expected, work: FilmStep['work'] & { readonly is: 'pick' | 'approve' }): Outcome {
    const candidates = one.candidates ?? this.#step(work.is === 'approve' ? work.step : work.from).instances;
    if (!one.candidates) one.waitsForSteps.add(this.#step(work.is === 'approve' ? work.step : work.from));
    for (const candidate of candidates) one.waits.add(candidate);
    this.#unlessBlocked(one);
    const live = candidates.map(resultOf).filter(result => result !== undefined);
    const [only] = live;
    if (!only) return { is: 'skipped' };
    if (work.is === 'approve') {
      const approved = isApproved(one.key);
      return gathered({ approved, text: approved ? 'approved' : 'refused' });
    }
    if (live.length === 1 || work.by === 'person') return gathered(live.at(-1)!);
    const all = live.map((result, at) => (work.by === 'judge' ? judged(at + 1) : scoreOf(one.step, result)));
    return gathered(live[all.indexOf(Math.max(...all))]!);
  }

  #standingIn(one: Expected): Outcome {
    const { step } = one;
    if (!step.else) return { is: 'skipped' };
    const standIn = step.else === 'each' ? one.each[0]! : this.#step(step.else.step).instances[0]!;
    one.waits.add(standIn);
    this.#unlessBlocked(one);
    return resultOf(standIn) ? { is: 'skipped', standIn } : { is: 'skipped' };
  }

  #made(one: Expected): Outcome {
    const { work } = one.step;
    if (work.is === 'pick' || work.is === 'approve') return this.#decided(one, work);
    // All that a piece of work reads is looked at, and a mistake in it goes before what was skipped.
    const problems: Error[] = [];
    const read = (text: Text): string => {
      try {
        return this.#text(text, one);
      } catch (error) {
        if (!(error instanceof Skipped || error instanceof Incomplete)) throw error;
        problems.push(error);
        return '';
      }
    };
    const all = textsOf(work).map(read);
    const [first] = [...problems.filter(error => error instanceof Skipped), ...problems];
    if (first) throw first;
    if (work.is === 'say') {
      const argv = ['say', ...all];
      // JSON leads where it is read as JSON.
      const json = said(argv);
      const acts = work.effect === true;
      return { is: 'made', work: { is: 'command', argv, acts }, result: { stdout: JSON.stringify(json), json } };
    }
    if (work.is === 'ask') {
      const prompt = all.join(' ');
      const json = answered(prompt);
      return { is: 'made', work: { is: 'chat', prompt }, result: { text: JSON.stringify(json), json } };
    }
    if (work.is === 'cut') {
      const sha256 = joined(all);
      return { is: 'made', work: { is: 'cut', clips: all }, result: { sha256, result_url: sha256 } };
    }
    const model = work.is === 'enhance' ? 'V-UP' : work.by === undefined ? work.model : String(one.matrix[work.by]);
    const asked: JsonObject =
      work.is === 'enhance' ? { input_video: all[0]!, resolution: '1080p' } : { prompt: all.join(' '), duration: 5 };
    const further = furtherThanFirst(one);
    const request = model === 'V-T2V-A' && further > 0 ? { ...asked, seed: 1 + further } : asked;
    const sha256 = filmed(model, request);
    return { is: 'made', work: { is: 'request', model, request }, result: { sha256, result_url: sha256 } };
  }

  #text(text: Text, one: Expected): string {
    switch (text.is) {
      case 'plain':
        return text.text;
      case 'number':
        return String(this.#film.params.n);
      case 'axis': {
        const value = one.matrix[text.axis];
        return String(text.column === undefined ? value : (value as JsonObject)[text.column]);
      }
      case 'take':
        return String(one.coordinates.take);
      case 'each':
        return fieldOf(this.#resultOrSkip(sourceOf(one, text.name)), text.field);
      case 'one':
        return fieldOf(this.#single(text.step, one), text.field);
      case 'member': {
        const { instances } = this.#step(text.step);
        const member = instances[text.at === 'n' ? this.#film.params.n : text.at];
        if (!member) throw new NoFilm('no such member');
        return fieldOf(this.#read(member, one), text.field);
      }
      case 'all':
        return this.#all(text.step, one)
          .map(result => fieldOf(result, text.field))
          .join('+');
      case 'count':
        return String(this.#all(text.step, one).length);
      case 'previous': {
        const before = one.previous && resultOf(one.previous);
        return before ? fieldOf(before, text.field) : 'first';
      }
      case 'choose':
        return this.#text(this.#holds(text.when, one) ? text.yes : text.no, one);
    }
  }

  #holds(condition: Condition, one: Expected): boolean {
    switch (condition.is) {
      case 'up':
        return this.#film.params.up;
      case 'not':
        return !this.#holds(condition.of, one);
      case 'both':
        return condition.of.every(each => this.#holds(each, one));
      case 'flag':
        return flagOf(this.#single(condition.step, one));
      case 'flag of each':
        return flagOf(this.#resultOrSkip(sourceOf(one, condition.name)));
      case 'made': {
        const [only] = this.#step(condition.step).instances;
        one.waits.add(only!);
        this.#unlessBlocked(one);
        return resultOf(only!) !== undefined;
      }
      case 'many':
        return this.#all(condition.step, one).length > 1;
      case 'approved':
        return this.#single(condition.step, one).approved === true;
      case 'at': {
        const value = one.matrix[condition.axis];
        return (
          String(condition.column === undefined ? value : (value as JsonObject)[condition.column]) ===
          String(condition.value)
        );
      }
    }
  }

  #single(name: string, one: Expected): JsonObject {
    return this.#read(this.#step(name).instances[0]!, one);
  }

  #read(other: Expected, one: Expected): JsonObject {
    one.waits.add(other);
    this.#unlessBlocked(one);
    return this.#resultOrSkip(other);
  }

  #resultOrSkip(other: Expected): JsonObject {
    const result = resultOf(other);
    if (!result) throw new Skipped();
    return result;
  }

  #all(name: string, one: Expected): readonly JsonObject[] {
    this.#awaitAll(one, name);
    this.#unlessBlocked(one);
    const results = this.#step(name).instances.map(resultOf);
    const given = results.filter(result => result !== undefined);
    if (given.length === 0) throw new Skipped();
    if (given.length < results.length) throw new Incomplete();
    return given;
  }

  #awaitAll(one: Expected, name: string): void {
    const step = this.#step(name);
    one.waitsForSteps.add(step);
    for (const other of step.instances) one.waits.add(other);
  }

  #unlessBlocked({ waits }: Expected): void {
    if ([...waits].some(cannotGive)) throw new Blocked();
  }
}

const ownNames = ({ axes, include, takes }: FilmStep): readonly string[] => [
  ...(axes?.map(({ name }) => name) ?? Object.keys(include?.[0] ?? {})),
  ...(takes === undefined ? [] : ['take']),
];

const usesPrevious = ({ work }: FilmStep): boolean => textsOf(work).some(readsPrevious);

const readsPrevious = (text: Text): boolean =>
  text.is === 'previous' || (text.is === 'choose' && (readsPrevious(text.yes) || readsPrevious(text.no)));

function textsOf(work: FilmStep['work']): readonly Text[] {
  switch (work.is) {
    case 'say':
      return work.args;
    case 'enhance':
      return [work.input];
    case 'cut':
      return work.clips;
    case 'pick':
    case 'approve':
      return [];
    default:
      return work.prompt;
  }
}

const picksTakes = ({ work }: FilmStep): boolean => work.is === 'pick' && work.from === 'takes';

/** One for all takes of each, in the order of the first. */
function gatherings(step: FilmStep, source: ExpectedStep): Expected[] {
  const groups = new Map<string, Expected[]>();
  for (const one of source.instances) {
    const { take: _, ...coordinates } = one.coordinates;
    const key = instanceKey(step.name as StepName, coordinates);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups].map(([key, candidates]) => {
    const { take: _, ...coordinates } = candidates[0]!.coordinates;
    const { take: __, ...matrix } = candidates[0]!.matrix;
    return {
      ...{ key, step, coordinates, matrix, candidates, take: undefined, each: [], leftOutBy: [] },
      ...{ waits: new Set(), waitsForSteps: new Set(), outcome: { is: 'failed' } },
    };
  });
}

const gathered = (result: JsonObject): Outcome => ({ is: 'made', work: { is: 'none' }, result });

const roundHolds = (step: FilmStep, result: JsonObject): boolean =>
  speaks(step) ? flagOf(result) : String(result.sha256) < '8';

const scoreOf = (step: FilmStep, result: JsonObject): number =>
  speaks(step) ? ((result.json as JsonObject).list as readonly Json[]).length : String(result.sha256) < 'c' ? 1 : 0;

/** How far the seed of a further take, or round, is from the first's. Ten thousand takes come before the second round. */
const furtherThanFirst = ({ take, round = 1 }: Expected): number =>
  (take ?? 1) - 1 + (round - 1) * (take === undefined ? 1 : 10_000);

/** Along the last axis, or the last coordinate, for each combination of the others. */
function link(step: FilmStep, instances: readonly Expected[]): void {
  const last = new Map<string, Expected>();
  for (const one of instances) {
    const names = Object.keys(one.coordinates);
    const along = step.axes?.at(-1)?.name ?? Object.keys(step.include?.[0] ?? {}).at(-1) ?? names.at(-1);
    const line = canonical(names.filter(name => name !== along).map(name => one.coordinates[name] ?? null));
    const before = last.get(line);
    if (before) one.previous = before;
    last.set(line, one);
  }
}

/** Instances that meet on what they share: each with one of every other, and nobody left over. */
function meetings(step: FilmStep, sources: readonly ExpectedStep[]): readonly (readonly Expected[])[] {
  const [first, ...others] = sources;
  if (!first) return [[]];
  let met: readonly (readonly Expected[])[] = first.instances.map(one => [one]);
  for (const other of others) {
    const before = met;
    const fits = (group: readonly Expected[], one: Expected) => {
      const here = merged(group.map(({ coordinates }) => coordinates));
      return Object.keys(here)
        .filter(name => name in one.coordinates)
        .every(name => same(here[name] ?? null, one.coordinates[name] ?? null));
    };
    const alone = before.some(group => !other.instances.some(one => fits(group, one)));
    const left = other.instances.some(one => !before.some(group => fits(group, one)));
    if (alone || left) throw new NoFilm(`${step.name}: somebody meets nobody`);
    met = before.flatMap(group => other.instances.filter(one => fits(group, one)).map(one => [...group, one]));
  }
  return met;
}

const sourceOf = ({ step, each }: Expected, name: string | undefined): Expected =>
  each[(step.each ?? []).findIndex(source => source.name === name)]!;

export function fieldOf(result: JsonObject, field: Field): string {
  return String(field === 'json.id' ? (result.json as JsonObject).id : result[field]);
}

/** What a command has said. */
const jsonOf = (one: Expected): JsonObject => (resultOf(one) ?? { json: {} }).json as JsonObject;
const flagOf = (result: JsonObject): boolean => (result.json as JsonObject).flag === true;
const merged = (all: readonly JsonObject[]): JsonObject => Object.assign({}, ...all);
const same = (a: Json, b: Json): boolean => canonical(a) === canonical(b);
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
