/** Last step of opening a film: what only this machine, the service and the command line know to be wrong with the plan. */

import type { CatalogModel, DeploymentStatus } from '../../api/catalog.ts';
import { modelLibrary } from '../../api/model-library.ts';
import type { Service } from '../../api/service.ts';
import { type Diagnostic, isError } from '../../model/diagnostic.ts';
import type { Step } from '../../model/pipeline.ts';
import { isToBeMade, type Plan } from '../../model/plan.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import { selects } from '../../model/selector.ts';
import { nearest } from '../../model/text/nearest.ts';
import { lostCredentials } from '../../plan/check.ts';
import { inactiveModels, modelsToBeUp } from '../../plan/inactive-models.ts';
import { decides } from '../../plan/kinds/index.ts';
import { localFilesInPlan, publishingWithoutKey, shortLivedAddresses } from '../../plan/media/local-file-check.ts';
import { isSameMistake } from '../../plan/obstacles.ts';
import { messages, selectorMistake } from '../../plan/selector-messages.ts';
import type { PresetAnswer } from '../../run/choices/preset-choices.ts';
import { takenPlaces } from '../results/output-places.ts';
import type { PublishChoice, RemoteService } from '../service/service-choice.ts';
import type { PlannedFilm } from './film-plan.ts';
import type { FilmRecords } from './film-records.ts';
import type { FilmToOpen, Unopened } from './film-to-open.ts';
import { findInOtherProfiles, findMistakes } from './find-mistakes.ts';
import { missingPrograms } from './missing-programs.ts';
import type { FilmRead } from './read-film.ts';

/** `found` of `asked` hears the diagnostics. */
export async function checkPlan(
  asked: FilmToOpen,
  { models, world, profiles, diagnostics: read }: FilmRead,
  { presets, files, store }: FilmRecords,
  { plan, unselectable, diagnostics: planned }: PlannedFilm,
): Promise<{ readonly is: 'sound'; readonly plan: Plan } | Unopened> {
  if (unselectable) return { is: 'unselectable', messages: unselectable };
  const unsaid = presets && plan ? [...presets.mistakes, ...unmatchedSelectors(asked, plan)] : [];
  if (unsaid.length > 0) return { is: 'unselectable', messages: unsaid };
  const diagnostics = [...read, ...planned];
  if (plan && asked.elsewhere) diagnostics.push(...unreadableElsewhere(asked.elsewhere, asked.to, plan, models));
  if (plan) diagnostics.push(...lostCredentials(plan));
  if (plan && plan.outputs.length > 0) {
    const places = { root: asked.project.root, inputs: files.read, store: async () => store };
    diagnostics.push(...(await takenPlaces(plan, places)));
  }
  // A worker of a team, or a program, may give a film no path of its machine.
  const { PATH: path } = asked.environment;
  if (plan && path !== undefined) {
    const isStopped = asked.to === 'run' && !asked.journal;
    const machine = { root: asked.project.root, path };
    diagnostics.push(...missingPrograms(stepsToRun(plan), plan.pipeline, machine, isStopped ? 'error' : 'warning'));
  }
  if (plan && asked.deployments && !diagnostics.some(isError))
    diagnostics.push(...(await deploymentMistakes(plan, asked.deployments, models.catalog)));
  const all = diagnostics.some(isError)
    ? together((await findMistakes(asked.source, { ...world, files: async () => files })).diagnostics, diagnostics)
    : [...diagnostics, ...(await findInOtherProfiles(asked.source, world, { profiles, diagnostics }))];
  asked.found(all);
  return plan && !all.some(isError) ? { is: 'sound', plan } : { is: 'mistaken' };
}

const stepsToRun = ({ instances }: Plan): ReadonlySet<Step> =>
  new Set([...instances].flatMap(({ step, decision }) => (isToBeMade(decision) ? [step] : [])));

/** What is wrong with the file, and beside it what only the command line, the service or earlier results show, or make worse. */
function together(ofFile: readonly Diagnostic[], others: readonly Diagnostic[]): readonly Diagnostic[] {
  const isReported = (one: Diagnostic) =>
    ofFile.some(other => isSameMistake(one, other) && (isError(other) || !isError(one)));
  const more = others.filter(one => !isReported(one));
  return [...ofFile.filter(one => !more.some(other => isSameMistake(one, other))), ...more];
}

function unreadableElsewhere(
  { publish }: Exclude<RemoteService, false>,
  to: FilmToOpen['to'],
  plan: Plan,
  { library }: FilmRead['models'],
): readonly Diagnostic[] {
  if (!publish) return localFilesInPlan(plan);
  return [
    ...localFilesInPlan(plan, library),
    ...shortLivedAddresses(plan, publish.settings.expires),
    ...withoutKey(plan, publish, to),
  ];
}

/** A plan that is only looked at needs no key. */
function withoutKey(plan: Plan, { settings, credentials }: PublishChoice, to: FilmToOpen['to']): readonly Diagnostic[] {
  if (credentials?.is !== 'none') return [];
  const key = { where: settings.where, why: credentials.message };
  return publishingWithoutKey(localFilesInPlan(plan), key, to === 'run' ? 'error' : 'warning');
}

/** `--pick` and `--approve` that name no question of the film: a typing mistake must not be paid for. */
const unmatchedSelectors = ({ presets }: FilmToOpen, plan: Plan): readonly string[] =>
  (presets?.all ?? []).flatMap(one => noSuchQuestion(one, plan) ?? []);

function noSuchQuestion({ is, of, text }: PresetAnswer, { instances, pipeline, open }: Plan): string | undefined {
  const steps = pipeline.steps.filter(step => decides(step) === is).map(({ name }) => name as string);
  if (!steps.includes(of.step)) return messages.noQuestion(of.step, is, nearest(of.step, steps), steps);
  if (open.some(({ step }) => step === of.step) && instances.isOpen(of.step)) return undefined;
  const keys = instances.of(of.step).map(({ key }) => key);
  return keys.some(key => selects(of, key)) ? undefined : selectorMistake(text, steps, keys);
}

/** Milliseconds: a plan is not held up for long by a service that is slow to tell. */
const PATIENCE = 10_000;

/**
 * Mistakes about custom models that are not activated. The list of models may be older than the deployment, so each custom one is asked for as it
 * is now. @param catalog the service's models; undefined where it was not asked for them.
 */
export async function deploymentMistakes(
  plan: Plan,
  service: Pick<Service, 'model'>,
  catalog: readonly CatalogModel[] | undefined,
): Promise<readonly Diagnostic[]> {
  const listed = new Map(catalog?.map(model => [model.id, model]));
  // The interface document's own models are base models, which are always active.
  const custom = modelsToBeUp(plan).filter(
    id => modelLibrary.get(id) === undefined && (catalog === undefined || listed.get(id)?.model_type === 'custom'),
  );
  const statuses = await Promise.all(
    custom.map(async id => [id, (await liveStatus(id, service)) ?? statusOf(listed.get(id))] as const),
  );
  const known = new Map(statuses);
  return inactiveModels(plan, id => known.get(id));
}

/** Undefined where the service does not answer, or does not offer it: nothing is refused for that. */
async function liveStatus(id: string, service: Pick<Service, 'model'>): Promise<DeploymentStatus | undefined> {
  try {
    const answer = await service.model(id, AbortSignal.timeout(PATIENCE), { live: true });
    return answer.is === 'ok' ? statusOf(answer.value) : undefined;
  } catch (error) {
    // The built-in studio cannot be started twice: a run of this film has it.
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

const statusOf = (model: CatalogModel | undefined): DeploymentStatus | undefined => model?.deployments[0]?.status;
