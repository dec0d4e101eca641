/** `retry:` → how often a step is tried in all, after which failures, and how long it waits before. */
import { DEFAULT_BACKOFF, RETRY_CLASSES, type Retry, type RetryClass, USUAL_CLASSES } from '../domain/retry.ts';
import { milliseconds } from './durations.ts';
import type { FileContext } from './file-context.ts';
import { child, type Node } from './syntax-tree.ts';

/** Its shape has been checked; what is wrong reads as not given. */
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

/** Where the word stands that asks to try again what took too long. */
export function timedOutIn(node: Node | undefined): Node | undefined {
  const on = node?.is === 'map' ? child(node, 'on') : undefined;
  return on?.is === 'list' ? on.items.find(item => item.is === 'scalar' && item.value === 'timed_out') : undefined;
}
