/** A profile that a film is asked for and does not have. Whoever asked says `final` to make the film as its file stands. */
import { nearest } from '../domain/nearest.ts';
import { FINAL, type Profile } from '../domain/profile.ts';

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
