/** Hints: no mistakes, and yet seldom meant. Only of a film without errors and warnings. */
import type { Diagnostic } from '../../model/diagnostic.ts';
import { fieldOf, type ModelLibrary } from '../../model/model.ts';
import type { Pipeline, Step } from '../../model/pipeline.ts';
import type { StepName } from '../../model/run/key.ts';
import { messages } from '../messages/index.ts';
import { valueReads } from '../types/values.ts';

export const hintsFor = (pipeline: Pipeline, library: ModelLibrary): readonly Diagnostic[] => [
  ...takesWithoutSeed(pipeline, library),
  ...nothingSaved(pipeline, library),
];

/** Takes that ask for the very same, of a model that has no seed to tell them apart. */
function takesWithoutSeed({ steps, source }: Pipeline, library: ModelLibrary): readonly Diagnostic[] {
  return steps.flatMap((step): readonly Diagnostic[] => {
    const { takes } = step.fanOut;
    // A step of another file is its author's.
    if (!takes || step.inside || !('model' in step && 'with' in step) || step.byModel) return [];
    const model = library.get(step.model);
    if (!model || model.produces === 'text' || fieldOf(model, 'seed')) return [];
    if (takes.is === 'literal' && !(Number(takes.value) > 1)) return [];
    const isDistinct = valueReads(step.with).some(
      ({ root, path }) => root === 'take' || (root === 'matrix' && path[0] === 'take'),
    );
    if (isDistinct) return [];
    const { code, message } = messages.takesAlike(step.model);
    return [{ severity: 'hint', code, message, source, span: takes.at }];
  });
}

function nothingSaved({ outputs, steps, source }: Pipeline, library: ModelLibrary): readonly Diagnostic[] {
  const last = steps.findLast(step => !step.inside && endingOf(step, library) !== undefined);
  if (outputs.length > 0 || !last) return [];
  const coordinates = coordinatesOf(last, new Map(steps.map(step => [step.name, step])));
  const { code, message } = messages.nothingSaved(last.name, endingOf(last, library) ?? '', coordinates);
  return [{ severity: 'hint', code, message, source, span: last.at }];
}

/** What distinguishes its results: inherited coordinates, its own axes, and the take. */
function coordinatesOf(
  { fanOut: { each, matrix, takes } }: Step,
  steps: ReadonlyMap<StepName, Step>,
): readonly string[] {
  const inherited = each.flatMap(({ step: name, gathers }) => {
    const from = steps.get(name);
    return from ? coordinatesOf(from, steps).filter(one => one !== gathers) : [];
  });
  return [...new Set([...inherited, ...matrix.map(({ name }) => name), ...(takes ? ['take'] : [])])];
}

/** The ending of the file that a step makes and a person may want to keep; undefined where it leaves none, or several. */
function endingOf(step: Step, library: ModelLibrary): string | undefined {
  if ('model' in step) return ENDINGS[library.get(step.model)?.produces ?? 'video'];
  return 'creates' in step && step.creates.entries.length === 1 ? '' : undefined;
}

const ENDINGS = { video: '.mp4', image: '.png', text: '.txt' } as const;
