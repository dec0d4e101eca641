/** The service that a program names. */
import { join } from 'node:path';
import type { Service } from '../api/service.ts';
import { connect } from '../client/connect.ts';
import { isRemote } from '../domain/loopback.ts';
import { isProfileName } from '../domain/profile.ts';
import { systemClock } from '../host/clock.ts';
import type { Project } from '../host/project.ts';
import { Secret } from '../host/secret.ts';
import { DEFAULT_LIMITS } from '../run/limits.ts';
import { HOSTED_PROOF, STUDIO_PROOF } from '../run/requests/proof.ts';
import { builtInStudio } from '../session/built-in-studio.ts';
import { HOSTED_PACE, type ServiceChoice, STUDIO_PACE } from '../session/service-choice.ts';
import { filmOf } from '../session/state-folders.ts';
import type { RunOptions } from './film-options.ts';
import { projectBudget, publishing, teamStore } from './settings-of.ts';

/** @throws SettingError for an address, a key, a way to publish or a team's store that cannot be used, and for settings that cannot be read. */
export async function serviceOf(
  { service = { studio: 'full' }, ...options }: RunOptions,
  project: Project,
): Promise<ServiceChoice> {
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

const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl);
