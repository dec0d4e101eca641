/** Plans a film for a program. */

import type { FilmToOpen } from '../app/film/film-to-open.ts';
import { openFilm } from '../app/film/open-film.ts';
import { budgetsOf } from '../app/film-budgets.ts';
import { planFinal, planWithoutSecrets, publishedFiles } from '../app/reports/shown-plan.ts';
import { type Diagnostic, isError } from '../model/diagnostic.ts';
import { formatPlan, planJson } from '../show/plan/plan-text.ts';
import type { PlanOptions } from './film-options.ts';
import type { PlannedFilm } from './film-outcome.ts';
import { type Mistake, makeFolder, type PipelineInput, readPipeline } from './pipeline-source.ts';
import { promotedPicks } from './run-film.ts';
import { accessOf, selectionOf, serviceOf, unselectable } from './settings-of.ts';

/** Problems of the team's store. */
const ofStore = (problems: readonly string[]): readonly Mistake[] =>
  problems.map(message => ({ severity: 'warning', code: 'team-store', message, where: 'store', notes: [] }));

export async function planFilm(pipeline: PipelineInput, options: PlanOptions): Promise<PlannedFilm> {
  const { source, project, mistake } = await readPipeline(pipeline, options.folder);
  const choice = await serviceOf(options, project);
  // The built-in studio is started by the first question, and a plan has none for it.
  const service = await choice.connect();
  const found: Diagnostic[] = [];
  try {
    const { params = {}, data = {}, environment = {} } = options;
    const asked: FilmToOpen = {
      ...{ source, project, params, data, environment, access: accessOf(options) },
      ...{ to: 'look', hosted: choice.hosted ? service : undefined },
      ...{ service: choice.name, draft: choice.draft, key: choice.key, elsewhere: choice.elsewhere },
      attempts: choice.limits.attempts,
      store: choice.store,
      ...(choice.hosted && { deployments: service }),
      profile: options.profile,
      selection: selectionOf(options),
      found: diagnostics => void found.push(...diagnostics),
      compiled: () => makeFolder(project),
    };
    const promoted = await promotedPicks(options, asked, service.account);
    if (promoted.is === 'unreachable') return { is: 'unreachable', reason: promoted.message };
    if (promoted.is === 'mistaken')
      return { is: 'mistaken', mistakes: [mistake(unselectable(promoted.message, source))] };
    const opened = await openFilm({ ...asked, promotion: promoted.promotion });
    if (opened.is === 'unreachable') return { is: 'unreachable', reason: opened.message };
    if (opened.is === 'mistaken') return { is: 'mistaken', mistakes: found.map(mistake) };
    if (opened.is === 'unselectable')
      return { is: 'mistaken', mistakes: opened.messages.map(message => mistake(unselectable(message, source))) };
    const { film } = opened;
    const plan = planWithoutSecrets(film.plan, film.secrets);
    const warnings = [
      ...found.filter(one => !isError(one)).map(mistake),
      ...ofStore(film.shared?.takeProblems() ?? []),
    ];
    const budget = budgetsOf(film, service.account, { project: choice.budget }).status();
    const final = plan.pipeline.profile === undefined ? undefined : await planFinal(asked);
    const published = await publishedFiles(film, choice);
    const additions = { budget, ...(final && { final }), ...(published && { published }) };
    const text = formatPlan(plan, { width: 100, ...additions });
    const planned = { is: 'planned', plan: planJson(plan, additions), text, warnings } as const;
    await film.close();
    return planned;
  } finally {
    await service.close();
  }
}
