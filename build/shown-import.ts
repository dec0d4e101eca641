/** `file-type` hides one import from bundlers, so that it stays out of web pages. Here it has to come along. */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const HIDDEN = "importAtRuntime('strtok3')";

export const shownImport: Plugin = {
  name: 'a hidden import is shown',
  setup: bundler =>
    bundler.onLoad({ filter: /node_modules[\\/]file-type[\\/]source[\\/]index\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes(HIDDEN)) throw new Error(`${path} no longer says ${HIDDEN}: see what it imports instead`);
      return { contents: text.replace(HIDDEN, "import('strtok3')"), loader: 'js' };
    }),
};
