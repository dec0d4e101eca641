/** `each` and `matrix`. */
import type { Product } from '../steps/instance-counts.ts';
import type { Type } from '../types/types.ts';
import { nameFrom } from './foreign/flow-text.ts';
import { and, error, typeName, warning, withSuggestion } from './foreign/wording.ts';

export const fanOutMessages = {
  eachShape: () => 'each-shape: `each` takes a whole step; write `each: ${{ steps.name }}`',
  eachName: (name: string) => `each-shape: \`each\` takes a whole step; write \`each: \${{ steps.${name} }}\``,
  eachOfList: (code: string) =>
    `each-shape: \`each\` takes a whole step, and what the file gives is an axis; write \`matrix: { row: "\${{ ${code} }}" }\` and read \`matrix.row\``,
  eachTwice: (step: string) =>
    `each-twice: \`${step}\` is named twice, and an instance meets each step once; take one out`,
  takeTaken: (step: string) =>
    `axis-taken: \`${step}\` has \`takes\` already, and its take is inherited through \`each\`; take one of the two out`,
  rangeDown: (from: number, to: number) => `range-down: a range counts up; write \`${to}..${from}\``,
  rangeTooLong: (count: number, most: number) =>
    `too-many-instances: this range has ${grouped(count)} values, and a step has at most ${grouped(most)} instances; shorten it`,
  computedData: (name: string) =>
    `computed-data: the file of \`${name}\` is named, not computed; \`--data ${name}=other.csv\` replaces it`,
  dataFile: (path: string, problem: string) =>
    /^\w+:\/\//.test(path)
      ? `data-file: \`${path}\` is an address, and \`data\` names files of the project; download it, and name the file`
      : `data-file: \`${path}\` ${problem}`,
  dataContent: (path: string, problem: string) => `data-file: \`${path}\` cannot be read: ${problem}`,
  dataEnding: (path: string) =>
    `data-file: \`${path}\` has an ending that tells nothing of its content; data is .csv, .tsv, .json, .jsonl, .yaml, a text (.txt, .md, .srt, .vtt, .html, .xml), or files by a glob: \`in/*.jpg\``,
  noFilesMatch: (pattern: string) =>
    `data-file: no file matches \`${pattern}\`; it is looked for from the pipeline's folder`,
  unknownDataGiven: (name: string, near: string | undefined, known: readonly string[]) =>
    `unknown-data: \`--data ${name}=…\` replaces nothing, for the file has no data called \`${name}\`; ${near ? `did you mean \`${near}\`?` : known.length > 0 ? `it has ${and(known)}` : 'it has none'}`,
  elseWithoutIf: () => 'else: `else` replaces the result where `if` is false, and there is no `if`; add one',
  elseShape: () => 'else: `else` takes a whole result; write `${{ steps.name }}` or `${{ each }}`',
  elseOfFanOut: (step: string, other: string) =>
    `else: \`${other}\` is fanned out and gives a list, and \`${step}\` needs one result to stand in; make it by \`each: \${{ steps.${other} }}\` and write \`else: \${{ each }}\``,
  elseOfOtherKind: (own: Type, other: Type) =>
    `else: this step gives ${typeName(own)}, and ${typeName(other)} cannot stand in for it; name a step that gives the same`,
  countShape: (key: string, meant: boolean | number | undefined) =>
    `wrong-type: \`${key}\` is a number, or one expression that gives one; write \`${key}: ${typeof meant === 'number' ? meant : 3}\``,
  countNotNumber: (key: string, type: Type) =>
    `wrong-type: \`${key}\` is a whole number, but this is ${typeName(type)}`,
  keyOfAxis: (axes: readonly string[]) =>
    error(
      'key-of-axis',
      axes.length === 0
        ? '`key` names the rows of an axis, and this step has none of its own; take it out'
        : `\`key\` reads the one axis whose rows it names, like \`\${{ matrix.${axes[0]}.slug }}\``,
    ),
  keyNotScalar: (type: Type) =>
    `wrong-type: a key is a text or a number, but this is ${typeName(type)}; read one of its fields`,
  takesAlike: (model: string) => ({
    code: 'takes-alike',
    message: `${model} has no seed: takes differ only on a service that draws without one, and the built-in studio draws all of them alike; to tell them apart everywhere, let the prompt read \`\${{ take.number }}\``,
  }),
  maxMissing: (axis: string) =>
    `max-missing: how many there will be in \`${axis}\` is known only when the step it reads has run; say how many at most beside \`matrix\`, like \`max: 12\`, or by \`maxItems\` in the schema of the chat that writes it, so that the plan can tell what it may cost`,
  eachOfSingle: (step: string) =>
    `each-of-single: step \`${step}\` is not fanned out, so there is only one; take it out of \`each\` and read \`steps.${step}\` directly`,
  eachOfPairs: (step: string, one: string, other: string) =>
    warning(
      `each-of-pairs: \`${one}\` and \`${other}\` have no coordinate in common, so \`${step}\` is made for every pair of them; for one of each, give both the same axis`,
    ),
  axisTaken: (name: string, step: string) =>
    `axis-taken: the axis \`${name}\` comes already from \`${step}\` through \`each\`; give this one another name`,
  axisNotList: (name: string, type: Type, code: string) => {
    const lists = type.is === 'record' ? [...type.fields].filter(([, field]) => field.is === 'list') : [];
    const [inner] = lists[0] ?? [];
    return `wrong-type: the axis \`${name}\` takes a list, but this is ${typeName(type)}; write ${inner === undefined ? '`[…]`' : `\`\${{ ${code}.${inner} }}\``}`;
  },
  axisText: (name: string, text: string) => {
    const [, table] = /([^/]+)\.(?:csv|tsv|jsonl?|ya?ml)$/i.exec(text) ?? [];
    const data = table === undefined ? undefined : nameFrom(table, 'rows');
    return `wrong-type: the axis \`${name}\` takes a list, a range or one expression that gives a list; write ${
      data === undefined
        ? `\`${name}: […]\` or \`${name}: 1..8\``
        : `\`${name}: \${{ data.${data} }}\`, and \`data: { ${data}: ${text} }\` at the top of the file`
    }`;
  },
  axisValue: (name: string, type: Type) =>
    `wrong-type: a value of the axis \`${name}\` is a text, a number, true, false or a row (\`{ name: value }\`), but this is ${typeName(type)}`,
  repeatedValue: (name: string, value: string) =>
    `repeated-value: the axis \`${name}\` has ${value} twice, and two instances would share one key; keep one`,
  unknownCombinationAxis: (name: string, near: string | undefined, known: readonly string[]) =>
    withSuggestion(
      `unknown-axis: the matrix has no axis \`${name}\`; ${near ? `did you mean \`${near}\`?` : `it has ${and(known)}`}`,
      name,
      near,
    ),
  incompleteCombination: (missing: readonly string[]) =>
    `missing-axis: a combination names every axis; add ${and(missing)}`,
  excludeNothing: (name: string, value: string, near: string | undefined) =>
    withSuggestion(
      `exclude-nothing: the axis \`${name}\` never is ${value}, so nothing is left out; ${near ? `did you mean \`${near}\`?` : 'use one of its values'}`,
      value,
      near,
    ),
  /** `"1"` where the axis has the number 1, or the other way round. */
  excludeByType: (name: string, excluded: string | number | boolean, value: string | number | boolean) => {
    const [given, meant] = [excluded, value].map(one => JSON.stringify(one));
    return withSuggestion(
      `exclude-nothing: the axis \`${name}\` has ${meant} and never ${given}, so nothing is left out; write ${meant} ${typeof value === 'string' ? 'with' : 'without'} quotes`,
      String(given),
      String(meant),
    );
  },
  tooManyInstances: (step: string, product: Product, count: number, most: number) =>
    `too-many-instances: step \`${step}\` would have ${written(product)} = ${grouped(count)} instances, and a step has at most ${grouped(most)}; take values out, or make it several films`,
  filmTooLarge: (step: string, count: number, most: number) =>
    `too-many-instances: with step \`${step}\` the film would have ${grouped(count)} instances, and a film has at most ${grouped(most)}; make it several films`,
  noAxes: () => 'empty: `matrix` has no axis and no `include`; give it an axis',
};

/** `8 of \`shot\` × 1,000 × 1,000 + 2` */
function written({ takes, ...product }: Product): string {
  const one = writtenOnce(product);
  return takes === 1
    ? one
    : `${one.includes('+') && !one.includes('(') ? `(${one})` : one} × ${grouped(takes)} takes`.replace(/^ × /, '');
}

function writtenOnce({ each, axes, include }: Omit<Product, 'takes'>): string {
  const own = axes.map(({ count }) => grouped(count)).join(' × ');
  const cells = include === 0 ? own : own === '' ? grouped(include) : `${own} + ${grouped(include)}`;
  if (!each) return cells;
  const from = `${grouped(each.count)} of \`${each.step}\``;
  return cells === '' ? from : `${from} × ${include > 0 && own !== '' ? `(${cells})` : cells}`;
}

const grouped = (count: number): string => count.toLocaleString('en-US');
