import type { Timeout } from '../../model/pipeline.ts';
import {
  DEFAULT_BACKOFF,
  RETRY_CLASSES,
  type Retry,
  type RetryClass,
  USUAL_CLASSES,
} from '../../model/run/retry-policy.ts';
import type { Findings } from '../checks/findings.ts';
import { millisecondsIn } from '../messages/foreign/meant-values.ts';
import { messages } from '../messages/index.ts';
import type { FileContext } from '../yaml/file-context.ts';
import { child, type MapNode, type Node } from '../yaml/syntax-tree.ts';

/** `timeout:` in milliseconds. Its shape has been checked; what is wrong reads as not given. */
export function readTimeout(node: Node | undefined, findings: Findings): Timeout | undefined {
  if (node === undefined) return undefined;
  if (node.is !== 'map') {
    const total = milliseconds(node, findings);
    return total === undefined ? undefined : { total };
  }
  const parts = (['queue', 'run', 'total'] as const).flatMap(name => {
    const value = milliseconds(child(node, name), findings);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(parts);
}

/**
 * `on_timeout:` of a request to a model, and whether `retry` may name `timed_out`: what was not ended goes on and is billed, so the same
 * is never asked for beside it.
 */
export function readOnTimeout(
  step: MapNode,
  isCall: boolean,
  { findings, defaults }: Pick<FileContext, 'findings' | 'defaults'>,
): 'cancel' | undefined {
  const entry = step.entries.find(({ name }) => name === 'on_timeout');
  const cancels = entry?.value.is === 'scalar' && entry.value.value === 'cancel';
  const limit = child(step, 'timeout') ?? (defaults && child(defaults, 'timeout'));
  if (cancels && isCall) findings.add(messages.onTimeoutOfCall(), entry.nameAt);
  else if (cancels && !limit) findings.add(messages.onTimeoutWithoutLimit(), entry.nameAt);
  const late = timedOutIn(child(step, 'retry'));
  if (late && isCall) findings.add(messages.retryOfLateCall(), late.at);
  else if (late && !cancels) findings.add(messages.retryOfWhatGoesOn(), late.at);
  return cancels && !isCall ? 'cancel' : undefined;
}

/** A longer time is a typing mistake. */
const LONGEST_HOURS = 8_760;

/** Its shape has been checked; what is wrong reads as not given. */
function milliseconds(node: Node | undefined, findings: Findings): number | undefined {
  if (node?.is !== 'scalar' || typeof node.value !== 'string') return undefined;
  const exact = millisecondsIn(node.value);
  if (exact === undefined) return undefined;
  const ms = Math.round(exact);
  if (ms < 1) return void findings.add(messages.noTime(node.value), node.at);
  if (!(ms <= LONGEST_HOURS * 3_600_000))
    return void findings.add(messages.tooMuchTime(node.value, LONGEST_HOURS), node.at);
  return ms;
}

/** How often a step is tried in all, after which failures, and how long it waits before. Its shape has been checked; what is wrong reads as not given. */
export function readRetry(
  node: Node | undefined,
  { findings, wrong }: Pick<FileContext, 'findings' | 'wrong'>,
): Retry | undefined {
  if (node?.is !== 'map' || wrong.has(node)) return undefined;
  const attempts = child(node, 'attempts');
  if (attempts?.is !== 'scalar' || typeof attempts.value !== 'number' || wrong.has(attempts)) return undefined;
  const on = child(node, 'on');
  const named = on?.is === 'list' && !wrong.has(on) ? on.items.flatMap(item => classOf(item)) : undefined;
  return {
    attempts: attempts.value,
    backoff: milliseconds(child(node, 'backoff'), findings) ?? DEFAULT_BACKOFF,
    on: named === undefined ? USUAL_CLASSES : [...new Set(named)],
  };
}

const classOf = (node: Node): RetryClass[] =>
  node.is === 'scalar' ? RETRY_CLASSES.filter(one => one === node.value) : [];

/** The place of the word that asks for another attempt after a timeout. */
function timedOutIn(node: Node | undefined): Node | undefined {
  const on = node?.is === 'map' ? child(node, 'on') : undefined;
  return on?.is === 'list' ? on.items.find(item => item.is === 'scalar' && item.value === 'timed_out') : undefined;
}
