/** Lines of what is over: instances that ended alike, one after the other, become one line where they are many. */
import { stepOf } from '../../domain/key.ts';
import type { EndedInstance, RunView } from './run-view.ts';

/** So many instances of one step that end alike are still told one by one. */
const MOST_ONE_BY_ONE = 4;

export function settle(run: RunView, instance: EndedInstance): void {
  const first = run.alike[0];
  if (first !== undefined && sameEnd(first) !== sameEnd(instance)) flushAlike(run);
  if (sameEnd(instance) === null) run.settled.push({ is: 'instance', instance });
  else run.alike.push(instance);
}

/** Tells what ended alike without waiting for the next event: one by one when there are few, in one line when there are many. */
export function flushAlike(run: RunView): void {
  const alike = run.alike;
  if (alike.length === 0) return;
  run.alike = [];
  if (alike.length > MOST_ONE_BY_ONE) run.settled.push({ is: 'group', instances: alike });
  else for (const instance of alike) run.settled.push({ is: 'instance', instance });
}

/** Equal for instances of one step that nothing was done for, for the same reason. */
function sameEnd({ key, ended: state }: EndedInstance): string | null {
  const step = stepOf(key);
  if (state.is === 'reused') return `${step} ${state.fetched ? 'fetched' : 'reused'}`;
  if (state.is === 'skipped') return `${step} ${state.needless ? 'needless' : 'skipped'} ${state.why}`;
  if (state.is === 'left_out') return `${step} left out ${state.why}`;
  if (state.is === 'blocked') return `${step} blocked ${state.by}`;
  return null;
}
