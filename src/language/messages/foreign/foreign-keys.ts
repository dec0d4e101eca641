/** Keys of other systems, and what is written here in their place. */
import { child, type MapNode, type Node } from '../../yaml/syntax-tree.ts';
import { paramOf } from '../shape-snippets.ts';
import { flowText, nameFrom } from './flow-text.ts';
import { BUDGET, CLIP, CUT, JOIN, JUDGE, MODEL, MUSIC, OVER, PROFILE, RETRY, UNTIL } from './foreign-part-keys.ts';
import { durationMeant, numberMeant } from './meant-values.ts';
import { drop, type ForeignKey, read, type Translate } from './translate.ts';
import { all } from './wording.ts';

/** @param path of the mapping that has the key. */
export function foreignKey(key: string, value: Node, path: readonly string[]): ForeignKey | undefined {
  const at = path.map((name, depth) => (depth === 1 ? '*' : name)).join('.');
  const table = Object.hasOwn(TABLES, at) ? TABLES[at]?.() : undefined;
  return table && Object.hasOwn(table, key) ? table[key]?.(value) : undefined;
}

/** By the way to the mapping; `*` is the name of a step, a param or an output. */
const TABLES: Readonly<Record<string, () => Readonly<Record<string, Translate>>>> = {
  '': () => FILE,
  'steps.*': () => STEP,
  'steps.*.matrix': () => MATRIX,
  'steps.*.cut': () => CUT,
  'steps.*.cut.clips': () => CLIP,
  'steps.*.cut.over': () => OVER,
  'steps.*.cut.clips.over': () => OVER,
  'steps.*.cut.music': () => MUSIC,
  'steps.*.cut.clips.voice': () => MUSIC,
  'steps.*.cut.join': () => JOIN,
  'steps.*.cut.clips.join': () => JOIN,
  'steps.*.judge': () => JUDGE,
  'steps.*.until': () => UNTIL,
  'steps.*.retry': () => RETRY,
  'models.*': () => MODEL,
  'profiles.*': () => PROFILE,
  budget: () => BUDGET,
  'profiles.*.budget': () => BUDGET,
  'params.*': () => PARAM,
  'outputs.*': () => OUTPUT,
  concurrency: () => GROUP,
  defaults: () => DEFAULTS,
};

/** `depends_on: [one]` → `needs: [one]` */
const renamed =
  (readAs: string): Translate =>
  value => ({ advice: `write \`${readAs}: ${shown(value)}\``, readAs });

const shown = (value: Node): string => {
  const text = flowText(value);
  // In block style an expression needs no quotes.
  return /^"\$\{\{.*\}\}"$/.test(text) ? text.slice(1, -1) : text;
};

function params(value: Node): ForeignKey {
  const entries = value.is === 'map' ? value.entries : [];
  const [first] = entries;
  const isDeclared = first?.value.is === 'map' && child(first.value, 'type') !== undefined;
  if (!first || isDeclared) return { advice: 'write `params`', ...(isDeclared && { readAs: 'params' }) };
  return {
    advice: `write \`params: { ${first.name}: ${paramOf(first.value)} }\` and read \`\${{ params.${first.name} }}\``,
  };
}

const FILES: readonly { readonly keys: readonly [string, string]; readonly called: string }[] = [
  { keys: ['apiVersion', 'kind'], called: 'a manifest of Kubernetes or Argo' },
  { keys: ['on', 'jobs'], called: 'a workflow of GitHub Actions' },
  { keys: ['version', 'services'], called: 'a file of Docker Compose' },
  { keys: ['services', 'volumes'], called: 'a file of Docker Compose' },
  { keys: ['cwlVersion', 'class'], called: 'a description of CWL' },
];

/** What a whole file of another system is called; undefined where this is none. Nearly each of its keys would be a mistake. */
export const foreignFile = (file: MapNode): string | undefined =>
  child(file, 'shotlist') ? undefined : FILES.find(({ keys }) => keys.every(key => child(file, key)))?.called;

const LIMITS = 'steps start as soon as what they read is there; take it out (`shotlist.config.yaml` holds limits)';

const ON_THIS_MACHINE = drop('commands run on this machine; take it out');

const AFTERWARDS = drop(
  'a hook belongs in `shotlist.config.yaml`, as `on: { finished: [./notify.sh] }`, and what needs a result is a command with `effect: true`; take it out',
);
const BY_HAND = drop('a file is run by `shotlist run FILE`; take it out');

/** `on: { finished: … }`, as the settings have it. */
const isHooks = (value: Node): boolean =>
  value.is === 'map' &&
  value.entries.some(({ name }) => /^(waiting|failed|finished|budget|success|failure)$/.test(name));
const HOOKS = 'hooks hook notify notifications on_success on_complete on_finish after_success webhook webhooks upload';

const FILE: Readonly<Record<string, Translate>> = {
  ...all('vars var variables inputs input parameters arguments args settings', params),
  ...all(
    'jobs tasks nodes step pipeline workflow graph scenes shots actions flow flows rules dag templates',
    read('steps'),
  ),
  stages: drop('references between steps make the order, so there are no stages; take it out'),
  on: value => (isHooks(value) ? AFTERWARDS(value) : BY_HAND(value)),
  ...all('trigger triggers schedule', BY_HAND),
  ...all('version apiVersion schema kind', () => ({ advice: 'write `shotlist: 1`', readAs: 'shotlist' })),
  ...all('title id', read('name')),
  ...all('output result results artifacts exports', read('outputs')),
  ...all(
    'secrets environment variables_from_env',
    drop('variables that expressions may read are named: write `env: [TOKEN]`'),
  ),
  ...all('default common globals global', read('defaults')),
  ...all(
    'service services providers provider api_key base_url endpoint',
    drop('a file does not say which service makes it: that belongs in `shotlist.config.yaml`, so take it out'),
  ),
  ...all(
    'imports import include includes extends',
    drop('a file is read by itself; share values with YAML anchors or `defaults`'),
  ),
  ...all('parallel parallelism max_parallel max-parallel concurrency_limit workers', drop(LIMITS)),
  ...all(HOOKS, AFTERWARDS),
  ...all('permissions image container runs-on executor resources', ON_THIS_MACHINE),
  ...all('max_usd max_cost usd cost_limit spending_limit price', value => ({
    advice: `write \`budget: { usd: ${numberMeant(flowText(value)) ?? 25} }\``,
  })),
};

/** One number is no axis: `max: 6` and `takes: 3` belong to the step. */
const axesInMatrix =
  (key: string): Translate =>
  value =>
    value.is === 'scalar' && typeof value.value === 'number'
      ? { advice: `\`${key}\` is a key of the step itself; write \`${key}: ${value.value}\` beside \`matrix\`` }
      : undefined;

/** `excludes: [{ a: 1 }]`, which would be an axis of rows. */
const combinations =
  (readAs: string): Translate =>
  value =>
    value.is === 'list' && value.items.every(({ is }) => is === 'map') ? read(readAs)(value) : undefined;

const MATRIX: Readonly<Record<string, Translate>> = {
  max: axesInMatrix('max'),
  takes: axesInMatrix('takes'),
  ...all('excludes excluded exclusions', combinations('exclude')),
  ...all('includes included inclusions', combinations('include')),
};

const GROUP: Readonly<Record<string, Translate>> = {
  group: value =>
    value.is === 'scalar' && typeof value.value === 'number'
      ? undefined
      : { advice: `a group has a number, how many run at once; write \`${nameFrom(flowText(value), 'films')}: 1\`` },
  'cancel-in-progress': drop('a film is run by one process at a time; take it out'),
};

const DEFAULTS: Readonly<Record<string, Translate>> = {
  run: drop('a shell is a key of the step itself, as `shell: bash`; take it out'),
  model: drop('a model is a key of the step itself, or has a name under `models:`; take it out'),
};

/** `foreach: [11, 22]` is an axis, and over a step it is `each`. */
function loop(value: Node): ForeignKey {
  const text = value.is === 'scalar' && typeof value.value === 'string' ? value.value.trim() : '';
  if (/^\$\{\{\s*steps\.\w+\s*\}\}$/.test(text))
    return { advice: `write \`each: ${text}\` and read \`\${{ each.result_url }}\``, readAs: 'each' };
  const count = value.is === 'scalar' && typeof value.value === 'number' ? value.value : undefined;
  const items =
    count !== undefined && count > 0 && count <= 12
      ? `[${Array.from({ length: count }, (_, n) => n + 1).join(', ')}]`
      : flowText(value);
  return {
    advice: `write \`matrix: { item: ${value.is === 'map' ? '[…]' : items} }\` and read \`\${{ matrix.item }}\``,
  };
}

function timeIn(unit: 's' | 'm'): Translate {
  return value => ({
    advice: `write \`timeout: ${durationMeant(`${flowText(value)}${unit}`) ?? durationMeant(flowText(value)) ?? '10m'}\``,
  });
}

const firstName = (value: Node): string => (value.is === 'map' ? value.entries[0]?.name : undefined) ?? 'name';

/** `{ a: [1, 2], b: [3, 4] }` → `a: 1, b: 3` */
const firstRow = (value: Node): string =>
  value.is === 'map' && value.entries.length > 0
    ? value.entries
        .map(
          ({ name, value: column }) =>
            `${name}: ${flowText(column.is === 'list' ? (column.items[0] ?? column) : column)}`,
        )
        .join(', ')
    : 'name: …';

/** `when: params.up` → `if: ${{ params.up }}` */
function condition(value: Node): ForeignKey {
  const written = value.is === 'scalar' && typeof value.value === 'string' ? value.value.trim() : '';
  if (!/^!?(?:params|matrix|steps|each|env|data)\.[\w.]+$/.test(written))
    return { advice: `write \`if: ${shown(value)}\``, readAs: 'if' };
  const meant: Node = { is: 'scalar', value: `\${{ ${written} }}`, at: value.at };
  return { advice: `write \`if: ${shown(meant)}\``, readAs: 'if', value: meant };
}

const STEP: Readonly<Record<string, Translate>> = {
  ...all(
    'foreach for_each forEach for-each for loop with_items withItems with_list items iterate map repeat over',
    loop,
  ),
  ...all('zip product', value => ({
    advice: `rows that belong together are objects on one axis; write \`matrix: { row: [{ ${firstRow(value)} }, …] }\` and read \`\${{ matrix.row.${firstName(value)} }}\``,
  })),
  ...all('take variants samples num_images num_outputs n_iter', renamed('takes')),
  strategy: value => {
    const matrix = value.is === 'map' ? child(value, 'matrix') : undefined;
    if (!matrix) return { advice: 'steps start as soon as what they read is there; take it out' };
    return {
      advice: `\`matrix\` is a key of the step itself; write \`matrix: ${flowText(matrix)}\``,
      readAs: 'matrix',
      value: matrix,
    };
  },
  ...all(
    'parallel max_parallel max-parallel parallelism',
    drop(
      'steps start as soon as what they read is there; take it out, or write `concurrency: NAME` here and `concurrency: { NAME: 2 }` at the top of the file',
    ),
  ),
  ...all('depends_on dependsOn depends dependencies after requires deps wait_for need', renamed('needs')),
  ...all('when condition only_if unless skip_if enabled', condition),
  ...all('disabled skip', value => ({
    advice: `write \`if: ${value.is === 'scalar' && typeof value.value === 'boolean' ? String(!value.value) : 'false'}\``,
  })),
  ...all(
    'continue-on-error continue_on_error ignore_errors allow_failure continueOnError fail_fast fail-fast on_error onError on_failure',
    drop('a failure stops only what reads it; take it out'),
  ),
  ...all('inputs input params parameters args arguments request body payload options settings config kwargs', value =>
    value.is === 'list'
      ? {
          advice: `a command is handed files under \`files\`; write \`files: { INPUT: ${flowText(value.items[0] ?? value)} }\` and read \`$INPUT\``,
        }
      : { advice: "the model's own fields belong under `with`; write `with`", readAs: 'with' },
  ),
  ...all('name title label', value => ({
    advice: `the key under \`steps\` is its name; write \`description: ${shown(value)}\``,
  })),
  id: drop('the key under `steps` is its name; take it out'),
  ...all('output out to path dest destination filename save_as save_to output_path file', renamed('save')),
  ...all(
    'steps jobs tasks stages',
    drop('there is one list of steps, at the top of the file; write each under its name there'),
  ),
  outputs: drop('outputs belong at the top of the file, or as a path on the step; write `save: out/film.mp4`'),
  ...all('type kind task', drop('the model tells what kind of request it is; take it out')),
  ...all(
    'retries retry_count max_retries attempts max_attempts tries retryStrategy maxRetries errorStrategy',
    value => ({
      advice: `write \`retry: { attempts: ${flowText(value).replace(/\D/g, '') || '3'} }\` (a request that was surely not taken is sent again by itself)`,
    }),
  ),
  ...all(
    'working-directory working_directory workdir cwd dir',
    drop('a command runs in an empty folder; give it what it needs under `files`'),
  ),
  ...all('timeout-minutes timeout_minutes time_limit deadline', timeIn('m')),
  ...all('timeout_seconds timeoutSeconds activeDeadlineSeconds', timeIn('s')),
  ...all('suspend pause manual gate review', () => ({
    advice: 'a person is asked by a step of its own; write `approve: ${{ steps.shot }}`',
    isKind: true,
  })),
  ...all('exclude include', drop('combinations belong to the axes; write it inside `matrix`')),
  while: drop('a step is made again until something holds; write `until: { holds: "${{ … }}", max: 3 }`'),
  ...all(HOOKS, AFTERWARDS),
  env_file: drop('a file of variables is not read; write `env: { NAME: value }`'),
  ...all('publishDir storeDir directory', drop('write `save: out/film.mp4`')),
  ...all(
    'budget max_usd max_cost',
    drop('a budget is for the whole film; write `budget: { usd: 25 }` at the top of the file'),
  ),
  ...all(
    'response_format json_schema output_schema answer',
    drop('the schema of the answer belongs on the step; write `schema: { type: object, properties: { … } }`'),
  ),
  ...all('caching cached no_cache memoize', drop('write `cache: off` to make it again every time')),
  ...all(
    'register set assign var',
    drop('a result is read by the name of its step, `${{ steps.name.result_url }}`; take it out'),
  ),
  ...all('env_vars environment envs', renamed('env')),
  ...all(
    'container volumes ports networks image runs-on cpus cpu memory gpu gpus threads resources executor queue',
    ON_THIS_MACHINE,
  ),
};

/** Keys that say what kind of step it is, in other words. */
export const foreignKind = (key: string): string | undefined =>
  ['command', 'cmd', 'script', 'exec', 'execute', 'bash', 'sh'].includes(key)
    ? 'run'
    : ['model_id', 'model_name', 'modelId', 'engine', 'generator', 'llm', 'generate'].includes(key)
      ? 'model'
      : undefined;

const PARAM: Readonly<Record<string, Translate>> = {
  ...all('options choices values allowed oneOf one_of', renamed('enum')),
  ...all('required optional nullable', drop('a param without a `default` must be given; take it out')),
  ...all('value defaultValue default_value initial', renamed('default')),
  ...all('min from', renamed('minimum')),
  ...all('max to', renamed('maximum')),
  ...all('help desc doc label summary', renamed('description')),
  ...all('pattern regex format', drop('a pattern is not checked; list what it takes under `enum`')),
};

const OUTPUT: Readonly<Record<string, Translate>> = {
  ...all(HOOKS, AFTERWARDS),
  ...all('value source step src input', read('from')),
  ...all('path file filename dest destination save', renamed('to')),
  ...all('name id title description type', drop('the key under `outputs` is its name; take it out')),
};

const VALUES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  type: {
    ...all('text str String file path url date select choice enum', 'string'),
    ...all('int Int Integer long count', 'integer'),
    ...all('float double decimal Number real', 'number'),
    ...all('bool Boolean flag checkbox', 'boolean'),
    ...all('list List strings string[] list[str] array[string]', 'array'),
  },
  cache: all('no none never disabled skip No Off OFF', 'off'),
  via: all('async asynchronous background default', 'queue'),
};

/** What to write in the place of a value that other systems have. */
export interface ForeignValue {
  readonly advice: string;
  /** Absent where no other value does. */
  readonly by?: string;
}

/** `text` → `string`, for the type of a param. */
export function foreignValue(path: readonly string[], given: unknown): ForeignValue | undefined {
  const key = path.at(-1) ?? '';
  const table = VALUES[key];
  if (typeof given !== 'string') return undefined;
  if (key === 'type' && /^(object|map|dict|record|json)$/i.test(given))
    return {
      advice:
        'a param is one value or a list; declare each of its fields as a param of its own, or put the values into a file under `data:`',
    };
  const by = table && Object.hasOwn(table, given) ? table[given] : undefined;
  return by === undefined ? undefined : { advice: `write \`${by}\``, by };
}
