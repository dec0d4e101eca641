/**
 * The steps of which the language knows everything that planning could find: no instances to work out, no file to look at, no value
 * that could turn out too long. A film of a thousand such steps is checked without planning, which would take longer than all the rest.
 *
 * Whatever is not certainly settled is planned: being wrong here would hide a mistake, and being careful costs milliseconds.
 */

import { type FieldSchema, fieldOf, type Model, type ModelLibrary } from '../../model/model.ts';
import type {
  CommandStep,
  ExpressionValue,
  GenerateStep,
  MapValue,
  Pipeline,
  Step,
  Value,
} from '../../model/pipeline.ts';
import type { StepName } from '../../model/run/key.ts';
import { isSource } from '../checks/field-check.ts';

/** The steps that planning has to look at, and those with facts that they are planned with; undefined where there is none. */
export function unsettledPart(pipeline: Pipeline, library: ModelLibrary): Pipeline | undefined {
  const context = { library, defaults: defaultsOf(pipeline) };
  const saved = new Set(pipeline.outputs.map(({ from }) => from));
  const byName = new Map(pipeline.steps.map(step => [step.name, step]));
  const wanted = new Set<StepName>();
  const open = pipeline.steps.filter(step => saved.has(step.name) || !isSettled(step, context)).map(({ name }) => name);
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (wanted.has(name)) continue;
    wanted.add(name);
    open.push(...(byName.get(name)?.upstream ?? []));
  }
  if (wanted.size === pipeline.steps.length) return pipeline;
  return wanted.size === 0 ? undefined : { ...pipeline, steps: pipeline.steps.filter(({ name }) => wanted.has(name)) };
}

interface Context {
  readonly library: ModelLibrary;
  /** Characters of what each param is by default, where that is a plain value. */
  readonly defaults: ReadonlyMap<string, number>;
}

const defaultsOf = ({ params }: Pipeline): Context['defaults'] =>
  new Map(
    params.flatMap(({ name, schema: { default: value } }) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? [[name, [...String(value)].length] as const]
        : [],
    ),
  );

function isSettled(step: Step, context: Context): boolean {
  const { each, matrix, include, exclude, takes, max, key } = step.fanOut;
  const isOne =
    each.length + matrix.length + include.length + exclude.length === 0 &&
    takes === undefined &&
    max === undefined &&
    key === undefined;
  if (step.inside || 'outputs' in step) return false;
  if (!isOne || (step.if !== undefined && step.if.is !== 'literal')) return false;
  if ('with' in step) return isSettledRequest(step, context);
  return 'command' in step && isSettledCommand(step);
}

function isSettledRequest(step: GenerateStep, context: Context): boolean {
  const model = context.library.get(step.model);
  // The words of a chat are counted against what its model holds.
  if (!model || model.produces === 'text' || step.schema || step.byModel || step.sync || model.kind === 'retake')
    return false;
  return step.with.entries.every(({ name, value }) => {
    const field = fieldOf(model, name);
    return field !== undefined && isSettledField(value, field, model, context);
  });
}

function isSettledField(value: Value, field: FieldSchema, model: Model, context: Context): boolean {
  switch (value.is) {
    case 'literal':
      // Planning decides whether a text may be empty.
      if (typeof value.value === 'string' && value.value.trim() === '') return false;
      return !isSource(field) || (typeof value.value === 'string' && /^https:\/\//i.test(value.value));
    case 'list': {
      const { items } = field;
      return items !== undefined && value.items.every(item => isSettledField(item, items, model, context));
    }
    case 'expression':
      // What a step makes is not there yet. Whether it will fit the model's limits is worked out by planning.
      return readsStepsAlone(value) && Object.keys(field.media ?? {}).every(key => key === 'kind');
    case 'text':
      return isShort(value.parts, field, context);
    default:
      return false;
  }
}

/** Not one of a list: how many instances a step has is worked out by planning. */
const readsStepsAlone = ({ reads, code }: ExpressionValue): boolean =>
  reads.length > 0 && reads.every(({ root }) => root === 'steps') && !code.includes('[');

/** Whether a text that is bounded by its length alone fits with any result of the steps. */
function isShort(parts: readonly (string | ExpressionValue)[], field: FieldSchema, { defaults }: Context): boolean {
  const { type, enum: allowed, pattern, atLeast, atMost, minLength, maxLength } = field;
  if (type !== 'string' || isSource(field) || [allowed, pattern, atLeast, atMost, minLength].some(Boolean))
    return false;
  let length = 0;
  for (const part of parts) {
    if (typeof part === 'string') length += part.length;
    else if (readsStepsAlone(part)) continue;
    else {
      const [, param = ''] = /^params\.(\w+)$/.exec(part.code) ?? [];
      const known = defaults.get(param);
      if (known === undefined) return false;
      length += known;
    }
  }
  return maxLength === undefined || length <= maxLength;
}

/** Its words are what they are; files of this machine are looked at. */
const isSettledCommand = ({ command, env, files, creates }: CommandStep): boolean =>
  [...('argv' in command ? command.argv : []), ...valuesOf(env), ...valuesOf(creates)].every(isPlain) &&
  valuesOf(files).every(value => value.is === 'expression' && readsStepsAlone(value));

const isPlain = (value: Value): boolean =>
  value.is === 'literal' || (value.is === 'expression' && readsStepsAlone(value));

const valuesOf = ({ entries }: MapValue): readonly Value[] => entries.map(({ value }) => value);
