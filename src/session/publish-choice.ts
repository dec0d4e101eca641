/** How files are published, with what that takes: the key of a bucket, or the variables of a command. */
import { type CredentialPlaces, findCredentials } from '../host/aws-credentials.ts';
import type { PublishSettings } from '../host/publish-settings.ts';
import type { PublishChoice } from './service-choice.ts';

/** A key that is missing is told by the plan of a film that publishes something: most have nothing. */
export async function publishChoice(settings: PublishSettings, places: CredentialPlaces): Promise<PublishChoice> {
  if (settings.is === 's3') return { settings, credentials: await findCredentials(settings, places), variables: {} };
  const variables = settings.env.flatMap(name => {
    const value = places.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { settings, variables: Object.fromEntries(variables) };
}
