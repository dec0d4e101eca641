import type { RecordedEvent } from '../../src/domain/event.ts';
import { reduce } from '../../src/telling/reduce.ts';
import { emptyRunView, type RunView } from '../../src/telling/run-view.ts';
import { type Frame, frameOf, type Size } from '../../src/ui/frame.ts';
import { painted } from '../../src/ui/line.ts';
import { START } from '../telling/recordings.ts';

/** The run as it stood so many seconds after the start. */
export function runViewAt(recording: readonly RecordedEvent[], seconds: number): RunView {
  const run = emptyRunView();
  for (const event of recording) if (event.at <= START + seconds * 1000) reduce(run, event);
  return run;
}

export const frameAt = (recording: readonly RecordedEvent[], seconds: number, size: Size): Frame =>
  frameOf(runViewAt(recording, seconds), START + seconds * 1000, size);

/** What a person sees: the scroll-back, and the live part below it, without colour. */
export function seen(recording: readonly RecordedEvent[], seconds: number, columns: number, rows = 24): string {
  const { past, live } = frameAt(recording, seconds, { columns, rows });
  return [...past, ...live].map(line => painted(line, false)).join('\n');
}
