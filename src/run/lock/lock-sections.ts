/**
 * The sections of a lock. What the real film gave stands under the service, as it always has: `studio`; what one of its profiles gave under
 * `studio in draft`.
 */
import { apart } from '../../domain/profile.ts';

export const lockSection = (service: string, profile: string | undefined): string => {
  const name = apart(profile);
  return name === undefined ? service : `${service} in ${name}`;
};

/** The profile of a section; undefined for the real film. */
export const profileOfSection = (section: string): string | undefined => / in ([a-z][a-z0-9_]*)$/.exec(section)?.[1];

/** The same film at the same service, in whichever profile: what is asked for alike was made once. */
export const isOfSameService = (section: string, other: string): boolean => serviceOf(section) === serviceOf(other);

const serviceOf = (section: string): string => section.replace(/ in [a-z][a-z0-9_]*$/, '');
