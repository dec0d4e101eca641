/** `shotlist tools lsp`: the language server for editors, over standard input and output. It writes nothing and asks nobody. */
import { dirname, join, resolve } from 'node:path';
import project from '../../../../package.json' with { type: 'json' };
import type { Json } from '../../../domain/json.ts';
import type { FieldSchema } from '../../../domain/model.ts';
import { findProject, SETTINGS_FILE } from '../../../host/project.ts';
import { serveEditor } from '../../../lsp/server.ts';
import { studioLibrary } from '../../../session/available-models.ts';
import { LocalFiles, unread } from '../../../session/local-files.ts';
import { UsageError } from '../../arguments.ts';
import { readArguments } from '../../command-line/read-arguments.ts';
import { withExitCode } from '../../errors/exit-code.ts';
import { fieldSentence } from '../../models/model-fields.ts';
import { priceRange } from '../../models/model-prices.ts';
import { variableAccess } from '../../service/settings-of.ts';
import { checkFilm } from '../../session/check-film.ts';

/** Editors say by themselves that they talk over stdio, and who they are: it changes nothing. */
const OF_EDITORS = /^(--stdio|--clientProcessId(=\d+)?|\d+)$/;

export const main = withExitCode(async args => {
  const { positionals } = readArguments(
    'tools lsp',
    args.filter(word => !OF_EDITORS.test(word)),
  );
  if (positionals.length > 0)
    throw new UsageError('shotlist tools lsp takes no file: an editor starts it, and says which are open');
  const env = environment();
  await serveEditor(process.stdin, process.stdout, {
    library: studioLibrary,
    env,
    words: { fieldSentence: field => fieldSentence(field as Partial<FieldSchema>), priceRange },
    version: project.version,
    projectOf: file => findProject(file, process.cwd()),
    check: async (source, { root, files, media }) => {
      const places = { root, store: async () => undefined };
      const access = await variableAccess({ settingsFile: join(root, SETTINGS_FILE) });
      const world = { library: studioLibrary, env, sources: { files, access }, files: async () => media, places };
      return (await checkFilm(source, world)).diagnostics;
    },
    mediaBeside: async (file, root) =>
      new LocalFiles(file === undefined ? process.cwd() : dirname(resolve(file)), { digest: unread }, root),
  });
  return 0;
});

function environment(): { readonly [name: string]: Json } {
  const variables: Record<string, Json> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) variables[name] = value;
  return variables;
}
