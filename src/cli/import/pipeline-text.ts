/** An imported workflow as the text of a pipeline file, with what could not be carried over as comments at its head. */
import { safeLines } from '../../domain/clean.ts';
import type { Imported, ImportedCut, ImportedParam, ImportedStep, ImportedValue } from './imported.ts';

export function pipelineText({ name, from, params, steps, outputs, left, files }: Imported): string {
  const lines = [
    `# Imported from a ${from} workflow.`,
    ...(files.length > 0 ? ['# Put beside this file:', ...files.map(path => comment(`  ${path}`))] : []),
    ...(left.length > 0 ? ['# Not carried over:', ...left.map(line => comment(`  ${line}`))] : []),
    'shotlist: 1',
    `name: ${slug(name)}`,
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

const slug = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || 'imported';

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
const scalar = (value: unknown): string =>
  typeof value === 'string' ? scalarOf(escaped(value)) : JSON.stringify(value);
/** JSON's quotes are YAML's. */
const scalarOf = (text: string): string => JSON.stringify(text);
/** Text that looks like an expression stays text. */
const escaped = (text: string): string => text.replaceAll('{{', '\\{{');
