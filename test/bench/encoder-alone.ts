/**
 * The encoder on pictures that are there already: `encoder-alone.ts FOLDER REQUEST`. The film of the request is painted into memory
 * first; then result and clean plate are encoded as the studio does it, and the CPU seconds of that are the only thing it says.
 */
import { join } from 'node:path';
import { h264, rateOf } from '../../src/media/encode/encoder-settings.ts';
import { encodeHere } from '../../src/media/encode/encoding.ts';
import { DRAWN } from '../../src/media/filtergraph.ts';
import type { RenderJob } from '../../src/studio/animatic/job.ts';
import { paintFilm, planFilm } from '../../src/studio/animatic/kinds/text-to-video.ts';
import { FPS } from '../../src/studio/animatic/picture/moving-picture.ts';

const [folder = '', request = '{}'] = process.argv.slice(2);
const job: RenderJob = {
  id: 'bench',
  label: 'V-T2V-A',
  kind: 'text_to_video',
  request: JSON.parse(request),
  inputs: {},
  folder,
  speed: 'full',
};
const film = planFilm(job);
const slated: Buffer[] = [];
const clean: Buffer[] = [];
for (const pair of paintFilm(job, { film, sound: null }, { progress: () => {} })) {
  slated.push(Buffer.from(pair.slated));
  clean.push(Buffer.from(pair.clean));
}

const before = process.cpuUsage();
await Promise.all(
  [
    { pixels: slated, video: h264(rateOf(FPS)), out: join(folder, 'slated.mp4') },
    { pixels: clean, video: h264(rateOf(FPS)), out: join(folder, 'clean.mp4') },
  ].map(({ pixels, video, out }) =>
    encodeHere({ graph: DRAWN, video, out, frames: { ...film.size, fps: FPS, format: 'yuv420p', pixels } }),
  ),
);
const { user, system } = process.cpuUsage(before);
console.log((user + system) / 1e6);
