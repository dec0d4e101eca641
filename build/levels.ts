/**
 * A plug-in of the bundler: the code that checks and runs a film comes in few files. The bundler makes a file for each set of entries
 * that share code, which came to 190 files for a run, and Node takes a third of a millisecond to find and link each. Here an entry that
 * uses much of a level imports the whole level, so that most of a level is shared by the same entries.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

type ModulesOptions = Omit<BuildOptions, 'entryPoints'> & { readonly entryPoints: Readonly<Record<string, string>> };

/** The second uses most of the first. */
const LEVELS = ['check', 'run'].map(name => `src/cli/commands/${name}.ts`);
/** Of a level's bytes: an entry that uses less loads only what it uses. */
const LEAST_SHARE = 0.085;

export async function levels(options: ModulesOptions): Promise<Plugin> {
  const { metafile } = await build({ ...options, write: false, metafile: true });
  const heights = heightsOf(metafile, Object.values(options.entryPoints));
  const importsFor = (path: string) =>
    LEVELS.slice(0, heights.get(path) ?? 0)
      .filter(level => resolve(level) !== path)
      .map(level => `import ${JSON.stringify(resolve(level))};`);
  return {
    name: 'levels',
    setup(bundler) {
      // Commands are loaded by a pattern, which no plug-in resolves.
      bundler.onLoad({ filter: /[\\/]src[\\/]cli[\\/]commands[\\/].*\.ts$/, namespace: 'file' }, ({ path }) => {
        return { contents: [readFileSync(path, 'utf8'), ...importsFor(path)].join('\n'), loader: 'ts' };
      });
      // Anything else by way of a file of its own, for it may be a part of a level as well.
      bundler.onResolve({ filter: /^\.\.?\/.*\.tsx?$/ }, ({ path, kind, resolveDir }) => {
        const file = resolve(resolveDir, path);
        return kind === 'dynamic-import' && importsFor(file).length > 0
          ? { path: file, namespace: 'lifted' }
          : undefined;
      });
      bundler.onLoad({ filter: /.*/, namespace: 'lifted' }, ({ path }) => {
        return {
          contents: [...importsFor(path), `export * from ${JSON.stringify(path)};`].join('\n'),
          resolveDir: dirname(path),
        };
      });
    },
  };
}

/** How many levels each entry imports, by its file. Programs that start with nothing loaded import none. */
function heightsOf({ inputs, outputs }: Metafile, programs: readonly string[]): ReadonlyMap<string, number> {
  const importsOf = (path: string, isDynamic: boolean) =>
    (inputs[path]?.imports ?? [])
      .filter(({ external, kind }) => !external && (kind === 'dynamic-import') === isDynamic)
      .map(({ path }) => path);
  const reachOf = (entry: string): ReadonlySet<string> => {
    const reached = new Set([entry]);
    for (const path of reached) for (const next of importsOf(path, false)) reached.add(next);
    return reached;
  };
  const entries = Object.values(outputs).flatMap(({ entryPoint }) => entryPoint ?? []);
  const reaches = new Map(entries.map(entry => [entry, reachOf(entry)]));
  const reach = (entry: string) => reaches.get(entry) ?? new Set<string>();
  const bytes = new Map(
    Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).map(([path, { bytesInOutput }]) => [path, bytesInOutput] as const),
    ),
  );
  const share = (used: ReadonlySet<string>, level: readonly string[]) => {
    const sizeOf = (paths: readonly string[]) => paths.reduce((sum, path) => sum + (bytes.get(path) ?? 0), 0);
    return sizeOf(level.filter(path => used.has(path))) / sizeOf(level);
  };
  const own = LEVELS.map((level, at) =>
    [...reach(level)].filter(path => at === 0 || !reach(LEVELS[at - 1]!).has(path)),
  );

  const heights = new Map<string, number>();
  const visit = (entry: string, loaded: number): void => {
    const used = reach(entry);
    const byUse = own.findLastIndex(level => share(used, level) >= LEAST_SHARE) + 1;
    // What all that load it have loaded already costs nothing.
    const height = programs.includes(entry) ? 0 : Math.max(byUse, loaded);
    if ((heights.get(entry) ?? Number.POSITIVE_INFINITY) <= height) return;
    heights.set(entry, height);
    for (const path of used) for (const next of importsOf(path, true)) visit(next, height);
  };
  const commands = entries.filter(entry => entry.startsWith('src/cli/commands/'));
  for (const begun of [...programs, ...commands]) visit(begun, 0);
  return new Map([...heights].map(([entry, height]) => [resolve(entry), height]));
}
