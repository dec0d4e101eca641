/** The digest of everything that `dist/` is built from. The build writes it beside its output, so that tests build only what has changed. */
import { digestOfCode, filesIn } from '../src/studio/animatic/cache/drawing-code.ts';

/** In `dist/`. */
export const BUILT_FROM = 'built-from.txt';

const FOLDERS = ['src', 'schema', 'build'];
const FILES = ['build.config.ts', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.types.json'];

export const sourcesDigest = (): string => digestOfCode('.', [...FOLDERS.flatMap(filesIn), ...FILES], []);
