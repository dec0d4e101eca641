/**
 * A cut as it is rendered: a film assembled of finished media, with every place on its timeline known. Places and lengths on the
 * timeline are whole frames of its `rate`, from 0; places in a source are seconds of that source. It is content: the same cut of the
 * same media is the same file, wherever it is made.
 */
import type { MediaFacts } from './media.ts';

export interface Cut {
  /** Pixels, both even. */
  readonly size: Size;
  readonly rate: FrameRate;
  /** Length of the film. */
  readonly frames: number;
  /** In order and without a gap: each begins where the one before ends, or `dissolve` frames earlier. */
  readonly shots: readonly CutShot[];
  /** From the one that lies lowest to the one that lies on top. */
  readonly overlays: readonly CutOverlay[];
  /** None: the film has a silent track. */
  readonly sounds: readonly CutSound[];
  readonly captions?: CutCaptions;
  /** LUFS that the whole film is brought to (EBU R 128); null: as it was mixed. True peaks are at most −1 dBTP in both. */
  readonly loudness: number | null;
  readonly codec: CutCodec;
  /** Rendered quickly and small, for a draft: same frames, same places. */
  readonly isDraft?: true;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Frames a second as a fraction: 24/1, 30000/1001. */
export interface FrameRate {
  readonly frames: number;
  readonly seconds: number;
}

/** H.264 and H.265 in MP4 with AAC; ProRes 422 HQ in QuickTime with PCM. */
export type CutCodec = 'h264' | 'h265' | 'prores';

/** What a picture or a sound is taken from, by content. */
export interface CutSource {
  readonly sha256: string;
  /** Of the content, as `model/run/result.ts` writes it, also of a file of the author's: found where the work is done. */
  readonly path: string;
  readonly facts: MediaFacts;
}

export interface CutShot {
  readonly at: number;
  readonly frames: number;
  /** Frames in which the shot before gives way to this one; 0: a hard cut. Both lie on the timeline for that long. */
  readonly dissolve: number;
  /** Frames from black, and to black. */
  readonly fadeIn: number;
  readonly fadeOut: number;
  readonly picture: CutPicture;
  /** The author's name for it: `shot[beat=3]`, `title`; shown by progress and in an interchange file. */
  readonly name: string;
}

export type CutPicture =
  /**
   * `in`: seconds into the source where it begins; `speed` 0.5 is half as fast. Where the source has no more pictures before the shot's
   * `frames` are over, the last one is held: a voice may be longer than what it is spoken over. `out`: seconds into the source
   * after which it is held in any case; absent: at its end.
   */
  | {
      readonly is: 'video';
      readonly source: CutSource;
      readonly in: number;
      readonly out?: number;
      readonly speed: number;
      readonly fit: CutFit;
    }
  | { readonly is: 'still'; readonly source: CutSource; readonly fit: CutFit; readonly move: CutMove }
  /** Words on a plain ground, in the shipped fonts; line breaks are kept. */
  | { readonly is: 'title'; readonly text: string }
  /** Side by side from left to right (top to bottom in a film that is higher than wide), each in an equal share of the frame. */
  | { readonly is: 'beside'; readonly pictures: readonly Exclude<CutPicture, { readonly is: 'beside' }>[] };

/** How a picture of another shape fills the frame: cut off, on black, or on its own edges, softened. */
export type CutFit = 'crop' | 'pad' | 'blur';

export type CutMove = 'none' | 'push_in' | 'pull_out' | 'pan_left' | 'pan_right';

/** A place in the frame. */
export type CutPlace =
  | 'top left'
  | 'top'
  | 'top right'
  | 'left'
  | 'middle'
  | 'right'
  | 'bottom left'
  | 'bottom'
  | 'bottom right';

export type CutOverlay = {
  readonly at: number;
  readonly frames: number;
  /** Frames in which it appears, and goes; absent: at once. */
  readonly fadeIn?: number;
  readonly fadeOut?: number;
  readonly place: CutPlace;
} & (
  | { readonly is: 'text'; readonly text: string }
  /** `size`: its width as a share of the film's width, 0 to 1. A video runs along from its beginning. */
  | { readonly is: 'picture'; readonly source: CutSource; readonly size: number }
);

export interface CutSound {
  readonly source: CutSource;
  /** `clip`: the sound of a shot's own picture. Music is ducked under voices, and under nothing else. */
  readonly role: 'clip' | 'voice' | 'music';
  readonly at: number;
  readonly frames: number;
  /** Seconds into the source. */
  readonly in: number;
  /** As the picture's; pitch is kept. */
  readonly speed: number;
  /** Decibels added to it. */
  readonly level: number;
  /**
   * Frames from silence, and to silence, along a quarter of a sine: under a dissolve one fades out while the other fades in, over the
   * same frames, and together they are as loud as before.
   */
  readonly fadeIn: number;
  readonly fadeOut: number;
  /** Music that gives way while a voice is heard. */
  readonly duck?: true;
  /** It begins again, at `in`, where it ends before its `frames` are over. */
  readonly loop?: true;
}

export interface CutCaptions {
  /** `line`: a line at a time; `word`: the same with the word that is spoken set apart. */
  readonly style: 'line' | 'word';
  readonly place: CutPlace;
  /** False: drawn into the picture; true: a text track of the file (`mov_text`) that a player may show. */
  readonly track: boolean;
  readonly cues: readonly CutCue[];
}

/** Seconds of the film. */
export interface CutCue {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Absent where only lines have times. */
  readonly words?: readonly { readonly start: number; readonly end: number; readonly text: string }[];
}

/** Every medium that it shows or sounds, as often as it does. */
export const sourcesOf = ({
  shots,
  overlays,
  sounds,
}: Pick<Cut, 'shots' | 'overlays' | 'sounds'>): readonly CutSource[] => [
  ...shots.flatMap(({ picture }) => sourcesIn(picture)),
  ...overlays.flatMap(overlay => (overlay.is === 'picture' ? [overlay.source] : [])),
  ...sounds.map(({ source }) => source),
];

export function sourcesIn(picture: CutPicture): readonly CutSource[] {
  if (picture.is === 'title') return [];
  return picture.is === 'beside' ? picture.pictures.flatMap(sourcesIn) : [picture.source];
}

// Frames a second as fractions: 23.976 is 24000/1001, and no decimal number is.

/** Rates that are written as decimal numbers and meant as fractions differ from them by less than this. */
const NEAR = 0.004;

/** The rate that a number of frames a second means: 29.97 is 30000/1001, 25 is 25/1, 12.5 is 25/2. Undefined where it is none. */
export function frameRate(fps: number): FrameRate | undefined {
  if (!Number.isFinite(fps) || fps <= 0) return undefined;
  const whole = Math.round(fps);
  if (whole > 0 && Math.abs(fps - whole) < 0.0005) return { frames: whole, seconds: 1 };
  const slowed = (whole * 1000) / 1001;
  if (whole > 0 && Math.abs(fps - slowed) < NEAR) return { frames: whole * 1000, seconds: 1001 };
  return reduced(Math.round(fps * 1000), 1000);
}

/** `30000/1001` */
export function fractionOf(text: string): FrameRate | undefined {
  const [, frames, seconds] = /^(\d{1,9})\/(\d{1,9})$/.exec(text.trim()) ?? [];
  return Number(frames) > 0 && Number(seconds) > 0 ? reduced(Number(frames), Number(seconds)) : undefined;
}

export const perSecond = ({ frames, seconds }: FrameRate): number => frames / seconds;

/** As people write it: `24`, `23.976`. */
export const rateText = (rate: FrameRate): string => String(Math.round(perSecond(rate) * 1000) / 1000);

function reduced(frames: number, seconds: number): FrameRate {
  const divisor = commonDivisor(frames, seconds);
  return { frames: frames / divisor, seconds: seconds / divisor };
}

const commonDivisor = (a: number, b: number): number => (b === 0 ? a : commonDivisor(b, a % b));
