/** What is set for a film's project, without a service being chosen or asked. */
import { homedir } from 'node:os';
import { readIfThere } from '../../host/files.ts';
import { findProject } from '../../host/project.ts';
import { resolveSettings, type Settings, userSettingsFile } from '../../host/settings.ts';
import { UsageError } from '../arguments.ts';

/** @throws UsageError with every mistake in the settings. */
export async function settingsOf(file: string): Promise<Settings> {
  const project = await findProject(file, process.cwd());
  const { settings, problems } = resolveSettings({
    flags: {},
    env: process.env,
    projectText: await readIfThere(project.settingsFile),
    userText: await readIfThere(userSettingsFile(process.env, homedir())),
  });
  if (problems.length > 0) throw new UsageError(problems.join('\n          '));
  return settings;
}
