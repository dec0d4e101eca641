/** The process that cuts, which writes the most memory that it has held, in kB, into `peak` beside the film, right before it says that it is done. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { FromWorker, ToWorker } from '../../src/machine/process/worker-program.ts';
import type { CutTask } from '../../src/media/cut/poster.ts';

let folder = '';
process.on('message', ({ job }: ToWorker<CutTask>) => {
  folder = dirname(job.job.out);
});
const send = process.send as (message: FromWorker<object>) => boolean;
process.send = (message: FromWorker<object>) => {
  if (message.type === 'done') writeFileSync(join(folder, 'peak'), String(process.resourceUsage().maxRSS));
  return send.call(process, message);
};
await import('../../src/media/cut/process/cut-program.ts');
