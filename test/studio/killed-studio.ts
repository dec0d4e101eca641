/** A studio for `restart.test.ts` to kill: it renders for ever. Tells its address on stdout. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveStudio } from '../../src/studio/service/serve.ts';

const [folder = '', key = ''] = process.argv.slice(2);
const studio = await serveStudio({
  folder,
  key,
  speed: 'draft',
  workers: 1,
  renderer: {
    render: async job => {
      writeFileSync(join(job.folder, 'half-a-film.mp4'), 'half a film');
      // A kill between putting a result into its folder and recording it leaves this.
      mkdirSync(join(folder, 'results', job.id));
      process.stdout.write(`rendering ${job.id}\n`);
      return new Promise(() => {});
    },
    probe: () => Promise.reject(new Error('nobody sends this studio a file')),
    colours: async () => [],
    close: async () => {},
  },
});
process.stdout.write(`${studio.url}\n`);
