/** Where a film would be sent, as far as the settings say: asked by `check`, which needs no key and starts no service. */
import { homedir } from 'node:os';
import { isRemote } from '../../domain/loopback.ts';
import { readIfThere } from '../../host/files.ts';
import { findProject } from '../../host/project.ts';
import { resolveSettings, userSettingsFile } from '../../host/settings.ts';

/** The name of the service where it is on another machine: files of this one are out of its reach. */
export async function serviceElsewhere(file: string, flag: string | undefined): Promise<string | undefined> {
  const { settingsFile } = await findProject(file, process.cwd());
  // What is wrong with the settings is told by those who use the service: a missing key is no mistake of the film's.
  const { settings } = resolveSettings({
    flags: flag === undefined ? {} : { service: flag },
    env: process.env,
    projectText: await readIfThere(settingsFile),
    userText: await readIfThere(userSettingsFile(process.env, homedir())),
  });
  const { service } = settings;
  if (service.kind === 'studio') return undefined;
  return isRemote(service.url) ? service.name : undefined;
}
