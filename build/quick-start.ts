/** A plug-in of the bundler: what would cost every command time as it is loaded is made at first use. */
import { createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

/**
 * A module that imports one of these evaluates all that it exports, getters too: `node:http` loads Node's own client for `WebSocket`
 * (35 ms), `node:process` makes three streams. Required, only what is read is made.
 */
const WITH_COSTLY_EXPORTS = /^(node:)?(http|https|process|util)$/;

/**
 * Packages that nearly no start needs: `string-width` makes a segmenter and an expression of all emoji as it is loaded (20 ms); `ajv` is for
 * requests (5 ms), `yaml` for files that the quick readers give up (4 ms). Each function that they export loads them with its first call.
 */
const COSTLY_TO_LOAD = /^(string-width|yaml|ajv|ajv\/dist\/2020\.js)$/;

const functionsOf = (path: string): readonly string[] =>
  Object.entries(createRequire(import.meta.url)(path)).flatMap(([name, is]) => (typeof is === 'function' ? name : []));

export const quickStart: Plugin = {
  name: 'a quick start',
  setup(bundler) {
    bundler.onResolve({ filter: WITH_COSTLY_EXPORTS }, ({ path, kind }) =>
      kind === 'import-statement' ? { path: path.replace(/^(node:)?/, 'node:'), namespace: 'required' } : undefined,
    );
    bundler.onLoad({ filter: /.*/, namespace: 'required' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)});`,
      loader: 'js',
    }));
    bundler.onResolve({ filter: COSTLY_TO_LOAD }, ({ path, kind, resolveDir }) =>
      kind === 'import-statement' && !resolveDir.includes('node_modules')
        ? { path, namespace: 'late', pluginData: resolveDir }
        : undefined,
    );
    bundler.onLoad({ filter: /.*/, namespace: 'late' }, ({ path, pluginData: resolveDir }) => ({
      contents: functionsOf(path)
        .map(
          name => `function ${name}_(...given) {
  const real = require(${JSON.stringify(path)}).${name};
  return new.target ? new real(...given) : real(...given);
}
export { ${name}_ as ${name} };`,
        )
        .join('\n'),
      loader: 'js',
      resolveDir,
    }));
  },
};
