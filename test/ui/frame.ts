import type { Stamped } from '../../src/domain/event.ts';
import { painted } from '../../src/ui/line.ts';
import { type Frame, type Size, type Tale, told, untold, view } from '../../src/ui/view.ts';
import { START } from './recordings.ts';

/** The tale as it stood so many seconds after the start. */
export function taleAt(recording: readonly Stamped[], seconds: number): Tale {
  const tale = untold();
  for (const event of recording) if (event.at <= START + seconds * 1000) told(tale, event);
  return tale;
}

export const frameAt = (recording: readonly Stamped[], seconds: number, size: Size): Frame =>
  view(taleAt(recording, seconds), START + seconds * 1000, size);

/** What a person sees: the scroll-back, and the live part below it, without colour. */
export function seen(recording: readonly Stamped[], seconds: number, columns: number, rows = 24): string {
  const { past, live } = frameAt(recording, seconds, { columns, rows });
  return [...past, ...live].map(line => painted(line, false)).join('\n');
}
