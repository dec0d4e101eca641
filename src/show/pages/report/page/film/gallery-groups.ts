/** What is shown side by side: steps of one instance together, and of the others each beat with its takes. */
import type { ReportedInstance, ReportedStep } from '../../../../../model/run/run-report.ts';
import { capital } from '../../../parts/format.ts';
import { isAsked } from '../kind-words.ts';
import { isPicked, type ReportModel } from '../model.ts';

export type TileGroup =
  | { readonly is: 'step'; readonly step: ReportedStep; readonly all: readonly ReportedInstance[] }
  | (Tiles & { readonly is: 'singles' })
  | (Tiles & {
      readonly is: 'beat';
      /** Tiles in a row. */
      readonly across: 3 | 6;
      /** They are takes of one beat, to be played in step. */
      readonly areTakes: boolean;
      readonly words: BeatWords | null;
    });

interface Tiles {
  readonly tiles: readonly ReportedInstance[];
  readonly isTall: boolean;
  readonly hasPick: boolean;
  /** For who hears the page. */
  readonly name: string;
}

interface BeatWords {
  readonly beat: string;
  readonly prompt: string | null;
  readonly pick: { readonly take: string; readonly who: string; readonly note: string | null } | null;
}

export function inGroups(model: ReportModel, shown: readonly ReportedInstance[]): readonly TileGroup[] {
  const groups: TileGroup[] = [];
  const byStep = Map.groupBy(shown, ({ step }) => step);
  let singles: ReportedInstance[] = [];
  const flush = () => {
    if (singles.length > 0)
      groups.push({ is: 'singles', tiles: singles, isTall: false, hasPick: false, name: 'Steps of one instance' });
    singles = [];
  };
  for (const step of model.report.steps) {
    const all = byStep.get(step.name) ?? [];
    const [only] = all;
    if (!only) continue;
    if (model.of(step.name).length === 1) {
      singles.push(only);
      continue;
    }
    flush();
    groups.push({ is: 'step', step, all }, ...beatsOf(model, step, all));
  }
  flush();
  return groups;
}

function beatsOf(model: ReportModel, step: ReportedStep, all: readonly ReportedInstance[]): readonly TileGroup[] {
  const isTall = all.some(isHigh);
  const areTakes = model.takeAxes(step.name).length > 0;
  if (!areTakes) {
    const across = isTall || isAsked(step) ? 6 : 3;
    return [{ is: 'beat', tiles: all, isTall, hasPick: false, name: step.name, across, areTakes, words: null }];
  }
  return [...Map.groupBy(all, one => model.beatOf(one))].map(([beat, tiles]) => ({
    ...({ is: 'beat', tiles, isTall, areTakes, across: isTall ? 6 : 3 } as const),
    hasPick: tiles.some(isPicked),
    name: `Takes of ${step.name}${beat && `, ${beat}`}`,
    words: wordsOf(model, beat, tiles),
  }));
}

const isHigh = ({ media }: ReportedInstance): boolean => (media?.facts.height ?? 0) > (media?.facts.width ?? 0);

function wordsOf(model: ReportModel, beat: string, takes: readonly ReportedInstance[]): BeatWords {
  const picked = takes.find(isPicked);
  const decision = picked && model.chosenIn(picked);
  const take = picked ? model.takeName(picked) : '';
  return {
    beat: beat || (takes[0]?.step ?? ''),
    prompt: picked?.prompt ?? takes.find(({ prompt }) => prompt !== null)?.prompt ?? null,
    pick: decision ? { take: capital(take), who: decision.who, note: decision.note } : null,
  };
}
