/** Driving audio moves the picture: every beat leans the camera in a little and lifts the light, and lets go slowly. */
import type { SKRSContext2D } from '@napi-rs/canvas';
import type { FrameSize } from '../request/frame-size.ts';

/** How much is kept from one frame to the next: a beat is gone after a quarter of a second. */
const KEPT = 0.82;
/** Loudness that lasts for seconds is no beat: so much of it is left out. */
const USUAL = 0.6;

/** Loudness along the film, two values for each frame → the push of each frame, 0 to 1. */
export function beatPushes(levels: Float32Array, frames: number): Float32Array {
  const out = new Float32Array(frames);
  let held = 0;
  let usual = 0;
  for (let frame = 0; frame < frames; frame++) {
    const level = Math.max(levels[frame * 2] ?? 0, levels[frame * 2 + 1] ?? 0);
    held = Math.max(level, held * KEPT);
    usual += (level - usual) * 0.04;
    out[frame] = Math.max(0, Math.min(1, (held - usual * USUAL) * 1.2));
  }
  return out;
}

/** Over a painted frame. */
export function applyPush(context: SKRSContext2D, { width, height }: FrameSize, push: number): void {
  if (push < 0.004) return;
  const scale = 1 + 0.02 * push;
  context.save();
  context.drawImage(
    context.canvas,
    ((1 - scale) * width) / 2,
    ((1 - scale) * height) / 2,
    width * scale,
    height * scale,
  );
  context.globalCompositeOperation = 'soft-light';
  context.fillStyle = `rgba(255,250,240,${(0.2 * push).toFixed(3)})`;
  context.fillRect(0, 0, width, height);
  context.restore();
}
