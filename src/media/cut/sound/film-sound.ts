/**
 * The sound of a film, from its cut. It is listened to before it is made, from the beginning to the end: then all of it is raised or lowered
 * by one number, and its peaks are held down where they would be clipped. Nothing is kept meanwhile; the sound is mixed again.
 */
import type { Cut } from '../../../model/media/cut.ts';
import { SAMPLE_RATE } from '../../encode/encoder-settings.ts';
import { check, filterGraph, type Libav, newFrame, soundFrame } from '../../libav.ts';
import { filmFormat } from '../codecs.ts';
import type { CutContext } from '../cut-context.ts';
import { duckedShares, LOOKAHEAD, type SpeechMeter, speechMeter } from './ducking.ts';
import { type SampleStream, sampleQueue } from './sample-stream.ts';
import { filtered, STEREO } from './sound-filter.ts';
import { type PlacedSound, placedSounds, sampleAt } from './sound-places.ts';
import { openSoundSource, type SoundSource } from './sound-source.ts';

interface FilmSound extends AsyncDisposable {
  /** Gives on all sound before this many seconds, and at most a piece more. */
  until(seconds: number, give: (samples: Float32Array) => Promise<void>): Promise<void>;
}

/** Samples of each channel that are made, or measured, at a time: 50 ms. */
const PIECE = SAMPLE_RATE / 20;

/** @param listened called with the seconds that have been listened to, now and then. @throws {CutFailure}, also by `until` */
export async function openFilmSound(
  kit: CutContext,
  cut: Cut,
  listened: (seconds: number) => void = () => {},
): Promise<FilmSound> {
  const master = await openMaster(kit, cut, await mastering(kit, cut, listened));
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
const MAX_RAISED = 20;

/** LU by which a film that was held down may miss its loudness, and how often it is listened to again to come so near. */
const NEAR = 0.1;
const AGAIN = 4;
/** Of a decibel: below this, raising it further would only press it flat. */
const MIN_YIELD = 0.3;

interface Mastering {
  /** What every sample is multiplied with. */
  readonly gain: number;
  /** Peaks would be clipped. */
  readonly isLimited: boolean;
}

/** Silence stays silence, and a film without a loudness of its own stays as it was mixed. */
async function mastering(kit: CutContext, cut: Cut, listened: (seconds: number) => void): Promise<Mastering> {
  const { loudness } = cut;
  if (cut.sounds.length === 0) return { gain: 1, isLimited: false };
  const listen = (sound: SampleStream) => loudnessOf(kit.av, sound, listened);
  const plain = await listen(openMix(kit, cut));
  const at = (decibels: number): Mastering => {
    const gain = 10 ** (decibels / 20);
    return { gain, isLimited: plain.peak * gain > ratio(ceilingOf(cut)) };
  };
  const now = plain.integrated;
  if (loudness === null || now <= SILENCE) return at(0);
  let raised = Math.min(MAX_RAISED, loudness - now);
  const goal = now + raised;
  let before: { readonly raised: number; readonly loudness: number } | undefined;
  // Holding peaks down takes some loudness with it, which is given back to the rest; the more of it, the less comes of each decibel.
  for (let time = 0; time < AGAIN && at(raised).isLimited; time++) {
    const { integrated: limited } = await listen(await openMaster(kit, cut, at(raised)));
    if (Math.abs(goal - limited) < NEAR) break;
    const yielded = before === undefined ? 1 : (limited - before.loudness) / (raised - before.raised);
    before = { raised, loudness: limited };
    raised = Math.min(MAX_RAISED, raised + (goal - limited) / Math.min(1, Math.max(MIN_YIELD, yielded)));
    if (raised === before.raised) break;
  }
  return at(raised);
}

const ratio = (decibels: number): number => 10 ** (decibels / 20);

/** dBTP. At most −1 as any meter reads it, also of AAC, which gives back other samples than it was given, up to a decibel higher. */
const ceilingOf = (cut: Cut): number => (filmFormat(cut).audio.codec === 'aac' ? -2 : -1.05);

/** Decibels by which the way back from 192 kHz may raise a peak that was held down there. */
const OVERSHOOT = 0.4;

/**
 * The mix at its level. Peaks are held down where they lie between the samples, too: at four times the rate. The limiter goes down in the 5 ms
 * before a peak and comes back over 100 ms, both channels together, so that nothing moves to one side.
 */
async function openMaster(kit: CutContext, cut: Cut, { gain, isLimited }: Mastering): Promise<SampleStream> {
  const mix = openMix(kit, cut);
  const amplified: SampleStream = {
    async read(count) {
      const samples = await mix.read(count);
      if (gain !== 1) for (let i = 0; i < samples.length; i++) samples[i]! *= gain;
      return samples;
    },
    [Symbol.asyncDispose]: () => mix[Symbol.asyncDispose](),
  };
  if (!isLimited) return amplified;
  const limit = ratio(ceilingOf(cut) - OVERSHOOT);
  const limiter = `alimiter=limit=${limit}:attack=5:release=100:level=false:latency=true`;
  return await filtered(kit.av, amplified, `aresample=192000,${limiter}`);
}

/**
 * All sounds of the film together, as they were asked for: levels, fades, music under voices. Nothing is limited here.
 * Exactly as long as the film. Only what is heard at a time is open, so a film may have any number of sounds. @throws {CutFailure}
 */
function openMix(kit: CutContext, cut: Cut): SampleStream {
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
function voicesAhead(kit: CutContext, all: readonly PlacedSound[]) {
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
  kit: CutContext,
  sounds: readonly PlacedSound[],
  onSamples: (placed: PlacedSound, samples: Float32Array) => void = () => {},
): Bus {
  const open = new Map<PlacedSound, SoundSource>();
  let waiting = sounds.toSorted((a, b) => a.from - b.from);
  return {
    async read(at, count) {
      const sum = new Float32Array(count * 2);
      const later = waiting.findIndex(({ from }) => from >= at + count);
      const beginning = later < 0 ? waiting : waiting.slice(0, later);
      waiting = waiting.slice(beginning.length);
      for (const placed of beginning) open.set(placed, await openSoundSource(kit, placed));
      for (const [placed, sound] of open) {
        const from = Math.max(at, placed.from);
        const to = Math.min(at + count, placed.to);
        const samples = await sound.read(to - from);
        onSamples(placed, samples);
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

/** LUFS below which there is silence. */
const SILENCE = -70;

interface Loudness {
  /** LUFS over all; −70 for silence. */
  readonly integrated: number;
  /** The highest point of the curve through the samples: 1 is full scale. To three places, rounded up. */
  readonly peak: number;
}

/** Samples of the shortest sound that the meter measures: 400 ms. */
const BLOCK = 0.4 * SAMPLE_RATE;
/** Seconds of the sound between two calls of `listened`. */
const NEWS_EVERY = 5;

/**
 * How loud a sound is to people (ITU-R BS.1770-4, EBU R 128), and its true peak. Reads the sound to its end, and closes it.
 * @param listened called with the seconds that have been read, now and then.
 */
export async function loudnessOf(
  av: Libav,
  opened: SampleStream,
  listened: (seconds: number) => void = () => {},
): Promise<Loudness> {
  await using sound = opened;
  using release = new DisposableStack();
  const text = `abuffer@in=${STEREO},apad=whole_len=${BLOCK},ebur128=metadata=1:peak=true,abuffersink@out`;
  const { end } = await filterGraph(av, release, text, 1);
  const [into, out] = [end('abuffer@in'), end('abuffersink@out')];
  const measured = newFrame(av, release);
  let [integrated, peak, length] = [SILENCE, 0, 0];
  for (let isOver = false; !isOver; ) {
    const samples = await sound.read(PIECE);
    isOver = samples.length === 0;
    using frame = isOver ? undefined : soundFrame(av, samples, BigInt(length), 'interleaved');
    check(av, into.buffersrcAddFrameSync(frame ?? null), 'measuring sound');
    length += samples.length / 2;
    for (; out.buffersinkGetFrameSync(measured) >= 0; measured.unref()) {
      const found = measured.getMetadata();
      integrated = Number(found.get('lavfi.r128.I') ?? integrated);
      peak = Number(found.get('lavfi.r128.true_peak') ?? peak);
    }
    if (!isOver && (length / SAMPLE_RATE) % NEWS_EVERY === 0) listened(length / SAMPLE_RATE);
  }
  // A shorter sound was measured with the silence behind it.
  const missing = length > 0 && length < BLOCK ? 10 * Math.log10(BLOCK / length) : 0;
  return { integrated: integrated <= SILENCE ? SILENCE : integrated + missing, peak: peak === 0 ? 0 : peak + 0.0005 };
}
