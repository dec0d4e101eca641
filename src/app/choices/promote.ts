/** What was picked in one profile of a film, put to another one: looked at, priced, and noted for the run that makes it. */

import { modelLibrary } from '../../api/model-library.ts';
import { compile } from '../../language/compile.ts';
import type { Project } from '../../machine/files/project.ts';
import { systemClock } from '../../machine/time/clock.ts';
import type { Source } from '../../model/diagnostic.ts';
import type { Plan } from '../../model/plan.ts';
import { FINAL, type Profile } from '../../model/profile.ts';
import { type InstanceKey, type StepName, stepOf } from '../../model/run/key.ts';
import type { Promotion } from '../../model/run/promotion.ts';
import { plan } from '../../plan/plan.ts';
import { openJournal } from '../../records/journal/journal-file.ts';
import { carriedIn, type Promoting, picksIn } from '../../show/plan/promotion-text.ts';
import { diskProjectFiles } from '../disk-project-files.ts';
import { notePromotion } from '../film/film-notes.ts';
import type { Film } from '../film/open-film.ts';
import { budgetsOf } from '../film-budgets.ts';
import { filmOf } from '../state-folders.ts';

/** The profile that is meant without a name: the only one beside the other, or `draft`. Undefined where it is ambiguous. */
export function meantProfile(profiles: readonly Profile[], to: string): string | undefined {
  const others = [...new Set([...profiles.map(({ name }) => name), FINAL])].filter(name => name !== to);
  return others.length === 1 ? others[0] : others.find(name => name === 'draft');
}

/** What was made and picked there. */
export interface Picked {
  readonly promotion: Promotion;
  readonly open: readonly (InstanceKey | StepName)[];
  readonly draft: Plan;
  readonly cameTo: Promoting['cameTo'];
}

export function pickedIn(film: Film, from: string, account: string): Picked {
  const { decided, open } = picksIn(film.plan, film.context);
  const cameTo = budgetsOf(film, account, {}).cameTo();
  return { promotion: { from, picks: decided }, open, draft: film.plan, cameTo };
}

/** Of undecided picks, what would be made all the same: every take. */
export function undecided({ open }: Picked, { plan: { instances, open: steps } }: Film): Picked['open'] {
  return open.filter(key => {
    const decision = instances.get(key as InstanceKey)?.decision;
    if (decision) return decision.is !== 'left_out' && decision.is !== 'skip';
    return steps.some(one => one.step === stepOf(key as InstanceKey) && one.leftOut === undefined && !one.isOff);
  });
}

/** What a pick that is open would be chosen from, as it is left out: `shot[beat=4]`. */
export function candidatesOf({ draft }: Picked, key: InstanceKey | StepName): readonly string[] {
  const instance = draft.instances.get(key as InstanceKey);
  const all = instance ? [...instance.needs, ...instance.needsAll] : [key];
  return [...new Set(all.map(one => one.replace(/,?take=\d+\]$/, ']').replace('[]', '')))];
}

/** As far as its file can be read: opening it reports its mistakes. */
export const profilesIn = (source: Source, { pipelineFile, root }: Project): readonly Profile[] =>
  compile(source, modelLibrary, { files: diskProjectFiles(pipelineFile, root) }).profiles;

/** What it comes to there, with what was picked alone and with all that it was picked from. */
export function promoting({ promotion, draft, cameTo }: Picked, film: Film, to: string): Promoting {
  const { pipeline, context } = film;
  const { from, picks } = promotion;
  const becomes = new Map(picks.map(pick => [pick.key, carriedIn(film.plan, context, pick)]));
  const allTakes = plan(pipeline, { ...context, choices: undefined }).plan ?? film.plan;
  return { from, to, picks, becomes, draft, cameTo, final: film.plan, allTakes };
}

/** From now on every run in that profile makes what was picked, until one is done. @throws FilmBusy while one goes on. */
export async function notePicks(promotion: Promotion, project: Project, to: string): Promise<void> {
  const folder = project.stateFolder;
  const journal = openJournal({ folder, film: filmOf(project, to), clock: systemClock, to: 'run' });
  try {
    await notePromotion(promotion, journal);
  } finally {
    await journal.close();
  }
}
