/** A plug-in of the bundler: what would cost every command time as it is loaded is made at first use. */
import type { Plugin } from 'esbuild';

/**
 * A module that imports one of these evaluates all that it exports, getters too: `node:http` loads Node's own client for `WebSocket`
 * (35 ms), `node:process` makes three streams. Required, only what is read is made.
 */
const WITH_COSTLY_EXPORTS = /^(node:)?(http|https|process|util)$/;

/** Makes a segmenter and an expression of all emoji as it is loaded (20 ms); nearly no text needs them. */
const COSTLY_TO_LOAD = /^string-width$/;

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
      kind === 'import-statement' ? { path, namespace: 'late', pluginData: resolveDir } : undefined,
    );
    bundler.onLoad({ filter: /.*/, namespace: 'late' }, ({ path, pluginData: resolveDir }) => ({
      contents: `export default (...args) => require(${JSON.stringify(path)}).default(...args);`,
      loader: 'js',
      resolveDir,
    }));
  },
};
