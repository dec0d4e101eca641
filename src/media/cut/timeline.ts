/** Which shots are on the screen, and how much of each (pure). */
import type { CutShot } from '../../model/media/cut.ts';

interface Showing {
  /** Its place among the shots. */
  readonly index: number;
  readonly shot: CutShot;
  /** Its own frame, from 0. */
  readonly frame: number;
  /** How much of it is seen over those before it, 0 to 1: less than 1 only while one dissolves into the next. */
  readonly share: number;
  /** 0 is black, 1 its own light. */
  readonly light: number;
}

/**
 * From the one that lies lowest; empty in a gap, which is black. Of a dissolve of four frames one sees a fifth, two, three and four
 * fifths of the new shot: neither shot is there alone. A fade begins, or ends, with a frame that is black.
 */
export function showingAt(shots: readonly CutShot[], n: number): readonly Showing[] {
  return shots.flatMap((shot, index) => {
    const frame = n - shot.at;
    if (frame < 0 || frame >= shot.frames) return [];
    const share = frame < shot.dissolve ? (frame + 1) / (shot.dissolve + 1) : 1;
    const after = frame / Math.max(1, shot.fadeIn);
    const before = (shot.frames - 1 - frame) / Math.max(1, shot.fadeOut);
    const light = Math.min(1, shot.fadeIn > 0 ? after : 1, shot.fadeOut > 0 ? before : 1);
    return [{ index, shot, frame, share, light }];
  });
}
