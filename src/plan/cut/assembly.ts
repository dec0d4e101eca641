/**
 * A cut as it was asked for: every option read, nothing placed yet. Media stand in it as the fields they were named in; what they are
 * is known apart, of some before they exist. Times are seconds.
 */

import type { Span } from '../../model/diagnostic.ts';
import type {
  CutCaptions,
  CutCodec,
  CutCue,
  CutFit,
  CutMove,
  CutPlace,
  FrameRate,
  Size,
} from '../../model/media/cut.ts';
import { jsonText } from '../../model/plan.ts';
import { formatSeconds } from '../../model/text/format.ts';
import type { Json } from '../../model/text/json.ts';

export interface Assembly {
  readonly clips: readonly AssemblyClip[];
  /** How many clips there are is not known yet, or an option of the film is not there yet. */
  readonly isOpen: boolean;
  readonly music?: AssemblyMusic;
  readonly overlays: readonly AssemblyOverlay[];
  readonly captions?: AssemblyCaptions;
  readonly loudness: number | null;
  readonly size?: Size;
  readonly rate?: FrameRate;
  readonly fit: CutFit;
  readonly codec: CutCodec;
  readonly isDraft?: true;
}

/** Where a medium was named: `clips[2].from`, `music.from`. */
export type MediaField = string;

export interface AssemblyClip {
  /** As an editor would call it: `shot[beat=3]`, `title`. */
  readonly name: string;
  /** As messages call it: `clip 3`, `clip 3, shot[beat=3]`. */
  readonly called: string;
  readonly places: Places;
  readonly shows:
    | { readonly is: 'title'; readonly text: string }
    | { readonly is: 'media'; readonly media: MediaField }
    | { readonly is: 'beside'; readonly media: readonly MediaField[] };
  readonly in: number;
  readonly out?: number;
  readonly for?: number | 'voice';
  readonly speed: number;
  readonly fadeIn: number;
  readonly fadeOut: number;
  /** How long the clip before gives way to it; 0: a hard cut. */
  readonly dissolve: number;
  readonly voice?: { readonly media: MediaField; readonly level: number };
  /** From the beginning of its voice. */
  readonly cues: readonly CutCue[];
  readonly overlays: readonly AssemblyOverlay[];
  readonly move: CutMove;
  readonly fit: CutFit;
  /** Its own sound is heard. */
  readonly sound: boolean;
  readonly level: number;
  /** One of its options is not there yet: its length is unknown. */
  readonly isOpen: boolean;
}

/** What a clip shows, one beside the other; a title shows no media. */
export const mediaShown = (shows: AssemblyClip['shows']): readonly MediaField[] =>
  shows.is === 'title' ? [] : shows.is === 'media' ? [shows.media] : shows.media;

/** The place of an option in its author's text; the clip itself without the option. */
export type Places = (option?: string) => Span;

export interface AssemblyMusic {
  readonly media: MediaField;
  readonly places: Places;
  readonly level: number;
  readonly duck: boolean;
  readonly loop: boolean;
  readonly in: number;
  readonly fadeIn: number;
  readonly fadeOut: number;
}

export type AssemblyOverlay = {
  readonly places: Places;
  readonly place: CutPlace;
  readonly in: number;
  readonly for?: number;
} & (
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'picture'; readonly media: MediaField; readonly size: number }
);

export interface AssemblyCaptions extends Omit<CutCaptions, 'cues'> {
  /** In seconds of the film. */
  readonly cues: readonly CutCue[];
}

// What does not fit into a cut once lengths are known, and what an expression gave that is no value of its option.

const exactly = (seconds: number): string =>
  seconds < 60 ? `${Math.round(seconds * 1000) / 1000} s` : formatSeconds(seconds);

const shown = (given: Json): string => {
  const text = jsonText(given);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};

const NAMES: Readonly<Record<string, string>> = { video: 'a video', image: 'a picture', audio: 'a sound' };

export const cutMessages = {
  value: (called: string, takes: string, given: Json) => `${called} is ${shown(given)}; it takes ${takes}`,
  noMedia: (called: string, given: Json) =>
    `${called} must name a video, a picture or a sound, and gave ${shown(given)}; read a result, a path or an address`,
  wrongKind: (called: string, wanted: 'picture' | 'sound', given: string) =>
    `${called} takes ${wanted === 'sound' ? 'a sound' : 'a video or a picture'}, and this is ${NAMES[given] ?? given}; give it another`,
  noneMeet: (source: string, coordinates: string) =>
    `no instance of \`${source}\` has ${coordinates}; make one, or take that coordinate out of the cut`,
  noLength: (called: string) =>
    `${called}: its length cannot be read from its file; give its clip \`out\`, or make the file anew`,
  noFor: (called: string) => `${called} is a still and has no length of its own; add \`for: 2s\`, or a \`voice\``,
  pastEnd: (called: string, out: number, duration: number) =>
    `${called}: \`out\` is ${exactly(out)}, and the clip ends at ${exactly(duration)}; give at most that, or hold its last picture with \`for\``,
  inPastEnd: (called: string, start: number, duration: number) =>
    `${called}: \`in\` is ${exactly(start)}, and the clip ends at ${exactly(duration)}; begin before that`,
  order: (called: string, start: number, end: number) =>
    `${called} would begin at ${exactly(start)} and end at ${exactly(end)}; let \`out\` be after \`in\``,
  tooShort: (called: string) => `${called} is shorter than one frame; give it more`,
  forAndOut: (called: string) => `${called}: \`for\` and \`out\` both say how long it is; keep one`,
  dissolves: (called: string, length: number, dissolves: number) =>
    `${called} is ${exactly(length)} long, and is to dissolve for ${exactly(dissolves)} in all; shorten \`dissolve\`, or let it stay longer`,
  fades: (called: string, length: number, fades: number) =>
    `${called} is ${exactly(length)} long, and is to fade for ${exactly(fades)} in all; shorten its fades`,
  voiceCut: (called: string, length: number, voice: number) =>
    `${called} is to be seen for ${exactly(length)}, and its voice takes ${exactly(voice)}; write \`for: voice\`, or leave \`for\` out`,
  overlayLate: (called: string, comes: number, ends: number) =>
    `${called} would come in after ${exactly(comes)}, and what it lies on ends after ${exactly(ends)}; let it come in earlier`,
  cues: (called: string, why: string) => `${called}: ${why}`,
  noWords: (called: string) =>
    `${called}: no word has a time of its own; have the recogniser give times of words, or write \`style: line\``,
  sizeNotKnown: () => 'the size of the film does not follow from its clips; write `size: 1920x1080`',
  addressOnly: (called: string, address: string, why: string) =>
    `${called} could not be fetched from ${address}: ${why}`,

  // subtitles
  noCues: 'there are no words with times in it; give the JSON of whisper, SRT, VTT, or a list of { start, end, text }',
  badTimes: (nth: number) => `entry ${nth} has no \`start\` and \`end\` in seconds, the end after the start; mend it`,
  badText: (nth: number) => `entry ${nth} has no \`text\`; mend it`,
} as const;
