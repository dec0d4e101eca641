/**
 * What commands of a film read of its project, and nobody declared: on this machine it is there, on a worker it would not be. It is seen
 * where a word of a command, of its environment or of a script of the project is the path of a file that is not handed in with the film.
 *
 * It is a mistake where nothing else can be meant: the path is absolute, or leads there from the project's folder or from the script's own.
 * A command works in an empty folder, so a relative path alone leads nowhere by itself: a program may still find it, and that is a hint.
 */
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Manifest } from '../../cluster/runs/run-rows.ts';
import type { Diagnostic, Source, Span } from '../../domain/diagnostic.ts';
import type { CommandStep, Pipeline, Step, Value } from '../../domain/pipeline.ts';
import { isInside, type Project } from '../../host/project.ts';
import { kindAt, readInScripts, slashed } from './script-paths.ts';
import { teamMessages as messages } from './team-messages.ts';

/** Each once for each step, in the order of the file; what scripts of the project read stands behind it. */
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
    const declared = (path: string) => slashed(relative(folder, path));
    const told = new Set<string>();
    const own = wordsOf(step, source).flatMap((word): readonly Diagnostic[] => {
      const found = undeclaredIn(word, { root, folder, manifest });
      if (!found || told.has(found.shown)) return [];
      told.add(found.shown);
      const words = word.isSure ? messages.undeclared : messages.perhapsUndeclared;
      const message =
        found.is === 'folder'
          ? messages.undeclaredFolder(found.shown)
          : words(found.shown, declared(join(root, found.shown)));
      return [{ ...severityOf(word), message, source, span: word.at }];
    });
    const scripts = scriptsOf(step, { root, folder, manifest }).filter(path => !looked.has(path));
    for (const path of scripts) looked.add(path);
    const inScripts = scripts.flatMap(path =>
      readInScripts(path, { root, manifest }).flatMap(({ shown, isSure, source: script, span }) => {
        if (told.has(shown)) return [];
        told.add(shown);
        const words = isSure ? messages.undeclaredInScript : messages.perhapsReadByScript;
        const message = words(shown, declared(join(root, shown)), step.name);
        return [{ ...severityOf({ isSure }), message, source: script, span }];
      }),
    );
    return [...own, ...inScripts];
  });
}

/** Programs that commands run by a relative path: they lie in the project, and go with the film. Absolute. */
export const programsOf = ({ steps }: Pick<Pipeline, 'steps'>, root: string): readonly string[] =>
  steps.filter(isCommand).flatMap(({ command }) => {
    const [program] = 'argv' in command ? command.argv : [];
    const path = program && literal(program);
    return path?.includes('/') && !isAbsolute(path) && isInside(join(root, path), root) ? [join(root, path)] : [];
  });

const severityOf = ({ isSure }: Pick<Word, 'isSure'>) =>
  ({ severity: isSure ? 'error' : 'hint', code: 'undeclared-file' }) satisfies Partial<Diagnostic>;

const isCommand = (step: Step): step is CommandStep => step.kind in COMMANDS;
/** Steps whose work is a command. */
const COMMANDS = { run: true };

interface Word {
  readonly word: string;
  readonly at: Span;
  /** It follows `$SHOTLIST_PROJECT/`. */
  readonly isInProject: boolean;
  /** Where it is the path of a file, the command reads that file. */
  readonly isSure: boolean;
}

interface Places {
  readonly root: string;
  /** Of the file that holds the step; absolute. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** A folder is nothing by itself: it is read where it is named for certain. */
function undeclaredIn({ word, isInProject }: Word, { root, folder, manifest }: Places) {
  for (const path of placesOf(word, { root, folder, isInProject })) {
    const is = kindAt(path, root);
    const shown = slashed(relative(root, path));
    if (!is || manifest[shown]) continue;
    if (is === 'folder' && !isInProject && !isAbsolute(word)) continue;
    return { is, shown };
  }
  return undefined;
}

/** Of the project, and handed in: what the command runs or is given. Absolute. */
function scriptsOf(step: CommandStep, { root, folder, manifest }: Places): readonly string[] {
  const { command, files } = step;
  const texts = 'argv' in command ? command.argv.flatMap(value => literal(value) ?? []) : [command.script];
  const words = texts.flatMap(text => [text, ...[...text.matchAll(IN_SCRIPT)].map(([, , word = '']) => word)]);
  const given = files.entries.flatMap(({ value }) => literal(value) ?? []);
  const paths = [...words, ...given].flatMap(word => [resolve(root, word), resolve(folder, word)]);
  return [...new Set(paths)].filter(path => isInside(path, root) && manifest[slashed(relative(root, path))]);
}

/** What could be a path: no sign that a shell takes for its own. */
const IN_SCRIPT = /(\$\{?SHOTLIST_PROJECT\}?["']?\/)?([\w.@+~/-]+)/g;
/** From here on, a relative path leads into the project. */
const GOES_THERE = /\b(?:cd|pushd)\s+["']?\$\{?SHOTLIST_PROJECT/;
/** Right before a path: it is written, and not read. */
const WRITES = />\|?\s*["']?$/;

function wordsOf(step: CommandStep, source: Source): readonly Word[] {
  const created = new Set(step.creates.entries.flatMap(({ value }) => literal(value) ?? []));
  return [...wordsOfCommand(step, source), ...wordsOfEnvironment(step)].filter(({ word }) => !created.has(word));
}

function wordsOfCommand({ command, at }: CommandStep, source: Source): readonly Word[] {
  if ('argv' in command)
    return command.argv.slice(1).flatMap(value => {
      const text = literal(value);
      if (text === undefined) return [];
      // `--names=data/names.csv`
      return [text, text.slice(text.indexOf('=') + 1)].map(word => {
        return { word, at: value.at, isInProject: false, isSure: looksLikePath(word) };
      });
    });
  const { script } = command;
  const goesThere = GOES_THERE.exec(script)?.index ?? Number.POSITIVE_INFINITY;
  return [...script.matchAll(IN_SCRIPT)].flatMap(({ index, 0: whole, 1: project, 2: word = '' }) => {
    const isInProject = project !== undefined;
    if (WRITES.test(script.slice(0, index)) || isComment(script, index)) return [];
    if (!isInProject && !isAbsolute(word) && !(script.includes('SHOTLIST_PROJECT') && looksLikePath(word))) return [];
    const isSure = isInProject || isAbsolute(word) || index > goesThere;
    return [{ word, at: spanOf(whole, at, source), isInProject, isSure }];
  });
}

/** `env: { WORDS: data/words.txt }`, and a script that reads `$SHOTLIST_PROJECT/$WORDS`. */
function wordsOfEnvironment({ command, env }: CommandStep): readonly Word[] {
  const script = 'script' in command ? command.script : '';
  return env.entries.flatMap(({ name, value }) => {
    const word = literal(value);
    if (word === undefined || !looksLikePath(word)) return [];
    const isBelow = new RegExp(`SHOTLIST_PROJECT\\}?["']?/["']?\\$\\{?${name}\\b`).test(script);
    return [{ word, at: value.at, isInProject: false, isSure: isAbsolute(word) || isBelow || GOES_THERE.test(script) }];
  });
}

const looksLikePath = (word: string): boolean => /[./]/.test(word);

const isComment = (script: string, index: number): boolean =>
  /^\s*#/.test(script.slice(script.lastIndexOf('\n', index) + 1, index));

/** Where a script says it; its step where it is written otherwise there. */
function spanOf(text: string, step: Span, { text: all }: Source): Span {
  const start = all.indexOf(text, step.end);
  return start < 0 ? step : { start, end: start + text.length };
}

function placesOf(
  word: string,
  { root, folder, isInProject }: { readonly root: string; readonly folder: string; readonly isInProject: boolean },
): readonly string[] {
  const path = word.split(sep).join('/').replace(/\/+$/, '');
  if (path === '' || path === '.' || path === '..') return [];
  const all = isInProject ? [join(root, path)] : isAbsolute(path) ? [path] : [join(root, path), join(folder, path)];
  return all.filter(one => isInside(one, root));
}

const literal = (value: Value): string | undefined =>
  value.is === 'literal' && typeof value.value === 'string' ? value.value : undefined;
