/**
 * A pipeline as a program gives it → a text that is compiled like any other. An object is written as JSON, which is YAML; what is wrong with
 * it is located by its path in the object (`steps.shot.with.promt`), a mistake in a text by its line and column.
 */
import { mkdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { Findings } from '../language/checks/findings.ts';
import type { MapNode, Node } from '../language/yaml/syntax-tree.ts';
import { readTree } from '../language/yaml/yaml-tree.ts';
import { readOutsideFile } from '../machine/files/outside-file.ts';
import { findProject, type Project, SETTINGS_FILE, STATE_FOLDER } from '../machine/files/project.ts';
import type { Diagnostic, Source, Span } from '../model/diagnostic.ts';
import type { ModelNames, PipelineDefinition } from './define-pipeline.ts';

export interface ReadPipeline {
  readonly source: Source;
  readonly project: Project;
  readonly mistake: (diagnostic: Diagnostic) => Mistake;
}

/** @param folder of the project; the pipeline is in it. @throws the system's error for a file that cannot be read. */
export async function readPipeline(input: PipelineInput, folder: string | undefined): Promise<ReadPipeline> {
  if ('file' in input) {
    const file = resolve(folder ?? '', input.file);
    const project = folder === undefined ? await findProject(file, resolve()) : projectAt(resolve(folder), file);
    return {
      source: { path: relative('', file), text: readOutsideFile(file).toString('utf8') },
      project,
      mistake: inText,
    };
  }
  const root = resolve(folder ?? '');
  if ('text' in input) {
    const path = input.path ?? 'film.yaml';
    return { source: { path, text: input.text }, project: projectAt(root, resolve(root, path)), mistake: inText };
  }
  const text = JSON.stringify(input, null, 2);
  const { name } = input as { readonly name?: unknown };
  const called = typeof name === 'string' && /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,80}$/u.test(name) ? name : 'film';
  const source: Source = { path: called, text };
  const tree = readTree(source, new Findings(source));
  return {
    source,
    project: projectAt(root, join(root, `${called.replaceAll(' ', '-')}.yaml`)),
    mistake: diagnostic => inObject(diagnostic, tree),
  };
}

const projectAt = (root: string, pipelineFile: string): Project => ({
  ...{ root, pipelineFile },
  settingsFile: join(root, SETTINGS_FILE),
  stateFolder: join(root, STATE_FOLDER),
});

/** A program may name a folder that is still to be made. */
export async function makeFolder({ root }: Project): Promise<void> {
  await mkdir(root, { recursive: true });
}

function inText({ severity, code, message, source, span, notes = [] }: Diagnostic): Mistake {
  const where = ({ start }: Span) => `${source.path}:${placeOf(source.text, start)}`;
  const noted = notes.map(note => ({ message: note.message, where: where(note.span) }));
  return { severity, code, message, where: where(span), notes: noted };
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`;
}

/** A diagnostic about a param is in no object: its own source has its place. */
function inObject(diagnostic: Diagnostic, tree: MapNode | undefined): Mistake {
  const { severity, code, message, source, span, notes = [] } = diagnostic;
  if (source.path.startsWith('--')) return { ...inText(diagnostic), where: source.text.split('=')[0] ?? source.path };
  const where = (at: Span) => (tree ? pathTo(tree, at) : '');
  const noted = notes.map(note => ({ message: note.message, where: where(note.span) }));
  return { severity, code, message, where: where(span), notes: noted };
}

/** `steps.shot.matrix.ratio[1]`; empty for the object as a whole. */
function pathTo(node: Node, { start, end }: Span): string {
  const holds = (at: Span) => at.start <= start && end <= at.end;
  if (node.is === 'map')
    for (const { name, nameAt, value } of node.entries)
      if (holds(nameAt) || holds(value.at)) return joined(name, holds(value.at) ? pathTo(value, { start, end }) : '');
  if (node.is === 'list')
    for (const [index, item] of node.items.entries())
      if (holds(item.at)) return joined(`[${index}]`, pathTo(item, { start, end }));
  return '';
}

const joined = (first: string, rest: string): string =>
  rest === '' ? first : rest.startsWith('[') ? first + rest : `${first}.${rest}`;

/** A file, a text, or an object. */
export type PipelineInput =
  | { readonly file: string }
  /** `path`: how messages call it. */
  | { readonly text: string; readonly path?: string }
  // biome-ignore lint/suspicious/noExplicitAny: whatever names for models a definition has, it is one.
  | PipelineDefinition<any>
  | PipelineDefinition<ModelNames>;

/** What is wrong with a pipeline, or odd about it. */
export interface Mistake {
  readonly severity: Diagnostic['severity'];
  /** Stable, for tools: `unknown-field`. */
  readonly code: string;
  /** What is wrong, and what to write instead. */
  readonly message: string;
  /** `steps.shot.with.promt` in an object, `film.yaml:4:7` in a text. */
  readonly where: string;
  /** Other places that belong to it. */
  readonly notes: readonly { readonly message: string; readonly where: string }[];
}
