import { fileURLToPath } from 'node:url';

/**
 * Where a program of ours lies that runs in a process or thread of its own: beside the bundle, or as it is in the source.
 * @param from `import.meta.url` of the module that starts it; @param source as seen from there, @param built as seen from the bundle.
 */
export const programFile = (from: string, source: `./${string}.ts`, built: `./${string}.js`): string =>
  fileURLToPath(new URL(from.endsWith('.ts') ? source : built, from));
