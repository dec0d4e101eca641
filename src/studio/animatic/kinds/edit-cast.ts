/** A generated picture whose background is transparent: its subject alone, as the scene would light it, on nothing. */
import { createCanvas } from '@napi-rs/canvas';
import { Noise } from '../../random.ts';
import type { RenderJob } from '../job.ts';
import { readPrompt } from '../prompt/prompt.ts';
import type { FrameSize } from '../request/frame-size.ts';
import { seedOf, text } from '../request/request-fields.ts';
import { cameraAt, project } from '../scene/camera.ts';
import { cast } from '../scene/cast.ts';
import { PLACES } from '../scene/places.ts';
import { Scene } from '../scene/scene.ts';
import { Stage } from '../scene/stage.ts';
import { fadeToOval } from './edit-inserts.ts';

/** The moment a still shows. */
const MOMENT = { seconds: 1.4, progress: 0.42 } as const;

export function paintSubjects({ request }: Pick<RenderJob, 'request'>, { width, height }: FrameSize) {
  const seed = seedOf(request);
  const [shot] = readPrompt(text(request, 'prompt') ?? '', { duration: 1, seed });
  if (!shot) throw new Error('a prompt gave no shot');
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const stage = new Stage(shot, { width, height, seed });
  // The set decides where the ground and the light are; it is built and left in the dark.
  PLACES[shot.place](stage);
  const actors = cast(stage, seed);
  const camera = cameraAt(shot.camera, { ...MOMENT, pace: shot.pace }, new Noise(`hand|${seed}`));
  for (const actor of actors) {
    const at = project(camera, actor.depth, { width, height, vanishing: stage.horizon, reach: stage.reach });
    actor.draw(context, at, { ...MOMENT, pulse: 0 });
  }
  if (actors.length === 0) {
    // Nobody is there to be cut out.
    new Scene(shot, { width, height, seed }).draw(context, MOMENT);
    fadeToOval(context, { width, height });
  }
  return { canvas, accent: stage.palette.accent, words: shot.words };
}
