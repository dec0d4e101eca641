/** A studio for `kills.test.ts`: it renders in a few milliseconds, one file that names its generation 4,000 times. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveStudio } from '../../src/studio/service/serve.ts';

const [folder = '', key = ''] = process.argv.slice(2);
const studio = await serveStudio({
  folder,
  key,
  speed: 'draft',
  workers: 2,
  renderer: {
    render: async job => {
      for (let part = 1; part <= 4; part++) await writeFile(join(job.folder, 'result.png'), job.id.repeat(1000 * part));
      return { file: 'result.png', facts: { kind: 'image', format: 'png', width: 1, height: 1 } };
    },
    probe: () => Promise.reject(new Error('nobody sends this studio a file')),
    colours: async () => [],
    close: async () => {},
  },
});
process.stdout.write(`${studio.url}\n`);
