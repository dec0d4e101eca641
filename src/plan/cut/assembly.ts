/**
 * A cut as it was asked for: every option read, nothing placed yet. Media stand in it as the fields they were named in; what they are
 * is known apart, of some before they exist. Times are seconds.
 */
import type { CutCaptions, CutCodec, CutCue, CutFit, CutMove, CutPlace, FrameRate, Size } from '../../domain/cut.ts';
import type { Span } from '../../domain/diagnostic.ts';

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
  /** One of its options is not there yet: nothing is said of its length. */
  readonly isOpen: boolean;
}

/** What a clip shows, one beside the other; a title shows no media. */
export const mediaShown = (shows: AssemblyClip['shows']): readonly MediaField[] =>
  shows.is === 'title' ? [] : shows.is === 'media' ? [shows.media] : shows.media;

/** Where an option stands in its author's text; the clip itself where it says nothing of it. */
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
