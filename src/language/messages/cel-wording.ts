/** CEL's own words for what is wrong, in ours. */
import type { Message } from '../findings.ts';
import { foreignCall, isLength } from './foreign-expressions.ts';
import { and, error, lowerFirst, own } from './wording.ts';

/** CEL's own words for what it meets, in ours. */
const TOKENS: Readonly<Record<string, string>> = {
  EOF: 'the end',
  IDENTIFIER: 'a name',
  NUMBER: 'a number',
  STRING: 'a text',
  BOOLEAN: 'true or false',
  NULL: 'null',
  DOT: '`.`',
  COMMA: '`,`',
  COLON: '`:`',
  QUESTION: '`?`',
  LPAREN: '`(`',
  RPAREN: '`)`',
  LBRACKET: '`[`',
  RBRACKET: '`]`',
  LBRACE: '`{`',
  RBRACE: '`}`',
};

export function syntaxProblem(summary: string): string {
  const token = (name: string): string => own(TOKENS, name) ?? `\`${name.toLowerCase()}\``;
  const unexpected = /^Unexpected token: (\w+)$/.exec(summary)?.[1];
  if (unexpected === 'EOF') return 'it ends too early; finish it';
  if (unexpected) return `${token(unexpected)} does not fit here; change it`;
  const expected = /^Expected (\w+), got (\w+)$/.exec(summary);
  if (expected?.[1] === 'COLON' && expected[2] === 'EOF')
    return 'it says only what is taken when the condition holds; add `: …` for the other case';
  if (expected?.[1] && expected[2])
    return expected[2] === 'EOF'
      ? `it ends too early; add ${token(expected[1])}`
      : `expected ${token(expected[1])}, but there is ${token(expected[2])}; change it`;
  if (/^Exceeded max/.test(summary)) return 'it is nested too deeply; split it';
  if (/^Unterminated string/.test(summary)) return 'a quoted text never ends; add the closing quote';
  if (/^Unexpected character: '[\w]'/.test(summary))
    return 'two values stand side by side; put an operator between them';
  return `${lowerFirst(summary)}; this is not a valid expression`;
}

/** CEL's own words for its types, in ours. */
const celType = (type: string): string => {
  const item = /^list<(.*)>$/.exec(type)?.[1];
  if (item !== undefined) return 'a list';
  if (type.startsWith('map')) return 'a mapping';
  const names: Readonly<Record<string, string>> = {
    string: 'a text',
    int: 'a whole number',
    double: 'a number',
    bool: 'true or false',
    dyn: 'anything',
    list: 'a list',
    null: 'nothing',
    undefined: 'what has no type here',
    MediaResult: 'a result',
    TextResult: 'a text result',
    Usage: 'the usage of a chat',
    CommandResult: 'the result of a command',
    CommandFile: 'a file of a command',
    Media: 'media facts',
  };
  return own(names, type) ?? type;
};

export function typeProblem(problem: string, summary: string, near: (name: string) => string | undefined): Message {
  const operator = /^no such overload: (.+) (\S+) (.+)$/.exec(summary);
  if (operator?.[1] && operator[2] && operator[3])
    return error(
      'bad-operation',
      `\`${operator[2]}\` does not work between ${celType(operator[1])} and ${celType(operator[3])}; ${conversion(operator[1], operator[2], operator[3])}`,
    );
  const unary = /^no such overload: ([!-])(.+)$/.exec(summary);
  if (unary?.[1] && unary[2])
    return error('bad-operation', `\`${unary[1]}\` does not work on ${celType(unary[2])}; change it`);
  const field = /^No such key: (.*)$/.exec(summary)?.[1];
  if (field !== undefined && isLength(field))
    return error('unknown-field', `this has no \`${field}\`; write \`size(x)\` around it`);
  if (field !== undefined) {
    const meant = near(field);
    return error(
      'unknown-field',
      `this has no \`${field}\`; ${meant ? `did you mean \`${meant}\`?` : 'check the name'}`,
    );
  }
  const variable = /^Unknown variable: (.*)$/.exec(summary)?.[1];
  if (variable !== undefined) return error('unknown-name', `expressions do not know \`${variable}\`; check the name`);
  const call = /^found no matching overload for '(?:(.*)\.)?([A-Za-z_]\w*)\((.*)\)'$/.exec(summary);
  if (call?.[2] !== undefined) {
    const foreign = foreignCall(call[2], call[1] !== undefined);
    if (foreign !== undefined) return error('bad-call', `there is no \`${call[2]}(…)\` here; ${foreign}`);
    const given = call[3] ? ` that takes ${and(call[3].split(', ').map(celType), false)}` : '';
    return error(
      'bad-call',
      `${call[1] ? `${celType(call[1])} has` : 'there is'} no \`${call[2]}(…)\`${given}; check the function and what it is given`,
    );
  }
  const branches = /got '(.*)' and '(.*)'$/.exec(summary);
  if (problem === 'incompatible_ternary_branches' && branches?.[1] && branches[2])
    return error(
      'bad-operation',
      `both sides of \`:\` must give the same, but one is ${celType(branches[1])} and one ${celType(branches[2])}; convert one of them`,
    );
  const got = /, got '(.*)'$/.exec(summary)?.[1];
  if (problem === 'invalid_condition_type' && got)
    return error(
      'bad-operation',
      `before \`?\` stands what is true or false, but this is ${celType(got)}; compare it with something`,
    );
  if (problem === 'invalid_logical_operand' && got)
    return error(
      'bad-operation',
      `\`&&\` and \`||\` join what is true or false, but one side is ${celType(got)}; compare it with something`,
    );
  if (/^cannot index type '(?!undefined)/i.test(summary))
    return error(
      'bad-expression',
      `${celType(/'(.*)'/.exec(summary)?.[1] ?? '')} has no fields; for its length write \`size(x)\` around it`,
    );
  // The type of a loop's own loop is not always known to it.
  const said = lowerFirst(summary).replaceAll("type 'undefined'", 'a value whose type is not known here');
  return error('bad-expression', `${said}; change the expression`);
}

/** What to do about an operator between two types: a text is joined to texts, a whole number counts as it is. */
function conversion(left: string, operator: string, right: string): string {
  const isText = [left, right].includes('string');
  const isNumber = [left, right].some(type => type === 'int' || type === 'double' || type === 'bool');
  if (operator === '+' && isText && isNumber)
    return `write \`string(…)\` around the ${[left, right].includes('bool') ? 'other' : 'number'}`;
  if (isText && isNumber) return 'write `double(…)` around the text, or quote the number';
  return 'convert one of them';
}
