/**
 * A camera over a flat picture. The scene's camera knows depth; here its travel becomes a slide, a scale and a lean, all
 * measured from where it stood at the start, so that the first view is the picture itself. Sliding needs room: the further
 * it slides, the closer it goes, and an edge is never seen. Only a camera that pulls straight out goes below the picture's own size.
 */

import type { FrameSize } from '../request/frame-size.ts';
import type { Camera } from '../scene/camera.ts';

export interface View {
  /** Pixels. */
  readonly x: number;
  readonly y: number;
  /** 1 is the picture's own size. */
  readonly scale: number;
  /** Radians. */
  readonly roll: number;
}

/** How much of the frame a camera slides from one end of its travel to the other. */
const SLIDE = 0.055;
/** How much closer a camera comes that goes all the way in. */
const CLOSER = 0.24;
/** What a turn adds to both. */
const TURN = 0.04;
/** The furthest a camera pulls out. */
export const WIDEST = 0.84;

/** @param aim what comes to the middle while the camera comes closer: from the middle of the frame, in parts of it, at most a quarter. */
export function viewOf(
  camera: Camera,
  start: Camera,
  { width, height }: FrameSize,
  aim: { readonly x: number; readonly y: number } = { x: 0, y: 0 },
): View {
  const roll = camera.roll - start.roll;
  const right = (camera.x - start.x) * SLIDE + (camera.arc - start.arc) * TURN;
  const down = (camera.y - start.y) * SLIDE;
  const zoom = camera.zoom / start.zoom;
  const wanted = zoom * (1 + (camera.z - start.z) * CLOSER) + Math.abs(camera.arc - start.arc) * TURN;
  // Half of what is gained by coming closer lies on each side; a lean eats into the corners.
  const lean = Math.abs(Math.sin(roll)) * Math.max(width / height, height / width);
  const needed = 1 + 2 * Math.max(Math.abs(right), Math.abs(down)) + lean;
  const slides = needed > 1;
  const scale = wanted < 1 && !slides ? outwards(wanted) : Math.max(wanted, needed);
  // Only with what the slide leaves over, or an edge would be seen.
  const left = 2 * Math.max(0, scale - needed);
  return { x: -(right + aim.x * left) * width, y: -(down + aim.y * left) * height, scale, roll };
}

/** Slower and slower towards `WIDEST`, so that the move never stops dead. */
function outwards(wanted: number): number {
  const room = 1 - WIDEST;
  return 1 - room * (1 - Math.exp((wanted - 1) / room));
}
