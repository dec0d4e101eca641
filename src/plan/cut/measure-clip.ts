/**
 * How long a clip is seen. A video is seen from `in` to `out`, at its speed; a title and a still for as long as they are told. What
 * is spoken over a clip is heard to its end: it begins when the clip is there alone, half a second of breath follows, and a
 * clip that does not say how long it is waits for it on its last picture.
 */
import type { FrameRate } from '../../domain/cut.ts';
import { frameRate } from '../../domain/frame-rate.ts';
import type { MediaFacts } from '../../domain/media.ts';
import { isMeasured } from '../../domain/media.ts';
import { type AssemblyClip, type MediaField, mediaShown } from './assembly.ts';
import { cutMessages } from './cut-messages.ts';
import { exactSeconds } from './timeline.ts';

/** Seconds of stillness behind a voice. */
export const BREATH = 0.5;

export type FactsOf = (field: MediaField) => MediaFacts | undefined;

/** Something that does not fit, and the option of the clip that says so. */
export interface Misfit {
  readonly message: string;
  readonly option?: string;
}

export interface Measured {
  /** Seconds that it is seen, dissolves included; undefined where that is not known yet. */
  readonly seconds: number | undefined;
  /** Seconds of the timeline for which its pictures run, and its own sound is heard; undefined where it stands still, or not known. */
  readonly runs: number | undefined;
  /** Seconds into the source where it ends. */
  readonly end: number | undefined;
  readonly misfits: readonly Misfit[];
}

/** Seconds in which the clip is not there alone, at its beginning and at its end. */
export interface Shared {
  readonly before: number;
  readonly after: number;
}

export function measureClip(clip: AssemblyClip, shared: Shared, factsOf: FactsOf): Measured {
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

/** Lengths of files are told to the millisecond. */
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

/** `out: 4s` of a clip that is a frame shorter than its maker says is no mistake. */
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
