/** The guide's pages, taken apart: its files, its commands and its links. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FOLDER } from './pipelines.ts';

export interface GuidePage {
  /** Below the folder of the films: `guide/choosing.md`. */
  readonly path: string;
  readonly text: string;
  /** Files that a reader saves: a fence that names one, ```yaml fox.yaml. */
  readonly files: readonly GuideFile[];
  /** Of its shell blocks, without comments: `run film.yaml --draft`, as words. */
  readonly commands: readonly (readonly [name: string, ...words: string[]])[];
  /** Blocks of TypeScript. */
  readonly programs: readonly string[];
  readonly links: readonly string[];
  /** As a link names them: `lost-answer`. */
  readonly anchors: readonly string[];
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

export function guidePage(path: string, text: string): GuidePage {
  const fences = [...text.matchAll(/^( *)```(\w*)(?: (\S+))?\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', language = '', name = '', body = '']) => ({
      language,
      name,
      body: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
  const prose = text.replaceAll(/^( *)```[\s\S]*?^ *```$/gm, '');
  return {
    path,
    text,
    files: fences.filter(({ name }) => name !== '').map(({ name, body }) => ({ name, text: body })),
    commands: fences.filter(({ language }) => language === 'sh').flatMap(({ body }) => commandsIn(body)),
    programs: fences.filter(({ language }) => language === 'ts').map(({ body }) => body),
    links: [...prose.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link),
    anchors: [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)),
  };
}

/** As GitHub makes them. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

const commandsIn = (block: string): GuidePage['commands'] =>
  block.split('\n').flatMap(line => {
    const words = /^(?:npx )?shotlist (.*)$/.exec(line)?.[1];
    const [name, ...more] = words === undefined ? [] : shellWords(words);
    return name === undefined ? [] : [[name, ...more] as const];
  });

/** As a shell splits them; what is redirected is left out. */
const shellWords = (line: string): readonly string[] =>
  [...line.replace(/ (#|>>?) .*$/, '').matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  );

/** A film, not settings, a workflow or a table. */
export const isFilm = ({ name, text }: GuideFile): boolean =>
  name.endsWith('.yaml') && text.startsWith('shotlist: 1\n');
