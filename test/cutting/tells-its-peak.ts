/** The process that cuts, which writes the most memory that it has held, in kB, into `peak` beside the film, right before it says that it is done. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { CutTask } from '../../src/cutting/poster.ts';
import type { FromWorker, ToWorker } from '../../src/host/worker-program.ts';

let folder = '';
process.on('message', ({ job }: ToWorker<CutTask>) => {
  folder = dirname(job.job.out);
});
const send = process.send as (message: FromWorker<object>) => boolean;
process.send = (message: FromWorker<object>) => {
  if (message.type === 'done') writeFileSync(join(folder, 'peak'), String(process.resourceUsage().maxRSS));
  return send.call(process, message);
};
await import('../../src/cutting/process/cut-program.ts');
