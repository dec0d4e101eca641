/**
 * What each shot of a film is, kept inside its clean plate: so the last step of a chain can still say, in fresh type, which
 * shot one looks at, though the slate of the first step is long gone from the picture.
 */

import { readComment } from '../../../media/decode/open-input.ts';
import { recordIn } from '../../../model/text/json.ts';
import type { SlateShot } from './slate.ts';

/** For `EncodeJob.comment`. */
export function noteOf(shots: readonly SlateShot[]): string {
  const kept = shots.map(({ start, end, words, size, camera }) => ({ start, end, words, size, camera }));
  return JSON.stringify({ shotlist: 1, shots: kept });
}

/** The shots noted in a film of ours; of any other film, one shot with these words. */
export async function shotsOf(path: string, duration: number, words: string): Promise<readonly SlateShot[]> {
  const comment = await readComment(path);
  const noted = comment === undefined ? undefined : understood(comment);
  return noted ?? [{ start: 0, end: duration, words }];
}

/** The file may come from outside: only an exact note of ours counts. */
function understood(comment: string): readonly SlateShot[] | undefined {
  const note: unknown = recordIn(comment);
  if (!isObject(note) || note.shotlist !== 1 || !Array.isArray(note.shots) || note.shots.length === 0) return undefined;
  return note.shots.every(isShot) ? note.shots : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function isShot(value: unknown): value is SlateShot {
  return (
    isObject(value) &&
    typeof value.start === 'number' &&
    typeof value.end === 'number' &&
    typeof value.words === 'string' &&
    (value.size === undefined || SIZES.has(value.size)) &&
    (value.camera === undefined || typeof value.camera === 'string')
  );
}

const SIZES = new Set<unknown>(['extreme-wide', 'wide', 'medium', 'close', 'extreme-close']);

/** A film's shots after a section was shot again: what the section covers gives way to the new ones. */
export function retaken(shots: readonly SlateShot[], fresh: readonly SlateShot[]): SlateShot[] {
  const from = fresh[0]?.start ?? 0;
  const to = fresh.at(-1)?.end ?? 0;
  const before = shots.filter(shot => shot.start < from).map(shot => ({ ...shot, end: Math.min(shot.end, from) }));
  const after = shots.filter(shot => shot.end > to).map(shot => ({ ...shot, start: Math.max(shot.start, to) }));
  return [...before, ...fresh, ...after];
}
