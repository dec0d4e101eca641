/**
 * A renderer that draws each thing once. A result is found again by the content of what it was made of: the request, the bytes of the
 * inputs, the speed, the code that draws and the kind of processor. So a result from the cache is the one that would have been drawn,
 * byte for byte. What is learned of an input (its facts, its colours) is found again in the same way: a run of which everything is in
 * the cache starts no renderer.
 *
 * Refusals and failures are not kept, and neither is the early first picture of a film: a film from the cache is there at once.
 */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { arch, cpus, platform } from 'node:os';
import { extname } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import type { Clock } from '../../../machine/time/clock.ts';
import { canonical, type Json } from '../../../model/text/json.ts';
import { digestOf } from '../../../records/store/digest.ts';
import type { LocalInput, RenderJob, RenderResult } from '../job.ts';
import type { Renderer, RenderHooks } from '../renderer.ts';
import { withoutMedia } from '../request/request-fields.ts';
import { drawingCode } from './drawing-code.ts';
import { RenderEntries, type RenderEntriesOptions } from './render-entries.ts';

export interface CachedRendererOptions extends Omit<RenderEntriesOptions, 'clock'> {
  readonly clock: Clock;
  /** Names what draws: the code and the kind of processor. */
  readonly drawnBy?: () => Promise<string>;
}

/** Milliseconds between two looks at whether another process has drawn what is wanted here. */
const LOOK = 50;

export class CachedRenderer implements Renderer {
  readonly #renderer: Renderer;
  readonly #entries: RenderEntries;
  readonly #clock: Clock;
  readonly #drawnBy: () => Promise<string>;
  #drawing: Promise<string> | undefined;
  #standsBy = false;

  constructor(renderer: Renderer, options: CachedRendererOptions) {
    this.#renderer = renderer;
    this.#entries = new RenderEntries(options);
    this.#clock = options.clock;
    this.#drawnBy = options.drawnBy ?? drawnBy;
  }

  async render(job: RenderJob, hooks: RenderHooks): Promise<RenderResult> {
    const key = await jobKey(await this.#drawingName(), job);
    for (;;) {
      hooks.signal.throwIfAborted();
      const kept = await this.#takeResult(key, job, hooks);
      if (kept) return kept;
      await using claim = await this.#entries.claim(key);
      // Another process may have drawn it in between.
      if (claim) return (await this.#takeResult(key, job, hooks)) ?? (await this.#draw(key, job, hooks));
      await this.#clock.sleep(LOOK, hooks.signal);
    }
  }

  probe(path: string, signal: AbortSignal) {
    return this.#known('facts', path, () => this.#renderer.probe(path, signal));
  }

  colours(path: string, signal: AbortSignal) {
    return this.#known('colours', path, () => this.#renderer.colours(path, signal));
  }

  /** A renderer is kept warm from the first thing on that has to be drawn. */
  standBy(): void {
    this.#standsBy = true;
  }

  async close(): Promise<void> {
    await this.#renderer.close();
    await this.#entries.close();
  }

  #drawingName(): Promise<string> {
    this.#drawing ??= this.#drawnBy();
    return this.#drawing;
  }

  async #takeResult(key: string, { folder }: RenderJob, { progress }: RenderHooks): Promise<RenderResult | undefined> {
    const kept = await this.#entries.take(key, folder);
    if (kept !== undefined) progress(1);
    return kept as unknown as RenderResult | undefined;
  }

  async #draw(key: string, job: RenderJob, { signal, progress }: RenderHooks): Promise<RenderResult> {
    const result = await this.#renderer.render(job, {
      signal,
      progress: fraction => {
        // Not before the renderer that draws has begun to get somewhere: the next one is made ready beside it.
        if (this.#standsBy) this.#renderer.standBy?.();
        this.#standsBy = false;
        progress(fraction);
      },
    });
    const files = [result.file, ...(result.cleanPlate === undefined ? [] : [result.cleanPlate])];
    await this.#entries.keep(key, result as unknown as Json, { folder: job.folder, files });
    return result;
  }

  /** What is known of a file by its bytes. */
  async #known<T>(of: 'facts' | 'colours', path: string, learn: () => Promise<T>): Promise<T> {
    const key = await fileKey(await this.#drawingName(), of, path);
    const kept = await this.#entries.take(key);
    if (kept !== undefined) return kept as T;
    const learned = await learn();
    await this.#entries.keep(key, learned as Json);
    return learned;
  }
}

/**
 * What a render is known by: everything that reaches its pictures, and nothing else. Neither its id nor where its files lie does.
 * @param drawing see {@link drawnBy}.
 */
async function jobKey(drawing: string, job: RenderJob): Promise<string> {
  const media: { [field: string]: Json } = {};
  for (const [field, given] of Object.entries(job.inputs)) media[field] = await Promise.all(given.map(contentOf));
  return keyOf({ render: job.label, request: withoutMedia(job), inputs: media, speed: job.speed, drawing });
}

/** The key of what is learned of a file. */
const fileKey = async (drawing: string, of: string, path: string): Promise<string> =>
  keyOf({ of, ...(await bytesOf(path)), drawing });

/** Names the code that draws and the kind of processor it runs on: both decide the bytes of a result. */
const drawnBy = async (): Promise<string> => keyOf([await drawingCode(), machineClass()]);

async function contentOf({ path, cleanPlate, facts }: LocalInput): Promise<Json> {
  const plate = cleanPlate === undefined ? null : await bytesOf(cleanPlate);
  return { ...(await bytesOf(path)), plate, facts: { ...facts } };
}

/** Libav also goes by how a name ends when it finds out what a file is. */
const bytesOf = async (path: string) => ({ sha256: (await digestOf(path)).sha256, ending: extname(path) });

const keyOf = (value: Json): string => createHash('sha256').update(canonical(value)).digest('hex');

/**
 * The kind of machine that a digest of a film holds for. Libav and the canvas choose their code by what the processor can do, and the
 * same picture comes out one bit brighter or darker by it; V8 does the arithmetic of a scene.
 */
function machineClass(): string {
  // V8's tag changes with its version, its flags and the features of the processor that it compiles for.
  return [platform(), arch(), cpus()[0]?.model ?? '', ...features(), cachedDataVersionTag()].join('\n');
}

/** Lines of `/proc/cpuinfo` that say what the processor is and can do, not how fast it runs at the moment. */
const FEATURES =
  /^(vendor_id|cpu family|model|stepping|flags|Features|CPU (implementer|architecture|variant|part))\s*:/;

/** Of the first processor; empty where the system does not tell. */
function features(): readonly string[] {
  try {
    const [first = ''] = readFileSync('/proc/cpuinfo', 'utf8').split('\n\n');
    return first.split('\n').filter(line => FEATURES.test(line));
  } catch {
    return [];
  }
}
