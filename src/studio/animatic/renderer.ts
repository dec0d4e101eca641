/** The queue's view of the renderer. `process/render-workers.ts` is the real one; tests bring a small one of their own. */
import type { MediaFacts } from '../../model/media/media.ts';
import type { RenderJob, RenderResult } from './job.ts';

export interface Renderer {
  /**
   * Draws one job. Settles only when the work has really stopped, also after the signal aborts.
   * @throws {RenderRefusal} with a sentence for the requester; anything else is our bug.
   */
  render(job: RenderJob, hooks: RenderHooks): Promise<RenderResult>;
  /**
   * Finds out what a requester's file is, in a process where a decoder that breaks over it takes nothing with it.
   * @throws {NotMedia} with a sentence about the file, also where reading it crashed or never ended; anything else is our bug.
   */
  probe(path: string, signal: AbortSignal): Promise<MediaFacts>;
  /**
   * The colours that most of a still has, most of it first; none where it cannot be opened here.
   * @throws {NotMedia} as `probe` does.
   */
  colours(path: string, signal: AbortSignal): Promise<readonly Swatch[]>;
  /** Keeps a renderer warm from now on, beside those at work: films follow one another at a person's pace. */
  standBy?(): void;
  close(): Promise<void>;
}

/** A colour of a picture: red, green and blue from 0 to 255, and how much of the picture has it, 0 to 1. */
export interface Swatch {
  readonly rgb: readonly [red: number, green: number, blue: number];
  readonly share: number;
}

export interface RenderHooks {
  /** 0 to 1. */
  progress(fraction: number): void;
  readonly signal: AbortSignal;
}

/** What a render process is given, and what it answers. */
export type RenderTask =
  | { readonly type: 'render'; readonly job: RenderJob }
  /** What a file is. Strangers' bytes meet a decoder here for the first time, so it is done where a crash costs one generation. */
  | { readonly type: 'probe'; readonly path: string }
  /** Everything that a film's first picture takes is loaded and done once. */
  | { readonly type: 'rehearse' }
  /** Which colours a still has, likewise. */
  | { readonly type: 'colours'; readonly path: string };

export type RenderAnswer =
  | { readonly rendered: RenderResult }
  | { readonly probed: MediaFacts }
  | { readonly rehearsed: true }
  | { readonly colours: readonly Swatch[] };
