/** A plug-in of the bundler: Ink without React's developer tools, and with a Yoga that decodes its own bytes without `fetch`. */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

const ASKS = '"function"!=typeof fetch';

export const inkBundle: Plugin = {
  name: 'ink, smaller',
  setup(bundler) {
    // Yoga reads its bytes, a `data:` address, with `fetch`, which loads Node's HTTP client: 50 ms and 12 MB. Where there is no `fetch` it
    // decodes them itself.
    bundler.onLoad({ filter: /node_modules[\\/]yoga-layout[\\/].*yoga-wasm-base64-esm\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      if (!text.includes(ASKS)) throw new Error(`${path} no longer says ${ASKS}: see how it loads itself instead`);
      return { contents: `var fetch;\n${text}`, loader: 'js' };
    });
    bundler.onLoad({ filter: /node_modules[\\/]ink[\\/]build[\\/]devtools\.js$/ }, () => ({
      contents: '',
      loader: 'js',
    }));
    // Ink and its cursor would listen to every signal that ends a process. We have listeners of our own, and restore the terminal ourselves.
    bundler.onLoad({ filter: /node_modules[\\/]signal-exit[\\/]/ }, () => ({
      contents: 'export const onExit = () => () => {}; export default onExit;',
      loader: 'js',
    }));
  },
};
