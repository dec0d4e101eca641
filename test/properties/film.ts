/** Small films as data: what a random one is built of, what the model of the language reads, and what becomes a file. */

import { Document, isMap, isScalar, isSeq, visit } from 'yaml';
import type { Json, JsonObject } from '../../src/model/text/json.ts';
import { DATA_FILE, roundHolds, scores } from './content.ts';

export interface Film {
  readonly params: { readonly up: boolean; readonly n: number; readonly words: readonly string[] };
  /** Each reads earlier ones alone. */
  readonly steps: readonly FilmStep[];
}

export interface FilmStep {
  readonly name: string;
  readonly work: Work;
  /** One without a name, or several with. */
  readonly each?: readonly { readonly step: string; readonly name?: string }[];
  readonly axes?: readonly FilmAxis[];
  readonly include?: readonly Cell[];
  readonly exclude?: readonly Cell[];
  /** The rows of this axis are told apart by their `w`. */
  readonly key?: string;
  readonly takes?: number | 'n + 1';
  readonly max?: number;
  readonly needs?: readonly string[];
  readonly if?: Condition;
  readonly else?: { readonly step: string } | 'each';
  readonly cache?: 'off';
  /** It is made again until what it gives holds: `flag` of an answer, a digest that begins low. Its work reads the round before. */
  readonly until?: { readonly max: number | 'n + 1'; readonly otherwise?: 'last' | 'score' };
  /** Where its media goes. */
  readonly saved?: string;
}

export type Cell = Readonly<Record<string, Json>>;

export type Work =
  /** `effect`: it acts outside. */
  | { readonly is: 'say'; readonly args: readonly Text[]; readonly effect?: true }
  /** A chat that answers in the words of a command. */
  | { readonly is: 'ask'; readonly prompt: readonly Text[] }
  /** A request that reads texts. `by`: the axis that names its model. */
  | {
      readonly is: 'shoot';
      readonly model: 'V-T2V-A' | 'V-T2V-B';
      readonly by?: string;
      readonly prompt: readonly Text[];
    }
  /** A request that reads a film. */
  | { readonly is: 'enhance'; readonly input: Text }
  /** One of all results of a step, or of the takes of each. `gives`: what it is chosen from. */
  | { readonly is: 'pick'; readonly from: string | 'takes'; readonly by: Chooser; readonly gives: Gives }
  /** A person is shown all results of a step. */
  | { readonly is: 'approve'; readonly step: string }
  /** Films, one behind the other. */
  | { readonly is: 'cut'; readonly clips: readonly Text[] };

type Chooser = 'rule' | 'person' | 'judge';
/** What has the same fields for whoever reads it. */
export type Gives = 'command' | 'chat' | 'film' | 'answer';

export function gives({ work }: Pick<FilmStep, 'work'>): Gives {
  switch (work.is) {
    case 'say':
      return 'command';
    case 'ask':
      return 'chat';
    case 'approve':
      return 'answer';
    case 'pick':
      return work.gives;
    default:
      return 'film';
  }
}

/** What it gives is JSON. */
export const speaks = (step: Pick<FilmStep, 'work'>): boolean => gives(step) === 'command' || gives(step) === 'chat';

export interface FilmAxis {
  readonly name: string;
  readonly values:
    | { readonly is: 'list'; readonly items: readonly Json[] }
    | { readonly is: 'range'; readonly from: number; readonly to: number }
    | { readonly is: 'words' }
    /** The rows of a file. */
    | { readonly is: 'data' }
    | { readonly is: 'column'; readonly axis: string; readonly column: string }
    | { readonly is: 'written'; readonly step: string; readonly list: 'list' | 'rows' }
    | { readonly is: 'gathered'; readonly step: string }
    | { readonly is: 'of each'; readonly name?: string };
}

/** An expression that gives a text or a number. */
export type Text =
  | { readonly is: 'plain'; readonly text: string }
  | { readonly is: 'number' }
  | { readonly is: 'axis'; readonly axis: string; readonly column?: string }
  | { readonly is: 'take' }
  | { readonly is: 'each'; readonly name?: string; readonly field: Field }
  | { readonly is: 'one'; readonly step: string; readonly field: Field }
  /** `at`: a number, or the param `n`. */
  | { readonly is: 'member'; readonly step: string; readonly at: number | 'n'; readonly field: Field }
  | { readonly is: 'all'; readonly step: string; readonly field: Field }
  | { readonly is: 'count'; readonly step: string }
  | { readonly is: 'previous'; readonly field: Field }
  | { readonly is: 'choose'; readonly when: Condition; readonly yes: Text; readonly no: Text };

export type Field = 'json.id' | 'sha256' | 'result_url';

export type Condition =
  | { readonly is: 'up' }
  | { readonly is: 'not'; readonly of: Condition }
  | { readonly is: 'both'; readonly of: readonly [Condition, Condition] }
  | { readonly is: 'flag'; readonly step: string }
  | { readonly is: 'flag of each'; readonly name?: string }
  | { readonly is: 'made'; readonly step: string; readonly field: Field }
  | { readonly is: 'approved'; readonly step: string }
  | { readonly is: 'many'; readonly step: string }
  | { readonly is: 'at'; readonly axis: string; readonly column?: string; readonly value: Json };

interface Style {
  readonly flow?: boolean;
  readonly quotes?: 'QUOTE_SINGLE' | 'QUOTE_DOUBLE';
  readonly comments?: boolean;
  readonly indent?: number;
}

export function yamlOf(film: Film, style: Style = {}): string {
  return formatted(documentOf(film), style);
}

export function formatted(file: JsonObject, { flow, quotes, comments, indent }: Style = {}): string {
  const document = new Document(file, { aliasDuplicateObjects: false });
  visit(document, {
    Collection(_, node, path) {
      if (flow && path.length > 4) node.flow = true;
    },
    Pair(_, { value, key }) {
      if (quotes && isScalar(value) && typeof value.value === 'string' && !isRange(value.value)) value.type = quotes;
      if (comments && isScalar(key) && !isFlow(value)) key.commentBefore = ' as agreed with the director';
    },
  });
  return document.toString({ indent: indent ?? 2, lineWidth: 0, flowCollectionPadding: !quotes });
}

const isFlow = (node: unknown): boolean => (isMap(node) || isSeq(node)) && node.flow === true;
const isRange = (text: string): boolean => /^\d+\.\.\d+$/.test(text);

/** The file as plain data, keys in the order in which people write them. */
export function documentOf({ params, steps }: Film): JsonObject {
  const outputs = steps.flatMap(({ name, saved }) =>
    saved === undefined ? [] : [[`${name}_out`, { from: code(`steps.${name}`), to: saved }] as const],
  );
  return {
    shotlist: 1,
    name: 'film',
    params: {
      up: { type: 'boolean', default: params.up },
      n: { type: 'integer', default: params.n },
      words: { type: 'array', items: { type: 'string' }, default: [...params.words] },
    },
    ...(steps.some(readsData) && { data: { people: DATA_FILE } }),
    steps: Object.fromEntries(steps.map(step => [step.name, stepOf(step)])),
    ...(outputs.length > 0 && { outputs: Object.fromEntries(outputs) }),
  };
}

const readsData = ({ axes }: FilmStep): boolean => axes?.some(({ values }) => values.is === 'data') === true;

function stepOf(step: FilmStep): JsonObject {
  const { each, axes, include, exclude, key, takes, max, needs, cache } = step;
  const matrix = {
    ...Object.fromEntries((axes ?? []).map(axis => [axis.name, valuesOf(axis)])),
    ...(include && { include: [...include] }),
    ...(exclude && { exclude: [...exclude] }),
  };
  return {
    ...(each && { each: eachOf(each) }),
    ...(Object.keys(matrix).length > 0 && { matrix }),
    ...(key !== undefined && { key: code(`matrix.${key}.w`) }),
    ...(takes !== undefined && { takes: takes === 'n + 1' ? code('params.n + 1') : takes }),
    ...(max !== undefined && { max }),
    ...(needs && { needs: [...needs] }),
    ...(step.if && { if: code(conditionCode(step.if)) }),
    ...(step.else && { else: code(step.else === 'each' ? 'each' : `steps.${step.else.step}`) }),
    ...(cache && { cache }),
    ...(step.until && { until: untilOf(step, step.until) }),
    ...workOf(step.work),
  };
}

function untilOf(step: FilmStep, { max, otherwise }: NonNullable<FilmStep['until']>): JsonObject {
  const holds = code(speaks(step) ? roundHolds.flag : roundHolds.low);
  return {
    ...{ holds, max: max === 'n + 1' ? code('params.n + 1') : max },
    ...(otherwise && { otherwise: otherwise === 'last' ? 'last' : code(scoreOf(step, 'this')) }),
  };
}

const scoreOf = (step: Pick<FilmStep, 'work'>, of: string): string =>
  gives(step) === 'film' ? scores.low(of) : scores.words(of);

const eachOf = (each: NonNullable<FilmStep['each']>): Json =>
  each[0]?.name === undefined
    ? code(`steps.${each[0]?.step}`)
    : Object.fromEntries(each.map(({ name = '', step }) => [name, code(`steps.${step}`)]));

function valuesOf({ values }: FilmAxis): Json {
  switch (values.is) {
    case 'list':
      return [...values.items];
    case 'range':
      return `${values.from}..${values.to}`;
    case 'words':
      return code('params.words');
    case 'data':
      return code('data.people');
    case 'column':
      return code(`matrix.${values.axis}.${values.column}`);
    case 'written':
      return code(`steps.${values.step}.json.${values.list}`);
    case 'gathered':
      return code(`steps.${values.step}.map(s, s.json.id)`);
    case 'of each':
      return code(`${eachCode(values.name)}.json.list`);
  }
}

function workOf(work: Work): JsonObject {
  switch (work.is) {
    case 'say':
      return { run: ['say', ...work.args.map(scalarOf)], ...(work.effect && { effect: true }) };
    case 'ask':
      return { model: 'C-D', with: { prompt: work.prompt.map(scalarOf).join(' '), max_tokens: 500 }, schema: ANSWER };
    case 'shoot':
      return {
        model: work.by === undefined ? work.model : code(`matrix.${work.by}`),
        with: { prompt: work.prompt.map(scalarOf).join(' '), duration: 5 },
      };
    case 'enhance':
      return { model: 'V-UP', with: { input_video: scalarOf(work.input), resolution: '1080p' } };
    case 'pick':
      return { pick: work.from === 'takes' ? 'takes' : code(`steps.${work.from}`), ...chooserOf(work) };
    case 'approve':
      return { approve: code(`steps.${work.step}`) };
    case 'cut':
      return { cut: { clips: work.clips.map(clip => ({ from: scalarOf(clip) })), size: '320x180', fps: 24 } };
  }
}

function chooserOf(work: Work & { readonly is: 'pick' }): JsonObject {
  switch (work.by) {
    case 'rule':
      return { rule: code(scoreOf({ work }, 'candidate')) };
    case 'judge':
      return { judge: { model: 'C-D', prompt: 'which is best?' } };
    case 'person':
      return {};
  }
}

const TEXTS = { type: 'array', items: { type: 'string' } };
const ROW = { type: 'object', properties: { w: { type: 'string' }, n: { type: 'integer' }, subs: TEXTS } };
const ANSWER: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    flag: { type: 'boolean' },
    list: TEXTS,
    rows: { type: 'array', items: { ...ROW, required: ['w', 'n', 'subs'] } },
  },
  required: ['id', 'flag', 'list', 'rows'],
};

const code = (of: string): string => `\${{ ${of} }}`;
const scalarOf = (text: Text): string => (text.is === 'plain' ? text.text : code(textCode(text)));
const eachCode = (name: string | undefined): string => (name === undefined ? 'each' : `each.${name}`);

function textCode(text: Text): string {
  switch (text.is) {
    case 'plain':
      return `'${text.text}'`;
    case 'number':
      return 'string(params.n)';
    case 'axis':
      return `string(matrix.${text.axis}${text.column === undefined ? '' : `.${text.column}`})`;
    case 'take':
      return 'string(take.number)';
    case 'each':
      return `${eachCode(text.name)}.${text.field}`;
    case 'one':
      return `steps.${text.step}.${text.field}`;
    case 'member':
      return `steps.${text.step}[${text.at === 'n' ? 'params.n' : text.at}].${text.field}`;
    case 'all':
      return `steps.${text.step}.map(s, s.${text.field}).join('+')`;
    case 'count':
      return `string(size(steps.${text.step}))`;
    case 'previous':
      return `(has(previous.${shallow(text.field)}) ? previous.${text.field} : 'first')`;
    case 'choose':
      return `(${conditionCode(text.when)} ? ${textCode(text.yes)} : ${textCode(text.no)})`;
  }
}

function conditionCode(condition: Condition): string {
  switch (condition.is) {
    case 'up':
      return 'params.up';
    case 'not':
      return `!(${conditionCode(condition.of)})`;
    case 'both':
      return `(${condition.of.map(conditionCode).join(' && ')})`;
    case 'flag':
      return `steps.${condition.step}.json.flag`;
    case 'flag of each':
      return `${eachCode(condition.name)}.json.flag`;
    case 'made':
      return `has(steps.${condition.step}.${shallow(condition.field)})`;
    case 'approved':
      return `steps.${condition.step}.approved`;
    case 'many':
      return `size(steps.${condition.step}) > 1`;
    case 'at': {
      const column = condition.column === undefined ? '' : `.${condition.column}`;
      return `string(matrix.${condition.axis}${column}) == '${condition.value}'`;
    }
  }
}

/** What is asked for by `has`: a result that is there has it. */
const shallow = (field: Field): string => (field === 'json.id' ? 'json' : field);
