/** What a program says in the words of the settings, read as the settings are; and of the project's own file, the budget. Nothing of the process is read. */
import { SettingError } from '../client/connect.ts';
import type { Budget } from '../domain/budget.ts';
import type { VariableAccess } from '../domain/variable-access.ts';
import { readIfThere } from '../host/files.ts';
import { type HookSettings, readHooks } from '../host/hook-settings.ts';
import type { Project } from '../host/project.ts';
import { readPublish, readStore } from '../host/publish-settings.ts';
import { secretVariables } from '../host/secret-variables.ts';
import { readSettingsFile } from '../host/settings-file.ts';
import { type PublishChoice, publishChoice } from '../session/service-choice.ts';
import { type StoreChoice, storeChoice } from '../session/shared-results.ts';
import type { HookOptions, PublishOptions, RunOptions, StoreOptions } from './film-options.ts';

type Environment = RunOptions['environment'];
type Read<T> = (value: unknown, file: string, problems: string[]) => T | undefined;

/** @throws SettingError for a way to publish that cannot be used. */
export const publishing = (given: PublishOptions, environment: Environment): Promise<PublishChoice> =>
  publishChoice(readAs('publish', given, readPublish), placesOf(environment));

/** @throws SettingError for a place that cannot be used. */
export const teamStore = (given: StoreOptions, environment: Environment, { root }: Project): Promise<StoreChoice> =>
  storeChoice(readAs('store', given, readStore), root, placesOf(environment));

/** @throws SettingError for somebody who cannot be told. */
export const hooksIn = (given: HookOptions): HookSettings => readAs('on', given, readHooks);

/** The budget of all films of the project, as `shotlist.config.yaml` has it. @throws SettingError with every mistake in that file. */
export async function projectBudget({ settingsFile }: Project): Promise<Budget | undefined> {
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
