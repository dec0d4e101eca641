/**
 * Words → a film: the prompt's shots, one after the other, each painted frame by frame, cut on the exact frame, with a slate over it
 * and a bed of sound under it (or the driving audio the author gave). A clean plate of the same film lies beside it for the steps after.
 */
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { readAudio } from '../../media/decode.ts';
import { aac, DRAWN, DRAWN_WITH_SOUND, encode, h264, rateOf, type StereoSound } from '../../media/encoder.ts';
import { extend } from './extend.ts';
import type { RenderHooks, RenderJob, RenderResult } from './job.ts';
import { PLATE, RESULT } from './plates.ts';
import { readPrompt, type Shot } from './prompt.ts';
import { number, seedOf, text, yes } from './request.ts';
import { Scene } from './scene/scene.ts';
import { noteOf } from './shot-notes.ts';
import { type FrameSize, frameSize } from './size.ts';
import { Slate } from './slate.ts';
import { bed, envelope, fitted } from './sound.ts';
import { type Pair, tee } from './tee.ts';

const FPS = 24;
/** Where -1 or nothing is given. */
const DEFAULT_SECONDS = 5;

export async function renderTextToVideo(job: RenderJob, hooks: RenderHooks): Promise<RenderResult> {
  const film = planFilm(job);
  const sound = await soundOf(job, film);
  const picture = { width: film.size.width, height: film.size.height, fps: FPS };
  const { slated, clean } = tee(paintFilm(job, film, sound, hooks));
  const graph = sound ? DRAWN_WITH_SOUND : DRAWN;
  const common = { graph, ...(sound ? { sound, audio: aac() } : {}) };
  const films = [
    { pixels: slated, video: h264(rateOf(FPS), { crf: 19 }), file: RESULT },
    // The plate remembers its shots, so that the last step of a chain can still say which one is seen.
    {
      pixels: clean,
      video: h264(rateOf(FPS), { crf: 17, preset: 'ultrafast' }),
      file: PLATE,
      comment: noteOf(film.shots),
    },
  ];
  const encoding = films.map(({ pixels, file, ...rest }) =>
    encode({ ...common, ...rest, frames: { ...picture, pixels }, out: path.join(job.folder, file) }),
  );
  // Both have stopped working before anybody hears of a failure.
  const failed = (await Promise.allSettled(encoding)).find(result => result.status === 'rejected');
  if (failed) throw failed.reason;
  return {
    file: RESULT,
    cleanPlate: PLATE,
    facts: {
      kind: 'video',
      format: 'mp4',
      ...film.size,
      duration: film.frames / FPS,
      fps: FPS,
      video_codec: 'h264',
      audio_codec: sound ? 'aac' : null,
    },
  };
}

export interface Film {
  readonly size: FrameSize;
  readonly frames: number;
  readonly shots: readonly Shot[];
  readonly seed: string;
}

/** Everything about the film that is decided before the first frame is painted. */
export function planFilm({ request, speed }: Pick<RenderJob, 'request' | 'speed'>): Film {
  const seed = seedOf(request);
  const asked = number(request, 'duration') ?? DEFAULT_SECONDS;
  const duration = asked > 0 ? asked : DEFAULT_SECONDS;
  const written = text(request, 'prompt') ?? '';
  const { prompt, added } = yes(request, 'prompt_extend') ? extend(written, seed) : { prompt: written, added: '' };
  const shots = readPrompt(prompt, { duration, seed, fps: FPS });
  const said =
    added === ''
      ? shots
      : shots.map(shot => ({ ...shot, words: shot.words.replace(`, ${added}`, '').replace(`，${added}`, ''), added }));
  const size = frameSize(text(request, 'aspect_ratio') ?? '16:9', text(request, 'resolution') ?? '1080P', speed);
  return { size, frames: Math.round(duration * FPS), shots: said, seed };
}

async function soundOf({ request, inputs }: RenderJob, { frames, shots, seed }: Film): Promise<StereoSound | null> {
  const duration = frames / FPS;
  const driving = inputs.audio_url?.[0];
  if (driving) return fitted(await readAudio(driving.path, { seconds: duration }), duration);
  if (request.generate_audio === false) return null;
  return bed({ duration, shots, seed });
}

/** The film's pictures in order, with and without the slate. The buffers are drawn over by the next picture. */
export function* paintFilm(job: RenderJob, film: Film, sound: StereoSound | null, hooks: RenderHooks): Generator<Pair> {
  const { width, height } = film.size;
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const levels = sound ? envelope(sound, film.frames * 2) : null;
  const driven = job.inputs.audio_url !== undefined && job.inputs.audio_url.length > 0;
  let frame = 0;
  for (const shot of film.shots) {
    const scene = new Scene(shot, { width, height, seed: film.seed });
    const slate = slateOf(job, film, scene);
    for (; frame < Math.round(shot.end * FPS); frame++) {
      const seconds = frame / FPS - shot.start;
      scene.draw(context, {
        seconds,
        progress: seconds / (shot.end - shot.start),
        pulse: driven ? (levels?.[frame * 2] ?? 0) : 0,
      });
      const clean = canvas.data();
      slate.draw(context, frame, levels);
      yield { clean, slated: canvas.data() };
      hooks.progress((frame + 1) / film.frames);
    }
  }
}

function slateOf({ label, request, inputs }: RenderJob, { size, shots, frames }: Film, scene: Scene): Slate {
  const seed = number(request, 'seed');
  const without = text(request, 'negative_prompt');
  return new Slate({
    ...size,
    fps: FPS,
    duration: frames / FPS,
    shots,
    accent: scene.palette.accent,
    watermark: yes(request, 'watermark'),
    facts: [
      label,
      `${size.width}×${size.height}`,
      `${FPS} fps`,
      seed === undefined ? 'no seed' : `seed ${seed}`,
      ...(inputs.audio_url?.length ? ['driving audio'] : []),
    ],
    ...(without ? { without } : {}),
  });
}
