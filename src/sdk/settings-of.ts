/** Options of a program that are settings, read as those of the file; and the budget of the project's file. Nothing of the process is read. */

import { join } from 'node:path';
import type { Service } from '../api/service.ts';
import { type StoreChoice, storeChoice } from '../app/results/team-store.ts';
import { builtInStudio } from '../app/service/built-in-studio.ts';
import {
  HOSTED_PACE,
  type PublishChoice,
  publishChoice,
  type ServiceChoice,
  STUDIO_PACE,
} from '../app/service/service-choice.ts';
import { filmOf } from '../app/state-folders.ts';
import { connect, SettingError } from '../client/connect.ts';
import { readIfThere } from '../machine/files/files.ts';
import type { Project } from '../machine/files/project.ts';
import { Secret } from '../machine/redactor.ts';
import { systemClock } from '../machine/time/clock.ts';
import type { Budget } from '../model/budget.ts';
import type { Diagnostic, Source } from '../model/diagnostic.ts';
import { isRemote } from '../model/loopback.ts';
import { isProfileName } from '../model/profile.ts';
import { NO_SELECTION, type Selection } from '../model/selector.ts';
import type { VariableAccess } from '../model/variable-access.ts';
import { DEFAULT_LIMITS } from '../run/engine/limits.ts';
import { HOSTED_PROOF, STUDIO_PROOF } from '../run/requests/proof-of-absence.ts';
import { type HookSettings, readHooks } from '../settings/hook-settings.ts';
import { readPublish, readStore } from '../settings/publish-settings.ts';
import { readSettingsFile, secretVariables } from '../settings/settings-file.ts';
import { readAmount, readLimit } from '../settings/settings-values.ts';
import type { HookOptions, PlanOptions, PublishOptions, RunOptions, StoreOptions } from './film-options.ts';

type Environment = RunOptions['environment'];
type Read<T> = (value: unknown, file: string, problems: string[]) => T | undefined;

/** @throws SettingError for a way to publish that cannot be used. */
const publishing = (given: PublishOptions, environment: Environment): Promise<PublishChoice> =>
  publishChoice(readAs('publish', given, readPublish), placesOf(environment));

/** @throws SettingError for a place that cannot be used. */
const teamStore = (given: StoreOptions, environment: Environment, { root }: Project): Promise<StoreChoice> =>
  storeChoice(readAs('store', given, readStore), root, placesOf(environment));

/** @throws SettingError for a hook that cannot be called. */
export const hooksIn = (given: HookOptions): HookSettings => readAs('on', given, readHooks);

/** The budget of all films of the project, as `shotlist.config.yaml` has it. @throws SettingError with every mistake in that file. */
async function projectBudget({ settingsFile }: Project): Promise<Budget | undefined> {
  const problems: string[] = [];
  const { budget } = readSettingsFile(await readIfThere(settingsFile), 'project', problems);
  if (problems.length > 0) throw new SettingError('budget', problems.join('; '));
  return budget;
}

/** What a film may read of `environment`: everything but the variables that the options name for keys. */
export const accessOf = ({ service, store, on }: RunOptions): VariableAccess => ({
  secrets: secretVariables({
    project: {
      ...(service &&
        'publish' in service &&
        service.publish && { publish: readAs('publish', service.publish, readPublish) }),
      ...(store !== undefined && { store: readAs('store', store, readStore) }),
      ...(on && { on: hooksIn(on) }),
    },
  }),
});

function readAs<T>(setting: SettingError['setting'], given: unknown, read: Read<T>): T {
  const problems: string[] = [];
  const settings = read(asMap(given), 'the options', problems);
  if (!settings || problems.length > 0) throw new SettingError(setting, problems.join('; '));
  return settings;
}

/** The user's own folder is the one that the program's environment names. */
function placesOf(environment: Environment = {}) {
  const home = environment.HOME;
  const read = async (path: string) => (home === undefined ? null : readIfThere(path));
  return { env: environment, home: home ?? '', read };
}

/** As the settings are read. */
const asMap = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? new Map(Object.entries(value).flatMap(([name, one]) => (one === undefined ? [] : [[name, asMap(one)]])))
    : value;

export const selectionOf = ({ selection }: Pick<PlanOptions, 'selection'>): Selection | undefined =>
  selection && { ...NO_SELECTION, ...selection };

/** The selection is the program's, not the file's: its mistakes point at the file's beginning. */
export const unselectable = (message: string, source: Source): Diagnostic => ({
  ...{ severity: 'error', code: 'selection', message, source },
  span: { start: 0, end: 0 },
});

/**
 * @throws SettingError for an address, a key, a way to publish or a team's store that cannot be used, for `maxUsd` and `limits` that bound
 * nothing, and for settings that cannot be read.
 */
export async function serviceOf(
  { service = { studio: 'full' }, ...options }: RunOptions,
  project: Project,
): Promise<ServiceChoice> {
  expectBounds(options);
  const budget = await projectBudget(project);
  const common = {
    ...(budget && { budget }),
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    onUnknown: options.onUnknown ?? 'fail',
    onInterrupt: 'detach',
    ...(options.store !== undefined && { store: await teamStore(options.store, options.environment, project) }),
  } as const;
  if ('studio' in service) {
    const isDraft = service.studio === 'draft';
    const name = isDraft ? 'studio-draft' : 'studio';
    const profile = options.profile !== undefined && isProfileName(options.profile) ? options.profile : undefined;
    const folder = join(project.stateFolder, name, filmOf(project, profile));
    const studio = { name, folder, speed: service.studio, localFiles: [project.root] };
    return {
      ...common,
      ...{ name, hosted: false, elsewhere: false, baseUrl: undefined, pace: STUDIO_PACE },
      ...{ proof: STUDIO_PROOF, idempotent: true },
      ...(isDraft && { draft: true }),
      connect: async () => builtInStudio(studio),
    };
  }
  const { baseUrl, key, history, idempotency, remote } = service;
  const publish = service.publish && (await publishing(service.publish, options.environment));
  const name = service.name ?? hostOf(baseUrl);
  const connected: Service = connect({ name, baseUrl, key, keyFrom: '`service.key`', clock: systemClock });
  return {
    ...common,
    ...{
      name,
      hosted: true,
      elsewhere: (remote ?? isRemote(baseUrl)) && { ...(publish && { publish }) },
      baseUrl,
      pace: HOSTED_PACE,
      key: new Secret(key),
    },
    proof: history === 'trusted' ? STUDIO_PROOF : HOSTED_PROOF,
    ...(idempotency === 'honoured' && { idempotent: true }),
    connect: async () => connected,
  };
}

/** A number that is none, such as NaN, would bound nothing. @throws SettingError */
function expectBounds({ maxUsd, limits = {} }: Omit<RunOptions, 'service'>): void {
  const problems: string[] = [];
  if (maxUsd !== undefined) readAmount(maxUsd, '`maxUsd` in the options', problems, 'usd');
  const setting = problems.length > 0 ? 'budget' : 'limits';
  for (const [name, value] of Object.entries(limits))
    if (value !== undefined) readLimit(value, `\`limits.${name}\` in the options`, problems);
  if (problems.length > 0) throw new SettingError(setting, problems.join('; '));
}

const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl);
