/** What every kind of step may have: `needs`, `if`, `timeout`, `cache` and the like. (`each` and `matrix`: `fan-out-declaration.ts`.) */
import type { Span } from '../../model/diagnostic.ts';
import type { ExpressionValue, Step, Value } from '../../model/pipeline.ts';
import type { StepName } from '../../model/run/key.ts';
import { nearestOther } from '../../model/text/nearest.ts';
import type { CheckContext } from '../checks/field-check.ts';
import type { Findings } from '../checks/findings.ts';
import { withoutQuotes } from '../messages/foreign/wording.ts';
import { messages } from '../messages/index.ts';
import { readCode } from '../types/cel.ts';
import type { StepType } from '../types/path-types.ts';
import { expression, type ReadContext, readValue } from '../types/values.ts';
import type { FileContext } from '../yaml/file-context.ts';
import { child, isOff, type MapNode, type Node } from '../yaml/syntax-tree.ts';
import { readGroup } from './concurrency.ts';
import { readRetry, readTimeout } from './timeouts.ts';

export const COMMON_KEYS = [
  'description',
  'needs',
  'if',
  'else',
  'each',
  'matrix',
  'takes',
  'max',
  'key',
  'timeout',
  'retry',
  'concurrency',
  'cache',
  'save',
] as const;

interface Common {
  readonly step: Pick<Step, 'description' | 'needs' | 'if' | 'else' | 'timeout' | 'retry' | 'concurrency' | 'cache'>;
  /** The place of each name under `needs`. */
  readonly needs: ReadonlyMap<string, Span>;
}

export function readCommon(
  { name, node }: { readonly name: string; readonly node: MapNode },
  steps: ReadonlyMap<string, StepType>,
  file: FileContext,
  context: ReadContext & CheckContext,
): Common {
  const { findings, defaults } = file;
  const needs = readNeeds(child(node, 'needs'), name, steps, findings);
  const condition = readIf(child(node, 'if'), context);
  const standIn = readElse(node, name, steps, context);
  const description = child(node, 'description');
  const timeout = readTimeout(child(node, 'timeout') ?? (defaults && child(defaults, 'timeout')), findings);
  const retry = readRetry(child(node, 'retry') ?? (defaults && child(defaults, 'retry')), file);
  const group = readGroup(node, file);
  return {
    needs,
    step: {
      ...(description?.is === 'scalar' && typeof description.value === 'string'
        ? { description: description.value }
        : {}),
      needs: [...needs.keys()] as StepName[],
      ...(condition ? { if: condition } : {}),
      ...(standIn ? { else: standIn } : {}),
      ...(timeout ? { timeout } : {}),
      ...(retry ? { retry } : {}),
      ...(group ? { concurrency: group } : {}),
      cache: readCache(node) ?? readCache(defaults) ?? true,
    },
  };
}

function readNeeds(
  node: Node | undefined,
  step: string,
  steps: ReadonlyMap<string, StepType>,
  findings: Findings,
): ReadonlyMap<string, Span> {
  const items = node?.is === 'list' ? node.items : node ? [node] : [];
  const needs = new Map<string, Span>();
  for (const item of items) {
    if (item.is !== 'scalar' || typeof item.value !== 'string') continue;
    const { value, at } = item;
    if (value.includes('${{')) findings.add(messages.needsName(value), at);
    else if (value === step) findings.add(messages.selfNeed(step), at);
    else if (!steps.has(value)) {
      // `steps.shot` and `shot.result_url` name the step `shot`.
      const [, name = ''] = /^(?:steps\.)?(\w+)/.exec(value) ?? [];
      const isPath = name !== value && steps.has(name);
      const names = value.split(/[,\s]+/);
      findings.add(
        names.length > 1 && names.every(one => steps.has(one))
          ? messages.needsAsText(value, names)
          : isPath
            ? messages.needsPath(value, name)
            : messages.unknownNeed(step, value, nearestOther(value, step, steps.keys())),
        at,
      );
    } else if (!needs.has(value)) needs.set(value, at);
  }
  return needs;
}

function readIf(node: Node | undefined, context: ReadContext & CheckContext): Value | undefined {
  if (node?.is !== 'scalar' || (typeof node.value !== 'string' && typeof node.value !== 'boolean')) return undefined;
  const { findings } = context;
  const before = findings.list.length;
  const value = readValue(node, context);
  // A placeholder of another system is reported already, with its meaning.
  const isReported = findings.list.length > before;
  if (!isReported && (value.is === 'text' || (value.is === 'literal' && typeof value.value !== 'boolean'))) {
    const code = asOneExpression(value);
    // An expression with a mistake of its own is no advice: that mistake is reported.
    if (code !== undefined) context.typeOf(expression(code, node.at, context));
    if (findings.list.length > before) return value;
    findings.add(
      value.is === 'literal' && typeof withoutQuotes(value.value) === 'boolean'
        ? messages.ifInQuotes(String(value.value))
        : messages.ifText(code),
      node.at,
    );
  }
  if (value.is !== 'expression') return value;
  const type = context.typeOf(value);
  if (type.is !== 'bool' && type.is !== 'any' && type.is !== 'wrong')
    context.findings.add(messages.ifNotBool(type), value.at);
  return value;
}

/** A whole result, of a step that has one: of what kind it is, is looked at where the step's own is known (`steps.ts`). */
function readElse(
  step: MapNode,
  name: string,
  steps: ReadonlyMap<string, StepType>,
  context: ReadContext & CheckContext,
): ExpressionValue | undefined {
  const node = child(step, 'else');
  if (node?.is !== 'scalar' || typeof node.value !== 'string') return undefined;
  if (!child(step, 'if')) context.findings.add(messages.elseWithoutIf(), node.at);
  const value = readValue(node, context);
  if (value.is !== 'expression') return void context.findings.add(messages.elseShape(), node.at);
  const [read] = value.reads;
  const isWhole =
    readCode(value.code).is === 'path' &&
    ((read?.root === 'steps' && read.path.length === 1) || (read?.root === 'each' && read.path.length <= 1));
  if (!isWhole) return void context.findings.add(messages.elseShape(), value.at);
  if (context.typeOf(value).is === 'wrong') return undefined;
  const other = read?.root === 'steps' ? steps.get(read.path[0] ?? '') : undefined;
  if (other && other.coordinates.length > 0)
    return void context.findings.add(messages.elseOfFanOut(name, read?.path[0] ?? ''), value.at);
  return value;
}

/** `params.up`, or `${{ a }} && ${{ b }}`, as the one expression that was meant; undefined where it would be none. */
function asOneExpression(value: Value): string | undefined {
  const code =
    value.is === 'text'
      ? value.parts.map(part => (typeof part === 'string' ? part : part.code)).join('')
      : value.is === 'literal'
        ? String(value.value)
        : '';
  return /[.()=<>!&|]/.test(code) && readCode(code).is !== 'broken' ? code : undefined;
}

/** `cache: off` (or `false`) is the only way to turn it off. */
function readCache(map: MapNode | undefined): boolean | undefined {
  const node = map && child(map, 'cache');
  if (node?.is !== 'scalar') return undefined;
  if (isOff(node)) return false;
  return node.value === 'on' || node.value === true ? true : undefined;
}
