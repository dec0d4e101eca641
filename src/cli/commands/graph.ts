/** `shotlist graph FILE`: which step reads which, as Mermaid, DOT or a picture. Nothing is planned, written or sent. */
import { resolve } from 'node:path';
import { diskProjectFiles } from '../../app/disk-project-files.ts';
import { studioLibrary } from '../../app/service/model-from-catalog.ts';
import { compile } from '../../language/compile.ts';
import { findProject } from '../../machine/files/project.ts';
import { isError } from '../../model/diagnostic.ts';
import { profileMistake } from '../../model/profile.ts';
import { dot, mermaid, stepGraph } from '../../plan/graph/step-graph.ts';
import { oneFile, UsageError } from '../arguments.ts';
import { command } from '../command-line/read-arguments.ts';
import { CommandError } from '../errors/command-error.ts';
import { jsonText, print } from '../outlets.ts';
import { givenData, relativeToPipeline } from '../session/film-options.ts';
import { readSource } from '../session/pipeline-text.ts';
import { printDiagnostics } from '../session/print-diagnostics.ts';

export const main = command('graph', async ({ values, positionals }) => {
  const file = oneFile(positionals, 'graph');
  const format = values.format ?? 'mermaid';
  const { root } = await findProject(file, resolve());
  const { profile } = values;
  const compiling = { files: diskProjectFiles(file, root), data: relativeToPipeline(givenData(values), file), profile };
  const { pipeline, diagnostics, profiles } = compile(readSource(file), studioLibrary, compiling);
  // A model that only a service knows is no mistake in who reads whom.
  const mistakes = diagnostics.filter(isError);
  if (!pipeline) {
    printDiagnostics(mistakes);
    throw new CommandError(2, '', mistakes);
  }
  const unknown = profileMistake(profile, profiles);
  if (unknown !== undefined) throw new UsageError(`${file}: ${unknown}`);
  const graph = stepGraph(pipeline);
  const text = await drawn(graph, format);
  print(values.json ? jsonText({ version: 1, format, text }) : text);
  return 0;
});

async function drawn(graph: ReturnType<typeof stepGraph>, format: 'mermaid' | 'dot' | 'svg'): Promise<string> {
  switch (format) {
    case 'mermaid':
      return mermaid(graph);
    case 'dot':
      return dot(graph);
    case 'svg':
      return (await import('../../show/pages/graph-svg.ts')).graphSvg(graph);
  }
}
