/** Where the settings would send a film. For `check`, which needs no key and starts no service. */
import { homedir } from 'node:os';
import { readIfThere } from '../../host/files.ts';
import { findProject } from '../../host/project.ts';
import { resolveSettings, userSettingsFile } from '../../host/settings.ts';
import type { RemoteService } from '../../session/film/find-mistakes.ts';
import { publishChoice } from '../../session/service-choice.ts';

/** The service where it is on another machine, and so cannot read this one's files; undefined elsewhere. */
export async function remoteServiceOf(file: string, flag: string | undefined): Promise<RemoteService | undefined> {
  const { settingsFile } = await findProject(file, process.cwd());
  // Problems of the settings are not reported here: a missing key is no mistake of the film.
  const { settings } = resolveSettings({
    flags: flag === undefined ? {} : { service: flag },
    env: process.env,
    projectText: await readIfThere(settingsFile),
    userText: await readIfThere(userSettingsFile(process.env, homedir())),
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
