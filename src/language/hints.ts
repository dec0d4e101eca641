/** What is no mistake, and yet seldom meant. Said only of a film that has nothing else to be told. */
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { ModelLibrary } from '../domain/model.ts';
import type { Pipeline, Step } from '../domain/pipeline.ts';
import { messages } from './messages/index.ts';

export function hintsFor(pipeline: Pipeline, library: ModelLibrary): readonly Diagnostic[] {
  const { outputs, steps, source } = pipeline;
  const last = steps.findLast(step => !step.inside && endingOf(step, library) !== undefined);
  if (outputs.length > 0 || !last) return [];
  const coordinates = last.fanOut.matrix.map(({ name }) => name);
  const { code, message } = messages.nothingSaved(last.name, endingOf(last, library) ?? '', coordinates);
  return [{ severity: 'hint', code, message, source, span: last.at }];
}

/** The ending of the file that a step leaves, and that somebody may want to have; undefined where it leaves none, or several. */
function endingOf(step: Step, library: ModelLibrary): string | undefined {
  if ('model' in step) return ENDINGS[library.get(step.model)?.produces ?? 'video'];
  return 'creates' in step && step.creates.entries.length === 1 ? '' : undefined;
}

const ENDINGS = { video: '.mp4', image: '.png', text: '.txt' } as const;
