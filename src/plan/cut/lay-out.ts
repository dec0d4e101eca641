/**
 * An assembly on its timeline: how large the film is, at which rate, where each clip begins and how long it is; and what does not fit.
 * Facts may be those that are expected of media nobody has made yet. What cannot be told from them is left out, and is no mistake.
 */
import type { FrameRate, Size } from '../../domain/cut.ts';
import { frameRate, perSecond } from '../../domain/frame-rate.ts';
import { isMeasured, type MediaFacts } from '../../domain/media.ts';
import type { Problem } from '../obstacles.ts';
import { type Assembly, type AssemblyClip, type AssemblyOverlay, mediaShown } from './assembly.ts';
import { cutMessages } from './cut-messages.ts';
import { type FactsOf, type Measured, measureClip } from './measure-clip.ts';
import { endOf, framesOf, type Placement, placeClips, secondsOf } from './timeline.ts';

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
  // A clip of an unknown length makes all behind it unknown; what is said of one clip alone needs its own.
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

/**
 * Of the first video, or else of the first still. While a clip before it is not known, nobody can tell; a film of titles alone is
 * 1920 × 1080.
 */
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
