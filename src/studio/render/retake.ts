/**
 * V-RT: a section of a film is shot again, the rest stays. The new pictures are painted from the prompt (without one, the
 * old pictures are graded, as another take of the same); the new sound is a bed of the same mood. See `splice.ts` for how
 * the rest is kept bit for bit, and `retake-sound.ts` for the same with sound.
 */
import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { type DrawnPictures, encode, h264, resize, toYuv } from '../../media/encoder.ts';
import { type Footage, openFootage } from '../../media/footage.ts';
import { readPackets, type TrackToWrite, writePackets } from '../../media/packets.ts';
import { probe } from '../../media/probe.ts';
import { fpsOf } from '../../media/settings.ts';
import { input, plateOf } from './inputs.ts';
import { type RenderHooks, type RenderJob, RenderRefusal, type RenderResult } from './job.ts';
import { laidOver, layover } from './layover.ts';
import { PLATE, RESULT } from './plates.ts';
import { readPrompt, type Shot } from './prompt.ts';
import { number, seedOf, text } from './request.ts';
import { changedSound } from './retake-sound.ts';
import { Scene } from './scene/scene.ts';
import { openScratch } from './scratch.ts';
import { shotsOf as noted, noteOf, retaken } from './shot-notes.ts';
import { type FrameSize, sameRatio } from './size.ts';
import type { SlateShot } from './slate.ts';
import { bed } from './sound.ts';
import { planSplice, type Section } from './splice.ts';

/** "Output is 1080p." */
const RESOLUTION = '1080p';
/** The document shows one value; the other two are named after what it says the model can do. */
const MODES = {
  replace_audio_and_video: { pictures: true, sound: true },
  replace_video: { pictures: true, sound: false },
  replace_audio: { pictures: false, sound: true },
} as const;

export async function renderRetake(job: RenderJob, hooks: RenderHooks): Promise<RenderResult> {
  const source = input(job, 'input_video');
  const visible = await openFootage(source.path);
  const section = sectionOf(job, visible);
  const mode = modeOf(job);
  const size = sameRatio(visible, RESOLUTION, job.speed);
  const shots = shotsOf(job, visible, section);
  const clean = plateOf(source) === source.path ? visible : await openFootage(plateOf(source));
  const films = [
    { name: RESULT, footage: visible },
    { name: PLATE, footage: clean.frames === visible.frames ? clean : visible },
  ];
  await using scratch = await openScratch(job);
  const old = await noted(clean.path, clean.seconds, '');
  const story = retaken(old, text(job.request, 'prompt') ? shots : [anotherTake(shots)]);
  const take: Take = { job, section, size, shots, story, hooks, scratch: scratch.path };
  const pictures = mode.pictures
    ? await newPictures(take, films)
    : await Promise.all(films.map(({ footage, name }) => oldPictures(footage, size, scratch.path(`old-${name}`))));
  const sound = mode.sound ? await newSound(take, visible) : await oldSound(visible, scratch.path('sound.mp4'));
  const comment = noteOf(mode.pictures ? story : old);
  for (const [i, { name }] of films.entries()) {
    await writePackets(join(job.folder, name), [pictures[i]!, ...(sound ? [sound] : [])], { comment });
  }
  return { file: RESULT, cleanPlate: PLATE, facts: await probe(join(job.folder, RESULT)) };
}

interface Take {
  readonly job: RenderJob;
  readonly section: Section;
  readonly size: FrameSize;
  /** The new ones. */
  readonly shots: readonly Shot[];
  /** All of the film's, with the new ones in their place. */
  readonly story: readonly SlateShot[];
  readonly hooks: RenderHooks;
  readonly scratch: (name: string) => string;
}

/**
 * The section in pictures, rounded here once. The document does not show what it is when the times are left out: then it is
 * a third of the film, in the middle, or from the given start.
 */
function sectionOf({ request }: RenderJob, { rate, frames, seconds }: Footage): Section {
  const fps = fpsOf(rate);
  const length = number(request, 'retake_duration') ?? seconds / 3;
  const start = number(request, 'retake_start_time') ?? Math.max(0, (seconds - length) / 2);
  const told = `the section from ${tidy(start)} to ${tidy(start + length)} s`;
  const end = `the source ends at ${tidy(seconds)} s`;
  if (start < 0 || start >= seconds) {
    throw new RenderRefusal(
      `retake_start_time ${tidy(start)} s is outside the source: ${end}; start the section before that`,
    );
  }
  const given = number(request, 'retake_duration') !== undefined;
  // A tenth of a second is the tolerance with which lengths are compared everywhere.
  if (given && start + length > seconds + 0.1) {
    throw new RenderRefusal(`${told} reaches past the source: ${end}; shorten retake_duration`);
  }
  const from = Math.min(frames - 1, Math.round(start * fps));
  const to = Math.min(frames, Math.round((start + length) * fps));
  if (to <= from) throw new RenderRefusal(`${told} is shorter than one picture: lengthen retake_duration`);
  return { from, to };
}

const tidy = (seconds: number) => String(Math.round(seconds * 100) / 100);

function modeOf({ request }: RenderJob): (typeof MODES)[keyof typeof MODES] {
  const asked = text(request, 'retake_mode') ?? 'replace_audio_and_video';
  const mode = Object.entries(MODES).find(([name]) => name === asked)?.[1];
  if (!mode) throw new RenderRefusal(`retake_mode "${asked}" is not known: write ${Object.keys(MODES).join(', ')}`);
  return mode;
}

/** On the film's own clock. */
function shotsOf({ request }: RenderJob, { rate }: Footage, { from, to }: Section): readonly Shot[] {
  const fps = fpsOf(rate);
  const shots = readPrompt(text(request, 'prompt') ?? '', { duration: (to - from) / fps, seed: seedOf(request), fps });
  return shots.map(shot => ({ ...shot, start: shot.start + from / fps, end: shot.end + from / fps }));
}

interface Copy {
  readonly name: string;
  readonly footage: Footage;
}

/** The result and its clean plate in one pass: the section is painted once. */
async function newPictures(take: Take, films: readonly Copy[]): Promise<TrackToWrite[]> {
  const { job, section, size, hooks, scratch } = take;
  const [visible, clean] = films as [Copy, Copy];
  // One after the other: they try encoder settings in the same scratch files.
  const over = await planSplice(visible.footage, section, size, scratch);
  const under = await planSplice(clean.footage, section, size, scratch);
  const prompted = (text(job.request, 'prompt') ?? '') !== '';
  const fresh = prompted
    ? `[raw]${toYuv()},setsar=1`
    : `${clean.footage.picture},${kept(size, section)},${regraded(size)}`;
  const out = scratch('new-result.mp4');
  const plate = scratch('new-plate.mp4');
  const encodedPictures = over.again.to - over.again.from;
  await encode({
    ...(prompted ? { frames: painted(take, visible.footage) } : {}),
    slate: slateOf(take, visible.footage),
    graph: [
      `${fresh},split[fresh][bare]`,
      laidOver('bare', 'slated'),
      around(visible.footage, over.again, section, size, { middle: 'slated', out: 'v' }),
      around(clean.footage, under.again, section, size, { middle: 'fresh', out: 'clean' }),
    ].join(';'),
    video: over.video,
    out,
    cleanPlate: { out: plate, video: under.video },
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
  const parts: string[] = [];
  const ends: string[] = [];
  const old = (from: number, to: number, name: string) => {
    if (to <= from) return;
    parts.push(`${footage.picture},${kept(size, { from, to })}[${name}]`);
    ends.push(`[${name}]`);
  };
  old(again.from, section.from, `${out}before`);
  ends.push(`[${middle}]`);
  old(section.to, again.to, `${out}after`);
  const beat = `${footage.rate.num}/${footage.rate.den}`;
  const joined = ends.length > 1 ? `${ends.join('')}concat=n=${ends.length}:v=1:a=0` : `${ends[0]}null`;
  return [...parts, `${joined},settb=${footage.rate.den}/${footage.rate.num},setpts=N/(${beat})/TB[${out}]`].join(';');
}

/** Pictures of the source, at the result's size. */
const kept = (size: FrameSize, { from, to }: Section): string =>
  `trim=start_frame=${from}:end_frame=${to},setpts=PTS-STARTPTS,${resize(size.width, size.height)},setsar=1,format=yuv420p`;

/** Another take of the same: cooler, and a little closer. */
const regraded = ({ width, height }: FrameSize): string =>
  `crop=trunc(iw*0.46)*2:trunc(ih*0.46)*2,${resize(width, height)},eq=saturation=0.8:contrast=1.06,hue=h=-12,setsar=1,format=yuv420p`;

function painted({ job, section, size, shots }: Take, { rate }: Footage): DrawnPictures {
  const { width, height } = size;
  const fps = fpsOf(rate);
  function* pictures(): Generator<Uint8Array> {
    const canvas = createCanvas(width, height);
    const context = canvas.getContext('2d');
    let frame = section.from;
    for (const shot of shots) {
      const scene = new Scene(shot, { width, height, seed: seedOf(job.request) });
      for (; frame < Math.round(shot.end * fps); frame++) {
        const seconds = frame / fps - shot.start;
        scene.draw(context, { seconds, progress: seconds / (shot.end - shot.start) });
        yield canvas.data();
      }
    }
  }
  return { width, height, fps: rate, pixels: pictures() };
}

function slateOf({ job, section, size, story }: Take, { rate, frames }: Footage): DrawnPictures {
  const fps = fpsOf(rate);
  const [from, to] = [section.from / fps, section.to / fps].map(seconds => seconds.toFixed(2));
  const mode = text(job.request, 'retake_mode') ?? 'replace_audio_and_video';
  const facts = [job.label, `retake ${from} to ${to} s`, mode];
  return layover({ ...size, rate, length: frames, ...section, shots: story, facts });
}

/** What the slate says where nobody said what to shoot. */
function anotherTake(shots: readonly Shot[]): SlateShot {
  return { start: shots[0]?.start ?? 0, end: shots.at(-1)?.end ?? 0, words: 'Another take' };
}

async function newSound({ job, section, shots, scratch }: Take, film: Footage): Promise<TrackToWrite> {
  const fps = fpsOf(film.rate);
  const from = section.from / fps;
  const to = section.to / fps;
  const local = shots.map(shot => ({ ...shot, start: shot.start - from, end: shot.end - from }));
  const sound = bed({ duration: to - from, shots: local, seed: seedOf(job.request) });
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

/** For `replace_audio`: the pictures stay; only another size or codec means encoding them. */
async function oldPictures(footage: Footage, { width, height }: FrameSize, scratch: string): Promise<TrackToWrite> {
  const { path, rate, codec, even, picture } = footage;
  if (footage.width === width && footage.height === height && even && codec === 'h264') {
    return { kind: 'video', like: path, packets: (await readPackets(path, 'video'))!.packets };
  }
  const graph = `${picture},${resize(width, height)},setsar=1[v]`;
  await encode({ graph, video: h264(rate, { crf: 10 }), out: scratch });
  return { kind: 'video', like: scratch, packets: (await readPackets(scratch, 'video'))!.packets };
}
