/** Messages about a team and its runs. */
import { relative } from 'node:path';
import { asTyped } from '../../model/text/clean.ts';
import type { RunRow } from '../runs/run-rows.ts';

const some = (names: readonly string[]): string =>
  names.length <= 5 ? names.join(', ') : `${names.slice(0, 5).join(', ')} and ${names.length - 5} more`;

/** `data/shot-list.csv` → `shot_list` */
const nameFor = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.[^.]*$/, '')
    .replace(/^[^a-z]+/i, '')
    .replaceAll(/\W+/g, '_') || 'file';

export const teamMessages = {
  outside: (files: readonly string[], root: string) =>
    `${some(files)} ${files.length === 1 ? 'lies' : 'lie'} outside of the project, which is ${root}: workers get what is in it alone; copy it there`,
  linksOutside: (links: readonly (readonly [path: string, target: string])[]) =>
    links.length === 1
      ? `${links[0]?.[0]} is a link to ${links[0]?.[1]}, outside of the project: workers get what is in it alone; put a copy in its place`
      : `${some(links.map(([path]) => path))} are links that lead out of the project: workers get what is in it alone; put copies in their place`,
  unsound: (at: string, holds: string) =>
    `${at} holds ${holds}, which the team's database does not take, so nothing was handed in: take it out`,
  undeclared: (path: string, declared: string) =>
    `the command reads ${path}, which workers do not get; name it under \`files:\` (\`files: { ${nameFor(path)}: ${declared} }\`), and read \`$${nameFor(path)}\``,
  perhapsUndeclared: (path: string, declared: string) =>
    `${path} is a file of the project, and workers do not get it; where the command reads it, name it under \`files:\` (\`files: { ${nameFor(path)}: ${declared} }\`)`,
  undeclaredInScript: (path: string, declared: string, step: string) =>
    `this script reads ${path}, which workers do not get; name it under \`files:\` of step \`${step}\` (\`files: { ${nameFor(path)}: ${declared} }\`): it has the same place in the project there`,
  perhapsReadByScript: (path: string, declared: string, step: string) =>
    `${path} is a file of the project, and workers do not get it; where this script reads it, name it under \`files:\` of step \`${step}\` (\`files: { ${nameFor(path)}: ${declared} }\`)`,
  undeclaredFolder: (path: string) =>
    `the command reads the folder ${path}, of which workers get what is declared alone; name each file that it reads under \`files:\`, or in the command as \`$SHOTLIST_PROJECT/${path}/…\``,
  changedMeanwhile: (path: string) => `${path} changed while it was sent; give the same command again`,
  notSent: (paths: readonly string[], to: string) =>
    `not all of it could be brought to ${to}, so nothing was handed in: ${some(paths)} ${paths.length === 1 ? 'is' : 'are'} missing there`,
  storeSilent: (to: string, why: string) => `${to} cannot tell what it has (${why}), so nothing was handed in`,
  noStore: (team: string) =>
    `team ${team} has no store, by which workers get files and hand results on; add \`store:\` under teams.${team} in the settings (a folder that all reach, or s3://BUCKET/FOLDER)`,
  readOnlyStore: (where: string) =>
    `${where} is read alone (\`write: false\`), and what is handed in must be written there`,
  secretParams: (names: readonly string[]) =>
    `${some(names)} ${names.length === 1 ? 'is' : 'are'} secret, and what is submitted is in the team's database for all of the team to read: have the file read it from \`env\`, which each worker has of its own`,
  outsidePipeline: (file: string, root: string) =>
    `${relative('', file)} lies outside of its project, which is ${root}`,
  countsAsRestored: (since: number) =>
    `the database counts as restored: rows${since === 0 ? '' : ` since ${new Date(since).toISOString()}`} may be missing, so each request is looked for at its service before it is sent`,
  cutOff: (leads: number) =>
    `${leads} workers in a row vanished within ten minutes of leading it: it may need more memory than they have; \`shotlist team resume\` tries it again`,
  newer: (theirs: string, ours: string) =>
    `it was handed in by shotlist ${theirs}, which this one (${ours}) does not know`,
} as const;

/** The page of what is to be decided in a run of a team. */
export const reviewOfRun = ({ id }: Pick<RunRow, 'id'>, { name }: { readonly name: string }): string =>
  `shotlist review ${id} --on ${asTyped(name)}`;

/** The command that a person goes on with about a run of a team, by the state the run is in. */
export function commandFor({ id, status }: Pick<RunRow, 'id' | 'status'>, { name }: { readonly name: string }): string {
  const on = `--on ${asTyped(name)}`;
  switch (status) {
    case 'queued':
    case 'led':
      return `shotlist team watch ${id} ${on}`;
    case 'waiting':
      return reviewOfRun({ id }, { name });
    case 'failed':
    case 'cancelled':
      return `shotlist team resume ${id} ${on}`;
    case 'done':
      return `shotlist team fetch ${id} ${on}`;
  }
}
