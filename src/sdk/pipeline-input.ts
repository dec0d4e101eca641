/** How a program gives a pipeline, and how it is told what is wrong with it. */
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { ModelNames, PipelineDefinition } from './define-pipeline.ts';

/** A file, a text, or an object. */
export type PipelineInput =
  | { readonly file: string }
  /** `path`: how messages call it. */
  | { readonly text: string; readonly path?: string }
  // biome-ignore lint/suspicious/noExplicitAny: whatever names for models a definition has, it is one.
  | PipelineDefinition<any>
  | PipelineDefinition<ModelNames>;

/** What is wrong with a pipeline, or odd about it. */
export interface Mistake {
  readonly severity: Diagnostic['severity'];
  /** Stable, for tools: `unknown-field`. */
  readonly code: string;
  /** What is wrong, and what to write instead. */
  readonly message: string;
  /** `steps.shot.with.promt` in an object, `film.yaml:4:7` in a text. */
  readonly where: string;
  /** Other places that belong to it. */
  readonly notes: readonly { readonly message: string; readonly where: string }[];
}
