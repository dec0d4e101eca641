/** What is made once more although it is owned. */
import type { InstanceKey } from '../domain/key.ts';
import { memoized } from '../domain/memoized.ts';
import { parseSelector, selects } from '../domain/selector.ts';
import type { PlanContext } from './plan-context.ts';

/**
 * A run that ended before its time goes on with the same words: what it had made once more by then is not made a third time.
 *
 * @param fingerprint undefined where it is not known yet.
 */
export function isRedone(
  key: InstanceKey,
  fingerprint: string | undefined,
  { selection, owned }: Pick<PlanContext, 'selection' | 'owned'>,
): boolean {
  if (!selection || selection.redo.length === 0) return false;
  const isAsked = selectorsOf(selection.redo).some(selector => aroundAnd(key).some(one => selects(selector, one)));
  if (!isAsked) return false;
  const { redoneSince } = selection;
  const made = fingerprint === undefined || redoneSince === undefined ? undefined : owned.madeAt?.(fingerprint);
  return made === undefined || redoneSince === undefined || made < redoneSince;
}

/** The instance, and those of the steps whose files it stands in: `cleaned[beat=3]/repair`, `cleaned[beat=3]`. */
function aroundAnd(key: InstanceKey): readonly InstanceKey[] {
  const all = [key];
  for (let at = key.lastIndexOf('/'); at > 0; at = key.lastIndexOf('/', at - 1))
    if (parseSelector(key.slice(0, at))) all.push(key.slice(0, at) as InstanceKey);
  return all;
}

const selectorsOf = memoized((texts: readonly string[]) => texts.flatMap(text => parseSelector(text) ?? []));
