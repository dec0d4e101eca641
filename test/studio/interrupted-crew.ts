/** For `render-workers.test.ts`: renders without end until somebody presses Ctrl-C, then says what became of the render. */
import { join } from 'node:path';
import { systemClock } from '../../src/machine/time/clock.ts';
import { renderWorkers } from '../../src/studio/animatic/process/render-workers.ts';

const [folder = ''] = process.argv.slice(2);
const crew = renderWorkers({
  clock: systemClock,
  log: () => {},
  environment: {},
  entry: join(import.meta.dirname, 'scripted-worker.ts'),
});
const job = (id: string, prompt: string) =>
  ({ id, label: 'I-GEN-A', kind: 'image_generate', request: { prompt }, inputs: {}, folder, speed: 'draft' }) as const;

const stop = new AbortController();
process.once('SIGINT', async () => {
  process.stdout.write('interrupted\n');
  // As long as another worker takes to start and draw: time enough to hear of a renderer that the signal had ended.
  await crew.render(job('second', 'draw'), { progress: () => {}, signal: new AbortController().signal });
  stop.abort();
});
await crew
  .render(job('first', 'hang'), { progress: () => process.stdout.write('rendering\n'), signal: stop.signal })
  .catch((error: Error) => process.stdout.write(`${error.message}\n`));
await crew.close();
