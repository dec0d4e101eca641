/** `sixel` carries a file that makes a global without saying so, which a module may not. Here it is a variable of that file. */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const UNDECLARED = 'module.exports = UPNG = {};';

export const declaredGlobal: Plugin = {
  name: 'a global is declared',
  setup: bundler =>
    bundler.onLoad({ filter: /node_modules[\\/]sixel[\\/]upng\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes(UNDECLARED)) throw new Error(`${path} no longer says ${UNDECLARED}: see what it says instead`);
      return { contents: text.replace(UNDECLARED, 'var UPNG = module.exports = {};'), loader: 'js' };
    }),
};
