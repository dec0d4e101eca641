/** The queue's view of whoever draws. `process/render-workers.ts` is the real one; tests bring a small one of their own. */
import type { MediaFacts } from '../../domain/media.ts';
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
  close(): Promise<void>;
}

export interface RenderHooks {
  /** 0 to 1. */
  progress(fraction: number): void;
  readonly signal: AbortSignal;
}
