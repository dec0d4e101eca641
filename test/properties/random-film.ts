/** Random films of all the words that shape the graph. Whatever is chosen gives a film that can be made: a step that could not is left plain. */
import fc from 'fast-check';
import type { Json } from '../../src/model/text/json.ts';
import { cannotGive, type ExpectedStep, expectedOf, NoFilm } from './expected.ts';
import {
  type Cell,
  type Condition,
  type Field,
  type Film,
  type FilmAxis,
  type FilmStep,
  gives,
  speaks,
  type Text,
  type Work,
} from './film.ts';
import { Choices } from './property.ts';

/** What a film is made of may be kept to what a property is about. */
export interface Kept {
  /** Steps. */
  readonly most?: number;
  /** No two steps run the same command. */
  readonly apart?: boolean;
  /** What is done can be done again: no chat, nothing that acts outside. */
  readonly repeatable?: boolean;
  /** All of it takes the time that `content.ts` says: nothing is decided, made in rounds, or cut, one after the other. */
  readonly timed?: boolean;
  /** Lists may turn out to be incomplete, and fail who reads them. */
  readonly failing?: boolean;
}

/** Instances of one step, and of a film. */
const WIDEST = 12;
const LARGEST = 40;

export const randomFilm = (kept: Kept = {}): fc.Arbitrary<Film> =>
  fc
    .record({
      head: fc.array(fc.nat(11), { minLength: 4, maxLength: 4 }),
      steps: fc.array(fc.array(fc.nat(2519), { minLength: 32, maxLength: 32 }), {
        minLength: 2,
        maxLength: kept.most ?? 8,
      }),
    })
    .map(({ head, steps }) => filmOf(head, steps, kept));

/** Without what is to be made anew each time. */
export const cachedFilm = (kept: Kept = {}): fc.Arbitrary<Film> =>
  randomFilm(kept).map(({ steps, ...film }) => ({ ...film, steps: steps.map(({ cache: _, ...step }) => step) }));

export function filmOf(head: readonly number[], choices: readonly (readonly number[])[], kept: Kept = {}): Film {
  const top = new Choices(head);
  const params = { up: top.oneIn(2), n: top.below(2), words: ['one', 'two', 'three'].slice(0, 1 + top.below(3)) };
  let film: Film = { params, steps: [] };
  for (const [at, numbers] of choices.entries()) {
    const name = `s${at}`;
    const built = new Building(film, new Choices(numbers), kept).step(name);
    const step = kept.apart ? withItsName(built) : built;
    const plain: FilmStep = { name, work: { is: 'say', args: [{ is: 'plain', text: name }] } };
    const wanted = { ...film, steps: [...film.steps, step] };
    film = canBeMade(wanted, kept) ? wanted : { ...film, steps: [...film.steps, plain] };
  }
  return film;
}

const withItsName = ({ work, ...step }: FilmStep): FilmStep => ({
  ...step,
  work: work.is === 'say' ? { ...work, args: [...work.args, { is: 'plain', text: step.name }] } : work,
});

/** Small enough, and nothing in it fails unless it may. */
export function canBeMade(film: Film, { failing }: Kept = {}): boolean {
  try {
    const all = [...expectedOf(film).values()];
    const sizes = all.map(({ instances }) => instances.length);
    if (!failing && all.some(({ instances }) => instances.some(cannotGive))) return false;
    return Math.max(...sizes) <= WIDEST && sizes.reduce((sum, size) => sum + size, 0) <= LARGEST;
  } catch (error) {
    if (error instanceof NoFilm) return false;
    throw error;
  }
}

type Fan = Pick<FilmStep, 'each' | 'axes' | 'include' | 'exclude' | 'key' | 'max'>;

class Building {
  readonly #film: Film;
  readonly #choices: Choices;
  readonly #kept: Kept;
  /** What gives a result that others read. */
  readonly #before: readonly ExpectedStep[];
  readonly #approvals: readonly ExpectedStep[];

  constructor(film: Film, choices: Choices, kept: Kept) {
    this.#kept = kept;
    this.#film = film;
    this.#choices = choices;
    const all = [...expectedOf(film).values()].filter(({ name, step }) => name === step.name);
    this.#before = all.filter(({ step }) => gives(step) !== 'answer');
    this.#approvals = all.filter(({ step }) => gives(step) === 'answer');
  }

  step(name: string): FilmStep {
    const c = this.#choices;
    const decided = !this.#kept.timed && c.oneIn(4) ? this.#decision(name) : undefined;
    if (decided) return decided;
    const fan = this.#fan();
    const takes = !this.#namesOf(fan).includes('take') && c.oneIn(6) ? c.pick([2, 1, 3, 'n + 1'] as const) : undefined;
    const here: Here = { fan, takes, names: [...this.#namesOf(fan), ...(takes === undefined ? [] : ['take'])] };
    const once = this.#work(here, name);
    const until = !this.#kept.timed && c.oneIn(5) ? this.#rounds(once) : undefined;
    const work = until ? readingBefore(once) : once;
    const all = [...this.#before, ...this.#approvals];
    const needs = c.oneIn(7) && all.length > 0 ? [c.pick(all).step.name] : undefined;
    const when = c.oneIn(4) ? this.#condition(here) : undefined;
    const standIn = when && work.is !== 'cut' && c.oneIn(2) ? this.#standIn(here, work) : undefined;
    const acts = work.is === 'say' && work.effect;
    const cache = c.oneIn(14) && !acts && !until ? ('off' as const) : undefined;
    const saved = gives({ work }) === 'film' && c.oneIn(3);
    const braces = here.names.map(one => `-{${one}}`).join('');
    return {
      ...{ name, work, ...fan },
      ...(takes !== undefined && { takes }),
      ...(needs && { needs }),
      ...(when && { if: when }),
      ...(standIn && { else: standIn }),
      ...(cache && { cache }),
      ...(until && { until }),
      ...(saved && { saved: `out/${name}${braces}.mp4` }),
    };
  }

  /** Undefined where there is nothing to decide about. */
  #decision(name: string): FilmStep | undefined {
    const c = this.#choices;
    const many = this.#before.filter(({ fansOut }) => fansOut);
    const taken = many.filter(({ names }) => names.length > 1 && names.includes('take'));
    const when = c.oneIn(5) ? this.#condition({ fan: {}, takes: undefined, names: [] }) : undefined;
    const condition = when && { if: when };
    if (c.oneIn(3) && this.#before.length > 0)
      return { name, work: { is: 'approve', step: c.pick(this.#before).step.name }, ...condition };
    if (many.length === 0) return undefined;
    const { step } = taken.length > 0 && c.oneIn(2) ? c.pick(taken) : c.pick(many);
    const isOfTakes = taken.some(one => one.step === step) && c.oneIn(2);
    const by = c.pick([
      'rule',
      'person',
      ...(this.#kept.repeatable || !speaks(step) ? [] : ['judge' as const]),
    ] as const);
    const work: Work = { is: 'pick', from: isOfTakes ? 'takes' : step.name, by, gives: gives(step) };
    return { name, work, ...(isOfTakes && { each: [{ step: step.name }] }), ...condition };
  }

  /** Undefined where a further round would be the same once more. */
  #rounds(work: Work): FilmStep['until'] {
    const c = this.#choices;
    const isRepeated = (work.is === 'say' && !work.effect) || work.is === 'ask';
    if (!isRepeated && (work.is !== 'shoot' || work.by !== undefined)) return undefined;
    const otherwise = c.pick(['none', 'last', 'score'] as const);
    return { max: c.pick([2, 3, 1, 'n + 1'] as const), ...(otherwise !== 'none' && { otherwise }) };
  }

  #namesOf({ each, axes, include }: Fan): readonly string[] {
    const inherited = (each ?? []).flatMap(({ step }) => this.#known(step).names);
    const own = axes?.map(({ name }) => name) ?? Object.keys(include?.[0] ?? {});
    return [...new Set([...inherited, ...own])];
  }

  #known(name: string): ExpectedStep {
    const known = this.#before.find(({ step }) => step.name === name);
    if (!known) throw new Error(`no step ${name}`);
    return known;
  }

  #fan(): Fan {
    const c = this.#choices;
    const fanned = this.#before.filter(({ names }) => names.length > 0);
    switch (c.below(6)) {
      case 0:
        return {};
      case 1:
      case 2:
        return this.#matrix([]);
      case 3:
        return fanned.length === 0 ? this.#matrix([]) : { each: [{ step: c.pick(fanned).step.name }] };
      case 4: {
        if (fanned.length === 0) return {};
        const each = [{ step: c.pick(fanned).step.name }];
        return { each, ...this.#matrix(each) };
      }
      default: {
        if (fanned.length < 2) return {};
        const steps = [...new Set([c.pick(fanned), c.pick(fanned), c.pick(fanned)])].slice(0, 2 + c.below(2));
        if (steps.length < 2) return {};
        const each = steps.map(({ step }, at) => ({ step: step.name, name: ['a', 'b', 'c'][at]! }));
        return c.oneIn(4) ? { each, ...this.#matrix(each) } : { each };
      }
    }
  }

  #matrix(each: NonNullable<Fan['each']>): Fan {
    const c = this.#choices;
    const inherited = this.#namesOf({ each });
    const free = ['x', 'y', 'z', 'w'].filter(name => !inherited.includes(name));
    if (free.length === 0) return {};
    if (!inherited.includes('by') && c.oneIn(10)) {
      const by: FilmAxis = { name: 'by', values: { is: 'list', items: ['V-T2V-B', 'V-T2V-A'] } };
      return {
        ...(each.length > 0 && { each }),
        axes: c.oneIn(2) ? [by] : [{ name: free[0]!, values: { is: 'range', from: 1, to: 2 } }, by],
      };
    }
    const names = free.slice(0, 1 + (c.oneIn(4) ? 1 : 0));
    const axes = names.map(name => this.#axis(name, each));
    const rows = axes.find(({ values }) => this.#hasRows(values));
    const [first] = axes;
    const plain = axes.every(({ values }) => values.is === 'list' && !values.items.some(isRow));
    const cell = (): Cell =>
      Object.fromEntries(axes.map(({ name, values }) => [name, values.is === 'list' ? c.pick(values.items) : 0]));
    const written = axes.some(({ values }) => ['written', 'gathered', 'of each'].includes(values.is));
    return {
      ...(each.length > 0 && { each }),
      axes,
      ...(rows && c.oneIn(2) && { key: rows.name }),
      ...(written && { max: 12 }),
      ...(plain && first?.values.is === 'list' && first.values.items.length > 1 && c.oneIn(4) && { exclude: [cell()] }),
      ...(plain && c.oneIn(5) && { include: [{ ...cell(), [names[0]!]: typeOfItems(first!) }] }),
    };
  }

  #hasRows(values: FilmAxis['values']): boolean {
    return (
      values.is === 'data' ||
      (values.is === 'list' && values.items.some(isRow)) ||
      (values.is === 'written' && values.list === 'rows')
    );
  }

  #axis(name: string, each: NonNullable<Fan['each']>): FilmAxis {
    const c = this.#choices;
    const writers = this.#before.filter(({ fansOut, step }) => !fansOut && speaks(step));
    const many = this.#before.filter(({ fansOut, step }) => fansOut && speaks(step));
    const rows = this.#rowAxes(each);
    if (rows.length > 0 && c.oneIn(2)) return { name, values: { is: 'column', axis: c.pick(rows), column: 'subs' } };
    switch (c.below(8)) {
      case 1:
        return { name, values: { is: 'range', from: 1, to: 1 + c.below(3) } };
      case 2: {
        const row = (w: string, n: number) => ({ w, n, subs: ['k', 'l'].slice(0, 1 + (n % 2)) });
        return { name, values: { is: 'list', items: [row('ada', 1), row('bo', c.below(4))].slice(0, 1 + c.below(2)) } };
      }
      case 3:
        return { name, values: { is: c.oneIn(2) ? 'data' : 'words' } };
      case 4:
      case 5:
        if (writers.length > 0)
          return {
            name,
            values: { is: 'written', step: c.pick(writers).step.name, list: c.pick(['list', 'rows'] as const) },
          };
        break;
      case 6:
        if (many.length > 0) return { name, values: { is: 'gathered', step: c.pick(many).step.name } };
        break;
      case 7: {
        const speaking = each.filter(({ step }) => speaks(this.#known(step).step));
        if (speaking.length === 0) break;
        const { name: called } = c.pick(speaking);
        return { name, values: { is: 'of each', ...(called !== undefined && { name: called }) } };
      }
    }
    const items = c.oneIn(3) ? [10, 20, 30] : ['dawn', 'noon', 'dusk'];
    return { name, values: { is: 'list', items: items.slice(0, 1 + c.below(3)) } };
  }

  /** Axes of rows that come by `each`; told by how they are written, for nothing may come of a list that was skipped. */
  #rowAxes(each: NonNullable<Fan['each']>): readonly string[] {
    return this.#namesOf({ each }).filter(name => this.#comesAsRow(name, each));
  }

  /** Where several meet, an axis that they share is read as the last of them has it. */
  #comesAsRow(axis: string, each: NonNullable<Fan['each']>): boolean {
    const source = each.map(({ step }) => this.#known(step)).findLast(({ names }) => names.includes(axis));
    if (!source) return false;
    const own = source.step.axes?.find(({ name }) => name === axis);
    return own ? this.#hasRows(own.values) : this.#comesAsRow(axis, source.step.each ?? []);
  }

  #work(here: Here, name: string): Work {
    const c = this.#choices;
    const films = this.#films(here);
    if (here.fan.axes?.some(axis => axis.name === 'by'))
      return { is: 'shoot', model: 'V-T2V-B', by: 'by', prompt: [this.#short(here, name)] };
    const clips = this.#clips(here);
    if (clips.length > 0 && !this.#kept.timed && c.oneIn(8))
      return { is: 'cut', clips: Array.from({ length: 1 + c.below(3) }, () => c.pick(clips)) };
    switch (c.below(5)) {
      case 3:
        return { is: 'shoot', model: c.pick(['V-T2V-B', 'V-T2V-A'] as const), prompt: [this.#short(here, name)] };
      case 4:
        if (films.length > 0) return { is: 'enhance', input: c.pick(films) };
        return { is: 'shoot', model: 'V-T2V-B', prompt: [this.#text(here, 1)] };
      default: {
        const other = this.#kept.repeatable ? 'none' : c.pick(['none', 'none', 'none', 'chat', 'effect'] as const);
        if (other === 'chat') return { is: 'ask', prompt: [this.#text(here, 1)] };
        const args = Array.from({ length: 1 + c.below(3) }, () => this.#text(here, 2));
        return { is: 'say', args, ...(other === 'effect' && { effect: true }) };
      }
    }
  }

  /** The prompt of a model that takes 500 characters. */
  #short(here: Here, name: string): Text {
    const text = this.#text(here, 0);
    return text.is === 'all' || text.is === 'previous' ? { is: 'plain', text: name } : text;
  }

  /** What gives a film that can be sent: it is at the service. */
  #films(here: Here): readonly Text[] {
    return this.#clips(here).filter(clip => {
      if (clip.is === 'each')
        return this.#isAtService((here.fan.each ?? []).find(({ name }) => name === clip.name)!.step);
      return 'step' in clip && this.#isAtService(clip.step);
    });
  }

  #isAtService(name: string): boolean {
    const { work, each } = this.#known(name).step;
    if (work.is === 'pick') return this.#isAtService(work.from === 'takes' ? each![0]!.step : work.from);
    return work.is !== 'cut';
  }

  /** What gives a film. */
  #clips({ fan }: Here): readonly Text[] {
    const field = 'result_url' as const;
    const each = (fan.each ?? []).flatMap(({ step, name }): Text[] =>
      speaks(this.#known(step).step) ? [] : [{ is: 'each', field, ...(name !== undefined && { name }) }],
    );
    const others = this.#before.flatMap(({ step, fansOut, instances }): Text[] => {
      if (speaks(step) || instances.length === 0) return [];
      return fansOut ? [{ is: 'member', step: step.name, at: 0, field }] : [{ is: 'one', step: step.name, field }];
    });
    return [...each, ...others];
  }

  #text(here: Here, depth: number): Text {
    const c = this.#choices;
    const singles = this.#before.filter(({ fansOut }) => !fansOut);
    const many = this.#before.filter(({ fansOut }) => fansOut);
    const own = here.fan.each ?? [];
    switch (c.below(12)) {
      case 1:
      case 2: {
        if (here.names.length === 0) break;
        const axis = c.pick(here.names);
        if (axis === 'take') return { is: 'take' };
        return { is: 'axis', axis, ...(this.#isRowAxis(here, axis) && { column: c.pick(['w', 'n']) }) };
      }
      case 3:
      case 4: {
        if (own.length === 0) break;
        const { step, name } = c.pick(own);
        return { is: 'each', field: this.#fieldOf(step), ...(name !== undefined && { name }) };
      }
      case 5: {
        if (singles.length === 0) break;
        const { step } = c.pick(singles);
        return { is: 'one', step: step.name, field: this.#fieldOf(step.name) };
      }
      case 6: {
        const full = many.filter(({ instances }) => instances.length > 0);
        if (full.length === 0) break;
        const { step, instances } = c.pick(full);
        const at = instances.length > this.#film.params.n && c.oneIn(3) ? 'n' : c.below(instances.length);
        return { is: 'member', step: step.name, at, field: this.#fieldOf(step.name) };
      }
      case 7:
      case 8: {
        if (many.length === 0) break;
        const { step } = c.pick(many);
        if (c.oneIn(4)) return { is: 'count', step: step.name };
        return { is: 'all', step: step.name, field: this.#fieldOf(step.name) };
      }
      case 9:
        if (here.names.length > 0 && depth === 2) return { is: 'previous', field: 'json.id' };
        break;
      case 10:
      case 11:
        if (depth === 0) break;
        return {
          is: 'choose',
          when: this.#condition(here),
          yes: this.#text(here, depth - 1),
          no: this.#text(here, depth - 1),
        };
    }
    return c.oneIn(3) ? { is: 'number' } : { is: 'plain', text: c.pick(['fox', 'owl', 'elk']) };
  }

  #isRowAxis({ fan }: Here, axis: string): boolean {
    const own = fan.axes?.find(({ name }) => name === axis);
    if (own) return this.#hasRows(own.values);
    return this.#rowAxes(fan.each ?? []).includes(axis);
  }

  #fieldOf(step: string): Field {
    return speaks(this.#known(step).step) ? 'json.id' : 'sha256';
  }

  #condition(here: Here): Condition {
    const c = this.#choices;
    const speaking = this.#before.filter(({ fansOut, step }) => !fansOut && speaks(step));
    const singles = this.#before.filter(({ fansOut }) => !fansOut);
    const many = this.#before.filter(({ fansOut }) => fansOut);
    const own = (here.fan.each ?? []).filter(({ step }) => speaks(this.#known(step).step));
    const axes = (here.fan.axes ?? []).filter(({ values }) => values.is === 'list' && !values.items.some(isRow));
    if (this.#approvals.length > 0 && c.oneIn(3)) return { is: 'approved', step: c.pick(this.#approvals).step.name };
    if (axes.length > 0 && c.oneIn(3)) {
      const { name, values } = c.pick(axes);
      return { is: 'at', axis: name, value: values.is === 'list' ? c.pick(values.items) : 0 };
    }
    switch (c.below(8)) {
      case 1:
        return { is: 'not', of: { is: 'up' } };
      case 2:
        return { is: 'both', of: [{ is: 'up' }, this.#condition(here)] };
      case 3:
      case 4:
        if (speaking.length > 0) return { is: 'flag', step: c.pick(speaking).step.name };
        break;
      case 5: {
        if (own.length === 0) break;
        const { name } = c.pick(own);
        return { is: 'flag of each', ...(name !== undefined && { name }) };
      }
      case 6: {
        if (singles.length === 0) break;
        const { name } = c.pick(singles).step;
        return { is: 'made', step: name, field: this.#fieldOf(name) };
      }
      case 7:
        if (many.length > 0) return { is: 'many', step: c.pick(many).step.name };
        break;
    }
    return { is: 'up' };
  }

  /** What it is made from, or another step's one result; of the same kind as its own. */
  #standIn({ fan }: Here, work: Work): FilmStep['else'] {
    const c = this.#choices;
    const alike = ({ step }: ExpectedStep) => gives(step) === gives({ work }) && this.#isAtService(step.name);
    const [only, ...more] = fan.each ?? [];
    if (only && more.length === 0 && alike(this.#known(only.step)) && c.oneIn(2)) return 'each';
    const found = this.#before.filter(one => alike(one) && !one.fansOut);
    return found.length > 0 ? { step: c.pick(found).step.name } : undefined;
  }
}

/** What is made in rounds reads the one before, where it would be the same once more. */
function readingBefore(work: Work): Work {
  if (work.is === 'say') return { ...work, args: [...work.args, { is: 'previous', field: 'json.id' }] };
  if (work.is === 'ask') return { ...work, prompt: [...work.prompt, { is: 'previous', field: 'json.id' }] };
  if (work.is !== 'shoot' || work.model === 'V-T2V-A') return work;
  return { ...work, prompt: [...work.prompt, { is: 'previous', field: 'sha256' }] };
}

interface Here {
  readonly fan: Fan;
  readonly takes: FilmStep['takes'] | undefined;
  readonly names: readonly string[];
}

const isRow = (value: Json): boolean => typeof value === 'object' && value !== null;

/** A value that the axis does not have. */
const typeOfItems = ({ values }: FilmAxis): Json =>
  values.is === 'list' && typeof values.items[0] === 'number' ? 99 : 'night';
