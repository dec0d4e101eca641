/** A renderer for `render-workers.test.ts`: does what the prompt says. */
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { FromWorker, ToWorker } from '../../src/machine/process/worker-program.ts';
import type { RenderJob } from '../../src/studio/animatic/job.ts';
import type { RenderAnswer, RenderTask } from '../../src/studio/animatic/renderer.ts';

const tell = (message: FromWorker<RenderAnswer>) => process.send?.(message);

const acts: { readonly [prompt: string]: (id: string, job: RenderJob) => void } = {
  draw: (id, { folder }) => {
    tell({ type: 'progress', id, fraction: 0.5 });
    writeFileSync(join(folder, 'result.txt'), 'drawn');
    tell({
      type: 'done',
      id,
      result: { rendered: { file: 'result.txt', facts: { kind: 'image', format: `by ${process.pid}` } } },
    });
  },
  refuse: id => tell({ type: 'failed', id, message: 'the prompt holds no shot' }),
  stumble: id => tell({ type: 'failed', id, message: 'the fault is ours', bug: 'Error: no frame\n    at draw' }),
  crash: () => {
    process.stderr.write('free(): invalid pointer\n', () => process.kill(process.pid, 'SIGSEGV'));
  },
  'be stopped at first': (id, job) => {
    const marker = join(job.folder, '..', 'was-here');
    if (existsSync(marker)) return acts.draw?.(id, job);
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
  hang: id => {
    tell({ type: 'progress', id, fraction: 0.1 });
    // Deaf to everything but SIGKILL, as a native call that never returns would be.
    for (;;);
  },
  'tell the environment': id =>
    tell({
      type: 'failed',
      id,
      message: JSON.stringify(Object.keys(process.env).filter(name => !name.startsWith('__'))),
    }),
};

/** What it does with a file hangs on the file's name. */
const looks: { readonly [name: string]: (id: string) => void } = {
  'whole.mp4': id => tell({ type: 'done', id, result: { probed: { kind: 'video', format: `by ${process.pid}` } } }),
  'text.mp4': id => tell({ type: 'failed', id, message: 'the file is text, not media: check the address' }),
  'odd.mp4': id => tell({ type: 'failed', id, message: 'the fault is ours', bug: 'Error: no clock\n    at probe' }),
  'deadly.mp4': () => process.kill(process.pid, 'SIGSEGV'),
  'endless.mp4': () => {
    tell({ type: 'progress', id: 'nobody', fraction: 0 });
    for (;;);
  },
};

process.on('disconnect', () => process.exit());
process.on('message', ({ id, job: task }: ToWorker<RenderTask>) => {
  if (task.type === 'rehearse') tell({ type: 'done', id, result: { rehearsed: true } });
  else if (task.type !== 'render') looks[basename(task.path)]?.(id);
  else acts[String(task.job.request.prompt)]?.(id, task.job);
});
tell({ type: 'ready' });
