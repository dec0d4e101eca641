/**
 * Words → a film: the prompt's shots, one after the other, each painted frame by frame, cut on the exact frame, with a slate over it
 * and a bed of sound under it (or the driving audio the author gave). A clean plate of the same film lies beside it for the steps after.
 */
import path from 'node:path';
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { JsonObject } from '../../domain/json.ts';
import { readAudio } from '../../media/decode.ts';
import { aac, DRAWN, DRAWN_WITH_SOUND, encode, h264, rateOf, type StereoSound } from '../../media/encoder.ts';
import { usualResolution } from './defaults.ts';
import { type Expansion, extend } from './extend.ts';
import type { RenderHooks, RenderJob, RenderResult } from './job.ts';
import { lengthOf } from './length.ts';
import { PLATE, RESULT } from './plates.ts';
import { readPrompt, type Shot } from './prompt.ts';
import { number, seedOf, text, yes } from './request.ts';
import { Scene } from './scene/scene.ts';
import { noteOf } from './shot-notes.ts';
import { type FrameSize, frameSize, ratioOf } from './size.ts';
import { Slate } from './slate.ts';
import { bed, envelope, fitted } from './sound.ts';
import { type Pair, tee } from './tee.ts';

const FPS = 24;

export async function renderTextToVideo(job: RenderJob, hooks: RenderHooks): Promise<RenderResult> {
  const film = planFilm(job);
  return await shootPainted(job, hooks, { film, sound: await soundOf(job, film) });
}

/** A painted film and what is added to it. */
export interface Painted {
  readonly film: Film;
  readonly sound: StereoSound | null;
  /** Small print for the slate, behind label, size and rate. */
  readonly facts?: readonly string[];
  /** Belongs to the picture: it is on the clean plate too. */
  readonly before?: (context: SKRSContext2D, frame: number) => void;
  /** Belongs to the slate. */
  readonly beneath?: (context: SKRSContext2D, frame: number) => void;
}

export async function shootPainted(job: RenderJob, hooks: RenderHooks, painted: Painted): Promise<RenderResult> {
  const { film, sound } = painted;
  const picture = { width: film.size.width, height: film.size.height, fps: FPS };
  const { slated, clean } = tee(paintFilm(job, painted, hooks));
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
  /** What the studio chose for the author, as the slate says it. */
  readonly chosen: readonly string[];
}

/** Everything about the film that is decided before the first frame is painted. */
export function planFilm(job: Pick<RenderJob, 'label' | 'request' | 'speed'>, needed = 0): Film {
  const { label, request, speed } = job;
  const seed = seedOf(request);
  const { seconds: duration, said: chosen } = lengthOf(job, needed);
  const written = text(request, 'prompt') ?? '';
  const expansion = expansionOf(request);
  const { prompt, added } = expansion ? extend(written, seed, expansion) : { prompt: written, added: '' };
  const shots = readPrompt(prompt, { duration, seed, fps: FPS });
  const said =
    added === ''
      ? shots
      : shots.map(shot => ({ ...shot, words: shot.words.replace(`, ${added}`, '').replace(`，${added}`, ''), added }));
  const resolution = text(request, 'resolution') ?? usualResolution(label);
  const size = frameSize(ratioOf(request) ?? '16:9', resolution, speed);
  return { size, frames: Math.round(duration * FPS), shots: said, seed, chosen };
}

/** `prompt_extend` is a switch, `prompt_expansion_mode` has two strengths. */
function expansionOf(request: JsonObject): Expansion | undefined {
  const mode = text(request, 'prompt_expansion_mode');
  if (mode === 'quality' || mode === 'balanced') return mode;
  return yes(request, 'prompt_extend') ? 'balanced' : undefined;
}

async function soundOf({ request, inputs }: RenderJob, { frames, shots, seed }: Film): Promise<StereoSound | null> {
  const duration = frames / FPS;
  const driving = inputs.audio_url?.[0];
  if (driving) return fitted(await readAudio(driving.path, { seconds: duration }), duration);
  if (request.generate_audio === false) return null;
  return bed({ duration, shots, seed });
}

/** The film's pictures in order, with and without the slate. The buffers are drawn over by the next picture. */
export function* paintFilm(job: RenderJob, painted: Painted, hooks: RenderHooks): Generator<Pair> {
  const { film, sound, facts = [], before, beneath } = painted;
  const { width, height } = film.size;
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const levels = sound ? envelope(sound, film.frames * 2) : null;
  const driven = job.inputs.audio_url !== undefined && job.inputs.audio_url.length > 0;
  let frame = 0;
  for (const shot of film.shots) {
    const scene = new Scene(shot, { width, height, seed: film.seed });
    const slate = slateOf(job, film, scene, facts);
    for (; frame < Math.round(shot.end * FPS); frame++) {
      const seconds = frame / FPS - shot.start;
      scene.draw(context, {
        seconds,
        progress: seconds / (shot.end - shot.start),
        pulse: driven ? (levels?.[frame * 2] ?? 0) : 0,
      });
      before?.(context, frame);
      const clean = canvas.data();
      beneath?.(context, frame);
      slate.draw(context, frame, levels);
      yield { clean, slated: canvas.data() };
      hooks.progress((frame + 1) / film.frames);
    }
  }
}

function slateOf(
  { label, request, inputs }: RenderJob,
  { size, shots, frames, chosen }: Film,
  scene: Scene,
  facts: readonly string[],
): Slate {
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
      ...chosen,
      ...(text(request, 'prompt_expansion_mode') ? [`${text(request, 'prompt_expansion_mode')} expansion`] : []),
      ...(inputs.audio_url?.length ? ['driving audio'] : []),
      ...facts,
    ],
    ...(without ? { without } : {}),
  });
}
