/** A value of the file with its expressions replaced by what they give; an expression that cannot be evaluated yet becomes `$pending`. */

import type { Path } from '../../language/expression/outcome.ts';
import { evaluate } from '../../language/types/evaluate.ts';
import { lookUp } from '../../language/types/evaluate-expression.ts';
import { type Needed, type NeededRead, neededReads, type PartialScope } from '../../language/types/needed-reads.ts';
import { type PossibleValues, possibleValues } from '../../language/types/possible-values.ts';
import type { Source } from '../../model/diagnostic.ts';
import type { ExpressionValue, MapValue, Scope, TextValue, UsedFile, Value } from '../../model/pipeline.ts';
import { pending } from '../../model/plan.ts';
import { groupInside, type InstanceKey, type StepName } from '../../model/run/key.ts';
import { isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import { takeOf } from '../graph/join.ts';
import { type PlanGraph, type Slot, sourceOf } from '../graph/plan-graph.ts';
import type { MediaTable } from '../media/media-index.ts';
import type { Input, Inputs } from '../obstacles.ts';
import { EvaluationTrace, type Obstacles, type Problem, UsedReads } from '../obstacles.ts';
import { mediaFrom, type PlanContext } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import { givenParams } from './param-values.ts';
import { countedResult, shownResult } from './redaction.ts';
import { readsOf, readsResults } from './value-reads.ts';

export type { Problem };

type World = Pick<PlanContext, 'env' | 'run' | 'localMedia'>;

/** What a value is evaluated for: to be sent, to be shown without secrets, or to be part of a fingerprint. */
type Form = 'sent' | 'shown' | 'counted';

export class PartialEvaluator {
  readonly #scope: Scope;
  readonly #inputs: Inputs;
  readonly #unknown: ReadonlySet<string>;
  readonly #step: StepName;
  /** Made late: most values of 10,000 instances are plain. */
  #answers: Map<Value, Needed> | undefined;
  #partial: PartialScope | undefined;
  readonly #trace: EvaluationTrace;
  /** The file that the values are in. */
  readonly #source: Source;
  readonly #around: InstanceKey | undefined;
  /** Of a step of a used file: the values of the step that uses it. */
  readonly outer: PartialEvaluator | undefined;

  constructor(
    graph: Pick<PlanGraph, 'params' | 'data' | 'usedData' | 'pipeline'>,
    { step, matrix, coordinates, outer, unknown = NONE }: Omit<Slot, 'key'>,
    inputs: Inputs,
    world: World,
    inside?: PartialEvaluator,
  ) {
    const file = step.inside?.file;
    this.#trace = inside ? inside.#trace : new EvaluationTrace();
    this.#source = sourceOf(graph.pipeline, step);
    this.#around = outer?.key;
    this.outer = outer && inputs.outer && new PartialEvaluator(graph, outer, inputs.outer, world, this);
    const localMedia = mediaFrom(outer?.step.inside?.file.folder ?? '', world.localMedia);
    const params = file && this.outer ? this.outer.#paramsFor(file, inputs, localMedia) : graph.params;
    const data = file ? (graph.usedData.get(file) ?? {}) : graph.data;
    const steps = inputs.steps.size === 0 ? NOTHING : valuesOf(inputs.steps);
    const each = inputs.each?.is === 'ready' ? inputs.each.value : null;
    const previous = inputs.previous?.is === 'ready' ? inputs.previous.value : NOTHING;
    const take = takeOf(coordinates);
    this.#scope = { params, data, steps, matrix, each, previous, this: previous, take, run: world.run, env: world.env };
    this.#inputs = inputs;
    this.#unknown = unknown;
    this.#step = step.name;
  }

  /** Of all values that were evaluated so far. */
  get obstacles(): Obstacles {
    return this.#trace.obstacles;
  }

  get problems(): Problem[] {
    return this.#trace.problems;
  }

  /** The instances and whole steps that all values evaluated so far have asked for. */
  get used(): UsedReads {
    return this.#trace.used;
  }

  /** Notes that something which the values are read with is not there, or never will be. */
  meet(input: Input, reader?: Value): void {
    const { waiting, skipped, incomplete } = this.#trace.finding;
    if (input.is === 'waiting') waiting.set(input.on, input);
    if (input.is === 'skipped' && input !== this.#inputs.previous) skipped.add(input.name);
    if (input.is !== 'incomplete') return;
    const { message } = input;
    const place = reader && { message, at: reader.at, source: this.#source };
    incomplete.set(message, incomplete.get(message) ?? place);
  }

  /** The result of `ask`, and what was skipped of all that it reads: the caller decides what follows from that. */
  apart<T>(ask: () => T): { readonly answer: T; readonly skipped: readonly string[] } {
    return this.#trace.apart(ask);
  }

  /** Files of this machine that its params are given, by path. */
  get givenMedia(): MediaTable {
    return this.#trace.givenMedia;
  }

  /** The instance before, where the values read it. */
  get before(): Input | undefined {
    return this.#inputs.previous;
  }

  /** What it can see. Params that are not known yet are not to be asked for. */
  get scope(): Scope {
    return this.#scope;
  }

  /** Something that the value needs is not there yet. */
  isWaiting(value: Value): boolean {
    switch (value.is) {
      case 'literal':
        return false;
      case 'list':
        return value.items.filter(item => this.isWaiting(item)).length > 0;
      case 'map':
        return value.entries.filter(entry => this.isWaiting(entry.value)).length > 0;
      default:
        return this.#isWaiting(value);
    }
  }

  /** What the steps of a file read as `params` that this step uses: each is evaluated when it is read. */
  #paramsFor(file: UsedFile, { outer }: Inputs, localMedia: World['localMedia']): JsonObject {
    const context = { file, source: this.#source, localMedia, around: outer?.known, found: this.givenMedia };
    return givenParams(outer?.given ?? new Map(), context, {
      evaluate: value => (this.isWaiting(value) ? undefined : this.evaluate(value)),
      report: problem => void this.problems.push(problem),
    });
  }

  /** Whether a param is known; what it waits for is noted. */
  #isGiven(name: string): boolean {
    const given = this.#inputs.outer?.given.get(name);
    return !(given && this.outer?.isWaiting(given));
  }

  /** The value as it is sent; @param form as a reader sees it, `$NAME` in the place of a secret, or as a fingerprint counts it, where nothing is missing. */
  evaluate(value: Value, form: Form = 'sent'): Json {
    switch (value.is) {
      case 'literal':
        return value.value;
      case 'list':
        return value.items.map(item => this.evaluate(item, form));
      case 'map':
        return this.evaluateMap(value, form);
      default:
        return form === 'counted' && readsOf(value).secret ? this.#counted(value) : this.#computed(value, form);
    }
  }

  /** A field called `__proto__` becomes a field, not a prototype. */
  evaluateMap({ entries }: Pick<MapValue, 'entries'>, form: Form = 'sent'): JsonObject {
    return Object.fromEntries(entries.map(({ name, value }) => [name, this.evaluate(value, form)]));
  }

  /** A request in another form: only what reads a secret differs from what is sent. */
  inForm(form: Form, request: JsonObject, { entries }: MapValue): JsonObject {
    const hidden = entries.filter(({ value }) => readsOf(value).secret);
    return hidden.length === 0 ? request : { ...request, ...this.evaluateMap({ entries: hidden }, form) };
  }

  #computed(value: ExpressionValue | TextValue, form: Form): Json {
    if (this.#isWaiting(value)) return pending(value.is === 'text' ? this.#sketch(value) : value.code);
    if (form !== 'shown') return this.#now(value);
    return value.is === 'text' ? this.#sketch(value) : this.#shown(value);
  }

  #now(value: ExpressionValue | TextValue): Json {
    const answer = this.#answer(value);
    if (answer.is === 'ok') return answer.value;
    if (answer.is === 'needs') return null;
    // What was skipped gives nothing, and what needs it is skipped as well: no mistake of the author's.
    if (!this.#isSkipped(answer.absent))
      this.problems.push({ message: answer.message, at: answer.at, source: this.#source });
    return null;
  }

  #isWaiting(value: ExpressionValue | TextValue): boolean {
    return this.#answer(value).is === 'needs';
  }

  #answer(value: ExpressionValue | TextValue): Needed {
    if (value.is === 'expression' && value.unread) return WAITS;
    this.#answers ??= new Map();
    const answer = this.#answers.get(value) ?? this.#look(value);
    this.#answers.set(value, answer);
    return answer;
  }

  /** What it may turn out to be while it waits. Nothing counts as asked for by that. */
  possible(value: ExpressionValue): PossibleValues | undefined {
    return this.#trace.quietly(() => possibleValues(value, this.#partialScope(new UsedReads())));
  }

  /** A condition decides which of its sides is needed; an index that is known needs one instance. */
  #look(value: ExpressionValue | TextValue): Needed {
    // Most values of 10,000 instances: no scope of what is known so far is made for them.
    const isKnown = !readsResults(value) && this.outer === undefined && this.#unknown.size === 0;
    if (isKnown) return evaluate(value, this.#scope);
    this.#partial ??= this.#partialScope(this.used);
    const answer = neededReads(value, this.#partial);
    if (answer.is !== 'needs') return answer;
    const beyond = answer.reads.find(read => this.#isBeyond(read));
    if (beyond) {
      const [step, place] = beyond.path;
      const message = messages.beyondFanOut(
        String(step),
        Number(place),
        this.#inputs.listOf(step as StepName)?.length ?? 0,
      );
      return { is: 'error', message, at: value.at };
    }
    for (const read of answer.reads) this.#await(read, value);
    return answer;
  }

  #partialScope(used: UsedReads): PartialScope {
    const scope = { ...this.#scope, steps: { ...this.#scope.steps } };
    return {
      scope,
      known: read => this.#isKnown(read, scope.steps, used),
      lengthOf: read => this.#listAt(read)?.length,
      isWhole: read => {
        if (!this.#listAt(read)?.isWhole()) return false;
        const [name] = read.path;
        used.addStep(groupInside(this.#around, String(name)));
        return true;
      },
    };
  }

  #listAt({ root, path: [name, ...more] }: NeededRead) {
    return root === 'steps' && more.length === 0 ? this.#inputs.listOf(name as StepName) : undefined;
  }

  #memberAt(step: StepName, place: string | number | undefined) {
    return typeof place === 'number' ? this.#inputs.listOf(step)?.at(place) : undefined;
  }

  #isKnown({ root, path: [name, place, field] }: NeededRead, steps: Record<string, Json>, used: UsedReads): boolean {
    switch (root) {
      case 'steps': {
        const step = name as StepName;
        const whole = this.#inputs.steps.get(step);
        const member = this.#memberAt(step, place);
        if (!member) {
          // A list that is not there, or not whole, may still give the one item that is asked for next.
          const isOne = this.#inputs.listOf(step) === undefined;
          if (whole?.is === 'waiting' || whole?.is === 'incomplete' || (whole?.is === 'skipped' && !isOne))
            return false;
          used.addStep(groupInside(this.#around, step));
          return true;
        }
        used.addInstance(member.key);
        if (member.input.is === 'ready' && whole?.is !== 'ready')
          addMember(steps, step, place as number, member.input.value);
        if (member.input.is !== 'waiting') return true;
        if (field !== 'matrix' || !this.#inputs.listOf(step)?.isWhole()) return false;
        addMember(steps, step, place as number, { matrix: member.matrix });
        return true;
      }
      case 'each':
        return this.#inputs.each?.is !== 'waiting' || this.#skippedPart([String(name)]) !== undefined;
      case 'previous':
      case 'this':
        return this.#inputs.previous?.is !== 'waiting';
      case 'matrix':
        return !this.#unknown.has(String(name));
      case 'params':
        return this.outer === undefined || this.#isGiven(String(name));
      default:
        return true;
    }
  }

  /** An instance that there is not, of a fan-out that is known. */
  #isBeyond({ root, path: [name, place] }: NeededRead): boolean {
    if (root !== 'steps' || typeof place !== 'number') return false;
    const list = this.#inputs.listOf(name as StepName);
    return list !== undefined && place >= list.length;
  }

  #await({ root, path: [name, place] }: NeededRead, reader: Value): void {
    const { each, previous } = this.#inputs;
    if (root === 'each' && each) this.meet(each, reader);
    if ((root === 'previous' || root === 'this') && previous) this.meet(previous, reader);
    // An axis has no value before the step itself is fanned out.
    if (root === 'matrix') this.meet({ is: 'waiting', on: this.#step, name: this.#step, whole: this.#step });
    if (root !== 'steps') return;
    const member = this.#memberAt(name as StepName, place);
    if (member) this.used.addInstance(member.key);
    else this.used.addStep(groupInside(this.#around, String(name)));
    const input = member?.input ?? this.#inputs.steps.get(name as StepName);
    if (input) this.meet(input, reader);
  }

  /** The instance of a join that was skipped, and that `each` has no value for. */
  #skippedPart([name]: readonly string[]): InstanceKey | undefined {
    const { each } = this.#inputs;
    return name !== undefined && (each?.is === 'ready' || each?.is === 'waiting') ? each.without?.get(name) : undefined;
  }

  /** Something that it reads was skipped. */
  #isSkipped(absent: Path | undefined): boolean {
    const [root, name, place] = absent ?? [];
    const { each, steps } = this.#inputs;
    const inner = this.#memberAt(name as StepName, place)?.input;
    const input = root === 'steps' ? (inner ?? steps.get(name as StepName)) : root === 'each' ? each : undefined;
    if (input?.is === 'incomplete') return true;
    const part = root === 'each' ? this.#skippedPart([String(name)]) : undefined;
    const missing = part ?? (absent && this.#outputNotMade(absent));
    if (missing !== undefined) this.#trace.finding.skipped.add(missing);
    if (input?.is !== 'skipped') return this.obstacles.skipped.size > 0;
    this.#trace.finding.skipped.add(input.name);
    return true;
  }

  /** An output of a used file with a skipped step: `steps.cleaned.outputs.large`. */
  #outputNotMade(absent: Path): string | undefined {
    const at = absent.indexOf('outputs');
    const name = absent[at + 1];
    if (at < 1 || typeof name !== 'string') return undefined;
    const [root, ...path] = absent;
    const of = lookUp([root, ...path.slice(0, at - 1)], this.#scope);
    const outputs = isObject(of) ? of.outputs : undefined;
    return isObject(outputs) && !Object.hasOwn(outputs, name) ? absent.slice(0, at + 2).join('.') : undefined;
  }

  #shown(expression: ExpressionValue): Json {
    return shownResult(expression, this.#now(expression), this.#scope);
  }

  #counted(value: ExpressionValue | TextValue): Json {
    if (value.is === 'expression') return countedResult(value, this.#now(value), this.#scope);
    return value.parts.map(part => (typeof part === 'string' ? part : textOf(this.#counted(part)))).join('');
  }

  /** `relit in ‹steps.mood.json.palette›, wide shot` */
  #sketch(text: TextValue): string {
    return text.parts
      .map(part => {
        if (typeof part === 'string') return part;
        return this.#isWaiting(part) ? `‹${part.code}›` : String(this.#shown(part));
      })
      .join('');
  }
}

const textOf = (value: Json): string => (typeof value === 'object' ? JSON.stringify(value) : String(value));

function valuesOf(inputs: Inputs['steps']): JsonObject {
  const values: Record<string, Json> = {};
  for (const [name, input] of inputs) if (input.is === 'ready') values[name] = input.value;
  return values;
}

const NOTHING: JsonObject = {};
const NONE: ReadonlySet<string> = new Set();
const WAITS: Needed = { is: 'needs', reads: [] };

/** Items that are not looked at may be missing. */
function addMember(steps: Record<string, Json>, step: StepName, place: number, value: Json): void {
  const items = (steps[step] ?? []) as Json[];
  items[place] = value;
  steps[step] = items;
}
