/** Expressions that are no CEL, and those that go wrong when they are evaluated. */
import type { CodeProblem } from '../cel.ts';
import { syntaxProblem, typeProblem } from './cel-wording.ts';
import { a, error, lowerFirst, quoted } from './wording.ts';

export const expressionMessages = {
  openExpression: () => error('open-expression', '`${{` is never closed; add `}}`'),
  emptyExpression: () =>
    error('empty-expression', 'an empty expression has no value; write something between `${{` and `}}`'),
  codeProblem: ({ kind, message }: CodeProblem) => {
    switch (kind) {
      case 'matches':
        return error(
          'not-offered',
          '`matches` is not offered, a pattern can take hours; use `contains`, `startsWith`, `endsWith` or `in`',
        );
      case 'nesting':
        return error('too-deep', 'loops inside loops inside loops take too long; nest at most two');
      case 'variable':
        return error('bad-name', 'the variable of a loop begins with a letter; choose another name');
      case 'length':
        return error('too-long', 'the expression is longer than 4000 characters; split it');
      case 'syntax':
        return error('bad-expression', syntaxProblem(message));
    }
  },
  foreignSyntax: (advice: string) => error('bad-expression', advice),
  openText: (quote: string) =>
    error(
      'bad-expression',
      `a quoted text never ends; a \`${quote}\` inside it is written \`\\${quote}\`, or write \`${quote === "'" ? '"…"' : "'…'"}\` around it`,
    ),
  notJsonType: (type: string) =>
    error(
      'not-json',
      `this gives ${type === 'bytes' ? 'bytes' : a(type.split('.').at(-1)!.toLowerCase())}, which no field can hold; give a text or a number`,
    ),
  celProblem: (problem: string, summary: string, near: (name: string) => string | undefined) =>
    typeProblem(problem, summary, near),

  // ---- evaluation
  missingValue: (path: string) => `\`${path}\` has no value`,
  textTooBig: (limit: number) => `the text would be longer than ${limit} characters`,
  notScalar: (source: string, given: string) => `${quoted(source)} gave ${given}, which cannot stand inside a text`,
  notJson: (source: string) => `${quoted(source)} gave something that is no JSON; convert it with \`string(…)\``,
  tooBigResult: (source: string) => `${quoted(source)} gave a whole number too big to be exact`,
  wentWrong: (source: string, summary: string) => `${quoted(source)}: ${lowerFirst(summary)}`,
};
