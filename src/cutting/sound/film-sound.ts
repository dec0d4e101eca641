/**
 * The sound of a film, from its cut. A film that is to have a loudness is listened to before it is made, from the beginning to the end:
 * then all of it is raised or lowered by one number, and only its peaks are held down. Nothing of it is kept meanwhile; it is mixed again.
 */
import type { Cut } from '../../domain/cut.ts';
import { filmFormat } from '../codecs.ts';
import type { Kit } from '../kit.ts';
import { limiter } from './limiter.ts';
import { type LoudnessMeter, loudnessMeter, SILENCE } from './loudness-meter.ts';
import { openMix } from './mix.ts';
import { SAMPLE_RATE, type SampleStream } from './sample-stream.ts';

interface FilmSound extends AsyncDisposable {
  /** Gives on all sound before this many seconds, and at most a piece more. */
  until(seconds: number, give: (samples: Float32Array) => Promise<void>): Promise<void>;
}

/** Samples of each channel that are made at a time: 50 ms. */
const PIECE = SAMPLE_RATE / 20;

/** Seconds of the film between two words on how far it was listened to. */
const TOLD_EVERY = 5;

/** @param listened told how many seconds have been listened to, now and then. @throws {CutFailure}, also by `until` */
export async function openFilmSound(
  kit: Kit,
  cut: Cut,
  listened: (seconds: number) => void = () => {},
): Promise<FilmSound> {
  const master = openMaster(kit, cut, await gainFor(kit, cut, listened));
  let given = 0;
  let isOver = false;
  return {
    async until(seconds, give) {
      const wanted = Math.round(seconds * SAMPLE_RATE);
      while (given < wanted && !isOver) {
        const samples = await master.read(PIECE);
        isOver = samples.length === 0;
        given += samples.length / 2;
        if (!isOver) await give(samples);
      }
    },
    [Symbol.asyncDispose]: () => master[Symbol.asyncDispose](),
  };
}

/** Decibels that a film is raised by at most: what is quieter is no film's sound but the noise under it. */
const MOST_RAISED = 20;

/** LU by which a film that was held down may miss its loudness, and how often it is listened to again to come so near. */
const NEAR = 0.1;
const AGAIN = 4;
/** Of a decibel: below this, raising it further would only press it flat. */
const LEAST_YIELD = 0.3;

/** Silence stays silence. */
async function gainFor(kit: Kit, cut: Cut, listened: (seconds: number) => void): Promise<number> {
  const { loudness } = cut;
  if (loudness === null || cut.sounds.length === 0) return 1;
  const plain = await heard(openMix(kit, cut), listened);
  const now = plain.integrated();
  if (now <= SILENCE) return 1;
  let raised = Math.min(MOST_RAISED, loudness - now);
  const goal = now + raised;
  let before: { readonly raised: number; readonly loudness: number } | undefined;
  // Holding peaks down takes some loudness with it, which is given back to the rest; the more of it, the less comes of each decibel.
  for (let time = 0; time < AGAIN && plain.peak * ratio(raised) > ceilingOf(cut); time++) {
    const limited = (await heard(openMaster(kit, cut, ratio(raised)), listened)).integrated();
    if (Math.abs(goal - limited) < NEAR) break;
    const yielded = before === undefined ? 1 : (limited - before.loudness) / (raised - before.raised);
    before = { raised, loudness: limited };
    raised = Math.min(MOST_RAISED, raised + (goal - limited) / Math.min(1, Math.max(LEAST_YIELD, yielded)));
    if (raised === before.raised) break;
  }
  return ratio(raised);
}

const ratio = (decibels: number): number => 10 ** (decibels / 20);

async function heard(opened: SampleStream, listened: (seconds: number) => void): Promise<LoudnessMeter> {
  await using sound = opened;
  const meter = loudnessMeter();
  let pieces = 0;
  for (;;) {
    const samples = await sound.read(PIECE);
    if (samples.length === 0) return meter;
    meter.push(samples);
    const seconds = (++pieces * PIECE) / SAMPLE_RATE;
    if (seconds % TOLD_EVERY === 0) listened(seconds);
  }
}

/** At most −1 dBTP as any meter reads it, also of AAC, which gives back other samples than it was given, up to a decibel higher. */
function ceilingOf(cut: Cut): number {
  return ratio(filmFormat(cut).audio.codec === 'aac' ? -2 : -1.05);
}

/** The mix at its level, without what would be clipped. */
function openMaster(kit: Kit, cut: Cut, gain: number): SampleStream {
  const mix = openMix(kit, cut);
  const { push, flush } = limiter(ceilingOf(cut));
  let isOver = false;
  return {
    async read(count) {
      while (!isOver) {
        const samples = await mix.read(count);
        isOver = samples.length === 0;
        if (gain !== 1) for (let i = 0; i < samples.length; i++) samples[i]! *= gain;
        const ready = isOver ? flush() : push(samples);
        if (ready.length > 0) return ready;
      }
      return new Float32Array(0);
    },
    [Symbol.asyncDispose]: () => mix[Symbol.asyncDispose](),
  };
}
