/** What stands in the place of the renderer's own program where tests are not about pictures: ready clips. */
import { serveJobs } from '../../src/machine/process/worker-program.ts';
import type { RenderAnswer, RenderTask } from '../../src/studio/animatic/renderer.ts';
import { readyRenderer } from './ready-renderer.ts';

const ready = readyRenderer();
const { signal } = new AbortController();

serveJobs<RenderTask, RenderAnswer>({
  execute: async (task, progress) => {
    switch (task.type) {
      case 'render':
        return { rendered: await ready.render(task.job, { signal, progress }) };
      case 'probe':
        return { probed: await ready.probe(task.path, signal) };
      case 'colours':
        return { colours: await ready.colours(task.path, signal) };
      case 'rehearse':
        return { rehearsed: true };
    }
  },
  explain: error => ({ message: error instanceof Error ? error.message : String(error) }),
});
