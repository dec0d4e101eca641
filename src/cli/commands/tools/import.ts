/** `shotlist tools import WORKFLOW.json`: a pipeline of what another system saved; what could not be carried over is told, line by line. */
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { modelLibrary } from '../../../api/model-library.ts';
import { asTyped } from '../../../domain/as-typed.ts';
import { isError } from '../../../domain/diagnostic.ts';
import { codeOf } from '../../../host/error-code.ts';
import { compile } from '../../../language/compile.ts';
import { nothingBehind, UsageError } from '../../arguments.ts';
import { readArguments } from '../../command-line/read-arguments.ts';
import { CommandError } from '../../errors/command-error.ts';
import { withExitCode } from '../../errors/exit-code.ts';
import { pipelineText } from '../../import/pipeline-text.ts';
import { readWorkflow } from '../../import/read-workflow.ts';
import { print, say } from '../../outlets.ts';
import { readText } from '../../session/pipeline-text.ts';
import { indentedJson } from '../../terminal/indented-json.ts';

export const main = withExitCode(async args => {
  const { values, positionals } = readArguments('tools import', args);
  const [path, ...more] = positionals;
  if (path === undefined) throw new UsageError('which workflow? shotlist tools import WORKFLOW.json');
  nothingBehind(more, 'tools import', 'one workflow');
  const text = path === '-' ? await piped() : readText(path);
  const imported = readWorkflow(text, basename(path, '.json').replace(/^-$/, 'imported'));
  if (typeof imported === 'string') throw new UsageError(`${path}: ${imported}`);
  const { left, files } = imported;
  const pipeline = pipelineText(imported);
  if (values.out !== undefined) await writeNew(values.out, pipeline);
  for (const line of left) say(`not carried over: ${line}`);
  for (const file of files) say(`put beside it: ${file}`);
  if (values.out !== undefined) say(`wrote ${asTyped(values.out)}`);
  const mistakes = compile({ path: values.out ?? 'pipeline.yaml', text: pipeline }, modelLibrary).diagnostics.filter(
    isError,
  );
  const next = `\`shotlist check ${asTyped(values.out ?? 'FILE')}\``;
  say(
    mistakes.length === 0
      ? `it has no mistake; ${next} also looks at its files`
      : `${mistakes.length === 1 ? 'one mistake is' : `${mistakes.length} mistakes are`} left in it: ${next} tells what to write instead`,
  );
  if (values.json)
    print(
      `${indentedJson({ version: 1, from: imported.from, pipeline, left, files, mistakes: mistakes.length, ...(values.out !== undefined && { out: values.out }) })}\n`,
    );
  else if (values.out === undefined) print(pipeline);
  return 0;
});

async function piped(): Promise<string> {
  if (process.stdin.isTTY)
    throw new UsageError('`-` reads standard input, and nothing is piped in: shotlist tools import - < workflow.json');
  const { text } = await import('node:stream/consumers');
  return text(process.stdin);
}

async function writeNew(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new CommandError(2, `${path} is there already, and is left as it is; name another with --out`);
  }
}
