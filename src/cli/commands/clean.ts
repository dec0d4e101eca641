/** `shotlist clean [FILE]`: what can be freed of `.shotlist/`, by kind; with `--yes` it is. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Freeable, findReclaimable, KINDS, type Kind, type Share } from '../../app/results/clean.ts';
import { findProject } from '../../machine/files/project.ts';
import { counted, formatBytes } from '../../model/text/format.ts';
import { nothingBehind } from '../arguments.ts';
import { command } from '../command-line/read-arguments.ts';
import { jsonText, print, say } from '../outlets.ts';
import { readText } from '../session/pipeline-text.ts';

/** A placeholder for a film: it selects the project of the current folder. */
const NO_FILM = 'film.yaml';

export const main = command('clean', async ({ values, positionals }) => {
  const [file, ...more] = positionals;
  nothingBehind(more, 'clean', 'one file, or none for all films');
  // A mistyped name shall not read as a film that has nothing.
  if (file !== undefined) readText(file);
  const project = await findProject(file ?? join(resolve(), NO_FILM), resolve());
  if (!existsSync(project.stateFolder)) {
    if (values.json) print(jsonText({ version: 1, freed: false, free: {}, running: [] }));
    else say('nothing was made here yet: there is nothing to free');
    return 0;
  }
  const found = await findReclaimable({ project, film: file !== undefined, paid: values.paid });
  try {
    const bytes = values.yes ? await found.remove() : undefined;
    if (values.json) {
      const { free, named, paid, running } = found;
      print(jsonText({ version: 1, freed: bytes !== undefined, free, named, paid, running }));
    } else print(`${lines(found, bytes, values.paid).join('\n')}\n`);
    return 0;
  } finally {
    found.close();
  }
});

const WORDS: Readonly<Record<Kind, string>> = {
  drafts: 'drafts of the studio',
  frames: 'frames and sound',
  results: 'results of old versions',
  logs: 'logs of commands',
  paid: 'paid results of old versions',
};
const COLUMN = 30;

function lines(
  { free, named, paid, running }: Freeable,
  freed: number | undefined,
  isPaidAsked: boolean,
): readonly string[] {
  const rows = KINDS.filter(kind => free[kind].files > 0);
  const bytes = rows.reduce((sum, kind) => sum + free[kind].bytes, 0);
  const head =
    freed !== undefined
      ? `freed ${formatBytes(freed)}`
      : bytes === 0
        ? 'nothing can be freed'
        : `${formatBytes(bytes)} can be freed; --yes frees it`;
  const about = (name: string, share: Share) => `  ${name.padEnd(COLUMN)} ${shareText(share)}`;
  return [
    head,
    ...rows.map(kind => about(WORDS[kind], free[kind])),
    ...(named.files > 0
      ? ['kept', about(`named by ${named.locks.length === 1 ? named.locks[0] : `${named.locks.length} locks`}`, named)]
      : []),
    ...(paid.files > 0
      ? [
          ...(named.files > 0 ? [] : ['kept']),
          about(isPaidAsked ? 'paid for, of films without a lock' : 'paid for, or unknown', paid),
        ]
      : []),
    ...(paid.files > 0 && !isPaidAsked
      ? ['  --paid frees what was paid for too, where no lock names it: it would have to be paid again']
      : []),
    ...(running.length > 0 ? [`a run is going on (${running.join(', ')}): results stay until it has ended`] : []),
  ];
}

const shareText = ({ files, bytes }: Share): string => `${counted(files, 'file')}, ${formatBytes(bytes)}`;
