/** CEL's own words for what is wrong, in ours. */
import type { Message } from '../findings.ts';
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
  if (unexpected === 'EOF') return 'it ends too early';
  if (unexpected) return `${token(unexpected)} does not fit here`;
  const expected = /^Expected (\w+), got (\w+)$/.exec(summary);
  if (expected?.[1] && expected[2])
    return `expected ${token(expected[1])}, but ${expected[2] === 'EOF' ? 'it ends' : `there is ${token(expected[2])}`}`;
  if (/^Exceeded max/.test(summary)) return 'it is nested too deeply';
  return lowerFirst(summary);
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
    ListedFile: 'a file of a command',
    Media: 'media facts',
  };
  return own(names, type) ?? type;
};

export function typeProblem(problem: string, summary: string, near: (name: string) => string | undefined): Message {
  const operator = /^no such overload: (.+) (\S+) (.+)$/.exec(summary);
  if (operator?.[1] && operator[2] && operator[3])
    return error(
      'bad-operation',
      `\`${operator[2]}\` does not work between ${celType(operator[1])} and ${celType(operator[3])}; convert one of them`,
    );
  const unary = /^no such overload: ([!-])(.+)$/.exec(summary);
  if (unary?.[1] && unary[2])
    return error('bad-operation', `\`${unary[1]}\` does not work on ${celType(unary[2])}; change it`);
  const field = /^No such key: (.*)$/.exec(summary)?.[1];
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
  // The type of a loop's own loop is not always known to it.
  const said = lowerFirst(summary).replaceAll("type 'undefined'", 'a value whose type is not known here');
  return error('bad-expression', `${said}; change the expression`);
}
