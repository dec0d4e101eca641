/**
 * An assembly on its timeline: how large the film is, at which rate, where each clip begins and how long it is; and what does not fit.
 * Facts may be those that are expected of media not made yet. What they leave open is left out, and is no mistake.
 */
import { type FrameRate, frameRate, perSecond, type Size } from '../../model/media/cut.ts';
import { isMeasured, type MediaFacts } from '../../model/media/media.ts';
import type { Problem } from '../obstacles.ts';
import {
  type Assembly,
  type AssemblyClip,
  type AssemblyOverlay,
  cutMessages,
  type MediaField,
  mediaShown,
} from './assembly.ts';

export interface Layout {
  readonly problems: readonly Problem[];
  readonly size: Size | undefined;
  readonly rate: FrameRate | undefined;
  /** Undefined where the length of some clip is not known, or something does not fit. */
  readonly clips: readonly LaidClip[] | undefined;
  /** Of the film, where all its clips are laid. */
  readonly frames: number | undefined;
  /** How long it is; where its rate is not known, to within a frame or two. */
  readonly seconds: number | undefined;
}

export interface LaidClip extends Placement {
  readonly clip: AssemblyClip;
  readonly measured: Measured;
  readonly fadeIn: number;
  readonly fadeOut: number;
}

export function layOut(assembly: Assembly, factsOf: FactsOf): Layout {
  const size = assembly.size ?? sizeOf(assembly, factsOf);
  const rate = assembly.rate ?? rateOf(assembly, factsOf);
  // Lengths are held against each other whatever the rate will be.
  const counted = rate ?? USUAL_RATE;
  const dissolves = assembly.clips.map(({ dissolve }, index) => (index === 0 ? 0 : framesOf(dissolve, counted)));
  const measured = assembly.clips.map((clip, index) => {
    const [before, after] = [dissolves[index] ?? 0, dissolves[index + 1] ?? 0];
    const shared = { before: secondsOf(before, counted), after: secondsOf(after, counted) };
    return measureClip(clip, shared, factsOf);
  });
  const problems: Problem[] = measured.flatMap(({ misfits }, index) =>
    misfits.map(({ message, option }) => ({ message, at: assembly.clips[index]!.places(option) })),
  );
  problems.push(...musicProblems(assembly, factsOf));
  const timed = measured.map(({ seconds }, index) => ({ seconds: seconds ?? Number.NaN, dissolve: dissolves[index]! }));
  const laid = placeClips(timed, counted).map((placement, index): LaidClip => {
    const clip = assembly.clips[index]!;
    return {
      ...{ ...placement, clip, measured: measured[index]! },
      fadeIn: framesOf(clip.fadeIn, counted),
      fadeOut: framesOf(clip.fadeOut, counted),
    };
  });
  const isKnown = !assembly.isOpen && measured.every(({ seconds }) => seconds !== undefined);
  // A clip of an unknown length makes all behind it unknown; a finding about one clip alone needs its own.
  for (const [index, one] of laid.entries()) {
    if (measured[index]!.seconds === undefined) continue;
    const frames = framesOf(measured[index]!.seconds!, counted);
    problems.push(...clipProblems({ ...one, frames: isKnown ? one.frames : frames }, laid[index + 1], counted));
  }
  const frames = isKnown ? endOf(laid) : undefined;
  if (frames !== undefined)
    for (const overlay of assembly.overlays) problems.push(...overlayProblems(overlay, secondsOf(frames, counted)));
  const isWhole = isKnown && rate !== undefined && problems.length === 0;
  const seconds = frames === undefined || problems.length > 0 ? undefined : secondsOf(frames, counted);
  return { problems, size, rate, seconds, clips: isWhole ? laid : undefined, frames: isWhole ? frames : undefined };
}

export const USUAL_RATE: FrameRate = { frames: 24, seconds: 1 };
const USUAL_SIZE: Size = { width: 1920, height: 1080 };

function clipProblems(one: LaidClip, next: LaidClip | undefined, rate: FrameRate): readonly Problem[] {
  const { clip, frames, dissolve, fadeIn, fadeOut } = one;
  const length = secondsOf(frames, rate);
  if (frames < 1) return [{ message: cutMessages.tooShort(clip.called), at: clip.places('for') }];
  const dissolves = dissolve + (next?.dissolve ?? 0);
  const problems: Problem[] = [];
  // Three clips at once are never seen.
  if (dissolves > frames) {
    const at = dissolve > 0 ? clip.places('join') : next!.clip.places('join');
    problems.push({ message: cutMessages.dissolves(clip.called, length, secondsOf(dissolves, rate)), at });
  }
  if (fadeIn + fadeOut > frames)
    problems.push({
      message: cutMessages.fades(clip.called, length, secondsOf(fadeIn + fadeOut, rate)),
      at: clip.places(fadeOut > 0 ? 'fade_out' : 'fade_in'),
    });
  return [...problems, ...clip.overlays.flatMap(overlay => overlayProblems(overlay, length))];
}

const overlayProblems = (overlay: AssemblyOverlay, seconds: number): readonly Problem[] =>
  overlay.in < seconds
    ? []
    : [
        {
          message: cutMessages.overlayLate('what lies over the picture', overlay.in, seconds),
          at: overlay.places('in'),
        },
      ];

function musicProblems({ music }: Assembly, factsOf: FactsOf): readonly Problem[] {
  const facts = music && factsOf(music.media);
  if (!music || !facts) return [];
  if (facts.kind !== 'audio')
    return [{ message: cutMessages.wrongKind('`music`', 'sound', facts.kind), at: music.places('from') }];
  if (isMeasured(facts.duration) && music.in >= facts.duration)
    return [{ message: cutMessages.inPastEnd('the music', music.in, facts.duration), at: music.places('in') }];
  return [];
}

/** The media of the clips in their order, each with what is known of it. */
function picturesOf(assembly: Assembly, factsOf: FactsOf): readonly (MediaFacts | undefined)[] {
  return assembly.clips.flatMap(({ shows }) => mediaShown(shows)).map(factsOf);
}

/** Of the first video, or else of the first still. Unknown while a clip before it is; a film of titles alone is 1920 × 1080. */
function sizeOf(assembly: Assembly, factsOf: FactsOf): Size | undefined {
  const pictures = picturesOf(assembly, factsOf);
  const video = pictures.findIndex(facts => facts === undefined || facts.kind === 'video');
  const first = video >= 0 ? pictures[video] : pictures[0];
  if (video < 0 && assembly.isOpen) return undefined;
  if (pictures.length === 0) return USUAL_SIZE;
  const { width, height } = first ?? {};
  return width && height ? { width: even(width), height: even(height) } : undefined;
}

/** Encoders take nothing else. */
const even = (pixels: number): number => Math.max(2, 2 * Math.floor(pixels / 2));

/** Of the first video; 24 where there is none. */
function rateOf(assembly: Assembly, factsOf: FactsOf): FrameRate | undefined {
  const pictures = picturesOf(assembly, factsOf);
  const first = pictures.find(facts => facts === undefined || facts.kind === 'video');
  const isNone = pictures.every(facts => facts !== undefined && facts.kind !== 'video');
  if (isNone) return assembly.isOpen ? undefined : USUAL_RATE;
  const rate = first?.fps === undefined ? undefined : frameRate(first.fps);
  return rate && perSecond(rate) <= 240 ? rate : undefined;
}

// How long a clip is seen. A video is seen from `in` to `out`, at its speed; a title and a still for as long as they are set. What is
// spoken over a clip is heard to its end: it begins when the clip is there alone, half a second of breath follows, and a clip without a length waits for it
//  on its last picture.

/** Seconds of stillness behind a voice. */
const BREATH = 0.5;

type FactsOf = (field: MediaField) => MediaFacts | undefined;

/** Something that does not fit, and its option of the clip. */
interface Misfit {
  readonly message: string;
  readonly option?: string;
}

interface Measured {
  /** Seconds that it is seen, dissolves included; undefined where that is not known yet. */
  readonly seconds: number | undefined;
  /** Seconds of the timeline for which its pictures run, and its own sound is heard; undefined where it is held, or not known. */
  readonly runs: number | undefined;
  /** Seconds into the source where it ends. */
  readonly end: number | undefined;
  readonly misfits: readonly Misfit[];
}

/** Seconds in which the clip is not there alone, at its beginning and at its end. */
interface Shared {
  readonly before: number;
  readonly after: number;
}

function measureClip(clip: AssemblyClip, shared: Shared, factsOf: FactsOf): Measured {
  if (clip.isOpen) return UNKNOWN;
  const picture = pictureOf(clip, factsOf);
  const voice = voiceOf(clip, factsOf);
  const misfits = [...picture.misfits, ...voice.misfits];
  if (misfits.length > 0) return { ...UNKNOWN, misfits };
  const { runs, end } = picture;
  const spoken = voice.seconds === undefined ? undefined : shared.before + voice.seconds + shared.after;
  const answer = (seconds: number | undefined, found: readonly Misfit[] = []): Measured => ({
    ...{ seconds, runs, end },
    misfits: found,
  });
  if (clip.for === 'voice') return answer(spoken === undefined ? undefined : spoken + BREATH);
  if (clip.for !== undefined) {
    const isCut = spoken !== undefined && spoken > clip.for + NEARLY;
    return answer(
      clip.for,
      isCut ? [{ message: cutMessages.voiceCut(clip.called, clip.for, spoken), option: 'for' }] : [],
    );
  }
  if (picture.isStill && !clip.voice)
    return answer(undefined, [{ message: cutMessages.noFor(clip.called), option: 'from' }]);
  if (clip.voice && spoken === undefined) return UNKNOWN;
  if (picture.isStill) return answer(spoken === undefined ? undefined : spoken + BREATH);
  if (runs === undefined) return UNKNOWN;
  return answer(spoken === undefined || spoken <= runs + NEARLY ? runs : spoken + BREATH);
}

const UNKNOWN: Measured = { seconds: undefined, runs: undefined, end: undefined, misfits: [] };

/** Lengths of files are exact to the millisecond. */
const NEARLY = 0.002;

interface Picture {
  readonly isStill: boolean;
  readonly runs: number | undefined;
  readonly end: number | undefined;
  readonly misfits: readonly Misfit[];
}

const STILL: Picture = { isStill: true, runs: undefined, end: undefined, misfits: [] };
const NOT_KNOWN: Picture = { ...STILL, isStill: false };

/** Side by side, as long as the shortest of the videos. */
function pictureOf(clip: AssemblyClip, factsOf: FactsOf): Picture {
  const all = mediaShown(clip.shows).map(field => sectionOf(clip, factsOf(field)));
  const wrong = all.find(({ misfits }) => misfits.length > 0);
  if (wrong) return wrong;
  if (all.every(({ isStill }) => isStill)) return STILL;
  const moving = all.filter(({ isStill }) => !isStill);
  if (moving.some(({ runs }) => runs === undefined)) return NOT_KNOWN;
  return moving.reduce((one, other) => (other.runs! < one.runs! ? other : one));
}

/** The part of one medium that is seen. */
function sectionOf(clip: AssemblyClip, facts: MediaFacts | undefined): Picture {
  const { called } = clip;
  if (!facts) return NOT_KNOWN;
  if (facts.kind === 'audio')
    return misfit({ message: cutMessages.wrongKind(called, 'picture', facts.kind), option: 'from' });
  if (facts.kind === 'image') return STILL;
  const rate = facts.fps === undefined ? undefined : frameRate(facts.fps);
  const duration = isMeasured(facts.duration) ? exactSeconds(facts.duration, rate) : undefined;
  if (clip.out !== undefined && clip.out <= clip.in)
    return misfit({ message: cutMessages.order(called, clip.in, clip.out), option: 'out' });
  if (duration === undefined) return clip.out === undefined ? NOT_KNOWN : running(clip, clip.out);
  if (clip.in >= duration) return misfit({ message: cutMessages.inPastEnd(called, clip.in, duration), option: 'in' });
  if (clip.out !== undefined && clip.out > duration + lastFrame(rate))
    return misfit({ message: cutMessages.pastEnd(called, clip.out, duration), option: 'out' });
  return running(clip, Math.min(clip.out ?? duration, duration));
}

/** `out: 4s` of a clip that is a frame shorter than its maker declares is no mistake. */
const lastFrame = (rate: FrameRate | undefined): number => (rate ? rate.seconds / rate.frames : 1 / 24) + NEARLY;

const running = (clip: AssemblyClip, end: number): Picture => ({
  isStill: false,
  runs: (end - clip.in) / clip.speed,
  end,
  misfits: [],
});

const misfit = (what: Misfit): Picture => ({ ...NOT_KNOWN, misfits: [what] });

function voiceOf(
  { voice, called }: AssemblyClip,
  factsOf: FactsOf,
): { readonly seconds: number | undefined; readonly misfits: readonly Misfit[] } {
  const facts = voice && factsOf(voice.media);
  if (!facts) return { seconds: undefined, misfits: [] };
  if (facts.kind !== 'audio')
    return {
      seconds: undefined,
      misfits: [{ message: cutMessages.wrongKind(`the voice of ${called}`, 'sound', facts.kind), option: 'voice' }],
    };
  return { seconds: isMeasured(facts.duration) ? facts.duration : undefined, misfits: [] };
}

// Lengths in seconds → whole frames on a timeline. What is rounded is where each clip ends, never how long it is: clips of 1.3 frames too
// much, a thousand of them, end where their sum does. A dissolve is the same whole number of frames anywhere; the clip that comes
// in begins so many frames before the other one ends, and the film is shorter by that.

interface TimedClip {
  /** How long it is seen, its dissolves included. */
  readonly seconds: number;
  /** Frames in which the clip before gives way to it; of the first, 0. */
  readonly dissolve: number;
}

interface Placement {
  readonly at: number;
  readonly frames: number;
  readonly dissolve: number;
}

/** Sums of seconds carry binary dust: half a frame is rounded up, also where it is a little less. */
const DUST = 1e-6;

const rounded = (frames: number): number => Math.floor(frames + 0.5 + DUST);

export const framesOf = (seconds: number, rate: FrameRate): number => rounded(seconds * perSecond(rate));

export const secondsOf = (frames: number, { frames: many, seconds }: FrameRate): number => (frames * seconds) / many;

/** Each begins where the one before ends, or `dissolve` frames earlier. A clip shorter than half a frame may come out as none. */
export function placeClips(clips: readonly TimedClip[], rate: FrameRate): readonly Placement[] {
  const fps = perSecond(rate);
  let exact = 0;
  let end = 0;
  return clips.map(({ seconds, dissolve }) => {
    const at = end - dissolve;
    exact += seconds * fps - dissolve;
    end = rounded(exact);
    return { at, frames: end - at, dissolve };
  });
}

/** Frames of the film. */
export const endOf = (placements: readonly Placement[]): number => {
  const last = placements.at(-1);
  return last ? last.at + last.frames : 0;
};

/**
 * The length of a medium to its last frame: facts are in milliseconds, and a thousandth of a second for each clip adds up. A length that is not a
 * whole number of frames within that is left as it is.
 */
export function exactSeconds(seconds: number, rate: FrameRate | undefined): number {
  if (!rate) return seconds;
  const frames = Math.round(seconds * perSecond(rate));
  return frames > 0 && Math.abs(secondsOf(frames, rate) - seconds) <= 0.001 ? secondsOf(frames, rate) : seconds;
}
