/** What is set for a film's project, without a service being chosen or asked. */
import { homedir } from 'node:os';
import type { VariableAccess } from '../../domain/variable-access.ts';
import { readIfThere } from '../../host/files.ts';
import { findProject, type Project } from '../../host/project.ts';
import { secretVariables } from '../../host/secret-variables.ts';
import { resolveSettings, type Settings, userSettingsFile } from '../../host/settings.ts';
import { readSettingsFile } from '../../host/settings-file.ts';
import { settingsMistakes } from '../arguments.ts';

/**
 * Returns what a film may read of this machine's environment, and the variables that the settings expose on a worker. Ignores mistakes in
 * the settings: commands that use them report them.
 */
export async function variablesIn({ settingsFile }: Pick<Project, 'settingsFile'>): Promise<{
  readonly access: VariableAccess;
  readonly expose: readonly string[];
}> {
  const { projectText, userText } = await textsOf(settingsFile);
  const project = readSettingsFile(projectText, 'project', []);
  const user = readSettingsFile(userText, 'user', []);
  return {
    access: { secrets: secretVariables({ project, user }) },
    expose: [...(project.expose ?? []), ...(user.expose ?? [])],
  };
}

export const variableAccess = async (project: Pick<Project, 'settingsFile'>): Promise<VariableAccess> =>
  (await variablesIn(project)).access;

/** @throws UsageError with every mistake in the settings. */
export async function settingsOf(file: string): Promise<Settings> {
  const { settingsFile } = await findProject(file, process.cwd());
  const { settings, problems } = resolveSettings({ flags: {}, env: process.env, ...(await textsOf(settingsFile)) });
  if (problems.length > 0) throw settingsMistakes(problems);
  return settings;
}

const textsOf = async (settingsFile: string) => ({
  projectText: await readIfThere(settingsFile),
  userText: await readIfThere(userSettingsFile(process.env, homedir())),
});
