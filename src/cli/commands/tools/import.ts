/** `shotlist tools import WORKFLOW.json`: a pipeline made of another system's workflow, with a line for each thing that could not be carried over. */
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { modelLibrary } from '../../../api/model-library.ts';
import { compile } from '../../../language/compile.ts';
import { codeOf } from '../../../machine/error-code.ts';
import { isError } from '../../../model/diagnostic.ts';
import { asTyped, cleanText, safeJson, safeLines } from '../../../model/text/clean.ts';
import { type Json, parseJson } from '../../../model/text/json.ts';
import { filmName, nothingBehind, UsageError } from '../../arguments.ts';
import { command } from '../../command-line/read-arguments.ts';
import { CommandError } from '../../errors/command-error.ts';
import { importComfy } from '../../import/comfy.ts';
import { comfyGraph } from '../../import/comfy-graph.ts';
import { importFal } from '../../import/fal.ts';
import {
  type Imported,
  type ImportedCut,
  type ImportedOutput,
  type ImportedParam,
  type ImportedStep,
  type ImportedValue,
  outputFile,
  stepName,
} from '../../import/imported.ts';
import { jsonText, print, say } from '../../outlets.ts';
import { readText } from '../../session/pipeline-text.ts';

export const main = command('tools import', async ({ values, positionals }) => {
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
      jsonText({
        version: 1,
        from: imported.from,
        pipeline,
        left,
        files,
        mistakes: mistakes.length,
        ...(values.out !== undefined && { out: values.out }),
      }),
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

/** @param name of the pipeline, where the workflow has none. */
export function readWorkflow(text: string, name: string): Imported | string {
  let document: Json;
  try {
    document = parseJson(text.replace(/^\ufeff/, ''));
  } catch (error) {
    return `it is no JSON (${(error as Error).message}); export it again`;
  }
  const graph = comfyGraph(document);
  const imported = graph ? importComfy(graph, name) : importFal(document, name);
  if (imported === undefined)
    return 'it is no workflow that we read: ComfyUI saves one (`Save`, `Export (API)`), and so does fal (`nodes` with `type` and `app`)';
  // A sentence about a node is one line, whatever the node's name.
  const left = imported.left.map(oneLine);
  if (imported.steps.length === 0)
    return ['nothing in it could be carried over:', ...left.map(line => `  ${line}`)].join('\n');
  return { ...imported, left, files: imported.files.map(oneLine), outputs: withLastSteps(imported) };
}

/** A picture or film that nothing reads and nothing saves is an output as well: otherwise it would be paid for, and lie nowhere. */
function withLastSteps({ steps, outputs }: Imported): readonly ImportedOutput[] {
  const read = new Set(
    steps.flatMap(step => ('clips' in step ? step.clips : Object.values(step.fields)).flatMap(stepsIn)),
  );
  const all = [...outputs];
  for (const step of steps) {
    const isText = !('clips' in step) && modelLibrary.get(step.model)?.produces === 'text';
    if (isText || read.has(step.name) || outputs.some(({ from }) => from === step.name)) continue;
    const name = stepName(step.name, new Set(all.map(one => one.name)));
    all.push({ name, from: step.name, to: outputFile(name, step) });
  }
  return all;
}

function stepsIn(value: ImportedValue): readonly string[] {
  if (value.is === 'list') return value.items.flatMap(stepsIn);
  if (value.is === 'joined') return value.parts.flatMap(stepsIn);
  return value.is === 'result' ? [value.step] : [];
}

const oneLine = (text: string): string => {
  const clean = cleanText(text);
  return clean.length <= MAX_LINE ? clean : `${clean.slice(0, MAX_LINE - 1)}…`;
};

const MAX_LINE = 500;

export function pipelineText({ name, from, params, steps, outputs, left, files }: Imported): string {
  const lines = [
    `# Imported from a ${from} workflow.`,
    ...(files.length > 0 ? ['# Put beside this file:', ...files.map(path => comment(`  ${path}`))] : []),
    ...(left.length > 0 ? ['# Not carried over:', ...left.map(line => comment(`  ${line}`))] : []),
    'shotlist: 1',
    `name: ${filmName(name, 'imported')}`,
    ...(params.length > 0 ? ['', 'params:', ...params.map(paramLine)] : []),
    '',
    'steps:',
    ...steps.flatMap((step, at) => [
      ...(at > 0 ? [''] : []),
      ...('clips' in step ? cutLines(step) : stepLines(step, steps)),
    ]),
    ...(outputs.length > 0
      ? [
          '',
          'outputs:',
          ...outputs.map(one => `  ${one.name}: { from: ${expression(`steps.${one.from}`)}, to: ${scalar(one.to)} }`),
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

/** On one line, whatever it holds. */
const comment = (text: string): string =>
  `# ${safeLines(text.slice(0, 2_000)).replace(/\s*[\r\n\u2028\u2029\u0085]+\s*/g, ' ')}`.trimEnd();

function paramLine({ name, type, default: given, about }: ImportedParam): string {
  const parts = [
    `type: ${type}`,
    ...(given === undefined ? [] : [`default: ${scalar(given)}`]),
    ...(about === undefined ? [] : [`description: ${scalar(about)}`]),
  ];
  return `  ${name}: { ${parts.join(', ')} }`;
}

function stepLines(
  { name, was, model, takes, fields }: ImportedStep,
  steps: readonly (ImportedStep | ImportedCut)[],
): readonly string[] {
  return [
    `  ${comment(was)}`,
    `  ${name}:`,
    ...(takes === undefined ? [] : [`    takes: ${takes}`]),
    `    model: ${model}`,
    '    with:',
    ...Object.entries(fields).map(([field, value]) => `      ${field}: ${written(value, steps)}`),
  ];
}

function cutLines({ name, was, clips }: ImportedCut): readonly string[] {
  return [
    `  ${comment(was)}`,
    `  ${name}:`,
    '    cut:',
    '      clips:',
    ...clips.map(clip => `        - ${written(clip, [])}`),
  ];
}

function written(value: ImportedValue, steps: readonly (ImportedStep | ImportedCut)[]): string {
  switch (value.is) {
    case 'literal':
      return scalar(value.value);
    case 'file':
      return scalar(value.path);
    case 'list':
      return `[${value.items.map(item => written(item, steps)).join(', ')}]`;
    case 'joined':
      return scalarOf(joined(value, steps));
    default:
      return expression(read(value, steps));
  }
}

function joined(
  { parts, between = ', ' }: ImportedValue & { readonly is: 'joined' },
  steps: readonly (ImportedStep | ImportedCut)[],
): string {
  return parts
    .map(part => {
      if (part.is === 'joined') return joined(part, steps);
      return part.is === 'literal' ? escaped(String(part.value)) : `\${{ ${read(part, steps)} }}`;
    })
    .join(between);
}

function read(value: ImportedValue, steps: readonly (ImportedStep | ImportedCut)[]): string {
  if (value.is === 'param') return `params.${value.name}`;
  if (value.is !== 'result') throw new Error(`a ${value.is} is written as it is, and not read`);
  const step = steps.find(one => one.name === value.step);
  // Of several pictures the first goes on, as it does in the graph.
  const first = step && 'takes' in step && step.takes !== undefined ? '[0]' : '';
  return `steps.${value.step}${first}.${value.makes === 'text' ? 'text' : 'result_url'}`;
}

const expression = (code: string): string => scalarOf(`\${{ ${code} }}`);
const scalar = (value: unknown): string => (typeof value === 'string' ? scalarOf(escaped(value)) : safeJson(value));
/** JSON's quotes are YAML's. */
const scalarOf = (text: string): string => safeJson(text);
/** Text that looks like an expression stays text. */
const escaped = (text: string): string => text.replaceAll('{{', '\\{{');
