/**
 * Opens a film in four steps: it is read, its records are opened, it is planned, and its plan is checked. What is wrong with the film is a
 * value; what is wrong with this machine is thrown.
 */

import type { Redactor } from '../../machine/redactor.ts';
import type { Pipeline } from '../../model/pipeline.ts';
import type { Plan } from '../../model/plan.ts';
import type { PlanContext } from '../../plan/plan.ts';
import { checkPlan } from './check-plan.ts';
import { notePromotion, noteRedone } from './film-notes.ts';
import { planFilm } from './film-plan.ts';
import { type FilmRecords, openRecords } from './film-records.ts';
import type { FilmToOpen, Unopened } from './film-to-open.ts';
import { readFilm } from './read-film.ts';

export interface Film extends Omit<FilmRecords, 'owned'> {
  /** Absolute: the project's root. */
  readonly root: string;
  readonly pipeline: Pipeline;
  readonly plan: Plan;
  readonly context: PlanContext;
  /** What is neither shown nor kept. The journal keeps to it already. */
  readonly secrets: Redactor;
  /** A run of it is done: what was made once more is no concern of the next one. */
  ended(): Promise<void>;
}

export type OpenedFilm = { readonly is: 'open'; readonly film: Film } | Unopened;

/** @throws JournalRefused, LockRefused, FilmBusy, and the system's errors. */
export async function openFilm(asked: FilmToOpen): Promise<OpenedFilm> {
  const read = await readFilm(asked);
  if (read.is !== 'read') return read;
  const records = await openRecords(asked, read);
  let film: Film | undefined;
  try {
    const planned = await planFilm(asked, read, records);
    const checked = await checkPlan(asked, read, records, planned);
    if (checked.is !== 'sound') return checked;
    const { context } = planned;
    if (asked.to === 'run') await noteRedone(context.selection, records.journal);
    const { pipeline, secrets } = read;
    const ended = async () => {
      await noteRedone(undefined, records.journal);
      await notePromotion(undefined, records.journal);
    };
    film = { ...records, root: asked.project.root, pipeline, plan: checked.plan, context, secrets, ended };
    return { is: 'open', film };
  } finally {
    if (!film) await records.close();
  }
}
