/** Expressions as nobody would write them: most of them grammatical, some of them nearly. */

import type { Dice } from '../simulate/dice.ts';
import { mutateText, NUMBERS, STRINGS } from './mutate.ts';

const ROOTS = [
  ...'params.idea params.speed params.words params.words[0] matrix.seed env.HOME run.id run.name'.split(' '),
  ...'steps.shot steps.shot[0].result_url steps.shot.result_url steps.shots each.result_url nobody params'.split(' '),
];
const METHODS = [
  ..."size() lower() trim() split(',') join(',') contains('a') startsWith('a') reverse() sort() last() sum()".split(
    ' ',
  ),
  ..."distinct() flatten() slice(0,2) substring(1) replace('a','aa') indexOf('a')".split(' '),
];
const LOOPS = 'all exists exists_one map filter sortBy'.split(' ');
const BINARY = '+ - * / % == != < <= > >= && || in'.split(' ');
const FUNCTIONS = 'size int double string has bool json slug range round math.ceil math.least type dyn'.split(' ');
const LITERALS = 'true|false|null|x|y|1u|0x10|b"a"|r\'\\d\'|9223372036854775807|1.0'.split('|');

export function expression(dice: Dice): string {
  const written = term(dice, 1 + dice.below(6));
  return dice.chance(0.3) ? mutateText(written, dice) : written;
}

function term(dice: Dice, depth: number): string {
  const part = () => term(dice, depth - 1);
  if (depth <= 0) return leaf(dice);
  switch (dice.below(13)) {
    case 0:
      return `(${part()})`;
    case 1:
    case 2:
      return `${part()} ${dice.pick(BINARY)} ${part()}`;
    case 3:
      return `${part()} ? ${part()} : ${part()}`;
    case 4:
      return `${dice.pick(['!', '-', '!!', '--'])}${part()}`;
    case 5:
      return `${part()}.${dice.pick(METHODS)}`;
    case 6:
      return `${part()}.${dice.pick(LOOPS)}(${dice.pick(['x', 'y', '_x', 'steps', 'params'])}, ${part()})`;
    case 7:
      return `[${Array.from({ length: dice.below(4) }, part).join(', ')}]`;
    case 8:
      return `{${Array.from({ length: dice.below(3) }, () => `${part()}: ${part()}`).join(', ')}}`;
    case 9:
      return `${part()}[${part()}]`;
    case 10:
      return `${dice.pick(FUNCTIONS)}(${part()})`;
    case 11:
      return `cel.bind(x, ${part()}, ${part()})`;
    default:
      return leaf(dice);
  }
}

function leaf(dice: Dice): string {
  switch (dice.below(6)) {
    case 0:
      return String(dice.pick(NUMBERS));
    case 1:
      return JSON.stringify(dice.pick(STRINGS).slice(0, 60));
    case 2:
      return dice.pick(LITERALS);
    default:
      return dice.pick(ROOTS);
  }
}
