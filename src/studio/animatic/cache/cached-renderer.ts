/**
 * A renderer that draws each thing once. A result is found again by the content of what it was made of: the request, the bytes of the
 * inputs, the speed, the code that draws and the kind of processor. So a result from the cache is the one that would have been drawn,
 * byte for byte. What is learned of an input (its facts, its colours) is found again in the same way: a run of which everything is in
 * the cache starts no renderer.
 *
 * Refusals and failures are not kept, and neither is the early first picture of a film: a film from the cache is there at once.
 */

import type { Clock } from '../../../machine/time/clock.ts';
import type { Json } from '../../../model/text/json.ts';
import type { RenderJob, RenderResult } from '../job.ts';
import type { Renderer, RenderHooks } from '../renderer.ts';
import { RenderEntries, type RenderEntriesOptions } from './render-entries.ts';
import { drawnBy, fileKey, jobKey } from './render-key.ts';

export interface CachedRendererOptions extends Omit<RenderEntriesOptions, 'clock'> {
  readonly clock: Clock;
  /** Names what draws: the code and the kind of processor. */
  readonly drawnBy?: () => Promise<string>;
}

/** Milliseconds between two looks at whether another process has drawn what is wanted here. */
const LOOK = 50;

export function cachedRenderer(renderer: Renderer, options: CachedRendererOptions): Renderer {
  const entries = new RenderEntries(options);
  const { clock, drawnBy: nameDrawing = drawnBy } = options;
  let standsBy = false;
  let draws: Promise<string> | undefined;
  const drawing = () => (draws ??= nameDrawing());

  return {
    render: async (job, hooks) => {
      const { signal } = hooks;
      const key = await jobKey(await drawing(), job);
      for (;;) {
        signal.throwIfAborted();
        const kept = await takeResult(key, job, hooks);
        if (kept) return kept;
        await using claim = await entries.claim(key);
        // Another process may have drawn it in between.
        if (claim) return (await takeResult(key, job, hooks)) ?? (await draw(key, job, hooks));
        await clock.sleep(LOOK, signal);
      }
    },
    probe: (path, signal) => known('facts', path, () => renderer.probe(path, signal)),
    colours: (path, signal) => known('colours', path, () => renderer.colours(path, signal)),
    // A renderer is kept warm from the first thing on that has to be drawn.
    standBy: () => {
      standsBy = true;
    },
    close: async () => {
      await renderer.close();
      await entries.close();
    },
  };

  async function takeResult(
    key: string,
    { folder }: RenderJob,
    { progress }: RenderHooks,
  ): Promise<RenderResult | undefined> {
    const kept = await entries.take(key, folder);
    if (kept !== undefined) progress(1);
    return kept as unknown as RenderResult | undefined;
  }

  async function draw(key: string, job: RenderJob, { signal, progress }: RenderHooks): Promise<RenderResult> {
    const result = await renderer.render(job, {
      signal,
      progress: fraction => {
        // Not before the renderer that draws has begun to get somewhere: the next one is made ready beside it.
        if (standsBy) renderer.standBy?.();
        standsBy = false;
        progress(fraction);
      },
    });
    const files = [result.file, ...(result.cleanPlate === undefined ? [] : [result.cleanPlate])];
    await entries.keep(key, result as unknown as Json, { folder: job.folder, files });
    return result;
  }

  /** What is known of a file by its bytes. */
  async function known<T>(of: 'facts' | 'colours', path: string, learn: () => Promise<T>): Promise<T> {
    const key = await fileKey(await drawing(), of, path);
    const kept = await entries.take(key);
    if (kept !== undefined) return kept as T;
    const learned = await learn();
    await entries.keep(key, learned as Json);
    return learned;
  }
}
