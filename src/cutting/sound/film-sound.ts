/**
 * The sound of a film, from its cut. A film that is to have a loudness is listened to before it is made, from the beginning to the end:
 * then all of it is raised or lowered by one number, and only its peaks are held down. Nothing of it is kept meanwhile; it is mixed again.
 */
import type { Cut } from '../../domain/cut.ts';
import { filmFormat } from '../codecs.ts';
import type { Kit } from '../kit.ts';
import { duckedShares, LOOKAHEAD, type SpeechMeter, speechMeter } from './ducking.ts';
import { type HeardSound, openHeardSound } from './heard-sound.ts';
import { limiter } from './limiter.ts';
import { type LoudnessMeter, loudnessMeter, SILENCE } from './loudness-meter.ts';
import { SAMPLE_RATE, type SampleStream, sampleQueue } from './sample-stream.ts';
import { type PlacedSound, placedSounds, sampleAt } from './sound-places.ts';

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

// All sounds of the film together, as they were asked for: levels, fades, music under voices. Nothing is limited here.

/** Exactly as long as the film. Only what is heard at a time is open, so a film may have any number of sounds. @throws {CutFailure} */
function openMix(kit: Kit, cut: Cut): SampleStream {
  const total = sampleAt(cut.frames, cut.rate);
  const sounds = placedSounds(cut);
  const isDucked = ({ sound }: PlacedSound) => sound.role === 'music' && sound.duck === true;
  const ducked = bus(kit, sounds.filter(isDucked));
  const plain = bus(
    kit,
    sounds.filter(it => !isDucked(it) && it.sound.role !== 'voice'),
  );
  const voices = voicesAhead(kit, sounds);
  let at = 0;
  return {
    async read(count) {
      const length = Math.min(count, total - at);
      const mix = new Float32Array(length * 2);
      if (length <= 0) return mix;
      const { samples, shares } = await voices.read(at, length);
      add(mix, samples, 0);
      add(mix, await plain.read(at, length), 0);
      const music = await ducked.read(at, length);
      shares?.forEach((share, i) => {
        music[i * 2]! *= share;
        music[i * 2 + 1]! *= share;
      });
      add(mix, music, 0);
      at += length;
      return mix;
    },
    async [Symbol.asyncDispose]() {
      for (const one of [ducked, plain, voices]) await one[Symbol.asyncDispose]();
    },
  };
}

/** Voices are made before they are heard, so that music knows of them in time. */
function voicesAhead(kit: Kit, all: readonly PlacedSound[]) {
  const voices = all.filter(({ sound }) => sound.role === 'voice');
  const isAnyoneListening = voices.length > 0 && all.some(({ sound }) => sound.duck === true);
  const lookahead = isAnyoneListening ? LOOKAHEAD : 0;
  const meters = new Map<PlacedSound, SpeechMeter>();
  const made = bus(kit, voices, (placed, samples) => {
    if (!isAnyoneListening) return;
    const meter = meters.get(placed) ?? speechMeter(placed.from);
    meters.set(placed, meter);
    meter.push(samples);
  });
  const queue = sampleQueue();
  let next = 0;
  return {
    async read(at: number, count: number) {
      const wanted = at + count + lookahead;
      if (next < wanted) {
        queue.push(await made.read(next, wanted - next));
        next = wanted;
      }
      for (const voice of meters.keys()) if (voice.to + LOOKAHEAD < at) meters.delete(voice);
      const shares = isAnyoneListening ? duckedShares(meters.values(), at, count) : undefined;
      return { samples: queue.take(count), shares };
    },
    [Symbol.asyncDispose]: () => made[Symbol.asyncDispose](),
  };
}

interface Bus extends AsyncDisposable {
  /** Places never go back. */
  read(at: number, count: number): Promise<Float32Array>;
}

function bus(
  kit: Kit,
  sounds: readonly PlacedSound[],
  heard: (placed: PlacedSound, samples: Float32Array) => void = () => {},
): Bus {
  const open = new Map<PlacedSound, HeardSound>();
  let waiting = sounds.toSorted((a, b) => a.from - b.from);
  return {
    async read(at, count) {
      const sum = new Float32Array(count * 2);
      const later = waiting.findIndex(({ from }) => from >= at + count);
      const beginning = later < 0 ? waiting : waiting.slice(0, later);
      waiting = waiting.slice(beginning.length);
      for (const placed of beginning) open.set(placed, await openHeardSound(kit, placed));
      for (const [placed, sound] of open) {
        const from = Math.max(at, placed.from);
        const to = Math.min(at + count, placed.to);
        const samples = await sound.read(to - from);
        heard(placed, samples);
        add(sum, samples, from - at);
        if (placed.to > at + count) continue;
        open.delete(placed);
        await sound[Symbol.asyncDispose]();
      }
      return sum;
    },
    async [Symbol.asyncDispose]() {
      for (const sound of open.values()) await sound[Symbol.asyncDispose]();
    },
  };
}

function add(sum: Float32Array, samples: Float32Array, from: number): void {
  for (let i = 0, to = from * 2; i < samples.length; i++, to++) sum[to]! += samples[i]!;
}
