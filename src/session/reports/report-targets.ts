/** What a run is told as beside the screen, as `--report` and a program's `reporters` spell it: `junit=build/film.xml`. */
import { nearest } from '../../domain/nearest.ts';
import { Refusal } from '../../domain/refusal.ts';
import { messages } from './beside-messages.ts';

export type ReportTarget =
  | { readonly is: 'junit'; readonly path: string }
  | { readonly is: 'html'; readonly folder: string }
  | { readonly is: 'github' };

const NAMES = ['junit', 'github', 'html'] as const;

/** Each once. @throws {Refusal} */
export function reportTargets(given: readonly string[] | undefined): readonly ReportTarget[] {
  const targets = (given ?? []).map(target);
  const places = targets.map(one => (one.is === 'github' ? 'github' : one.is === 'junit' ? one.path : one.folder));
  const twice = places.find((place, at) => places.indexOf(place) < at);
  if (twice !== undefined) throw new Refusal(messages.twice(twice));
  return targets;
}

function target(given: string): ReportTarget {
  const at = given.indexOf('=');
  const [name, place] = at < 0 ? [given, ''] : [given.slice(0, at), given.slice(at + 1)];
  switch (name) {
    case 'github':
      if (at >= 0) throw new Refusal(messages.githubHasNoPlace());
      return { is: 'github' };
    case 'junit':
      if (place === '') throw new Refusal(messages.noPlace('junit=build/film.xml'));
      return { is: 'junit', path: place };
    case 'html':
      if (place === '') throw new Refusal(messages.noPlace('html=build/film'));
      return { is: 'html', folder: place };
    default: {
      const near = nearest(name, NAMES);
      // A folder alone is the report that people read.
      if (at < 0 && near === undefined && given !== '') return { is: 'html', folder: given };
      throw new Refusal(messages.unknown(given, near));
    }
  }
}
