/**
 * V-RT: a section of a film is shot again, the rest stays. The new pictures are painted from the prompt (without one, the
 * old pictures are graded, as another take of the same); the new sound is a bed of the same mood. See `splice.ts` for how
 * the rest is kept bit for bit, and `changedSound` for the same with sound.
 */

import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { readAudio } from '../../../../media/decode/decode.ts';
import { type Footage, openFootage } from '../../../../media/decode/footage.ts';
import { type MediaPacket, readPackets, type TrackToWrite, writePackets } from '../../../../media/decode/packets.ts';
import { pixelsOf, release } from '../../../../media/encode/canvas-pixels.ts';
import { appendPlate } from '../../../../media/encode/clean-plate.ts';
import { encode } from '../../../../media/encode/encoder.ts';
import {
  aac,
  type DrawnPictures,
  fpsOf,
  h264,
  SAMPLE_RATE,
  type StereoSound,
} from '../../../../media/encode/encoder-settings.ts';
import { resize } from '../../../../media/filtergraph.ts';
import { probe } from '../../../../media/probe.ts';
import { type RenderHooks, type RenderJob, RenderRefusal, type RenderResult } from '../../job.ts';
import { showFirstFrame } from '../../picture/first-frame.ts';
import { type Pair, splitPairs } from '../../picture/paired-frames.ts';
import { RESULT } from '../../picture/plates.ts';
import { planSplice, type Section } from '../../picture/splice.ts';
import { readPrompt, type Shot } from '../../prompt/read-prompt.ts';
import type { FrameSize } from '../../request/frame-size.ts';
import { sameRatio } from '../../request/frame-size.ts';
import { jobInput, plateOf } from '../../request/job-input.ts';
import { number, seedOf, text } from '../../request/request-fields.ts';
import { Scene } from '../../scene/scene.ts';
import { openScratch } from '../../scratch.ts';
import { noteOf, retaken, shotsOf as shotsIn } from '../../slate/shot-notes.ts';
import type { SlateShot } from '../../slate/slate.ts';
import { overlayGraph, type SlateOverlay, slateOf, slateOverlay } from '../../slate/slate-overlay.ts';
import { soundBed } from '../../sound/sound-bed.ts';

/** "Output is 1080p." */
const RESOLUTION = '1080p';

export async function renderRetake(job: RenderJob, hooks: RenderHooks): Promise<RenderResult> {
  const source = jobInput(job, 'input_video');
  const visible = await openFootage(source.path);
  const section = sectionOf(job, visible);
  const mode = modeOf(job);
  const size = sameRatio(visible, RESOLUTION, job.speed);
  const clean = plateOf(source) === source.path ? visible : await openFootage(plateOf(source));
  const films = [
    { name: 'visible', footage: visible },
    { name: 'clean', footage: clean.frames === visible.frames ? clean : visible },
  ];
  await using scratch = await openScratch(job);
  const old = await shotsIn(clean.path, clean.seconds, '');
  const shots = shotsOf(job, visible, section, old);
  const retakenShots = retaken(old, text(job.request, 'prompt') ? shots : [anotherTake(shots)]);
  const take: Take = { job, section, size, shots, retakenShots, hooks, scratch: scratch.path };
  const pictures = mode.pictures
    ? await retakenPictures(take, films)
    : await Promise.all(
        films.map(({ footage, name }) => copiedPictures(footage, size, scratch.path(`old-${name}.mp4`))),
      );
  const sound = mode.sound ? await newSound(take, visible) : await oldSound(visible, scratch.path('sound.mp4'));
  const comment = noteOf(mode.pictures ? retakenShots : old);
  const [seen, under] = pictures as [TrackToWrite, TrackToWrite];
  // An uploaded film whose pictures stay has no slate to keep off.
  const isSlated = mode.pictures || clean !== visible;
  const out = join(job.folder, RESULT);
  await writePackets(out, [seen, ...(sound ? [sound] : [])], { comment });
  if (isSlated) {
    const plate = scratch.path('plate.mp4');
    await writePackets(plate, [under], { comment });
    await appendPlate(out, plate);
  }
  return { file: RESULT, facts: await probe(out) };
}

/** On the film's own clock. Where the new words leave something open, it stays as it was in the shot they cut into. */
function shotsOf(
  { request }: RenderJob,
  { rate }: Footage,
  { from, to }: Section,
  old: readonly SlateShot[],
): readonly Shot[] {
  const fps = fpsOf(rate);
  const after = old.findLast(shot => shot.start <= from / fps)?.words ?? '';
  const seed = seedOf(request);
  const shots = readPrompt(text(request, 'prompt') ?? '', { duration: (to - from) / fps, seed, fps, after });
  return shots.map(shot => ({ ...shot, start: shot.start + from / fps, end: shot.end + from / fps }));
}

/** The slate's words where the request has no prompt. */
function anotherTake(shots: readonly Shot[]): SlateShot {
  return { start: shots[0]?.start ?? 0, end: shots.at(-1)?.end ?? 0, words: 'Another take' };
}

async function newSound({ job, section, shots, scratch }: Take, film: Footage): Promise<TrackToWrite> {
  const fps = fpsOf(film.rate);
  const from = section.from / fps;
  const to = section.to / fps;
  const local = shots.map(shot => ({ ...shot, start: shot.start - from, end: shot.end - from }));
  const sound = soundBed({ duration: to - from, shots: local, seed: seedOf(job.request) });
  return await changedSound({ film: film.path, length: film.seconds, from, to, sound, scratch });
}

/** Packets as they are where MP4 carries them. */
async function oldSound({ sound, path }: Footage, scratch: string): Promise<TrackToWrite | null> {
  if (sound === null) return null;
  if (sound.graph === '') return { kind: 'audio', like: path, packets: (await readPackets(path, 'audio'))!.packets };
  if (!('audio' in sound.track)) throw new Error('sound that needs encoding came without settings');
  await encode({ graph: sound.graph.replace(/^;/, ''), audio: sound.track.audio, out: scratch });
  return { kind: 'audio', like: scratch, packets: (await readPackets(scratch, 'audio'))!.packets };
}

/** The document shows one value; the other two are named after the abilities it lists. */
const MODES = {
  replace_audio_and_video: { pictures: true, sound: true },
  replace_video: { pictures: true, sound: false },
  replace_audio: { pictures: false, sound: true },
} as const;

/**
 * The section in pictures, rounded here once. The document does not show what it is when the times are left out: then it is
 * a third of the film, in the middle, or from the given start.
 */
function sectionOf({ request }: RenderJob, { rate, frames, seconds }: Footage): Section {
  const fps = fpsOf(rate);
  const length = number(request, 'retake_duration') ?? seconds / 3;
  const start = number(request, 'retake_start_time') ?? Math.max(0, (seconds - length) / 2);
  const section = `the section from ${tidy(start)} to ${tidy(start + length)} s`;
  const end = `the source ends at ${tidy(seconds)} s`;
  if (start < 0 || start >= seconds) {
    throw new RenderRefusal(
      `retake_start_time ${tidy(start)} s is outside the source: ${end}; start the section before that`,
    );
  }
  const given = number(request, 'retake_duration') !== undefined;
  // A tenth of a second is the tolerance with which lengths are compared everywhere.
  if (given && start + length > seconds + 0.1) {
    throw new RenderRefusal(`${section} reaches past the source: ${end}; shorten retake_duration`);
  }
  const from = Math.min(frames - 1, Math.round(start * fps));
  const to = Math.min(frames, Math.round((start + length) * fps));
  if (to <= from) throw new RenderRefusal(`${section} is shorter than one picture: lengthen retake_duration`);
  return { from, to };
}

const tidy = (seconds: number) => String(Math.round(seconds * 100) / 100);

function modeOf({ request }: RenderJob): (typeof MODES)[keyof typeof MODES] {
  const asked = text(request, 'retake_mode') ?? 'replace_audio_and_video';
  const mode = Object.entries(MODES).find(([name]) => name === asked)?.[1];
  if (!mode) throw new RenderRefusal(`retake_mode "${asked}" is not known: write ${Object.keys(MODES).join(', ')}`);
  return mode;
}

/** Samples: the first new one and the first old one again. */
interface Part {
  readonly from: number;
  readonly to: number;
}

/** Samples in an AAC packet. */
const PACKET = 1024;
/** 8 ms: too short to be heard as a fade, long enough not to click. */
const FADE = 384;

interface SoundChange {
  /** The film, with or without sound. */
  readonly film: string;
  /** Seconds of the film. */
  readonly length: number;
  readonly from: number;
  readonly to: number;
  /** As long as the section. */
  readonly sound: StereoSound;
  /** Where a scratch file of that name may lie. */
  readonly scratch: (name: string) => string;
}

/**
 * New sound for a section of a film. Where the film's sound is AAC as we write it, only the packets of the section are
 * exchanged; a packet overlaps its neighbours, so the new ones are encoded with two packets of the old sound before them to
 * warm up. Other sound is decoded, mixed and encoded again as a whole.
 */
async function changedSound(change: SoundChange): Promise<TrackToWrite> {
  const { film, length, scratch } = change;
  const old = await readPackets(film, 'audio');
  const soundBefore = old ? await readAudio(film) : silence(Math.round(length * SAMPLE_RATE));
  const part = { from: Math.round(change.from * SAMPLE_RATE), to: Math.round(change.to * SAMPLE_RATE) };
  const mixed = exchanged(soundBefore, change.sound, part);
  const encoded = async (sound: StereoSound, name: string) => {
    const out = scratch(name);
    await encode({ sound, graph: '[pcm]anull[a]', audio: aac(), out });
    return { out, track: (await readPackets(out, 'audio'))! };
  };
  const start = old?.packets[0]?.pts;
  if (old?.codec === 'aac' && start === BigInt(-PACKET) && isEven(old.packets)) {
    const first = Math.max(2, Math.floor((part.from + PACKET) / PACKET));
    const after = Math.min(old.packets.length, Math.ceil((part.to + PACKET) / PACKET) + 1);
    const warm = cut(mixed, (first - 2) * PACKET, (after + 2) * PACKET);
    const { track } = await encoded(warm, 'section.m4a');
    if (track.extradata.equals(old.extradata)) {
      const packets = old.packets.map((packet, i) => {
        const fresh = i >= first && i < after ? track.packets[i - first + 2] : undefined;
        return fresh ? { ...packet, data: fresh.data } : packet;
      });
      return { kind: 'audio', like: film, packets };
    }
  }
  const { out, track } = await encoded(mixed, 'sound.m4a');
  return { kind: 'audio', like: out, packets: track.packets };
}

const isEven = (packets: readonly MediaPacket[]) =>
  packets.every((packet, i) => packet.pts === BigInt((i - 1) * PACKET));

function exchanged(old: StereoSound, fresh: StereoSound, { from, to }: Part): StereoSound {
  const channel = (before: Float32Array, after: Float32Array) =>
    before.map((sample, i) => {
      if (i < from || i >= to) return sample;
      const share = Math.min(1, (i - from) / FADE, (to - i) / FADE);
      return sample * (1 - share) + (after[i - from] ?? 0) * share;
    });
  return { left: channel(old.left, fresh.left), right: channel(old.right, fresh.right) };
}

function cut({ left, right }: StereoSound, from: number, to: number): StereoSound {
  return { left: left.slice(from, to), right: right.slice(from, to) };
}

function silence(samples: number): StereoSound {
  return { left: new Float32Array(samples), right: new Float32Array(samples) };
}

export interface Take {
  readonly job: RenderJob;
  readonly section: Section;
  readonly size: FrameSize;
  /** The new ones. */
  readonly shots: readonly Shot[];
  /** All of the film's, with the new ones in their place. */
  readonly retakenShots: readonly SlateShot[];
  readonly hooks: RenderHooks;
  readonly scratch: (name: string) => string;
}

interface Copy {
  readonly name: string;
  readonly footage: Footage;
}

/** The result and its clean plate in one pass: the section is painted once. */
async function retakenPictures(take: Take, films: readonly Copy[]): Promise<TrackToWrite[]> {
  const { job, section, size, hooks, scratch } = take;
  const [visible, clean] = films as [Copy, Copy];
  // One after the other: they try encoder settings in the same scratch files.
  const over = await planSplice(visible.footage, section, size, scratch);
  const under = await planSplice(clean.footage, section, size, scratch);
  const prompted = (text(job.request, 'prompt') ?? '') !== '';
  const fresh = prompted
    ? '[raw]setsar=1[fresh];[overlay]setsar=1[slated]'
    : `${clean.footage.picture},${kept(clean.footage, size, section)},${regraded(size)},split[fresh][bare];${overlayGraph('bare', 'slated')}`;
  const out = scratch('new-result.mp4');
  const plate = scratch('new-plate.mp4');
  const encodedPictures = over.again.to - over.again.from;
  await encode({
    ...(prompted ? painted(take, visible.footage) : { overlay: slateOverlay(slateWords(take, visible.footage)) }),
    graph: [
      fresh,
      around(visible.footage, over.again, section, size, { middle: 'slated', out: 'v' }),
      around(clean.footage, under.again, section, size, { middle: 'fresh', out: 'clean' }),
    ].join(';'),
    video: over.video,
    out,
    cleanPlate: { out: plate, video: under.video },
    ...showFirstFrame(job, section.from - over.again.from),
    onFrame: n => hooks.progress(n / encodedPictures),
  });
  return await Promise.all([over.finish(out), under.finish(plate)]);
}

/** The old pictures before the section, the new ones, and the old ones after it, as far as they are encoded again. */
function around(
  footage: Footage,
  again: Section,
  section: Section,
  size: FrameSize,
  { middle, out }: { middle: string; out: string },
): string {
  const before = { from: again.from, to: section.from };
  const after = { from: section.to, to: again.to };
  const old = [before, after].filter(({ from, to }) => from < to);
  // One reader for both, which decodes once: neither holds pictures back, for what one wants the other lets go.
  const parts =
    old.length === 0
      ? []
      : [`${footage.picture},split=${old.length}${old.map(it => `[${out}from${it.from}]`).join('')}`];
  for (const it of old) parts.push(`[${out}from${it.from}]${kept(footage, size, it)}[${out}at${it.from}]`);
  const ends = [before, null, after].flatMap(it =>
    it === null ? [`[${middle}]`] : old.includes(it) ? [`[${out}at${it.from}]`] : [],
  );
  const joined = ends.length > 1 ? `${ends.join('')}concat=n=${ends.length}:v=1:a=0` : `${ends[0]}null`;
  return [...parts, `${joined},settb=${footage.rate.den}/${footage.rate.num},setpts=N[${out}]`].join(';');
}

/** Pictures of the source, at the result's size. */
function kept(source: Footage, { width, height }: FrameSize, { from, to }: Section): string {
  const isSize = source.width === width && source.height === height && source.even;
  // A scaler keeps pictures of its own, also where it has nothing to do.
  return `trim=start_frame=${from}:end_frame=${to},setpts=PTS-STARTPTS,${isSize ? '' : `${resize(width, height)},`}setsar=1,format=yuv420p`;
}

/** Another take of the same: cooler, and a little closer. */
const regraded = ({ width, height }: FrameSize): string =>
  `crop=trunc(iw*0.46)*2:trunc(ih*0.46)*2,${resize(width, height)},eq=saturation=0.8:contrast=1.06,hue=h=-12,setsar=1,format=yuv420p`;

/** Painted once, and the slate drawn over it right here: it need not be mixed in afterwards. */
function painted(take: Take, footage: Footage): { readonly frames: DrawnPictures; readonly overlay: DrawnPictures } {
  const { job, section, size, shots } = take;
  const { width, height } = size;
  const fps = fpsOf(footage.rate);
  function* pictures(): Generator<Pair> {
    const canvas = createCanvas(width, height);
    const context = canvas.getContext('2d');
    const slate = slateOf(slateWords(take, footage));
    let frame = section.from;
    for (const shot of shots) {
      const scene = new Scene(shot, { width, height, seed: seedOf(job.request) });
      for (; frame < Math.round(shot.end * fps); frame++) {
        const seconds = frame / fps - shot.start;
        scene.draw(context, { seconds, progress: seconds / (shot.end - shot.start) });
        const clean = pixelsOf(canvas);
        slate.draw(context, frame);
        const slated = pixelsOf(canvas);
        yield { clean, slated };
        release(clean);
        release(slated);
      }
      scene.strike();
    }
  }
  const { clean, slated } = splitPairs(pictures());
  const picture = { ...size, fps: footage.rate, format: 'yuv420p' } as const;
  return { frames: { ...picture, pixels: clean }, overlay: { ...picture, pixels: slated } };
}

function slateWords({ job, section, size, retakenShots }: Take, { rate, frames }: Footage): SlateOverlay {
  const fps = fpsOf(rate);
  const [from, to] = [section.from / fps, section.to / fps].map(seconds => seconds.toFixed(2));
  const mode = text(job.request, 'retake_mode') ?? 'replace_audio_and_video';
  const facts = [job.label, `retake ${from} to ${to} s`, mode];
  return { ...size, rate, length: frames, ...section, shots: retakenShots, facts };
}

/** For `replace_audio`: the pictures stay; only another size or codec means encoding them. */
async function copiedPictures(footage: Footage, { width, height }: FrameSize, scratch: string): Promise<TrackToWrite> {
  const { path, rate, codec, even, picture } = footage;
  if (footage.width === width && footage.height === height && even && codec === 'h264') {
    return { kind: 'video', like: path, packets: (await readPackets(path, 'video'))!.packets };
  }
  const graph = `${picture},${resize(width, height)},setsar=1[v]`;
  await encode({ graph, video: h264(rate), out: scratch });
  return { kind: 'video', like: scratch, packets: (await readPackets(scratch, 'video'))!.packets };
}
