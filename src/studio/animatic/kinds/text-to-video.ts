/**
 * Words → a film: the prompt's shots, one after the other, each painted frame by frame, cut on the exact frame, with a slate over it
 * and a bed of sound under it (or the driving audio the author gave). The same film as a clean plate lies in it for the steps after.
 */
import { createCanvas, type SKRSContext2D } from '@napi-rs/canvas';
import { readAudio } from '../../../media/decode/decode.ts';
import { pixelsOf, release } from '../../../media/encode/canvas-pixels.ts';
import { encode } from '../../../media/encode/encoder.ts';
import { aac, h264, rateOf, type StereoSound } from '../../../media/encode/encoder-settings.ts';
import { DRAWN, DRAWN_WITH_SOUND } from '../../../media/filtergraph.ts';
import type { JsonObject } from '../../../model/text/json.ts';
import { Random } from '../../shared/random.ts';
import {
  CAMERAS,
  EXTRAS,
  first,
  MOODS,
  PLACES,
  type Place,
  placeIn,
  SIZES,
  SUBJECTS,
  TIMES,
  type TimeOfDay,
  type Vocabulary,
  WEATHERS,
} from '../../shared/vocabulary.ts';
import type { RenderHooks, RenderJob, RenderResult } from '../job.ts';
import { showFirstFrame } from '../picture/first-frame.ts';
import { drawings, FPS } from '../picture/moving-picture.ts';
import { type Pair, splitPairs } from '../picture/paired-frames.ts';
import { joinParts, partsIn, RESULT } from '../picture/plates.ts';
import { glyphIn } from '../prompt/glyphs.ts';
import { readPrompt, type Shot } from '../prompt/read-prompt.ts';
import { lengthOf } from '../request/film-length.ts';
import { type FrameSize, frameSize, ratioOf, usualResolution } from '../request/frame-size.ts';
import { number, seedOf, text, yes } from '../request/request-fields.ts';
import { Scene } from '../scene/scene.ts';
import { noteOf } from '../slate/shot-notes.ts';
import { Slate } from '../slate/slate.ts';
import { envelope, fittedToLength, soundBed } from '../sound/sound-bed.ts';

export async function renderTextToVideo(job: RenderJob, hooks: RenderHooks): Promise<RenderResult> {
  const film = planFilm(job);
  return await encodePaintedFilm(job, hooks, { film, sound: await soundOf(job, film) });
}

/** A painted film and what is added to it. */
interface Painted {
  readonly film: Film;
  readonly sound: StereoSound | null;
  /** Small print for the slate, behind label, size and rate. */
  readonly facts?: readonly string[];
  /** Belongs to the picture: it is on the clean plate too. */
  readonly before?: (context: SKRSContext2D, frame: number) => void;
  /** Belongs to the slate. */
  readonly beneath?: (context: SKRSContext2D, frame: number) => void;
}

export async function encodePaintedFilm(job: RenderJob, hooks: RenderHooks, painted: Painted): Promise<RenderResult> {
  const { film, sound } = painted;
  const picture = { ...film.size, fps: FPS, format: 'yuv420p' } as const;
  const { slated, clean } = splitPairs(paintFilm(job, painted, hooks));
  const soundPart = sound ? { graph: DRAWN_WITH_SOUND, sound, audio: aac() } : { graph: DRAWN };
  const parts = partsIn(job);
  const films = [
    { ...soundPart, pixels: slated, video: h264(rateOf(FPS)), out: parts.slated, ...showFirstFrame(job) },
    // Silent: the sound is the film's. The plate remembers its shots, so that the last step of a chain can still say which one is seen.
    { graph: DRAWN, pixels: clean, video: h264(rateOf(FPS)), out: parts.plate, comment: noteOf(film.shots) },
  ];
  const encoding = films.map(({ pixels, ...rest }) => encode({ ...rest, frames: { ...picture, pixels } }));
  // A failure is reported once both have stopped.
  const failed = (await Promise.allSettled(encoding)).find(result => result.status === 'rejected');
  if (failed) throw failed.reason;
  await joinParts(job);
  return {
    file: RESULT,
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

interface Film {
  readonly size: FrameSize;
  readonly frames: number;
  readonly shots: readonly Shot[];
  readonly seed: string;
  /** What the studio chose for the author, in the slate's words. */
  readonly chosen: readonly string[];
}

/** Everything about the film that is decided before the first frame is painted. */
export function planFilm(job: Pick<RenderJob, 'label' | 'request' | 'speed'>, needed = 0): Film {
  const { label, request, speed } = job;
  const seed = seedOf(request);
  const { seconds: duration, notes: chosen } = lengthOf(job, needed);
  const written = text(request, 'prompt') ?? '';
  const expansion = expansionOf(request);
  const { prompt, added } = expansion ? expandPrompt(written, seed, expansion) : { prompt: written, added: '' };
  const reading = { duration, seed, fps: FPS };
  const shots = readPrompt(prompt, reading);
  // The slate shows the author's own words and the added ones apart.
  const own = added === '' ? shots : readPrompt(written, reading);
  const shotsWithWords = shots.map((shot, i) => ({
    ...shot,
    words: own[i]?.words ?? shot.words,
    ...(added ? { added } : {}),
  }));
  const resolution = text(request, 'resolution') ?? usualResolution(label);
  const size = frameSize(ratioOf(request) ?? '16:9', resolution, speed);
  const wanted = applyNegativePrompt(shotsWithWords, text(request, 'negative_prompt') ?? '');
  return { size, frames: Math.round(duration * FPS), shots: wanted, seed, chosen };
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
  if (driving) return fittedToLength(await readAudio(driving.path, { seconds: duration }), duration);
  if (request.generate_audio === false) return null;
  return soundBed({ duration, shots, seed });
}

/** The film's pictures in order, with and without the slate. The buffers are drawn over by the next picture. */
export function* paintFilm(job: RenderJob, painted: Painted, hooks: RenderHooks): Generator<Pair> {
  const { film, sound, facts = [], before, beneath } = painted;
  const { width, height } = film.size;
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  const levels = sound ? envelope(sound, film.frames * 2) : null;
  const driven = levels && job.inputs.audio_url?.length ? beatPushes(levels, film.frames) : null;
  let begin = 0;
  for (const shot of film.shots) {
    const scene = new Scene(shot, { width, height, seed: film.seed });
    const slate = slateOf(job, film, scene, facts);
    const end = Math.round(shot.end * FPS);
    for (const { frame, shown } of drawings(job, begin, end)) {
      const seconds = frame / FPS - shot.start;
      const pulse = driven?.[frame] ?? 0;
      scene.draw(context, { seconds, progress: seconds / (shot.end - shot.start), pulse });
      applyPush(context, film.size, pulse);
      before?.(context, frame);
      const clean = pixelsOf(canvas);
      beneath?.(context, frame);
      slate.draw(context, frame, levels);
      const slated = pixelsOf(canvas);
      for (let n = 0; n < shown; n++) yield { clean, slated };
      release(clean);
      release(slated);
      hooks.progress((frame + shown) / film.frames);
    }
    begin = end;
    scene.strike();
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

interface ExpandedPrompt {
  readonly prompt: string;
  /** What was added; empty where the prompt leaves nothing open. */
  readonly added: string;
}

/** A prompt longer than this, or with timestamps, is the author's own shot list and stays as it is. */
const SHORT = 120;

type Expansion = 'balanced' | 'quality';

/**
 * `prompt_extend` and `prompt_expansion_mode`: a prompt gets the light, the air and the camera that it leaves open; for
 * `quality` also the mood and the lens, and a long prompt too. Returns what it added.
 */
export function expandPrompt(prompt: string, seed: string, mode: Expansion = 'balanced'): ExpandedPrompt {
  if ((mode === 'balanced' && prompt.length > SHORT) || /\d\s*(?:s|秒)\s*[\])】）]|\d:\d\d/.test(prompt))
    return { prompt, added: '' };
  const random = new Random(`extend|${seed}`);
  const indoors = ['interior', 'club', 'space', 'orbit', 'underwater', 'abstract'].includes(placeIn(prompt) ?? '');
  const chinese = /[\u4e00-\u9fff]/.test(prompt);
  const light = chinese
    ? random.pick(['黄金时刻', '清晨', '黄昏'])
    : random.pick(['golden hour', 'first light of dawn', 'soft dusk light']);
  const air = chinese ? random.pick(['薄雾', '飘尘']) : random.pick(['thin mist', 'dust in the air']);
  const camera = chinese ? '镜头缓慢推进' : 'slow push in';
  const parts = [
    first(TIMES, prompt) === undefined ? light : '',
    first(WEATHERS, prompt) === undefined && !indoors ? air : '',
    first(CAMERAS, prompt) === undefined ? camera : '',
    ...(mode === 'quality' ? finer(prompt, chinese, random) : []),
  ].filter(part => part !== '');
  const added = parts.join(chinese ? '，' : ', ');
  return { prompt: added === '' ? prompt : `${prompt}${chinese ? '，' : ', '}${added}`, added };
}

function finer(prompt: string, chinese: boolean, random: Random): string[] {
  const size = chinese ? '中景' : 'medium shot';
  const mood = chinese ? random.pick(['史诗', '梦幻']) : random.pick(['epic', 'dreamy', 'serene']);
  return [first(SIZES, prompt) === undefined ? size : '', first(MOODS, prompt) === undefined ? mood : ''];
}

/** How much is kept from one frame to the next: a beat is gone after a quarter of a second. */
const KEPT = 0.82;
/** Loudness that lasts for seconds is no beat: so much of it is left out. */
const USUAL = 0.6;

/**
 * Driving audio moves the picture: every beat leans the camera in a little and lifts the light, and lets go slowly.
 * Loudness along the film, two values for each frame → the push of each frame, 0 to 1.
 */
function beatPushes(levels: Float32Array, frames: number): Float32Array {
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
function applyPush(context: SKRSContext2D, { width, height }: FrameSize, push: number): void {
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

/**
 * `negative_prompt`: what it names bare ("rain, people") stays out of every shot, even where the prompt asks for it. "Blurry" or "bad hands"
 * name nothing that a scene has: they are noted on the slate, and that is all.
 */
function applyNegativePrompt(shots: readonly Shot[], negative: string): Shot[] {
  const clauses = negative
    .split(/[,，、;；。.\n]|\b(?:and|or)\b|和|或/i)
    .map(clause => clause.replace(/^\s*(?:no|any|the|an?|some)\s+/i, '').trim())
    // Of faces and hands one wants to see no bad ones, not none.
    .filter(clause => clause !== '' && !/^(faces?|hands|脸)$/i.test(clause));
  const weathers = named(WEATHERS, clauses);
  const extras = named(EXTRAS, clauses);
  const times = named(TIMES, clauses);
  const places = named(PLACES, clauses);
  const subjects = new Set<string>(named(SUBJECTS, clauses));
  if (subjects.has('crowd') || subjects.has('person')) for (const kind of PEOPLE) subjects.add(kind);
  const nouns = new Set(clauses.map(clause => glyphIn(clause)?.noun).filter(noun => noun !== undefined));
  return shots.map(shot => {
    const weather = shot.weather.filter(kind => !weathers.has(kind));
    return {
      ...shot,
      weather,
      storm: shot.storm && !weathers.has('rain'),
      heavy: shot.heavy && (weather.length > 0 || shot.weather.length === 0) && !weathers.has('rain'),
      extras: shot.extras.filter(extra => !extras.has(extra)),
      time: another(shot.time, times, OTHER_TIMES),
      place: another(shot.place, places, OTHER_PLACES),
      subject:
        shot.subject && (subjects.has(shot.subject.kind) || nouns.has(shot.subject.glyph?.noun ?? ''))
          ? null
          : shot.subject,
    };
  });
}

const PEOPLE = ['person', 'couple', 'crowd'];
const OTHER_TIMES: readonly TimeOfDay[] = ['golden', 'day', 'dusk', 'overcast'];
const OTHER_PLACES: readonly Place[] = ['field', 'mountain', 'coast', 'abstract'];

const another = <Word>(word: Word, unwanted: ReadonlySet<Word>, others: readonly Word[]): Word =>
  unwanted.has(word) ? (others.find(other => !unwanted.has(other)) ?? word) : word;

/** The words that are a clause by themselves. */
function named<Word extends string>(vocabulary: Vocabulary<Word>, clauses: readonly string[]): ReadonlySet<Word> {
  const isAll = (pattern: RegExp) => clauses.some(clause => clause.replace(pattern, '').trim() === '');
  return new Set(vocabulary.filter(([, pattern]) => isAll(pattern)).map(([word]) => word));
}
