import type { RecordedEvent } from '../../src/model/run/event.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView, type RunView } from '../../src/records/views/run-view.ts';
import { START } from '../text/recordings.ts';
import { drawn } from './drawn.tsx';

/** The run as it stood so many seconds after the start. */
export function runViewAt(recording: readonly RecordedEvent[], seconds: number): RunView {
  const run = emptyRunView();
  for (const event of recording) if (event.at <= START + seconds * 1000) reduce(run, event);
  return run;
}

/** What a person sees: the scroll-back, and the live part below it, without colour. */
export function seen(recording: readonly RecordedEvent[], seconds: number, columns: number, rows = 24): string {
  const { past, live } = drawn(runViewAt(recording, seconds), START + seconds * 1000, { columns, rows });
  return [...past, ...live].join('\n');
}
