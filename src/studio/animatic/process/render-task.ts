/** What a render process is given, and what it answers. */
import type { MediaFacts } from '../../../model/media/media.ts';
import type { RenderJob, RenderResult } from '../job.ts';
import type { Swatch } from '../renderer.ts';

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
