/** The service that a run was handed in for, as the settings of this machine use it. */

import type { Service } from '../../api/service.ts';
import type { Project } from '../../machine/files/project.ts';
import { UsageError } from '../arguments.ts';
import { chooseServiceFor, type ServiceChoice } from '../service/choose-service.ts';
import { commandMessages as messages } from './command-messages.ts';

interface Named {
  /** As fingerprints have it. */
  readonly service: string;
  readonly profile: string | null;
}

interface Where {
  readonly project: Project;
  /** Of the settings that hold. */
  readonly settingsFile: string;
  readonly keyless?: true;
}

const DRAFT = 'studio-draft';

/** @throws UsageError where the settings here do not know it. */
export async function serviceNamed({ service, profile }: Named, where: Where): Promise<ServiceChoice> {
  const { project, settingsFile, keyless } = where;
  const flags = {
    ...{ profile: profile ?? 'final', draft: service === DRAFT },
    ...(keyless && { keyless }),
  };
  const isStudio = service === DRAFT || service === 'studio';
  // The address of a service may come from the environment, and gives it its name.
  const usual = isStudio ? undefined : await chooseServiceFor(project, flags, settingsFile).catch(() => undefined);
  const choice =
    usual?.name === service
      ? usual
      : await chooseServiceFor(project, { ...flags, service: isStudio ? 'studio' : service }, settingsFile);
  if (choice.name !== service)
    throw new UsageError(`the settings here make films at ${choice.name}, and this one is for ${service}`);
  return withoutProfile(choice, profile);
}

/** A film that has no profiles is not made in one of them. */
function withoutProfile(choice: ServiceChoice, profile: string | null): ServiceChoice {
  if (profile !== null) return choice;
  const { profile: _, ...rest } = choice;
  return rest;
}

/** Connected: it is the caller's to close. The key is read here and goes nowhere. @throws UsageError */
export async function serviceWithKey(name: string, project: Project): Promise<Service> {
  const choice = await chooseServiceFor(project, { service: name }, project.settingsFile);
  if (!choice.hosted) throw new UsageError(messages.studioHasNoLimits());
  if (choice.key === null || choice.key === undefined) throw new UsageError(messages.limitsNeedKey(name));
  return choice.connect();
}
