/** The steps of a run and what leads from one to the other. */
import { cleanText, safeLines } from '../../domain/clean.ts';
import type { KeptStep } from '../../domain/kept-plan.ts';
import type { StepName } from '../../domain/key.ts';
import type { ReportedInstance, ReportedStep } from '../../domain/run-report.ts';

type Instance = Pick<ReportedInstance, 'step' | 'coordinates' | 'kind' | 'model' | 'state'>;

/** @param kept empty where no plan was kept: the instances tell then what they can. */
export function reportedSteps(kept: Iterable<KeptStep>, instances: readonly Instance[]): readonly ReportedStep[] {
  const byStep = Map.groupBy(instances, ({ step }) => step);
  const steps = [...kept].map(step => reportedStep(step, byStep.get(step.name) ?? []));
  const known = new Set(steps.map(({ name }) => name));
  return [...steps, ...[...byStep].filter(([name]) => !known.has(name)).map(([name, all]) => unplanned(name, all))];
}

export const edgesOf = (steps: readonly ReportedStep[]): readonly (readonly [StepName, StepName])[] =>
  steps.flatMap(({ name, needs }) => needs.map(need => [need, name] as const));

function reportedStep(
  { name, kind, model, needs, description, ...at }: KeptStep,
  all: readonly Instance[],
): ReportedStep {
  return {
    ...{ name, kind, model: model === undefined ? null : cleanText(model), by: fanOutOf(all), needs },
    description: description === undefined ? null : safeLines(description),
    place: { file: at.file === undefined ? null : cleanText(at.file), line: at.line, column: at.column },
  };
}

const unplanned = (name: StepName, all: readonly Instance[]): ReportedStep => ({
  ...{ name, kind: all[0]?.kind ?? 'step', model: all[0]?.model ?? null, by: fanOutOf(all), needs: [] },
  ...{ description: null, place: null },
});

/** `12 × 3` where every value meets every other; otherwise how many there are. */
function fanOutOf(all: readonly Instance[]): string | null {
  if (all.length === 0) return '×?';
  if (all.length === 1 && Object.keys(all[0]?.coordinates ?? {}).length === 0) return null;
  const axes = [...new Set(all.flatMap(({ coordinates }) => Object.keys(coordinates)))];
  const counts = axes
    .map(axis => new Set(all.map(({ coordinates }) => coordinates[axis])).size)
    .filter(count => count > 1);
  const product = counts.reduce((result, count) => result * count, 1);
  return product === all.length && counts.length > 0 ? counts.join(' × ') : String(all.length);
}
