/** `shotlist check FILE…`: every mistake in the files, at once, before anything runs. Nothing is written, and no service is asked. */

import { randomUUID } from 'node:crypto';
import { diskProjectFiles } from '../../app/disk-project-files.ts';
import { findMistakes, worldOnDisk } from '../../app/film/find-mistakes.ts';
import { studioLibrary } from '../../app/service/model-from-catalog.ts';
import { VERSION } from '../../app/service/version.ts';
import { findProject } from '../../machine/files/project.ts';
import { type Diagnostic, isError, type Source } from '../../model/diagnostic.ts';
import type { Pipeline } from '../../model/pipeline.ts';
import { profileMistake } from '../../model/profile.ts';
import { counted } from '../../model/text/format.ts';
import type { JsonObject } from '../../model/text/json.ts';
import { formAsked, UsageError } from '../arguments.ts';
import { command, type Read } from '../command-line/read-arguments.ts';
import { jsonText, print } from '../outlets.ts';
import { remoteServiceOf, variableAccess } from '../service/settings-of.ts';
import { givenData, givenParams, relativeToPipeline } from '../session/film-options.ts';
import { readSource } from '../session/pipeline-text.ts';

/** The default name of standard input. */
const NAMELESS = 'stdin.yaml';

export const main = command('check', async ({ values, positionals }) => {
  if (positionals.length === 0) throw new UsageError('which file? shotlist check FILE…');
  const form = formAsked(values) ?? 'text';
  const isPiped = positionals.includes('-');
  if (positionals.filter(path => path === '-').length > 1)
    throw new UsageError('standard input holds one file; name `-` once');
  if (!isPiped && values.name !== undefined)
    throw new UsageError('--name is what standard input is called: shotlist check - --name film.yaml');
  const checks: FileCheck[] = [];
  for (const given of positionals) {
    const source = given === '-' ? await pipedSource(values.name ?? NAMELESS) : readSource(given);
    const checked = await checkOne(source, values);
    checks.push(checked);
    if (checked.diagnostics.length > 0 && form !== 'github') {
      const { printDiagnostics } = await import('../session/print-diagnostics.ts');
      printDiagnostics(checked.diagnostics);
    }
    if (form === 'text' && checked.steps !== undefined)
      print(`${source.path}: ${counted(checked.steps, 'step')}, no mistakes\n`);
  }
  await PRINTS[form](checks);
  return checks.every(({ steps }) => steps !== undefined) ? 0 : 2;
});

interface FileCheck {
  readonly path: string;
  /** Of the file itself; undefined where it has an error. */
  readonly steps: number | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

type Values = Read<'check'>['values'];

async function checkOne(source: Source, values: Values): Promise<FileCheck> {
  const { path } = source;
  const project = await findProject(path, process.cwd());
  const params = givenParams(values);
  const sources = {
    ...{ files: diskProjectFiles(path, project.root), data: relativeToPipeline(givenData(values), path) },
    access: await variableAccess(project),
  };
  const checked = await findMistakes(source, {
    ...worldOnDisk(project, process.env),
    ...{ library: studioLibrary, sources, params, profile: values.profile },
    elsewhere: await remoteServiceOf(path, values.service),
  });
  const unknown = profileMistake(values.profile, checked.profiles);
  if (unknown !== undefined) throw new UsageError(`${path}: ${unknown}`);
  const { pipeline } = checked;
  const diagnostics = [...checked.diagnostics, ...(pipeline ? await paramMistakes(pipeline, params, checked) : [])];
  const isSound = pipeline !== undefined && !diagnostics.some(isError);
  return {
    path,
    diagnostics,
    steps: isSound ? pipeline.steps.filter(({ inside }) => inside === undefined).length : undefined,
  };
}

/** What is wrong with the values of the command line, where planning has not found it. A param without a value is no mistake here. */
async function paramMistakes(
  pipeline: Pipeline,
  params: JsonObject,
  { diagnostics }: Pick<FileCheck, 'diagnostics'>,
): Promise<readonly Diagnostic[]> {
  if (Object.keys(params).length === 0) return [];
  const { paramValues } = await import('../../plan/values/param-values.ts');
  const { isSameDiagnostic, PlanDiagnostics } = await import('../../plan/obstacles.ts');
  const found = new PlanDiagnostics(pipeline.source);
  paramValues(pipeline, params, found);
  return found.all.filter(
    one => one.code !== 'missing-param' && !diagnostics.some(other => isSameDiagnostic(one, other)),
  );
}

/** What an editor holds and has not saved, say. */
async function pipedSource(name: string): Promise<Source> {
  if (process.stdin.isTTY)
    throw new UsageError('`-` reads standard input, and nothing is piped in: shotlist check - < film.yaml');
  const { text } = await import('node:stream/consumers');
  return { path: name, text: await text(process.stdin) };
}

type Form = NonNullable<Values['format']>;

const PRINTS: { readonly [form in Form]: (checks: readonly FileCheck[]) => Promise<void> } = {
  text: async () => {},
  json: printJson,
  github: async checks => {
    const diagnostics = found(checks);
    if (diagnostics.length === 0) return;
    const { formatDiagnostics } = await import('../../language/yaml/excerpt.ts');
    const { resumeCommands, stopCommands } = await import('../../show/reporters/github-commands.ts');
    const { annotateMistakes } = await import('../../app/reports/github-job.ts');
    const say = (line: string) => print(`${line}\n`);
    // The runner would obey what an excerpt quotes.
    const token = `shotlist-${randomUUID()}`;
    for (const line of [stopCommands(token), formatDiagnostics(diagnostics), resumeCommands(token)]) say(line);
    annotateMistakes(diagnostics, { environment: process.env, say });
  },
  sarif: async checks => {
    const { diagnosticsSarif } = await import('../../language/diagnostic-sarif.ts');
    const { pathInRepository } = await import('../../app/reports/github-job.ts');
    const pathOf = (path: string) => pathInRepository(path, process.env) ?? path;
    print(jsonText(diagnosticsSarif(found(checks), { version: VERSION, pathOf })));
  },
};

const found = (checks: readonly FileCheck[]): readonly Diagnostic[] => checks.flatMap(({ diagnostics }) => diagnostics);

async function printJson(checks: readonly FileCheck[]): Promise<void> {
  const { diagnosticsJson } = await import('../../language/diagnostic-json.ts');
  const files = checks.map(({ path, steps, diagnostics }) => ({
    file: path,
    ok: steps !== undefined,
    ...(steps !== undefined && { steps }),
    diagnostics: diagnosticsJson(diagnostics),
  }));
  print(jsonText({ version: 1, ok: files.every(({ ok }) => ok), files }));
}
