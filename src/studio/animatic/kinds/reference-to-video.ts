/**
 * V-REF: a film of the prompt in which every reference has its moment: faces, pictures and films are in the scene, and each
 * sound is heard once, in the order given, while the film's own bed steps back.
 */

import { type Canvas, createCanvas, ImageData, type SKRSContext2D } from '@napi-rs/canvas';
import { readAudio, readFrames } from '../../../media/decode/decode.ts';
import { openFootage } from '../../../media/decode/footage.ts';
import type { StereoSound } from '../../../media/encode/encoder-settings.ts';
import { font } from '../../../media/encode/typography.ts';
import { clamp, Random, smooth } from '../../shared/random.ts';
import type { LocalInput, RenderHooks, RenderJob, RenderResult } from '../job.ts';
import { FPS } from '../picture/moving-picture.ts';
import { photograph } from '../picture/photograph.ts';
import { css, type Palette, palette } from '../prompt/palette.ts';
import type { Shot } from '../prompt/read-prompt.ts';
import { even, type FrameSize } from '../request/frame-size.ts';
import { plateOf } from '../request/job-input.ts';
import { Scene } from '../scene/scene.ts';
import type { SlateShot } from '../slate/slate.ts';
import { fittedToLength, RATE, soundBed } from '../sound/sound-bed.ts';
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

/**
 * References in the scene of a V-REF: each is in the picture once, where and when the prompt speaks of it ("image 2 on the
 * left"), else in turn. A face is an oval, a picture a print, a film plays in its frame; all are lit by the scene's
 * light, drift a little against it, and come and go softly. They are part of the picture, the tags under them of the slate.
 */

interface Cards {
  picture(context: SKRSContext2D, frame: number): void;
  tags(context: SKRSContext2D, frame: number): void;
}

/** Frames in which a card comes or goes. */
const SOFT = 7;

interface Card {
  readonly reference: Reference;
  readonly from: number;
  readonly to: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly tilt: number;
  readonly light: Palette;
  /** What it shows so many frames after it came. */
  readonly at: (frame: number) => Canvas;
}

export async function referenceCards(
  inputs: RenderJob['inputs'],
  { shots, size, seed }: { shots: readonly Shot[]; size: FrameSize; seed: string },
): Promise<Cards> {
  const cards: Card[] = [];
  const lights = shots.map(shot => palette(shot.time, seed, { storm: shot.storm ? 1 : 0 }));
  const small = SMALL / Math.max(size.width, size.height);
  const within = { width: Math.round(size.width * small), height: Math.round(size.height * small), seed };
  const scenes = shots.map(shot => new Scene(shot, within));
  for (const { reference, shot, from, to, side = freeSide(scenes[shot]!, from, to), beside, of } of standing(
    inputs,
    shots,
    FPS,
  )) {
    const box = boxOf(reference, size, of);
    const at =
      reference.kind === 'video' || reference.kind === 'face video'
        ? await playing(reference.input, box, to - from)
        : await still(reference, box);
    const random = new Random(`card|${reference.tag}|${seed}`);
    cards.push({
      reference,
      from,
      to,
      ...box,
      ...middle(side, beside, of, box, size),
      tilt: random.between(-0.035, 0.035),
      light: lights[shot]!,
      at,
    });
  }
  for (const scene of scenes) scene.strike();
  const now = (frame: number) => cards.filter(card => frame >= card.from && frame < card.to);
  return {
    picture: (context, frame) => {
      for (const card of now(frame)) draw(context, card, frame, size);
    },
    tags: (context, frame) => {
      for (const card of now(frame)) tag(context, card, frame, size);
    },
  };
}

/** Pixels of the small picture in which the subject is looked for. */
const SMALL = 120;

/** Where the shot's own subject is not, in the middle of these frames. */
function freeSide(scene: Scene, from: number, to: number): Side {
  const { start, end } = scene.shot;
  const seconds = (from + to) / 2 / FPS - start;
  const box = scene.subject({ seconds, progress: seconds / (end - start) });
  return box && box.left + box.right > 1 ? 'left' : 'right';
}

/** Smaller the more stand together; a face upright, everything else in its own shape. */
function boxOf({ kind, input }: Reference, { width, height }: FrameSize, of: number): FrameSize {
  const tall = height * (width >= height ? 0.5 : of > 1 ? 0.32 : 0.2);
  const room = (width * (width >= height && of === 1 ? 0.38 : 0.84)) / of;
  const { width: across = 16, height: down = 9 } = input.facts;
  const ratio = kind === 'face' || kind === 'face video' ? 0.8 : clamp(across / down, 0.5, 2.1);
  const scale = Math.min(1, room / (tall * ratio));
  return { width: even(tall * ratio * scale), height: even(tall * scale) };
}

/**
 * At a side, for a face fills the middle; in an upright frame that has no room beside it, small in an upper corner, inside what a cut to 4:5
 * shows. Several stand one beside the other. The slate keeps the lowest part.
 */
function middle(side: Side, beside: number, of: number, box: FrameSize, { width, height }: FrameSize) {
  const upright = width < height;
  const edge = width * 0.05 + box.width / 2;
  const alone = { left: edge, centre: width / 2, right: width - edge }[side];
  const x = of > 1 ? width * (0.08 + (0.84 * (beside + 0.5)) / of) : alone;
  return { x, y: upright ? (of > 1 ? height * 0.36 : height * 0.17 + box.height / 2) : height * 0.43 };
}

async function still({ kind, input }: Reference, box: FrameSize): Promise<Card['at']> {
  const { canvas } = await photograph(plateOf(input), box, kind === 'face' ? true : undefined);
  return () => canvas;
}

/** Decoded once, only what is seen; a film shorter than its turn begins again. */
async function playing(input: LocalInput, box: FrameSize, length: number): Promise<Card['at']> {
  const { picture } = await openFootage(plateOf(input));
  const frames: Uint8ClampedArray[] = [];
  const fill = `scale=${box.width}:${box.height}:force_original_aspect_ratio=increase:flags=bicubic+accurate_rnd+bitexact`;
  const through = `fps=${FPS},${fill},crop=${box.width}:${box.height}`;
  for await (const { pixels } of readFrames(plateOf(input), { picture, through })) {
    frames.push(new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.byteLength));
    if (frames.length === length) break;
  }
  const canvas = createCanvas(box.width, box.height);
  const context = canvas.getContext('2d');
  return frame => {
    const shown = frames[frame % frames.length];
    if (shown) context.putImageData(new ImageData(shown, box.width, box.height), 0, 0);
    return canvas;
  };
}

function draw(context: SKRSContext2D, card: Card, frame: number, size: FrameSize): void {
  const { width, height, reference, light } = card;
  const unit = Math.min(size.width, size.height) / 720;
  const there = thereAt(card, frame);
  const along = (frame - card.from) / (card.to - card.from) - 0.5;
  const round = reference.kind === 'face' || reference.kind === 'face video';
  const shape = (grown: number) => {
    context.beginPath();
    const [w, h] = [width / 2 + grown, height / 2 + grown];
    if (round) context.ellipse(0, 0, w, h, 0, 0, Math.PI * 2);
    else context.roundRect(-w, -h, w * 2, h * 2, 5 * unit + grown * 0.4);
  };
  context.save();
  context.globalAlpha = there;
  context.translate(card.x + along * 14 * unit, card.y + (1 - there) * 22 * unit);
  context.rotate(round ? 0 : card.tilt);
  const scale = 0.94 + 0.06 * there + (along + 0.5) * 0.03;
  context.scale(scale, scale);
  context.shadowColor = 'rgba(4,5,10,0.55)';
  context.shadowBlur = 30 * unit;
  context.shadowOffsetY = 12 * unit;
  context.fillStyle = css(light.light);
  shape((round ? 4 : 8) * unit);
  context.fill();
  context.shadowColor = 'transparent';
  shape(0);
  context.clip();
  context.drawImage(card.at(frame - card.from), -width / 2, -height / 2);
  // The scene's own shade on the side away from its light: a reference belongs to the scene.
  const shade = context.createLinearGradient(-width / 2, -height / 2, width / 2, height / 2);
  shade.addColorStop(0.55, css(light.near, 0));
  shade.addColorStop(1, css(light.near, 0.3));
  context.fillStyle = shade;
  context.fillRect(-width / 2, -height / 2, width, height);
  context.restore();
}

function tag(context: SKRSContext2D, card: Card, frame: number, size: FrameSize): void {
  const unit = Math.min(size.width, size.height) / 720;
  context.save();
  context.globalAlpha = thereAt(card, frame);
  context.font = font('mono', 600, 13 * unit);
  const wide = context.measureText(card.reference.tag).width + 16 * unit;
  const top = card.y + card.height / 2 + 20 * unit;
  context.fillStyle = 'rgba(8,9,14,0.72)';
  context.beginPath();
  context.roundRect(card.x - wide / 2, top, wide, 23 * unit, 11.5 * unit);
  context.fill();
  context.fillStyle = '#fff';
  context.fillText(card.reference.tag, card.x - wide / 2 + 8 * unit, top + 16 * unit);
  context.restore();
}

const thereAt = ({ from, to }: Card, frame: number): number =>
  smooth(Math.min((frame - from + 1) / SOFT, (to - frame) / SOFT, 1));

/** When and where each visible reference is seen: in the shot that speaks of it, at the side it names; else in turn. */
type Side = 'left' | 'centre' | 'right';

interface Reference {
  readonly kind: 'face' | 'image' | 'face video' | 'video';
  /** `@image2`. */
  readonly tag: string;
  readonly input: LocalInput;
}

interface Standing {
  readonly reference: Reference;
  /** Which of the film's shots it is in, from 0. */
  readonly shot: number;
  /** Frames: the first with it, and the first without it again. */
  readonly from: number;
  readonly to: number;
  /** Absent: no words name one. */
  readonly side?: Side | undefined;
  /** Which of how many that stand together, from the left. */
  readonly beside: number;
  readonly of: number;
}

/** How a prompt calls them. "Image 2", "@image2", "图2". */
const FIELDS = [
  ['input_face_images', 'face', 'face', '(?:face|person|character|人脸|人物|角色)'],
  ['input_images', 'image', 'image', '(?:image|picture|photo|图片?|图像|照片)'],
  ['input_face_videos', 'face video', 'facevideo', '(?:face ?video|人脸视频)'],
  ['input_videos', 'video', 'video', '(?<!face ?|人脸)(?:video|clip|视频)'],
] as const;

/** Seconds. Quicker than this one sees that something was there, not what: beyond it they share their turn. */
const SHORTEST = 0.75;
/** Seconds. A reference is shown, not lived with; and no more of a film than this is held in memory. */
const LONGEST = 4;

export function references(inputs: RenderJob['inputs']): readonly Reference[] {
  return FIELDS.flatMap(([field, kind, tag]) =>
    (inputs[field] ?? []).map((input, i) => ({ kind, tag: `@${tag}${i + 1}`, input })),
  );
}

/** Seconds that all references need to be seen one after the other. */
const timeFor = (inputs: RenderJob['inputs']): number => references(inputs).length * 1.5;

export function standing(inputs: RenderJob['inputs'], shots: readonly SlateShot[], fps: number): readonly Standing[] {
  const all = references(inputs);
  const named = all.map(reference => spokenOf(reference, shots));
  const free = emptiest(shots, named);
  const shotOf = (i: number): number => named[i]?.shot ?? free.shift() ?? 0;
  const placed = all.map((reference, i) => ({ reference, shot: shotOf(i), side: named[i]?.side }));
  return shots.flatMap((shot, index) =>
    inTurn(
      { ...shot, index },
      placed.filter(one => one.shot === index),
      fps,
    ),
  );
}

/** A shot for each that the words do not name, in the film's order: where there is most time left for it. */
function emptiest(shots: readonly SlateShot[], named: readonly ({ readonly shot: number } | undefined)[]): number[] {
  const counts = shots.map((_, shot) => named.filter(one => one?.shot === shot).length);
  const free: number[] = [];
  for (const one of named) {
    if (one !== undefined) continue;
    const room = shots.map(({ start, end }, shot) => (end - start) / (counts[shot]! + 1));
    const shot = room.indexOf(Math.max(...room));
    counts[shot]!++;
    free.push(shot);
  }
  return free.sort((a, b) => a - b);
}

function inTurn(
  { start, end, index: shot }: SlateShot & { readonly index: number },
  placed: readonly { readonly reference: Reference; readonly side: Side | undefined }[],
  fps: number,
): Standing[] {
  if (placed.length === 0) return [];
  const [first, last] = [Math.round(start * fps), Math.round(end * fps)];
  const turns = Math.max(1, Math.min(placed.length, Math.floor((end - start) / SHORTEST)));
  const edge = (turn: number) => first + Math.round(((last - first) * turn) / turns);
  const turnOf = (i: number) => Math.floor((i * turns) / placed.length);
  return placed.map(({ reference, side }, i) => {
    const turn = turnOf(i);
    const together = placed.filter((_, other) => turnOf(other) === turn);
    const from = edge(turn);
    return {
      reference,
      shot,
      from,
      to: Math.min(edge(turn + 1), from + Math.round(LONGEST * fps)),
      side,
      beside: together.findIndex(other => other.reference === reference),
      of: together.length,
    };
  });
}

/** Where the prompt names it, and the first side after the name. */
function spokenOf(
  { tag }: Reference,
  shots: readonly SlateShot[],
): { shot: number; side: Side | undefined } | undefined {
  const [, , , words] = FIELDS.find(field => tag.replace(/\d+$/, '') === `@${field[2]}`)!;
  const name = new RegExp(String.raw`@?${words}\s*#?${tag.match(/\d+$/)![0]}(?!\d)(.{0,40})`, 'i');
  for (const [shot, { words: shotWords }] of shots.entries()) {
    const match = shotWords.match(name);
    if (match) return { shot, side: sideIn(match[1] ?? '') };
  }
  return undefined;
}

function sideIn(shotWords: string): Side | undefined {
  const found = shotWords.match(/\bleft\b|\bright\b|\bmiddle\b|\bcent(?:re|er)\b|左|右|中间/i)?.[0].toLowerCase();
  if (found === undefined) return undefined;
  return found === 'left' || found === '左' ? 'left' : found === 'right' || found === '右' ? 'right' : 'centre';
}
