/** Expressions as nobody would write them: most of them grammatical, some of them nearly. */
import { type Chance, mutateText, NUMBERS, STRINGS } from './mutate.ts';

const ROOTS = [
  ...[
    'params.idea',
    'params.speed',
    'params.words',
    'params.words[0]',
    'matrix.seed',
    'env.HOME',
    'run.id',
    'run.name',
  ],
  ...[
    'steps.shot',
    'steps.shot[0].result_url',
    'steps.shot.result_url',
    'steps.shots',
    'each.result_url',
    'nobody',
    'params',
  ],
];
const METHODS = [
  'size()',
  'lower()',
  'trim()',
  "split(',')",
  "join(',')",
  "contains('a')",
  "startsWith('a')",
  'reverse()',
  'sort()',
  'last()',
  'sum()',
  'distinct()',
  'flatten()',
  'slice(0, 2)',
  'substring(1)',
  "replace('a', 'aa')",
  "indexOf('a')",
];
const LOOPS = ['all', 'exists', 'exists_one', 'map', 'filter', 'sortBy'];
const BINARY = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', '&&', '||', 'in'];

export function expression(chance: Chance): string {
  const written = term(chance, 1 + chance.below(6));
  return chance.is(0.3) ? mutateText(written, chance) : written;
}

function term(chance: Chance, depth: number): string {
  const part = () => term(chance, depth - 1);
  if (depth <= 0) return leaf(chance);
  switch (chance.below(13)) {
    case 0:
      return `(${part()})`;
    case 1:
    case 2:
      return `${part()} ${chance.of(BINARY)} ${part()}`;
    case 3:
      return `${part()} ? ${part()} : ${part()}`;
    case 4:
      return `${chance.of(['!', '-', '!!', '--'])}${part()}`;
    case 5:
      return `${part()}.${chance.of(METHODS)}`;
    case 6:
      return `${part()}.${chance.of(LOOPS)}(${chance.of(['x', 'y', '_x', 'steps', 'params'])}, ${part()})`;
    case 7:
      return `[${Array.from({ length: chance.below(4) }, part).join(', ')}]`;
    case 8:
      return `{${Array.from({ length: chance.below(3) }, () => `${part()}: ${part()}`).join(', ')}}`;
    case 9:
      return `${part()}[${part()}]`;
    case 10:
      return `${chance.of(['size', 'int', 'double', 'string', 'has', 'bool', 'json', 'slug', 'range', 'round', 'math.ceil', 'math.least', 'type', 'dyn'])}(${part()})`;
    case 11:
      return `cel.bind(x, ${part()}, ${part()})`;
    default:
      return leaf(chance);
  }
}

function leaf(chance: Chance): string {
  switch (chance.below(6)) {
    case 0:
      return String(chance.of(NUMBERS));
    case 1:
      return JSON.stringify(chance.of(STRINGS).slice(0, 60));
    case 2:
      return chance.of([
        'true',
        'false',
        'null',
        'x',
        'y',
        '1u',
        '0x10',
        'b"a"',
        "r'\\d'",
        '9223372036854775807',
        '1.0',
      ]);
    default:
      return chance.of(ROOTS);
  }
}
