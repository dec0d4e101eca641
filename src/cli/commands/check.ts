/** `shotlist check FILE…`: every mistake in the files, at once, before anything runs. Nothing is written, and no service is asked. */

import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Json } from '../../domain/json.ts';
import { findProject, type Project } from '../../host/project.ts';
import { studioLibrary } from '../../session/available-models.ts';
import { diskProjectFiles } from '../../session/disk-project-files.ts';
import { profileMistake } from '../../session/profile-mistake.ts';
import { parse, UsageError } from '../arguments.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { print } from '../outlets.ts';
import { type RemoteService, remoteServiceOf } from '../service/remote-service.ts';
import { type CheckWorld, checkFilm, hasErrors } from '../session/check-film.ts';
import { besidePipeline, givenData, PARAM_OPTIONS } from '../session/param-options.ts';
import { readSource } from '../session/pipeline-text.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = parse(args, {
    service: { type: 'string' },
    profile: { type: 'string' },
    data: PARAM_OPTIONS.data,
  });
  if (positionals.length === 0) throw new UsageError('which file? shotlist check FILE…');
  let wrong = false;
  for (const path of positionals) {
    const source = readSource(path);
    const project = await findProject(path, process.cwd());
    const elsewhere = await remoteServiceOf(path, values.service);
    const sources = { files: diskProjectFiles(path, project.root), data: besidePipeline(givenData(values), path) };
    const checked = await checkFilm(source, { ...worldOf(path, project, elsewhere), sources, profile: values.profile });
    const unknown = profileMistake(values.profile, checked.profiles);
    if (unknown !== undefined) throw new UsageError(`${path}: ${unknown}`);
    if (checked.diagnostics.length > 0) {
      const { printDiagnostics } = await import('../session/print-diagnostics.ts');
      printDiagnostics(checked.diagnostics);
    }
    if (!checked.pipeline || hasErrors(checked)) {
      wrong = true;
      continue;
    }
    const own = checked.pipeline.steps.filter(({ inside }) => inside === undefined).length;
    print(`${path}: ${own} ${own === 1 ? 'step' : 'steps'}, no mistakes\n`);
  }
  return wrong ? 2 : 0;
});

function worldOf(
  path: string,
  { root, stateFolder }: Project,
  elsewhere: RemoteService | undefined,
): Omit<CheckWorld, 'sources'> {
  const store = join(stateFolder, 'store');
  return {
    library: studioLibrary,
    env: environment(),
    elsewhere,
    files: async () => {
      const { LocalFiles, unread } = await import('../../session/local-files.ts');
      return new LocalFiles(dirname(resolve(path)), { digest: unread }, root);
    },
    places: {
      root,
      store: async () =>
        existsSync(store) ? (await import('../../artifacts/local-store.ts')).LocalStore.open(store) : undefined,
    },
  };
}

function environment(): { readonly [name: string]: Json } {
  const variables: Record<string, Json> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) variables[name] = value;
  return variables;
}
