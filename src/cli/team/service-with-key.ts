/** A service of the settings, for which a key is set here. */
import type { Service } from '../../api/service.ts';
import type { Project } from '../../host/project.ts';
import { UsageError } from '../arguments.ts';
import { chooseServiceFor } from '../service/choose-service.ts';
import { commandMessages as messages } from './command-messages.ts';

/** Connected: it is the caller's to close. The key is read here and goes nowhere. @throws UsageError */
export async function serviceWithKey(name: string, project: Project): Promise<Service> {
  const choice = await chooseServiceFor(project, { service: name }, project.settingsFile);
  if (!choice.hosted) throw new UsageError(messages.studioHasNoLimits());
  if (choice.key === null || choice.key === undefined) throw new UsageError(messages.limitsNeedKey(name));
  return choice.connect();
}
