/** Third step of opening a film: what it reads and has is looked up until nothing new is found, and the plan is made of it. */
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../machine/time/clock.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { readableVariables } from '../../model/variable-access.ts';
import { type PlanContext, plan } from '../../plan/plan.ts';
import { unpricedIn } from '../../plan/plan-context.ts';
import type { FilmJournal } from '../../records/journal/film-journal.ts';
import { setAsideDamaged } from '../../run/damaged-results.ts';
import { withRedone } from './film-notes.ts';
import type { FilmRecords } from './film-records.ts';
import type { FilmToOpen } from './film-to-open.ts';
import { variablesIn } from './find-mistakes.ts';
import type { FilmRead } from './read-film.ts';

export interface PlannedFilm {
  readonly context: PlanContext;
  /** Undefined where the film has mistakes that leave no plan. */
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
  /** Why the selected part is unknown; absent: it is known. */
  readonly unselectable?: readonly string[] | undefined;
}

/** The first plan names the files, and the next one knows their facts; by what they are it may name more. */
export async function planFilm(asked: FilmToOpen, read: FilmRead, records: FilmRecords): Promise<PlannedFilm> {
  const { pipeline } = read;
  const { files, journal, lock, shared, store } = records;
  const context = contextOf(asked, read, records);
  const plannedNow = () =>
    journal.views.atOneMoment(
      () => plan(pipeline, context),
      () => lock.namedFingerprints(),
    );
  let planned = plannedNow();
  const isDamaged = async () =>
    asked.to === 'run' && planned.plan !== undefined && setAsideDamaged(planned.plan, store, asked.project.root);
  while ((await files.load()) || (await shared?.look()) || (await journal.team?.pullMissing()) || (await isDamaged()))
    planned = plannedNow();
  return { ...planned, context };
}

function contextOf(asked: FilmToOpen, { pipeline, models }: FilmRead, records: FilmRecords): PlanContext {
  const { choices, rejections, files, journal, owned } = records;
  const { library, pricing } = models;
  return {
    ...{ choices, rejections, library, pricing, owned },
    params: asked.params,
    unpriced: unpricedIn(pipeline),
    service: asked.service,
    isDraft: asked.draft ?? false,
    chatBy: asked.chatBy,
    env: variablesIn(readableVariables(asked.environment, asked.access)),
    run: { id: randomUUID(), name: pipeline.name },
    localMedia: path => files.get(path),
    selection: asked.selection && withRedone(asked.selection, journal, systemClock.now()),
    expected: usual(journal, asked.hosted !== undefined),
  };
}

/** Seconds that anything takes in the studio, as long as the journal does not know better. */
const STUDIO_USUAL = 10;

/** Seconds that each model took on average, as journalled. The journal is read with the first question. */
function usual(journal: FilmJournal, hosted: boolean): (model: string) => number | undefined {
  let seen: ReadonlyMap<string, readonly number[]> | undefined;
  return model => {
    seen ??= journal.views.durations();
    const took = seen.get(model);
    if (took) return took.reduce((sum, ms) => sum + ms, 0) / took.length / 1000;
    return hosted || model === 'run' ? undefined : STUDIO_USUAL;
  };
}
