/**
 * What commands of a film read of its project, and nobody declared: on this machine it is there, on a worker it would not be. It is seen
 * where a word of a script or an argument is the path of a file of the project that is not handed in with the film. A command works in an
 * empty folder, so that a relative path in a script leads into the project only where the script goes there.
 */
import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Manifest } from '../../cluster/runs/run-rows.ts';
import type { Diagnostic, Source, Span } from '../../domain/diagnostic.ts';
import type { CommandStep, Pipeline, Step, Value } from '../../domain/pipeline.ts';
import { isInside, type Project } from '../../host/project.ts';
import { teamMessages as messages } from './team-messages.ts';

/** Each once for each step, in the order of the file. */
export function undeclaredFiles(
  pipeline: Pick<Pipeline, 'source' | 'steps'>,
  { root, pipelineFile }: Pick<Project, 'root' | 'pipelineFile'>,
  manifest: Manifest,
): readonly Diagnostic[] {
  const from = dirname(resolve(pipelineFile));
  return pipeline.steps.filter(isCommand).flatMap(step => {
    const source = step.inside?.file.source ?? pipeline.source;
    const folder = join(from, step.inside?.file.folder ?? '');
    const created = new Set(step.creates.entries.flatMap(({ value }) => literal(value) ?? []));
    const told = new Set<string>();
    return wordsOf(step, source).flatMap(({ word, at, isInProject }): readonly Diagnostic[] => {
      if (created.has(word)) return [];
      for (const path of placesOf(word, { root, folder, isInProject })) {
        const is = kindAt(path, root);
        const shown = relative(root, path).split(sep).join('/');
        if (!is || manifest[shown] || told.has(shown)) continue;
        // A folder is nothing by itself: it is read where it is named for certain.
        if (is === 'folder' && !isInProject && !isAbsolute(word)) continue;
        told.add(shown);
        const message =
          is === 'folder'
            ? messages.undeclaredFolder(shown)
            : messages.undeclared(shown, relative(folder, path).split(sep).join('/'));
        return [{ severity: 'error', code: 'undeclared-file', message, source, span: at }];
      }
      return [];
    });
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
/** Steps whose work is a command. */
const COMMANDS = { run: true };

interface Word {
  readonly word: string;
  readonly at: Span;
  /** It follows `$SHOTLIST_PROJECT/`. */
  readonly isInProject: boolean;
}

/** What could be a path: no sign that a shell takes for its own. */
const IN_SCRIPT = /(\$\{?SHOTLIST_PROJECT\}?["']?\/)?([\w.@+~/-]+)/g;

function wordsOf({ command, at }: CommandStep, source: Source): readonly Word[] {
  if ('argv' in command)
    return command.argv.slice(1).flatMap(value => {
      const text = literal(value);
      if (text === undefined) return [];
      // `--names=data/names.csv`
      return [text, text.slice(text.indexOf('=') + 1)].map(word => ({ word, at: value.at, isInProject: false }));
    });
  const goesThere = command.script.includes('SHOTLIST_PROJECT');
  return [...command.script.matchAll(IN_SCRIPT)].flatMap(([whole, project, word = '']) => {
    const isInProject = project !== undefined;
    if (!isInProject && !isAbsolute(word) && !(goesThere && /[./]/.test(word))) return [];
    return [{ word, at: spanOf(whole, at, source), isInProject }];
  });
}

/** Where a script says it; its step where it is written otherwise there. */
function spanOf(text: string, step: Span, { text: all }: Source): Span {
  const start = all.indexOf(text, step.end);
  return start < 0 ? step : { start, end: start + text.length };
}

function placesOf(
  word: string,
  { root, folder, isInProject }: { readonly root: string; readonly folder: string; readonly isInProject: boolean },
): readonly string[] {
  const path = word.replace(/\/+$/, '');
  if (path === '' || path === '.' || path === '..') return [];
  const all = isInProject ? [join(root, path)] : isAbsolute(path) ? [path] : [join(root, path), join(folder, path)];
  return all.filter(one => isInside(one, root));
}

function kindAt(path: string, root: string): 'file' | 'folder' | undefined {
  // What the program keeps there is no part of the project.
  if (relative(root, path).startsWith('.shotlist')) return undefined;
  if (!existsSync(path)) return undefined;
  const found = statSync(path);
  if (found.isFile()) return 'file';
  return found.isDirectory() ? 'folder' : undefined;
}

const literal = (value: Value): string | undefined =>
  value.is === 'literal' && typeof value.value === 'string' ? value.value : undefined;
