/** A renderer for `render-workers.test.ts`: does what the prompt says. */
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FromWorker, RenderJob, ToWorker } from '../../src/studio/animatic/job.ts';

const tell = (message: FromWorker) => process.send?.(message);

const acts: { readonly [prompt: string]: (job: RenderJob) => void } = {
  draw: ({ id, folder }) => {
    tell({ type: 'progress', id, fraction: 0.5 });
    writeFileSync(join(folder, 'result.txt'), 'drawn');
    tell({ type: 'done', id, result: { file: 'result.txt', facts: { kind: 'image', format: `by ${process.pid}` } } });
  },
  refuse: ({ id }) => tell({ type: 'failed', id, message: 'the prompt holds no shot' }),
  stumble: ({ id }) => tell({ type: 'failed', id, message: 'the fault is ours', bug: 'Error: no frame\n    at draw' }),
  crash: () => {
    process.stderr.write('free(): invalid pointer\n', () => process.kill(process.pid, 'SIGSEGV'));
  },
  'be stopped at first': job => {
    const marker = join(job.folder, '..', 'was-here');
    if (existsSync(marker)) return acts.draw?.(job);
    writeFileSync(marker, '');
    writeFileSync(join(job.folder, 'half.txt'), 'half');
    process.kill(process.pid, 'SIGTERM');
  },
  'be stopped': () => process.kill(process.pid, 'SIGTERM'),
  'leave somebody behind': () => {
    // An encoder that never ends, and holds our pipes open.
    const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    process.stderr.write(`left ${pid}\n`, () => process.exit(3));
  },
  leave: () => process.exit(3),
  hang: ({ id }) => {
    tell({ type: 'progress', id, fraction: 0.1 });
    // Deaf to everything but SIGKILL, as a native call that never returns would be.
    for (;;);
  },
  'tell the environment': ({ id }) =>
    tell({
      type: 'failed',
      id,
      message: JSON.stringify(Object.keys(process.env).filter(name => !name.startsWith('__'))),
    }),
};

/** What it does with a file hangs on the file's name. */
const looks: { readonly [name: string]: (id: string) => void } = {
  'whole.mp4': id => tell({ type: 'probed', id, facts: { kind: 'video', format: `by ${process.pid}` } }),
  'text.mp4': id => tell({ type: 'failed', id, message: 'the file is text, not media: check the address' }),
  'odd.mp4': id => tell({ type: 'failed', id, message: 'the fault is ours', bug: 'Error: no clock\n    at probe' }),
  'deadly.mp4': () => process.kill(process.pid, 'SIGSEGV'),
  'endless.mp4': () => {
    tell({ type: 'progress', id: 'nobody', fraction: 0 });
    for (;;);
  },
};

process.on('disconnect', () => process.exit());
process.on('message', (message: ToWorker) => {
  if (message.type === 'probe') looks[basename(message.path)]?.(message.id);
  else acts[String(message.job.request.prompt)]?.(message.job);
});
tell({ type: 'ready' });
