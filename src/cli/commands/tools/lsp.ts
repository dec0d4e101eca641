/** `shotlist tools lsp`: the language server for editors, over standard input and output. It writes nothing and asks no service. */
import { dirname, join, resolve } from 'node:path';
import project from '../../../../package.json' with { type: 'json' };
import { findMistakes, variablesIn, worldOnDisk } from '../../../app/film/find-mistakes.ts';
import { LocalFiles, unread } from '../../../app/local-files.ts';
import { studioLibrary } from '../../../app/service/model-from-catalog.ts';
import { serveEditor } from '../../../lsp/server.ts';
import { findProject } from '../../../machine/files/project.ts';
import type { FieldSchema } from '../../../model/model.ts';
import { UsageError } from '../../arguments.ts';
import { readArguments } from '../../command-line/read-arguments.ts';
import { withExitCode } from '../../errors/command-error.ts';
import { fieldSentence } from '../../models/model-fields.ts';
import { priceRange } from '../../models/model-prices.ts';
import { remoteServiceOf, variableAccess } from '../../service/settings-of.ts';

/** A text that is open and lies in no file yet. */
const UNSAVED = 'untitled.yaml';

/** Editors say by themselves that they talk over stdio, and who they are: it changes nothing. */
const OF_EDITORS = /^(--stdio|--clientProcessId(=\d+)?|\d+)$/;

export const main = withExitCode(async args => {
  const { positionals } = readArguments(
    'tools lsp',
    args.filter(word => !OF_EDITORS.test(word)),
  );
  if (positionals.length > 0)
    throw new UsageError('shotlist tools lsp takes no file: an editor starts it, and says which are open');
  const env = variablesIn(process.env);
  await serveEditor(process.stdin, process.stdout, {
    library: studioLibrary,
    env,
    words: { fieldSentence: field => fieldSentence(field as Partial<FieldSchema>), priceRange },
    version: project.version,
    projectOf: file => findProject(file, process.cwd()),
    check: async (source, { file, files, media }) => {
      const path = file ?? join(process.cwd(), UNSAVED);
      const project = await findProject(path, process.cwd());
      const { diagnostics } = await findMistakes(source, {
        ...worldOnDisk(project, process.env),
        library: studioLibrary,
        sources: { files, access: await variableAccess(project) },
        files: async () => media,
        elsewhere: await remoteServiceOf(path, undefined),
      });
      return diagnostics;
    },
    namedMedia: async (file, root) =>
      new LocalFiles(file === undefined ? process.cwd() : dirname(resolve(file)), { digest: unread }, root),
  });
  return 0;
});
