/** `data:`: files beside the pipeline, read before the run, and the type that each of them has in expressions. */
import type { Span } from '../../domain/diagnostic.ts';
import type { Json } from '../../domain/json.ts';
import { nearest } from '../../domain/nearest.ts';
import type { Data } from '../../domain/pipeline.ts';
import type { Findings } from '../findings.ts';
import { messages } from '../messages/index.ts';
import type { ProjectFile, ProjectFiles } from '../project-files.ts';
import type { MapNode, Node } from '../syntax-tree.ts';
import { INT, kindOfPath, list, mediaFacts, type Type, WRONG } from '../types.ts';
import { readTable } from './read-table.ts';
import { typeOfJson } from './type-of-json.ts';

interface DataDeclarations {
  readonly list: readonly Data[];
  readonly types: ReadonlyMap<string, Type>;
}

interface DataContext {
  readonly files: ProjectFiles;
  readonly wrong: ReadonlySet<Node>;
  readonly findings: Findings;
  /** `--data scenes=other.csv`. */
  readonly given: { readonly [name: string]: string };
}

export function readData(section: MapNode | undefined, context: DataContext): DataDeclarations {
  const { findings, given, wrong } = context;
  const data: Data[] = [];
  const types = new Map<string, Type>();
  for (const { name, nameAt, value } of section?.entries ?? []) {
    const path = value.is === 'scalar' && !wrong.has(value) ? value.value : undefined;
    const asked = Object.hasOwn(given, name) ? given[name] : path;
    const read = typeof asked === 'string' ? readOne(name, asked, value.at, context) : undefined;
    types.set(name, read?.type ?? WRONG);
    if (read) data.push({ name, at: nameAt, ...read.content });
  }
  const names = section?.entries.map(({ name }) => name) ?? [];
  for (const name of Object.keys(given))
    if (!names.includes(name))
      findings.add(messages.unknownDataGiven(name, nearest(name, names), names), { start: 0, end: 0 });
  return { list: data, types };
}

interface Read {
  readonly type: Type;
  readonly content: { readonly is: 'value'; readonly value: Json } | FilesContent;
}
interface FilesContent {
  readonly is: 'files';
  readonly paths: readonly string[];
}

/** Undefined where it cannot be read, which is told. */
function readOne(name: string, path: string, at: Span, { files, findings }: DataContext): Read | undefined {
  if (path.includes('${{')) return void findings.add(messages.computedData(name), at);
  if (isGlob(path)) {
    const found = files.list(path);
    if ('problem' in found) return void findings.add(messages.dataFile(path, found.problem), at);
    if (found.paths.length === 0) return void findings.add(messages.noFilesMatch(path), at);
    return { type: list(typeOfFile(found.paths)), content: { is: 'files', paths: found.paths } };
  }
  const found = files.read(path);
  if ('problem' in found) return void findings.add(messages.dataFile(path, found.problem), at);
  const { value, problem } = readTable(path, found.text);
  if (problem !== undefined)
    return void findings.add(messages.dataContent(path, problem), at, noteOfLine(problem, found));
  if (value === undefined) return void findings.add(messages.dataEnding(path), at);
  return { type: typeOfJson(value), content: { is: 'value', value } };
}

/** The line of the table that the problem names. */
function noteOfLine(problem: string, { path, text }: ProjectFile) {
  const line = Number(/^line (\d+):/.exec(problem)?.[1]);
  if (!(line > 0)) return undefined;
  const rows = text.split('\n');
  const start = rows.slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0);
  const span = { start, end: start + (rows[line - 1]?.trimEnd().length ?? 0) };
  return [{ message: messages.lineOfTable, span, source: { path, text } }];
}

const isGlob = (path: string): boolean => /[*?[\]{}]/.test(path);

/** One of the files that a glob matches: what all of them are, where they are of one kind. */
function typeOfFile(paths: readonly string[]): Type {
  const kinds = new Set(paths.map(kindOfPath));
  const [kind] = kinds;
  const leadsTo = kinds.size === 1 ? kind : undefined;
  const plain: Type = { is: 'text', leadsTo: 'none' };
  return {
    is: 'record',
    called: 'a file',
    cel: 'Json',
    fields: new Map<string, Type>([
      ['file', { is: 'text', ...(leadsTo && { leadsTo }) }],
      ['name', plain],
      ['sha256', plain],
      ['bytes', INT],
      ['media', mediaFacts],
    ]),
    leadsTo: leadsTo ?? 'none',
  };
}
