/** The type of an expression at its place: paths are followed (`path-types.ts`), and operators, functions and loops checked (`expression/check-expression.ts`). */
import type { Span } from '../../model/diagnostic.ts';
import type { ExpressionValue } from '../../model/pipeline.ts';
import type { Findings, Message } from '../checks/findings.ts';
import { typeOfTree } from '../expression/check-expression.ts';
import type { CodeProblem } from '../expression/tokens.ts';
import { foreignSyntax } from '../messages/foreign/foreign-expressions.ts';
import { messages } from '../messages/index.ts';
import { readCode, type Selection } from './cel.ts';
import { noteRealDivision } from './evaluate-expression.ts';
import { descend, type ReportAt, type TypeScope, typeOfPath } from './path-types.ts';
import { type Type, WRONG } from './types.ts';
import { placeInCode } from './values.ts';

export function typeOf(expression: ExpressionValue, scope: TypeScope, findings: Findings): Type {
  const { code } = expression;
  const read = readCode(code);
  const spanOf = (start: number, end: number): Span => placeInCode(findings.source.text, expression, start, end);
  const report = (what: Message, start: number, end: number): Type => {
    findings.add(what, spanOf(start, end));
    return WRONG;
  };
  switch (read.is) {
    case 'broken': {
      const { problem } = read;
      if (code === '') {
        findings.add(messages.emptyExpression(), expression.at);
        return WRONG;
      }
      const foreign = isSyntax(problem) ? foreignSyntax(code) : undefined;
      if (foreign)
        return report(
          messages.foreignSyntax(foreign.advice, code.slice(foreign.start, foreign.end), foreign.by),
          foreign.start,
          foreign.end,
        );
      return report(messages.codeProblem(problem), problem.start, problem.end);
    }
    case 'path':
      return orUnasked(typeOfPath(read.selections[0], scope, report), read.selections, report);
    case 'program': {
      const type = typeOfTree(read.tree, {
        code,
        typeOfRead: ({ segments, end }, probed) => typeOfPath({ segments, end, probed }, scope, report),
        typeOfField: (of, called, name) => descend(of, [name], [called], report),
        report,
        noteRealDivision: division => noteRealDivision(expression, division),
        spanOf: ({ start, end }) => spanOf(start, end),
      });
      return orUnasked(type, read.selections, report);
    }
  }
}

/** Whether more than a sign may be another language's. `|` is one, with a filter behind it. */
const isSyntax = (problem: CodeProblem): boolean =>
  ['early-end', 'expected', 'unexpected', 'character', 'open-text'].includes(problem.kind) ||
  problem.kind === 'variable' ||
  problem.kind === 'reserved' ||
  (problem.kind === 'spelling' && ['|', 'is', 'not', 'if', 'then', 'else', '**'].includes(problem.text));

/** The first instance has nothing before it: an expression that reads `previous` asks for it in the same expression. */
function orUnasked(type: Type, selections: readonly Selection[], report: ReportAt): Type {
  const previous = selections.filter(({ segments }) => segments[0].name === 'previous');
  const [unasked] = previous;
  if (!unasked || type.is === 'wrong' || previous.some(({ probed }) => probed)) return type;
  const path = unasked.segments.map(({ name }) => name).join('.');
  return report(messages.previousUnasked(path), unasked.segments[0].start, unasked.end);
}
