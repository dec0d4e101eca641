/** What expressions of other languages look like, and what is written here in their place. (Their functions: `expression/foreign-functions.ts`; their signs: `expression/tokens.ts`.) */
import { foreignFunction } from '../expression/foreign-functions.ts';

interface Foreign {
  /** Offsets into the code. */
  readonly start: number;
  readonly end: number;
  /** `` one `=` compares nothing; write `==` ``. */
  readonly advice: string;
}

interface Pattern {
  readonly form: RegExp;
  readonly advice: (match: RegExpExecArray, code: string) => string;
  /** Also inside quoted texts: the pattern is about quotes. */
  readonly raw?: true;
}

const CHOOSE = 'write `has(x.y) ? x.y : …` for a value that may be absent';

/** The first that is found is told. */
const PATTERNS: readonly Pattern[] = [
  { raw: true, form: /`[^`]*`?/, advice: () => "there are no template strings; write `'text ' + value`" },
  {
    raw: true,
    form: /(?<![\w.])[fF]('[^']*'|"[^"]*")/,
    advice: () => "there are no f-strings; write `'text ' + value`",
  },
  { form: /\?\.(?!\d)/, advice: () => `there is no \`?.\`; ${CHOOSE}` },
  { form: /(?<!\|)\|(?!\|)\s*\w+(\([^)]*\))?/, advice: filterAdvice },
  { form: /~/, advice: () => 'texts are joined by `+`; write `+`' },
  { form: /;/, advice: () => 'one expression has no `;`; take it out' },
  { form: /[+-]=/, advice: () => 'an expression changes nothing; write the sum alone' },
  {
    form: /(?<=\[[^\][]*):(?=[^\][]*\])/,
    advice: () => 'there are no slices; pick one with `[0]`, or filter the list',
  },
  { form: /[$@](?=\w)/, advice: ([sign]) => `a name has no \`${sign}\` before it; take it out` },
];

/** What in a code that is no CEL belongs to another language. */
export function foreignSyntax(code: string): Foreign | undefined {
  const plain = withoutTexts(code);
  for (const { form, advice, raw } of PATTERNS) {
    const match = form.exec(raw ? code : plain);
    if (!match) continue;
    return {
      start: match.index,
      end: match.index + match[0].length,
      advice: advice(match, code),
    };
  }
  return undefined;
}

/** Quoted texts become blanks: what stands in them is nobody's syntax. */
const withoutTexts = (code: string): string =>
  code.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, text => `'${' '.repeat(text.length - 2)}'`);

/** `params.idea | upper`: what stands before the bar, and what is called instead. */
function filterAdvice(match: RegExpExecArray, code: string): string {
  const name = /\w+/.exec(match[0])?.[0] ?? '';
  const value = /[\w.[\]'"]+(?=\s*$)/.exec(code.slice(0, match.index))?.[0] ?? 'x';
  if (name === 'default' || name === 'd')
    return 'there are no filters; a param has its `default`, and `has(x.y) ? x.y : …` is for fields';
  const foreign = foreignFunction(name);
  const call = foreign && 'instead' in foreign ? foreign.instead : `${name}()`;
  const written = call.includes('.')
    ? call.replace(/^\w+\./, `${value}.`)
    : call.endsWith('()')
      ? `${value}.${call}`
      : call.replace(/\((\w+)/, `(${value}`);
  return `there are no filters; write \`${written}\``;
}

const CONSTANTS: Readonly<Record<string, string>> = {
  None: 'null',
  nil: 'null',
  NULL: 'null',
  Null: 'null',
  undefined: 'null',
  True: 'true',
  TRUE: 'true',
  yes: 'true',
  False: 'false',
  FALSE: 'false',
  no: 'false',
};

const OF_PARAMS = [
  'vars',
  'var',
  'variables',
  'inputs',
  'input',
  'args',
  'config',
  'values',
  'Values',
  'parameters',
  'param',
];
const OF_STEPS = ['needs', 'jobs', 'job', 'tasks', 'task', 'nodes', 'node', 'step', 'outputs', 'stages', 'actions'];
/** Sections that stand between a root of other systems and a name: `inputs.parameters.idea`, `workflow.parameters.idea`. */
const SECTIONS = new Set(['outputs', 'output', 'parameters', 'params', 'artifacts']);
const OF_LOOPS = ['item', 'items', 'loop', 'value', 'element', 'index', 'i', 'idx', 'it', 'row', 'axis', 'strategy'];

/** What to write in the place of a root that only another system knows; `path` is what follows it. */
export function foreignRoot(name: string, path: readonly string[]): string | undefined {
  const constant = own(CONSTANTS, name);
  if (constant !== undefined) return `write \`${constant}\``;
  if (name === 'secrets')
    return `write \`env.${path[0] ?? 'NAME'}\`, and \`env: [${path[0] ?? 'NAME'}]\` at the top of the file`;
  const here = foreignPath(name, path.length === 0 ? ['name'] : path);
  if (here !== undefined) return `write \`${here}\``;
  if (OF_LOOPS.includes(name))
    return 'the values of a matrix are read as `matrix.name`, and what `each` gives as `each`';
  return undefined;
}

/** `vars.idea` → `params.idea`; undefined for what is no such root. */
export function foreignPath(name: string, path: readonly string[]): string | undefined {
  const rest = path.filter((part, at) => !SECTIONS.has(part) || (at > 0 && at === path.length - 1)).join('.');
  if (name === 'secrets') return `env.${rest}`;
  if (OF_PARAMS.includes(name) || (name === 'workflow' && SECTIONS.has(path[0] ?? ''))) return `params.${rest}`;
  return OF_STEPS.includes(name) ? `steps.${rest}` : undefined;
}

const MEDIA_FIELDS = [
  'url',
  'uri',
  'href',
  'link',
  'src',
  'video',
  'image',
  'audio',
  'video_url',
  'image_url',
  'download_url',
  'path',
  'media_url',
];
const ANY_RESULT = ['output', 'outputs', 'result', 'results', 'value', 'data', 'response', 'return'];
const TEXT_FIELDS = [
  'content',
  'message',
  'messages',
  'answer',
  'choices',
  'completion',
  'output_text',
  'reply',
  'body',
];
const COMMAND_FIELDS = ['out', 'text', 'stderr', 'log', 'logs'];

/** Frames and sound, as other systems call them. */
const PARTS_OF_VIDEO: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['end_frame', 'final_frame', 'last_image', 'end_image', 'tail_frame', 'last_frame_url', 'last_frame_image'].map(
      name => [name, 'last_frame'],
    ),
  ),
  ...Object.fromEntries(
    ['start_frame', 'start_image', 'first_image', 'thumbnail', 'poster', 'cover', 'preview', 'first_frame_url'].map(
      name => [name, 'first_frame'],
    ),
  ),
  ...Object.fromEntries(
    ['audio', 'audio_url', 'soundtrack', 'audio_track', 'audio_stream'].map(name => [name, 'sound']),
  ),
};

/** The field of a result that other systems call so; undefined where this is no such name. */
export function foreignField(name: string, known: ReadonlyMap<string, unknown>): string | undefined {
  const part = own(PARTS_OF_VIDEO, name);
  if (part !== undefined && known.has(part)) return part;
  const plain = ['result_url', 'text', 'stdout'].find(field => known.has(field));
  const names = plain === 'result_url' ? MEDIA_FIELDS : plain === 'text' ? TEXT_FIELDS : COMMAND_FIELDS;
  return plain !== undefined && (names.includes(name) || ANY_RESULT.includes(name)) ? plain : undefined;
}

const own = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
