/** The edges of the graph: what the expressions of a step read of other steps, and where. */
import type { Span } from '../domain/diagnostic.ts';
import type { ExpressionValue, Value } from '../domain/pipeline.ts';
import { readCode } from './cel.ts';
import type { Findings } from './findings.ts';
import type { StepType } from './path-types.ts';
import { placeInCode } from './values.ts';

/** Adds to `upstream` what this value of `step` reads; what is there already keeps its place. */
export function collectEdges(
  value: Value,
  step: string,
  steps: ReadonlyMap<string, StepType>,
  findings: Findings,
  upstream: Map<string, Span>,
): void {
  switch (value.is) {
    case 'literal':
      return;
    case 'expression':
      for (const { root, path } of value.reads) {
        const name = path[0];
        if (root !== 'steps' || name === undefined || name === step || !steps.has(name) || upstream.has(name)) continue;
        upstream.set(name, referenceAt(value, name, findings));
      }
      return;
    case 'text':
      for (const part of value.parts) if (typeof part === 'object') collectEdges(part, step, steps, findings, upstream);
      return;
    case 'list':
      for (const item of value.items) collectEdges(item, step, steps, findings, upstream);
      return;
    case 'map':
      for (const entry of value.entries) collectEdges(entry.value, step, steps, findings, upstream);
  }
}

function referenceAt(expression: ExpressionValue, step: string, findings: Findings): Span {
  const read = readCode(expression.code);
  const selection =
    read.is === 'broken'
      ? undefined
      : read.selections.find(({ segments }) => segments[0].name === 'steps' && segments[1]?.name === step);
  const segment = selection?.segments[1];
  return segment ? placeInCode(findings.source.text, expression, segment.start, segment.end) : expression.at;
}
