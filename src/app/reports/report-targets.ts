/** The reporters of a run beside the screen, as `--report` and a program's `reporters` spell them: `junit=build/film.xml`. */

import { Refusal } from '../../model/run/decision-page.ts';
import { nearest } from '../../model/text/nearest.ts';

export interface ReportTarget {
  readonly is: 'junit' | 'html' | 'github';
  /** The file, or the folder; `github` for the job that a run is part of. */
  readonly place: string;
}

const NAMES = ['junit', 'github', 'html'] as const;
const EXAMPLES = { junit: 'junit=build/film.xml', html: 'html=build/film' } as const;

/** Each once. @throws {Refusal} */
export function reportTargets(given: readonly string[] | undefined): readonly ReportTarget[] {
  const targets = (given ?? []).map(target);
  const places = targets.map(({ place }) => place);
  const twice = places.find((place, at) => places.indexOf(place) < at);
  if (twice !== undefined) throw new Refusal(messages.twice(twice));
  return targets;
}

function target(given: string): ReportTarget {
  const at = given.indexOf('=');
  const [name, place] = at < 0 ? [given, ''] : [given.slice(0, at), given.slice(at + 1)];
  if (name === 'github') {
    if (at >= 0) throw new Refusal(messages.githubHasNoPlace());
    return { is: name, place: name };
  }
  if (name === 'junit' || name === 'html') {
    if (place === '') throw new Refusal(messages.noPlace(EXAMPLES[name]));
    return { is: name, place };
  }
  const near = nearest(name, NAMES);
  // A folder alone is the report that people read.
  if (at < 0 && near === undefined && given !== '') return { is: 'html', place: given };
  throw new Refusal(messages.unknown(given, near));
}

/** Messages about `--report`. */
export const messages = {
  unknown: (given: string, near: string | undefined) =>
    `--report is junit=PATH, html=DIR or github, and \`${given}\` is not${near === undefined ? '' : `; did you mean ${near}?`}`,
  noPlace: (example: string) => `--report ${example.split('=')[0]} needs a place; write --report ${example}`,
  githubHasNoPlace: () => '--report github takes no place: it writes to the job that it runs in; write --report github',
  twice: (place: string) => `--report names ${place} twice; leave one out`,
  isFolder: (path: string) =>
    `--report junit=${path} is a folder; name a file, ${path.replace(/\/$/, '')}/film.xml say`,
  notXml: (path: string) =>
    `--report junit=${path} would replace a file that is no XML; name another, or take that one away`,
  junit: (path: string, why: string) =>
    `the JUnit file ${path} is not written: ${why}; the run itself is as shown above`,
  github: (why: string) =>
    `the job's annotations and summary are not all written: ${why}; the run itself is as shown above`,
  notBegun: (folder: string, why: string) =>
    `the page in ${folder} that would say why the run did not begin is not written: ${why}`,
  nothingKept: () => 'the journal keeps nothing of this run',
  sidecars: (why: string) => `not every film has its sidecar: ${why}; the run itself is as shown above`,
  html: (folder: string, why: string, again: string) =>
    `the report in ${folder} is not written: ${why}; \`${again}\` makes it at any later time`,
} as const;
