/** What is set for a film's project, without a service being chosen or asked. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { RemoteService } from '../../app/film/find-mistakes.ts';
import { publishChoice } from '../../app/service/service-choice.ts';
import { readIfThere } from '../../machine/files/files.ts';
import { findProject, type Project } from '../../machine/files/project.ts';
import type { VariableAccess } from '../../model/variable-access.ts';
import { resolveSettings, type Settings, userSettingsFile } from '../../settings/settings.ts';
import { readSettingsFile, secretVariables } from '../../settings/settings-file.ts';
import type { ChatUpstream } from '../../studio/index.ts';
import { settingsMistakes } from '../arguments.ts';

/**
 * Returns what a film may read of this machine's environment, and the variables that the settings expose on a worker. Ignores mistakes in
 * the settings: commands that use them report them.
 */
export async function variablesIn({ settingsFile }: Pick<Project, 'settingsFile'>): Promise<{
  readonly access: VariableAccess;
  readonly expose: readonly string[];
}> {
  const { projectText, userText } = await settingSources(settingsFile);
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
  const { settings, problems } = resolveSettings({ flags: {}, ...(await settingSources(settingsFile)) });
  if (problems.length > 0) throw settingsMistakes(problems);
  return settings;
}

/** What settings are read from. @param settingsFile the project's */
export const settingSources = async (settingsFile: string) => ({
  env: process.env,
  projectText: await readIfThere(settingsFile),
  userText: await readIfThere(userSettingsFile(process.env, homedir())),
});

export function chatUpstream(env: Readonly<Record<string, string | undefined>>): {
  readonly chatUpstream?: ChatUpstream;
} {
  const url = env.SHOTLIST_CHAT_UPSTREAM?.trim();
  if (!url) return {};
  const [key, model] = [env.SHOTLIST_CHAT_UPSTREAM_KEY?.trim(), env.SHOTLIST_CHAT_UPSTREAM_MODEL?.trim()];
  return { chatUpstream: { url, ...(key && { key }), ...(model && { model }) } };
}

export function studioCache(
  env: Readonly<Record<string, string | undefined>>,
  option?: string,
): { readonly cache?: string } {
  const folder = option ?? env.SHOTLIST_STUDIO_CACHE?.trim();
  return folder ? { cache: resolve(folder) } : {};
}

/** The service where it is on another machine, and so cannot read this one's files; undefined elsewhere. */
export async function remoteServiceOf(file: string, flag: string | undefined): Promise<RemoteService | undefined> {
  const { settingsFile } = await findProject(file, process.cwd());
  // Problems of the settings are not reported here: a missing key is no mistake of the film.
  const { settings } = resolveSettings({
    flags: flag === undefined ? {} : { service: flag },
    ...(await settingSources(settingsFile)),
  });
  const { service } = settings;
  if (service.kind === 'studio') return undefined;
  if (!service.remote) return undefined;
  const { publish } = settings;
  if (!publish) return { name: service.name, inputs: 'stay here' };
  const remote = { name: service.name, inputs: 'are published' } as const;
  const { credentials } = await publishChoice(publish, { env: process.env, home: homedir(), read: readIfThere });
  if (credentials?.is !== 'none') return remote;
  return { ...remote, withoutKey: { where: publish.where, why: credentials.message } };
}
