/** What is told of a run that has told nothing for a while: `30 of 46 done; under way: shot queued, place 3 and 4 more`. Pure. */

import { phase } from '../records/views/instance-state.ts';
import type { RunView } from '../records/views/run-view.ts';
import { heldText } from './held-back.ts';
import { stateText } from './state-text.ts';

export interface SignOfLife {
  readonly text: string;
  /** Something goes on; else everything waits for what holds requests back. */
  readonly isUnderWay: boolean;
}

/** Instances that are named. */
const NAMED = 3;

/** Null where nothing goes on and nothing is held back. @param now Unix milliseconds */
export function signOfLife(run: RunView, now: number): SignOfLife | null {
  if (run.finished !== null) return null;
  const held = heldText(run, now);
  const all = [...run.instances.values()];
  const going = all.filter(({ state }) => phase(state) === 'under-way');
  if (going.length === 0) return held === null ? null : { text: held, isUnderWay: false };
  const done = all.filter(({ state }) => phase(state) === 'over').length;
  const named = going.slice(0, NAMED).map(one => `${one.label} ${stateText(run, one, now)}`);
  const more = going.length > NAMED ? ` and ${going.length - NAMED} more` : '';
  const text = `${done} of ${all.length} done; under way: ${named.join(', ')}${more}`;
  return { text: held === null ? text : `${text}; ${held}`, isUnderWay: true };
}
