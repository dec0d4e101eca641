/** What the studio's queue asks of the renderer, which runs in a child process (`process/render-program.ts`), one job at a time. */

import type { MediaFacts } from '../../model/media/media.ts';
import type { ModelKind } from '../../model/model.ts';
import type { JsonObject } from '../../model/text/json.ts';

export interface RenderJob {
  readonly id: string;
  /** `V-RF`: shown on the slate; its documented limits hold. */
  readonly label: string;
  /** Which renderer draws it. */
  readonly kind: ModelKind;
  /** Checked against the model's schema, defaults filled in, without `model`. */
  readonly request: JsonObject;
  /** Media inputs by field, already on this disk, probed and within the document's limits. */
  readonly inputs: { readonly [field: string]: readonly LocalInput[] };
  /** An existing, empty folder of this job's own: the result and scratch files go here. */
  readonly folder: string;
  /** `draft`: same code and durations, small quick pictures. Sizes are exact in `full`; in draft the short side is scaled down. */
  readonly speed: 'full' | 'draft';
}

export interface LocalInput {
  /** Absolute path. */
  readonly path: string;
  /** The same picture without a slate, when a studio made it: chained steps draw from this one. What comes from elsewhere brings it inside itself. */
  readonly cleanPlate?: string;
  readonly facts: MediaFacts;
}

export interface RenderResult {
  /** File name inside `folder`: `result.mp4`, `result.webp`. */
  readonly file: string;
  /** File name of a still's clean plate inside `folder`, without loss. What is brought elsewhere carries one: `media/encode/clean-plate.ts`. */
  readonly cleanPlate?: string;
  readonly facts: MediaFacts;
}

/** What a render may tell while it works. */
export interface RenderHooks {
  /** 0 to 1; may be called for every picture. */
  progress(fraction: number): void;
}

/** One kind of model, drawn. Throws {@link RenderRefusal} for what the requester should read. */
export type RenderKind = (job: RenderJob, hooks: RenderHooks) => Promise<RenderResult>;

/** A render that cannot be done for a reason the requester should read. */
export class RenderRefusal extends Error {}
