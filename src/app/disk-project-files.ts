/** The files beside a pipeline, as the language reads them from this machine's disk. */
import { createHash } from 'node:crypto';
import { globSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { FileProblem, ProjectFile, ProjectFiles } from '../language/used-files.ts';
import { FileRefused, NOT_UTF8, nearestFile, readOutsideFile, unreadableText } from '../machine/files/outside-file.ts';
import { isInside } from '../machine/files/project.ts';
import { naturally } from '../model/text/nearest.ts';

/** Files of one glob. */
const MOST = 10_000;

/** @param file the pipeline's own path. @param root nothing outside this folder is read; both relative to the working directory. */
export function diskProjectFiles(file: string, root: string): ProjectFiles {
  const folder = dirname(resolve(file));
  const limits = resolve(root);
  return {
    read: path => readText(resolve(folder, path), path, limits),
    list: pattern => listFiles(folder, pattern, limits),
    relativeTo: path => diskProjectFiles(resolve(folder, path), root),
  };
}

function readText(file: string, given: string, root: string): ProjectFile | FileProblem {
  try {
    const outside = whyOutside(realpathSync(file), given, root);
    if (outside) return outside;
    const bytes = readOutsideFile(file);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { path: relative('', file), text, sha256: createHash('sha256').update(bytes).digest('hex') };
  } catch (error) {
    if (error instanceof FileRefused) return { problem: error.why };
    const problem = whyNotRead(error as NodeJS.ErrnoException);
    const near = problem === NOT_THERE && isInside(file, root) ? nearestFile(given, file) : undefined;
    return { problem: near === undefined ? problem : `${problem}; did you mean \`${near}\`?` };
  }
}

function listFiles(folder: string, pattern: string, root: string): { readonly paths: readonly string[] } | FileProblem {
  try {
    const paths: string[] = [];
    for (const entry of globSync(pattern, { cwd: folder, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      const outside = whyOutside(file, pattern, root);
      if (outside) return outside;
      paths.push(relative(folder, file).split(sep).join('/'));
      if (paths.length > MOST) return { problem: `matches more than ${MOST.toLocaleString('en')} files` };
    }
    return { paths: paths.sort(naturally) };
  } catch (error) {
    return { problem: whyNotRead(error as NodeJS.ErrnoException) };
  }
}

function whyOutside(file: string, given: string, root: string): FileProblem | undefined {
  const real = realpathSync(root);
  if (isInside(file, real) || isInside(file, root)) return undefined;
  const why = isAbsolute(given) ? 'is an absolute path' : 'lies outside the project';
  return {
    problem: `${why}, with the root ${real}; copy it there, or put a \`shotlist.config.yaml\` into a folder above both`,
  };
}

function whyNotRead({ code, name, message }: NodeJS.ErrnoException): string {
  if (code === 'ERR_INVALID_ARG_VALUE') return 'is a name that no file can have';
  if (name === 'TypeError' || code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return unreadableText(NOT_UTF8);
  return REASONS[code ?? ''] ?? `cannot be read (${message})`;
}

const NOT_THERE = 'does not exist';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: NOT_THERE,
  ENOTDIR: NOT_THERE,
  EISDIR: 'is a folder; name a file in it',
  EACCES: 'may not be read; change its permissions',
  EPERM: 'may not be read; change its permissions',
  ELOOP: 'is a link that leads to itself',
};
