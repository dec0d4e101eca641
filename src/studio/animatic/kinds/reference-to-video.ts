/**
 * V-REF: a film of the prompt in which every reference has its moment: faces, pictures and films stand in the scene (see
 * `reference-cards.ts`), and each sound is heard once, in the order given, while the film's own bed steps back.
 */
import { readAudio } from '../../../media/decode/decode.ts';
import type { StereoSound } from '../../../media/encode/encoder-settings.ts';
import type { LocalInput, RenderHooks, RenderJob, RenderResult } from '../job.ts';
import { FPS } from '../picture/moving-picture.ts';
import { fittedToLength, RATE, soundBed } from '../sound/sound-bed.ts';
import { referenceCards, references, timeFor } from './reference-cards.ts';
import { encodePaintedFilm, planFilm } from './text-to-video.ts';

export async function renderReferenceToVideo(job: RenderJob, hooks: RenderHooks): Promise<RenderResult> {
  const film = planFilm(job, timeFor(job.inputs));
  const { shots, size, seed, frames } = film;
  const cards = await referenceCards(job.inputs, { shots, size, seed });
  const audios = job.inputs.input_audios ?? [];
  const duration = frames / FPS;
  const sound =
    job.request.generate_audio === false ? null : await mixed(soundBed({ duration, shots, seed }), audios, duration);
  return await encodePaintedFilm(job, hooks, {
    film,
    sound,
    facts: counted(job, audios.length, sound !== null),
    before: cards.picture,
    beneath: cards.tags,
  });
}

/** `2 faces`, `1 video`, `1 audio unheard`: what was given, so that a missing wire is seen. */
function counted({ inputs }: RenderJob, audios: number, sounding: boolean): string[] {
  const all = references(inputs);
  const counted = (['face', 'image', 'face video', 'video'] as const).flatMap(kind => {
    const count = all.filter(reference => reference.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kind}${count === 1 ? '' : 's'}`];
  });
  const unheard = sounding ? '' : ' unheard';
  return audios === 0 ? counted : [...counted, `${audios} audio${audios === 1 ? '' : 's'}${unheard}`];
}

/** How far the bed steps back under a reference. */
const UNDER = 0.22;
/** 80 ms: how a reference comes and goes, and the bed with it. */
const FADE = Math.round(RATE * 0.08);
/** Breath between two references, seconds. */
const BREATH = 0.15;

/** Each has an equal share of the film, as loud as it came; where it is shorter than its share the bed comes back. */
async function mixed(music: StereoSound, audios: readonly LocalInput[], duration: number): Promise<StereoSound> {
  const share = duration / Math.max(1, audios.length);
  for (const [i, audio] of audios.entries()) {
    const room = share - (i < audios.length - 1 ? BREATH : 0);
    const whole = await readAudio(audio.path, { seconds: room });
    const length = Math.min(whole.left.length, Math.round(room * RATE));
    const given = fittedToLength(whole, length / RATE);
    const start = Math.round(i * share * RATE);
    for (const side of ['left', 'right'] as const) mixIn(music[side], given[side], start);
  }
  return music;
}

function mixIn(music: Float32Array, given: Float32Array, start: number): void {
  for (let i = 0; i < given.length && start + i < music.length; i++) {
    const there = Math.min(1, i / FADE, (given.length - 1 - i) / FADE);
    const mixed = music[start + i]! * (1 - (1 - UNDER) * there) + given[i]! * there;
    // Two full sounds may meet: what would clip is bent.
    music[start + i] =
      Math.abs(mixed) <= 0.9 ? mixed : Math.sign(mixed) * (0.9 + 0.1 * Math.tanh((Math.abs(mixed) - 0.9) * 8));
  }
}
