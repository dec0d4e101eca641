/**
 * V-RT: a section of a film is shot again, the rest stays. The new pictures are painted from the prompt (without one, the
 * old pictures are graded, as another take of the same); the new sound is a bed of the same mood. See `splice.ts` for how
 * the rest is kept bit for bit, and `retake-sound.ts` for the same with sound.
 */
import { join } from 'node:path';
import { appendPlate } from '../../../media/clean-plate.ts';
import { encode } from '../../../media/encoder.ts';
import { fpsOf } from '../../../media/encoder-settings.ts';
import { type Footage, openFootage } from '../../../media/footage.ts';
import { readPackets, type TrackToWrite, writePackets } from '../../../media/packets.ts';
import { probe } from '../../../media/probe.ts';
import type { RenderHooks, RenderJob, RenderResult } from '../job.ts';
import { RESULT } from '../picture/plates.ts';
import type { Section } from '../picture/splice.ts';
import { readPrompt, type Shot } from '../prompt/prompt.ts';
import { sameRatio } from '../request/frame-size.ts';
import { jobInput, plateOf } from '../request/job-input.ts';
import { seedOf, text } from '../request/request-fields.ts';
import { openScratch } from '../scratch.ts';
import { noteOf, retaken, shotsOf as shotsIn } from '../slate/shot-notes.ts';
import type { SlateShot } from '../slate/slate.ts';
import { soundBed } from '../sound/sound-bed.ts';
import { copiedPictures, retakenPictures, type Take } from './retake-pictures.ts';
import { modeOf, sectionOf } from './retake-section.ts';
import { changedSound } from './retake-sound.ts';

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
  // Somebody's own film, whose pictures stay as they are, has nothing to keep clean.
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

/** What the slate says where nobody said what to shoot. */
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
