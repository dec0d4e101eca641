/** What expressions of other languages look like, and what is written here in their place. (Their functions: `expression/functions/foreign-functions.ts`; their signs: `expression/tokens.ts`.) */
import { foreignFunction } from '../../expression/functions/foreign-functions.ts';
import { all, own } from './wording.ts';

interface Foreign {
  /** Offsets into the code. */
  readonly start: number;
  readonly end: number;
  /** `` one `=` compares nothing; write `==` ``. */
  readonly advice: string;
  /** What takes the place, where all of it can be written. */
  readonly by?: string | undefined;
}

interface Pattern {
  readonly form: RegExp;
  readonly advice: (match: RegExpExecArray, code: string) => string;
  /** The same in this language, made of the groups of the form; the advice ends with it. */
  readonly rewritten?: (...parts: readonly string[]) => string;
  /** Also inside quoted texts: the pattern is about quotes. */
  readonly raw?: true;
}

const CHOOSE = 'write `has(x.y) ? x.y : …` for a value that may be absent';

/** A path, a text or something in brackets. It begins where a word begins, so that no word is read twice. */
const OF = String.raw`(?<![\w.])((?:[\w.]|\[[^\][]*\]|'[^']*'|\([^()]*\))+)`;
const pattern = (form: string): RegExp => new RegExp(form.replaceAll('OF', OF));

/** The first match is reported. */
const PATTERNS: readonly Pattern[] = [
  { raw: true, form: /`[^`]*`?/, advice: () => "there are no template strings; write `'text ' + value`" },
  {
    raw: true,
    form: /(?<![\w.])[fF]('[^']*'|"[^"]*")/,
    advice: () => "there are no f-strings; write `'text ' + value`",
  },
  {
    form: pattern(String.raw`OF\?\.length\b`),
    advice: () => 'there is no `?.`',
    rewritten: of => `size(${of})`,
  },
  { form: /\?:/, advice: () => `there is no \`?:\`; ${CHOOSE}` },
  { form: /\?\.(?!\d)/, advice: () => `there is no \`?.\`; ${CHOOSE}` },
  {
    form: pattern(String.raw`OF\s+is\s+(not\s+)?(defined|None|null|none)\b`),
    advice: () => 'there is no `is`',
    rewritten: (of, not, what) =>
      what === 'defined' ? `${not ? '!' : ''}has(${of})` : `${of} ${not ? '!=' : '=='} null`,
  },
  {
    form: pattern(String.raw`OF\s+not\s+in\s+OF`),
    advice: () => 'there is no `not in`',
    rewritten: (item, items) => `!(${item} in ${items})`,
  },
  {
    form: /^\s*\{\s*([\w.]+)\s*\}\s*$/,
    advice: () => 'there are braces around it already',
    rewritten: of => of,
  },
  {
    raw: true,
    form: /[‘“]([^’”]*)[’”]/,
    advice: () => 'texts stand in straight quotes',
    rewritten: text => `'${text}'`,
  },
  {
    form: /^\s*(?:if\s+)?([^?]+?)\s+then\s+([^?]+?)\s+else\s+([^?]+?)\s*$/,
    advice: () => 'the condition has a `?` behind it',
    rewritten: (condition, yes, no) => `${condition} ? ${yes} : ${no}`,
  },
  {
    form: /^\s*([^?]+?)\s+if\s+([^?]+?)\s+else\s+([^?]+?)\s*$/,
    advice: () => 'the condition comes first',
    rewritten: (yes, condition, no) => `${condition} ? ${yes} : ${no}`,
  },
  {
    form: pattern(String.raw`\[\s*([^\][]+?)\s+for\s+(\w+)\s+in\s+OF(?:\s+if\s+([^\][]+?))?\s*\]`),
    advice: () => 'there are no comprehensions',
    rewritten: (body, name, items, condition) =>
      `${items}${condition ? `.filter(${name}, ${condition})` : ''}${condition && body === name ? '' : `.map(${name}, ${body})`}`,
  },
  {
    form: pattern(String.raw`\[\s*for\s+(\w+)\s+in\s+OF\s*:\s*([^\][]+?)(?:\s+if\s+([^\][]+?))?\s*\]`),
    advice: () => 'there are no comprehensions',
    rewritten: (name, items, body, condition) =>
      `${items}${condition ? `.filter(${name}, ${condition})` : ''}${condition && body === name ? '' : `.map(${name}, ${body})`}`,
  },
  {
    form: pattern(String.raw`OF\[\*\]\.(\w+)\b(?!\()`),
    advice: () => 'there is no `[*]`',
    rewritten: (of, field) => `${of}.map(item, item.${field})`,
  },
  { form: pattern(String.raw`OF\[\*\]`), advice: () => 'there is no `[*]`', rewritten: of => `${of}` },
  { form: /\.\.\.(?=\w)/, advice: () => 'there is no `...`; lists are joined by `+`, like `one + other`' },
  { form: /(?:\+\+|--)(?=\s*$)/, advice: () => 'an expression changes nothing; write the sum, like `n + 1`' },
  {
    form: pattern(String.raw`OF\s*\|(?!\|)\s*(\.[\w.]+)`),
    advice: () => 'there are no filters',
    rewritten: (of, path) => `${of}${path}`,
  },
  {
    form: /lambda\s+(\w+)\s*:\s*|(?:(\w+)|\((\w+)\))\s*=>\s*/,
    advice: () => 'a loop takes a name and an expression',
    rewritten: (...names) => `${names.join('')}, `,
  },
  { form: pattern(String.raw`OF\s*\*\*\s*2\b`), advice: () => 'there is no `**`', rewritten: of => `${of} * ${of}` },
  {
    form: /([\w.]+)\[\s*(\d*)\s*:\s*(\d*)\s*\]/,
    advice: () => 'there are no slices of this form, and a text has `substring(from, to)`',
    rewritten: (of, from, to) => `${of}.slice(${from || 0}, ${to || `size(${of})`})`,
  },
  {
    form: /\|\s*(?:default|d)\b(?:\([^)]*\))?/,
    advice: () => 'there are no filters; a param has its `default`, and `has(x.y) ? x.y : …` is for fields',
  },
  {
    form: pattern(String.raw`OF\s*\|(?!\|)\s*(\w+)(\([^)]*\))?`),
    advice: () => 'there are no filters',
    rewritten: (value = '', name = '', given) => filterWritten(value, name, given),
  },
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
  // What takes the place of a longer one would be no advice.
  const isShort = code.length <= MAX_REWRITTEN;
  const plain = withoutTexts(code);
  for (const { form, advice, raw, rewritten } of PATTERNS) {
    const match = isShort || !rewritten ? new RegExp(form, 'd').exec(raw ? code : plain) : undefined;
    if (!match) continue;
    const place = { start: match.index, end: match.index + match[0].length };
    const parts = match.indices?.slice(1).map(part => (part ? code.slice(...part) : '')) ?? [];
    const by = rewritten?.(...parts);
    return {
      ...place,
      advice: `${advice(match, code)}${by === undefined ? '' : `; write \`${by.replace(/, $/, ', …')}\``}`,
      by,
    };
  }
  return undefined;
}

/** Characters. */
const MAX_REWRITTEN = 400;

/** Quoted texts become blanks: their content is no syntax. */
const withoutTexts = (code: string): string =>
  code.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, text => `'${' '.repeat(text.length - 2)}'`);

/** `params.idea | upper` → `params.idea.upperAscii()`; a param has its `default`. */
export function filterWritten(value: string, name: string, given = ''): string {
  if (name === 'default' || name === 'd') return value;
  const foreign = foreignFunction(name);
  const call = foreign && 'instead' in foreign ? foreign.instead : `${name}()`;
  const written = call.includes('.')
    ? call.replace(/^\w+\./, `${value}.`)
    : call.endsWith('()')
      ? `${value}.${call}`
      : call.replace(/\((\w+)/, `(${value}`);
  return given === '' ? written : written.replace(/\([^()]*\)$/, () => given);
}

const CONSTANTS: Readonly<Record<string, string>> = {
  ...all('None nil NULL Null undefined', 'null'),
  ...all('True TRUE yes', 'true'),
  ...all('False FALSE no', 'false'),
};

const OF_PARAMS = 'vars var local locals variables inputs input args config values Values parameters param'.split(' ');
const OF_STEPS = 'needs jobs job tasks task nodes node step outputs stages actions'.split(' ');
/** Sections that stand between a root of other systems and a name: `inputs.parameters.idea`, `workflow.parameters.idea`. */
const SECTIONS = new Set(['outputs', 'output', 'parameters', 'params', 'artifacts']);
const OF_RUNS = 'github runner workflow gitlab ci context ctx build'.split(' ');
const OF_LOOPS = 'item items loop value element index i idx it row axis strategy'.split(' ');

/** What to write in the place of a root that only another system knows; `path` is what follows it. */
export function foreignRoot(name: string, path: readonly string[]): string | undefined {
  const constant = own(CONSTANTS, name);
  if (constant !== undefined) return `write \`${constant}\``;
  if (name === 'secrets')
    return `write \`env.${path[0] ?? 'NAME'}\`, and \`env: [${path[0] ?? 'NAME'}]\` at the top of the file`;
  if (name === 'process' && path[0] === 'env')
    return `write \`env.${path[1] ?? 'NAME'}\`, and \`env: [${path[1] ?? 'NAME'}]\` at the top of the file`;
  const here = foreignPath(name, path.length === 0 ? ['name'] : path);
  if (here !== undefined) return `write \`${here}\``;
  if (OF_RUNS.includes(name)) return 'of itself a run knows `run.id` and `run.name`; give the rest as params';
  if (OF_LOOPS.includes(name))
    return 'the values of a matrix are read as `matrix.name`, and what `each` gives as `each`';
  return undefined;
}

/** `vars.idea` → `params.idea`; undefined for what is no such root. */
export function foreignPath(name: string, path: readonly string[]): string | undefined {
  const rest = path.filter((part, at) => !SECTIONS.has(part) || (at > 0 && at === path.length - 1)).join('.');
  if (name === 'secrets') return `env.${rest}`;
  if (OF_PARAMS.includes(name) || (name === 'workflow' && SECTIONS.has(path[0] ?? ''))) return `params.${rest}`;
  if (name === 'wildcards') return `matrix.${rest}`;
  return OF_STEPS.includes(name) ? `steps.${rest}` : undefined;
}

const MEDIA_FIELDS = 'url uri href link src video image audio video_url image_url download_url path media_url'.split(
  ' ',
);
const ANY_RESULT = 'output outputs result results value data response return'.split(' ');
const TEXT_FIELDS = 'content message messages answer choices completion output_text reply body'.split(' ');
const COMMAND_FIELDS = 'out text stderr log logs'.split(' ');

/** Frames and sound, as other systems call them. */
const PARTS_OF_VIDEO: Readonly<Record<string, string>> = {
  ...all('end_frame final_frame last_image end_image tail_frame last_frame_url last_frame_image', 'last_frame'),
  ...all('start_frame start_image first_image thumbnail poster cover preview first_frame_url', 'first_frame'),
  ...all('audio audio_url soundtrack audio_track audio_stream', 'sound'),
};

/** The field of a result that other systems call so; undefined where this is no such name. */
export function foreignField(name: string, known: ReadonlyMap<string, unknown>): string | undefined {
  const part = own(PARTS_OF_VIDEO, name);
  if (part !== undefined && known.has(part)) return part;
  const plain = ['result_url', 'text', 'stdout'].find(field => known.has(field));
  const names = plain === 'result_url' ? MEDIA_FIELDS : plain === 'text' ? TEXT_FIELDS : COMMAND_FIELDS;
  return plain !== undefined && (names.includes(name) || ANY_RESULT.includes(name)) ? plain : undefined;
}
