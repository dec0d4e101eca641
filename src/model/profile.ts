/**
 * Profiles of a film: the same graph with other models and numbers. The film as in its file, or under `profiles.final`, is the real one; results,
 * outputs and spending of every other profile are kept apart from it.
 */
import type { Span } from './diagnostic.ts';
import { nearest } from './text/nearest.ts';

export interface Profile {
  readonly name: string;
  /** The place of its name. */
  readonly at: Span;
  readonly description?: string;
}

/** What is made without `--profile`. */
export const FINAL = 'final';

/** The folder of what the built-in studio draws small and quickly, whatever the profile: `out/draft/fox.mp4`. */
export const DRAFT = 'draft';

/** Undefined for the real film: it has no name in locks, folders and paths. */
export const apart = (profile: string | undefined): string | undefined => (profile === FINAL ? undefined : profile);

/** Whether a profile may be called that: it becomes a part of paths. */
export const isProfileName = (name: string): boolean => /^[a-z][a-z0-9_]*$/.test(name);

/** Where a profile's own films go: `out/fox.mp4` → `out/draft/fox.mp4`. Never to the places of the real film. */
export function placeIn(profile: string, path: string): string {
  const [first = '', ...rest] = path.replace(/^(\.\/)+/, '').split('/');
  // A folder that coordinates name is another one for each instance.
  return rest.length > 0 && !first.includes('{')
    ? [first, profile, ...rest].join('/')
    : [profile, first, ...rest].join('/');
}

/**
 * A film in a profile, as journals and folders call it: `pipelines~fox/@draft`. No film's own name has a slash, and nothing in its folder
 * begins with that sign.
 */
export const filmIn = (film: string, profile: string | undefined): string => {
  const name = apart(profile);
  return name === undefined ? film : `${film}${SEPARATOR}${name}`;
};

/** The film itself, in whichever profile. */
export const realFilm = (film: string): string => film.split(SEPARATOR)[0] ?? film;

/** The names of a film in all its profiles but the real one lie between these two. */
export const profilesOf = (film: string): { readonly from: string; readonly to: string } => {
  const from = `${realFilm(film)}${SEPARATOR}`;
  return { from, to: `${from}\u{10ffff}` };
};

const SEPARATOR = '/@';

/** Undefined where it is there. */
export function profileMistake(asked: string | undefined, profiles: readonly Profile[]): string | undefined {
  if (asked === undefined || asked === FINAL || profiles.some(({ name }) => name === asked)) return undefined;
  const names = [...new Set([...profiles.map(({ name }) => name), FINAL])];
  const near = nearest(asked, names);
  if (near !== undefined) return `this film has no profile \`${asked}\`; did you mean \`${near}\`?`;
  return profiles.length === 0
    ? `this film has no profile \`${asked}\`, nor any other; without \`--profile\`, or as \`${FINAL}\`, it is made as its file stands`
    : `this film has no profile \`${asked}\`; it has ${names.map(name => `\`${name}\``).join(', ')}`;
}
