/**
 * What a script of the project reads beside itself, as far as its text says it: `$SHOTLIST_PROJECT/data/beats.csv`, a name joined to its own
 * folder, an import of a file beside it. Other paths in quotes that lie in the project may be read: nobody can tell from the text.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname, extname, join, relative, sep } from 'node:path';
import type { Manifest } from '../../cluster/runs/run-rows.ts';
import type { Source, Span } from '../../domain/diagnostic.ts';
import { readOutsideFile } from '../../host/outside-file.ts';
import { isInside } from '../../host/project.ts';

export interface ReadInScript {
  /** From the project's root. */
  readonly shown: string;
  readonly isSure: boolean;
  readonly source: Source;
  readonly span: Span;
}

/** Bytes: a larger file is data, whatever it is called. */
const LARGEST = 256 * 1024;
const SCRIPT = /^\.(py|sh|bash|zsh|m?js|cjs|m?ts|rb|pl|php|lua|r|ps1)$/i;

/** @param path absolute; what is no script reads nothing. */
export function readInScripts(
  path: string,
  { root, manifest }: { readonly root: string; readonly manifest: Manifest },
): readonly ReadInScript[] {
  const text = scriptAt(path);
  if (text === undefined) return [];
  const source = { path: relative('', path), text };
  const seen = new Set<string>();
  return [...named(text, path, root)].flatMap(({ places, isSure, at, length }) => {
    if (isComment(text, at) || isWritten(text, at, length)) return [];
    const file = places.find(place => isInside(place, root) && kindAt(place, root) === 'file');
    const shown = file && slashed(relative(root, file));
    if (!file || !shown || file === path || manifest[shown] || seen.has(shown)) return [];
    seen.add(shown);
    return [{ shown, isSure, source, span: { start: at, end: at + length } }];
  });
}

function scriptAt(path: string): string | undefined {
  if (statSync(path).size > LARGEST) return undefined;
  const text = readOutsideFile(path).toString('utf8');
  return !text.includes('\0') && (SCRIPT.test(extname(path)) || text.startsWith('#!')) ? text : undefined;
}

interface Named {
  /** Where it may lie, absolute, the likeliest first. */
  readonly places: readonly string[];
  readonly isSure: boolean;
  readonly at: number;
  readonly length: number;
}

const PATH = '[\\w.@+/-]+';
/** What is joined to the project's folder: `"$SHOTLIST_PROJECT/a"`, `os.environ["SHOTLIST_PROJECT"] + "/a"`, `join(…, 'a')`, `Path(…) / "a"`. */
const BELOW_PROJECT = new RegExp(`SHOTLIST_PROJECT["'\`)\\]}]*(?:\\s*[,+/]\\s*["'\`])?/?(${PATH})`, 'g');
/** The same of the folder that the script lies in. */
const BELOW_SCRIPT = [
  new RegExp(
    `(?:__file__|__dirname|import\\.meta\\.dirname)[)\\].\\w(]*(?:\\s*[,+/]\\s*["'\`]/?|\\}/)(${PATH})(?=["'\`])`,
    'g',
  ),
  new RegExp(`new URL\\(\\s*["'\`](${PATH})["'\`]\\s*,\\s*import\\.meta`, 'g'),
  new RegExp(`\\$\\(dirname\\s+(?:--\\s+)?["']?\\$\\{?(?:0|BASH_SOURCE(?:\\[0\\])?)\\}?["']?\\)["']?/(${PATH})`, 'g'),
  new RegExp(`(?:\\bfrom|\\brequire\\(|\\bimport\\(?)\\s*["'](\\.{1,2}/${PATH})["']`, 'g'),
];
const QUOTED = new RegExp(`(?<=["'\`])(${PATH})(?=["'\`])`, 'g');
const PYTHON_IMPORT = /^[ \t]*(?:from|import)[ \t]+(\w+)/gm;

/** What is certain first: each file is told once. */
function* named(text: string, path: string, root: string): Generator<Named> {
  const folder = dirname(path);
  const all = function* (pattern: RegExp, isSure: boolean, placesOf: (word: string) => readonly string[]) {
    for (const found of text.matchAll(pattern)) {
      const [whole, word = ''] = found;
      yield { places: placesOf(word), isSure, at: found.index + whole.lastIndexOf(word), length: word.length };
    }
  };
  yield* all(BELOW_PROJECT, true, word => [join(root, word)]);
  for (const pattern of BELOW_SCRIPT) yield* all(pattern, true, word => [join(folder, word)]);
  if (extname(path).toLowerCase() === '.py') yield* all(PYTHON_IMPORT, false, word => [join(folder, `${word}.py`)]);
  yield* all(QUOTED, false, word => (/[./]/.test(word) ? [join(root, word), join(folder, word)] : []));
}

const isComment = (text: string, at: number): boolean =>
  /^\s*(#|\/\/)/.test(text.slice(text.lastIndexOf('\n', at) + 1, at));

/** `> "$SHOTLIST_PROJECT/out.txt"`, `open('out.txt', 'w')` */
const isWritten = (text: string, at: number, length: number): boolean =>
  />\|?\s*["']?(?:\$\{?SHOTLIST_PROJECT\}?["']?\/)?$/.test(text.slice(text.lastIndexOf('\n', at) + 1, at)) ||
  /^["'`]\)?\s*(?:,\s*(?:mode\s*=\s*)?["'][wax]|\.write_)/.test(text.slice(at + length, at + length + 20));

/** What the program itself keeps is no part of the project. @param path absolute. */
export function kindAt(path: string, root: string): 'file' | 'folder' | undefined {
  if (relative(root, path).startsWith('.shotlist')) return undefined;
  if (!existsSync(path)) return undefined;
  const found = statSync(path);
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'folder' : undefined;
}

/** `data/beats.csv`, on each system. */
export const slashed = (path: string): string => path.split(sep).join('/');
