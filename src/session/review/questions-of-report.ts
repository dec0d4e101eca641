/** The same from a run alone, where the film's file cannot be read now: to be looked at, and not to be decided. */
import type { InstanceKey } from '../../domain/key.ts';
import type { ReportedInstance, RunReport } from '../../domain/run-report.ts';
import type { ReviewOption, ReviewQuestion } from '../../pages/review/review-state.ts';
import type { Film } from '../film/open-film.ts';

export function questionsOfReport(report: RunReport, store: Pick<Film['store'], 'has'>): readonly ReviewQuestion[] {
  const told = new Map(report.instances.map(one => [one.key, one]));
  return report.questions.map(({ key, is, ask, count, options, decided }): ReviewQuestion => {
    const shown = options.map(({ key: of, id }) => optionOf(of, id, told.get(of), store));
    const [first, ...others] = shown.map(({ prompt }) => prompt);
    return {
      ...{ key, is, ask, count, by: 'person', decided, options: shown, next: [] },
      prompt: first !== undefined && others.every(prompt => prompt === first) ? first : null,
    };
  });
}

function optionOf(
  key: InstanceKey,
  id: string | null,
  told: ReportedInstance | undefined,
  store: Pick<Film['store'], 'has'>,
): ReviewOption {
  const made = told?.attempts.findLast(({ is, ended }) => is === 'made' && ended !== null);
  const media = told?.media ?? null;
  return {
    ...{ id: id ?? key, key, step: told?.step ?? '', coordinates: told?.coordinates ?? {} },
    state: told?.state ?? 'not_run',
    isReady: told?.state === 'made' || told?.state === 'reused',
    ...{ fraction: null, place: null, waits: told?.waitsFor ?? null, since: null },
    ...{ media, isHere: media === null || store.has(media.sha256), text: told?.text ?? null },
    ...{ prompt: told?.prompt ?? null, model: told?.model ?? '', seed: told?.seed ?? null },
    ...{ cost: told?.cost ?? told?.price ?? null, generation: told?.generation ?? null },
    seconds: made?.ended ? Math.max(0, made.ended - (made.running ?? made.queued)) / 1000 : null,
    ...{ score: null, rejected: null },
  };
}
