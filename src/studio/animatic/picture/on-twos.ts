/**
 * A draft is drawn on twos, as animators call it: each drawing is shown for two frames of the film. There is half as much to draw, and shots,
 * lengths and rates stay as they are.
 */
import type { RenderJob } from '../job.ts';

interface Drawing {
  /** What is drawn. */
  readonly frame: number;
  /** Frames of the film, from that one on, that it is shown for. */
  readonly shown: number;
}

/** The drawings of a shot from one frame up to another, in order. Its last frame is drawn in any case: it may have to meet a picture. */
export function* drawings({ speed }: Pick<RenderJob, 'speed'>, from: number, end: number): Generator<Drawing> {
  const most = speed === 'draft' ? 2 : 1;
  for (let frame = from; frame < end; ) {
    const shown = Math.max(1, Math.min(most, end - 1 - frame));
    yield { frame, shown };
    frame += shown;
  }
}
