/** `shotlist graph FILE`: which step reads which, as Mermaid, DOT or a picture. Nothing is planned, written or sent. */
import { resolve } from 'node:path';
import { isError } from '../../domain/diagnostic.ts';
import { findProject } from '../../host/project.ts';
import { compile } from '../../language/compile.ts';
import { dot, mermaid } from '../../plan/graph/graph-text.ts';
import { stepGraph } from '../../plan/graph/step-graph.ts';
import { studioLibrary } from '../../session/available-models.ts';
import { diskProjectFiles } from '../../session/disk-project-files.ts';
import { profileMistake } from '../../session/profile-mistake.ts';
import { oneFile, oneOf, parse, UsageError } from '../arguments.ts';
import { withExitCode } from '../errors/exit-code.ts';
import { print } from '../outlets.ts';
import { besidePipeline, givenData, PARAM_OPTIONS } from '../session/param-options.ts';
import { readSource } from '../session/pipeline-text.ts';
import { printDiagnostics } from '../session/print-diagnostics.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = parse(args, {
    format: { type: 'string' },
    profile: { type: 'string' },
    data: PARAM_OPTIONS.data,
  });
  const file = oneFile(positionals, 'graph');
  const format = oneOf(values.format ?? 'mermaid', ['mermaid', 'dot', 'svg'], 'format');
  const { root } = await findProject(file, resolve());
  const { profile } = values;
  const compiling = { files: diskProjectFiles(file, root), data: besidePipeline(givenData(values), file), profile };
  const { pipeline, diagnostics, profiles } = compile(readSource(file), studioLibrary, compiling);
  // A model that only a service knows is no mistake in who reads whom.
  const mistakes = diagnostics.filter(isError);
  if (!pipeline) {
    printDiagnostics(mistakes);
    return 2;
  }
  const unknown = profileMistake(profile, profiles);
  if (unknown !== undefined) throw new UsageError(`${file}: ${unknown}`);
  const graph = stepGraph(pipeline);
  switch (format) {
    case 'mermaid':
      print(mermaid(graph));
      break;
    case 'dot':
      print(dot(graph));
      break;
    case 'svg':
      print(await (await import('../../pages/graph-svg.ts')).graphSvg(graph));
      break;
  }
  return 0;
});
