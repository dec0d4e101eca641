import type { Timeout } from '../domain/pipeline.ts';
import { milliseconds } from './durations.ts';
import type { FileContext } from './file-context.ts';
import type { Findings } from './findings.ts';
import { messages } from './messages/index.ts';
import { timedOutIn } from './retries.ts';
import { child, type MapNode, type Node } from './syntax-tree.ts';

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
