/**
 * Undeclared files that commands of a film read of its project: on this machine it is there, on a worker it would not be. It is seen
 * where a word of a command, of its environment or of a script of the project is the path of a file that is not handed in with the film.
 *
 * It is a mistake where nothing else can be meant: the path is absolute, or leads there from the project's folder or from the script's own.
 * A command works in an empty folder, so a relative path alone leads nowhere by itself: a program may still find it, and that is a hint.
 */
import { statSync } from 'node:fs';
import { dirname, extname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { readOutsideFile } from '../../machine/files/outside-file.ts';
import { isInside, type Project } from '../../machine/files/project.ts';
import type { Diagnostic, Source, Span } from '../../model/diagnostic.ts';
import type { CommandStep, Pipeline, Step, Value } from '../../model/pipeline.ts';
import { teamMessages as messages } from '../client/team-messages.ts';
import type { Manifest } from '../runs/run-rows.ts';

/** Each once for each step, in the order of the file; then what scripts of the project read. */
export function undeclaredFiles(
  pipeline: Pick<Pipeline, 'source' | 'steps'>,
  { root, pipelineFile }: Pick<Project, 'root' | 'pipelineFile'>,
  manifest: Manifest,
): readonly Diagnostic[] {
  const from = dirname(resolve(pipelineFile));
  const looked = new Set<string>();
  return pipeline.steps.filter(isCommand).flatMap(step => {
    const source = step.inside?.file.source ?? pipeline.source;
    const folder = join(from, step.inside?.file.folder ?? '');
    const reported = new Set<string>();
    const undeclared = (word: Word, isInScript: boolean): readonly Diagnostic[] => {
      const found = undeclaredAt(word, root, manifest);
      if (!found || reported.has(found.shown)) return [];
      reported.add(found.shown);
      const { isSure, source, span } = word;
      const declared = slashed(relative(folder, join(root, found.shown)));
      const message =
        found.is === 'folder'
          ? messages.undeclaredFolder(found.shown)
          : isInScript
            ? messages[isSure ? 'undeclaredInScript' : 'perhapsReadByScript'](found.shown, declared, step.name)
            : messages[isSure ? 'undeclared' : 'perhapsUndeclared'](found.shown, declared);
      return [{ severity: isSure ? 'error' : 'hint', code: 'undeclared-file', message, source, span }];
    };
    const places = { root, folder };
    const scripts = scriptsOf(step, places).filter(path => manifest[shownIn(root, path)] && !looked.has(path));
    for (const path of scripts) looked.add(path);
    return [
      ...wordsOf(step, source, places).flatMap(word => undeclared(word, false)),
      ...scripts.flatMap(path => [...wordsOfScript(path, root)].flatMap(word => undeclared(word, true))),
    ];
  });
}

/** Programs that commands run by a relative path: they lie in the project, and go with the film. Absolute. */
export const programsOf = ({ steps }: Pick<Pipeline, 'steps'>, root: string): readonly string[] =>
  steps.filter(isCommand).flatMap(({ command }) => {
    const [program] = 'argv' in command ? command.argv : [];
    const path = program && literal(program);
    return path?.includes('/') && !isAbsolute(path) && isInside(join(root, path), root) ? [join(root, path)] : [];
  });

const isCommand = (step: Step): step is CommandStep => step.kind in COMMANDS;
const COMMANDS = { run: true };

/** What may be the path of something that is read. */
interface Word {
  /** Where that may lie, absolute, the likeliest first. */
  readonly places: readonly string[];
  /** Where something is there, it is read. */
  readonly isSure: boolean;
  /** So is a folder: by itself it is nothing that is read. */
  readonly mayBeFolder?: boolean;
  readonly source: Source;
  readonly span: Span;
}

/** `shown`: from the project's root. What the program itself keeps is no part of the project. */
function undeclaredAt({ places, mayBeFolder }: Word, root: string, manifest: Manifest) {
  for (const path of places) {
    const shown = shownIn(root, path);
    if (!isInside(path, root) || shown.startsWith('.shotlist') || manifest[shown]) continue;
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile()) return { is: 'file', shown } as const;
    if (found?.isDirectory() && mayBeFolder) return { is: 'folder', shown } as const;
  }
  return undefined;
}

/** `data/beats.csv`, on each system. */
const slashed = (path: string): string => path.split(sep).join('/');
export const shownIn = (root: string, path: string): string => slashed(relative(root, path));

interface Places {
  readonly root: string;
  /** Of the file that holds the step; absolute. */
  readonly folder: string;
}

/** What the command runs or is given, of the project. Absolute. */
function scriptsOf({ command, files }: CommandStep, { root, folder }: Places): readonly string[] {
  const texts = 'argv' in command ? command.argv.flatMap(value => literal(value) ?? []) : [command.script];
  const words = texts.flatMap(text => [text, ...[...text.matchAll(IN_COMMAND)].map(([, , word = '']) => word)]);
  const given = files.entries.flatMap(({ value }) => literal(value) ?? []);
  const paths = [...words, ...given].flatMap(word => [resolve(root, word), resolve(folder, word)]);
  return [...new Set(paths)].filter(path => isInside(path, root));
}

/** What could be a path: no sign that a shell takes for its own. */
const IN_COMMAND = /(\$\{?SHOTLIST_PROJECT\}?["']?\/)?([\w.@+~/-]+)/g;
/** From here on, a relative path leads into the project. */
const GOES_THERE = /\b(?:cd|pushd)\s+["']?\$\{?SHOTLIST_PROJECT/;

function wordsOf(step: CommandStep, source: Source, places: Places): readonly Word[] {
  const { command, env, at } = step;
  const created = new Set(step.creates.entries.flatMap(({ value }) => literal(value) ?? []));
  const wordAt = (word: string, span: Span, isSure: boolean, isInProject = false): readonly Word[] =>
    created.has(word) || ['', '.', '..'].includes(trimmed(word))
      ? []
      : [
          {
            ...{ places: placesOf(trimmed(word), places, isInProject), isSure, source, span },
            mayBeFolder: isInProject || isAbsolute(word),
          },
        ];
  const script = 'script' in command ? command.script : '';
  const goesThere = GOES_THERE.exec(script)?.index ?? Number.POSITIVE_INFINITY;
  const given = 'argv' in command ? command.argv.slice(1) : [];
  return [
    ...given.flatMap(value => {
      const text = literal(value) ?? '';
      // `--names=data/names.csv`
      return [text, text.slice(text.indexOf('=') + 1)].flatMap(word => wordAt(word, value.at, looksLikePath(word)));
    }),
    ...[...script.matchAll(IN_COMMAND)].flatMap(({ index, 0: whole, 1: project, 2: word = '' }) => {
      const isInProject = project !== undefined;
      if (isWritten(script, index, whole.length) || isComment(script, index)) return [];
      const isPath = isInProject || isAbsolute(word);
      if (!isPath && !(script.includes('SHOTLIST_PROJECT') && looksLikePath(word))) return [];
      return wordAt(word, spanOf(whole, at, source), isPath || index > goesThere, isInProject);
    }),
    // `env: { WORDS: data/words.txt }`, and a script that reads `$SHOTLIST_PROJECT/$WORDS`.
    ...env.entries.flatMap(({ name, value }) => {
      const word = literal(value) ?? '';
      const isBelow = new RegExp(`SHOTLIST_PROJECT\\}?["']?/["']?\\$\\{?${name}\\b`).test(script);
      const isSure = isAbsolute(word) || isBelow || GOES_THERE.test(script);
      return looksLikePath(word) ? wordAt(word, value.at, isSure) : [];
    }),
  ];
}

const trimmed = (word: string): string => slashed(word).replace(/\/+$/, '');

const placesOf = (path: string, { root, folder }: Places, isInProject: boolean): readonly string[] =>
  isInProject ? [join(root, path)] : isAbsolute(path) ? [path] : [join(root, path), join(folder, path)];

const looksLikePath = (word: string): boolean => /[./]/.test(word);

/** The place in a script; its step where it is written otherwise there. */
function spanOf(text: string, step: Span, { text: all }: Source): Span {
  const start = all.indexOf(text, step.end);
  return start < 0 ? step : { start, end: start + text.length };
}

/** Bytes: a larger file is data, whatever it is called. */
const LARGEST = 256 * 1024;
const SCRIPT = /^\.(py|sh|bash|zsh|m?js|cjs|m?ts|rb|pl|php|lua|r|ps1)$/i;

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

/** Of a script of the project, what is certain first: each file once. @param path absolute; a file that is no script has none. */
function* wordsOfScript(path: string, root: string): Generator<Word> {
  if (statSync(path).size > LARGEST) return;
  const text = readOutsideFile(path).toString('utf8');
  if (text.includes('\0') || !(SCRIPT.test(extname(path)) || text.startsWith('#!'))) return;
  const source = { path: relative('', path), text };
  const folder = dirname(path);
  const all = function* (pattern: RegExp, isSure: boolean, placesIn: (word: string) => readonly string[]) {
    for (const found of text.matchAll(pattern)) {
      const [whole, word = ''] = found;
      const start = found.index + whole.lastIndexOf(word);
      if (isComment(text, start) || isWritten(text, start, word.length)) continue;
      yield { places: placesIn(word), isSure, source, span: { start, end: start + word.length } };
    }
  };
  yield* all(BELOW_PROJECT, true, word => [join(root, word)]);
  for (const pattern of BELOW_SCRIPT) yield* all(pattern, true, word => [join(folder, word)]);
  if (extname(path).toLowerCase() === '.py') yield* all(PYTHON_IMPORT, false, word => [join(folder, `${word}.py`)]);
  yield* all(QUOTED, false, word => (looksLikePath(word) ? [join(root, word), join(folder, word)] : []));
}

const isComment = (text: string, at: number): boolean =>
  /^\s*(#|\/\/)/.test(text.slice(text.lastIndexOf('\n', at) + 1, at));

/** `> "$SHOTLIST_PROJECT/out.txt"`, `open('out.txt', 'w')` */
const isWritten = (text: string, at: number, length: number): boolean =>
  />\|?\s*["']?(?:\$\{?SHOTLIST_PROJECT\}?["']?\/)?$/.test(text.slice(text.lastIndexOf('\n', at) + 1, at)) ||
  /^["'`]\)?\s*(?:,\s*(?:mode\s*=\s*)?["'][wax]|\.write_)/.test(text.slice(at + length, at + length + 20));

const literal = (value: Value): string | undefined =>
  value.is === 'literal' && typeof value.value === 'string' ? value.value : undefined;
