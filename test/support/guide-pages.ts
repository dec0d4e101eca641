/** The guide's pages, taken apart: its files, its commands and its links. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDER } from './pipelines.ts';

export interface GuidePage {
  /** Below the folder of the films: `guide/choosing.md`. */
  readonly path: string;
  readonly text: string;
  /** What a reader does, in the page's order. */
  readonly acts: readonly GuideAct[];
  /** Files that a reader saves: a fence that names one, ```yaml fox.yaml. */
  readonly files: readonly GuideFile[];
  /** Of its shell blocks, without comments: `run film.yaml --draft`, as words. */
  readonly commands: readonly (readonly [name: string, ...words: string[]])[];
  readonly links: readonly string[];
  /** As a link names them: `lost-answer`. */
  readonly anchors: readonly string[];
}

/** A block, the beginning of a section, or a sentence of the form "Change `this` to `that`", which is done in the file that was saved last. */
export type GuideAct =
  | { readonly is: 'file'; readonly file: GuideFile }
  | { readonly is: 'line'; readonly line: GuideLine }
  | { readonly is: 'program'; readonly text: string }
  | { readonly is: 'edit'; readonly from: string; readonly to: string }
  | { readonly is: 'section'; readonly anchor: string };

/** A line of a shell block. */
export interface GuideLine {
  /** As it is typed, without its comment. */
  readonly typed: string;
  /** `PROD_KEY=local` before the program. */
  readonly env: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  /** What its comment promises (`# exit code 5: …`); 0 where it says nothing. */
  readonly exit: number;
  /** Its comment says that Ctrl-C ends it. */
  readonly goesOn: boolean;
}

export interface GuideFile {
  readonly name: string;
  readonly text: string;
}

/** `AGENTS.md` and `README.md` of the films' folder, and every page below `guide/`. */
export function guidePages(): readonly GuidePage[] {
  const below = readdirSync(join(FOLDER, 'guide')).map(name => `guide/${name}`);
  const paths = ['README.md', 'AGENTS.md', ...below.sort()].filter(path => path.endsWith('.md'));
  return paths.map(path => guidePage(path, readFileSync(join(FOLDER, path), 'utf8')));
}

function guidePage(path: string, text: string): GuidePage {
  const acts = [...text.matchAll(ACT)].flatMap(
    ([, indent = '', language = '', name = '', block = '', from, to, heading]) => {
      if (heading !== undefined) return [{ is: 'section', anchor: anchorOf(heading) } as const];
      if (from !== undefined && to !== undefined) return [{ is: 'edit', from, to } as const];
      const body = block.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
      return actsIn(language, name, body);
    },
  );
  const prose = text.replaceAll(/^( *)```[\s\S]*?^ *```$/gm, '');
  const lines = acts.flatMap(act => (act.is === 'line' ? [act.line] : []));
  return {
    ...{ path, text, acts },
    files: acts.flatMap(act => (act.is === 'file' ? [act.file] : [])),
    commands: lines.flatMap(line => {
      const [name, ...more] = shotlistWords(line) ?? [];
      return name === undefined ? [] : [[name, ...more] as const];
    }),
    links: [...prose.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link),
    anchors: [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)),
  };
}

/** A fence with its language and name, a sentence that changes the file, or a heading. */
const ACT = /^( *)```(\w*)(?: (\S+))?\n([\s\S]*?)^ *```$|Change `([^`]+)` to `([^`]+)`|^## (.+)$/gm;

function actsIn(language: string, name: string, body: string): readonly GuideAct[] {
  if (name !== '') return [{ is: 'file', file: { name, text: body } }];
  if (language === 'ts') return [{ is: 'program', text: body }];
  if (language !== 'sh') return [];
  return body
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => ({ is: 'line', line: lineIn(line) }));
}

/** As GitHub makes them. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

function lineIn(line: string): GuideLine {
  const [typed = '', comment = ''] = line.split(/ +# /);
  const words = shellWords(typed);
  const at = words.findIndex(word => !/^[A-Z_]+=/.test(word));
  const env = Object.fromEntries(words.slice(0, at).map(word => word.split(/=(.*)/s, 2) as [string, string]));
  const exit = Number(/exit code (\d+)/.exec(comment)?.[1] ?? 0);
  return { typed, env, words: words.slice(at), exit, goesOn: comment.includes('Ctrl-C') };
}

/** What `shotlist` is given by this line; undefined where another program begins it. */
export function shotlistWords({ words }: GuideLine): readonly string[] | undefined {
  const [program, ...more] = words[0] === 'npx' ? words.slice(1) : words;
  return program === 'shotlist' ? more : undefined;
}

/** As a shell splits them. */
export const shellWords = (line: string): readonly string[] =>
  [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'));

/** A film, not settings, a workflow or a table. */
export const isFilm = ({ name, text }: GuideFile): boolean =>
  name.endsWith('.yaml') && text.startsWith('shotlist: 1\n');
