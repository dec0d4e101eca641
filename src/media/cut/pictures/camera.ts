/**
 * The camera over a still (pure): at one pace whatever the shot's length, so that a short shot is not hurried and a long one not thrown
 * about. It moves evenly from its first frame to its last: a move that slows down at a cut looks like a mistake.
 */
import type { CutMove } from '../../../model/media/cut.ts';

export interface Camera {
  /** 1: the picture as it fits. */
  readonly scale: number;
  /** Where it looks, right of the middle, as a share of the frame's width. */
  readonly right: number;
}

interface Travel {
  /** Length of the shot. */
  readonly seconds: number;
  /** What lies outside the frame on each side without coming closer, as a share of the frame's width. */
  readonly room: number;
}

/** Closer by so much each second, and in all at least and at most. */
const PACE = 0.022;
const LEAST = 0.05;
const MOST = 0.2;

/** @returns the camera at 0 (first frame) to 1 (last frame). */
export function cameraOver(move: CutMove, { seconds, room }: Travel): (progress: number) => Camera {
  const closer = Math.min(MOST, Math.max(LEAST, PACE * seconds));
  // Evenly is by the same factor each second, for who looks at it.
  const pushed = (progress: number): Camera => ({ scale: (1 + closer) ** progress, right: 0 });
  // Half of what coming closer gains lies on each side.
  const wide = 1 + 2 * room;
  const scale = room >= closer / 2 ? 1 : (1 + closer) / wide;
  const far = Math.min((wide * scale - 1) / 2, MOST);
  const panned = (progress: number): Camera => ({ scale, right: far * (2 * progress - 1) });
  switch (move) {
    case 'none':
      return () => ({ scale: 1, right: 0 });
    case 'push_in':
      return pushed;
    case 'pull_out':
      return progress => pushed(1 - progress);
    case 'pan_left':
      return progress => panned(1 - progress);
    case 'pan_right':
      return panned;
  }
}
