/** The queue's view of whoever draws. `workers.ts` is the real one; tests bring a small one of their own. */
import type { RenderJob, RenderResult } from './render/job.ts';

export interface Renderer {
  /**
   * Draws one job. Settles only when the work has really stopped, also after the signal aborts.
   * @throws {RenderRefusal} with a sentence for the requester; anything else is our bug.
   */
  render(job: RenderJob, hooks: RenderHooks): Promise<RenderResult>;
  close(): Promise<void>;
}

export interface RenderHooks {
  /** 0 to 1. */
  progress(fraction: number): void;
  readonly signal: AbortSignal;
}
