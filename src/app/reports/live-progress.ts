/**
 * How far each generation of a run is, for other processes of this machine: the journal keeps what is worth keeping, and this is worth
 * nothing a second later. A small file beside the run's others, which its process writes now and then and takes away at its end. Without
 * it, or with one that is old, nothing is lost but a fraction on a page.
 */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere } from '../../machine/files/files.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { RecordedEvent, Reporter } from '../../model/run/event.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { isObject, type Json, recordIn } from '../../model/text/json.ts';
import { applyProgress, type Progress } from '../../records/views/progress.ts';

/** Milliseconds between two writes. */
const PACE = 500;

/** @param folder of what is private to the film's runs. */
export const progressFile = (folder: string): string => join(folder, 'progress.json');

/** Writes it while a run goes on. */
export class ProgressFile implements Reporter {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #now = new Map<InstanceKey, Progress>();
  #writing: Promise<void> | undefined;
  #isOver = false;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  report(event: RecordedEvent): void {
    if (event.type === 'run_finished' || event.type === 'run_detached') this.#end();
    if (this.#isOver || !applyProgress(this.#now, event)) return;
    this.#writing ??= this.#write();
  }

  async close(): Promise<void> {
    this.#end();
    await this.#writing;
  }

  /** All that happens within a moment is one write. */
  async #write(): Promise<void> {
    await this.#clock.sleep(PACE, undefined, 'in the background');
    const path = progressFile(this.#folder);
    this.#writing = undefined;
    if (this.#isOver) return;
    try {
      await mkdir(this.#folder, { recursive: true });
      await writeFile(`${path}.tmp`, JSON.stringify(Object.fromEntries(this.#now)));
      await rename(`${path}.tmp`, path);
      if (this.#isOver) await rm(path, { force: true });
    } catch {
      // A disk that is full has more to lose than this.
    }
  }

  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    void rm(progressFile(this.#folder), { force: true }).catch(() => {});
  }
}

/** Empty without news. */
export async function readProgress(folder: string): Promise<ReadonlyMap<string, Progress>> {
  try {
    const record = recordIn((await readIfThere(progressFile(folder))) ?? '');
    if (!isObject(record)) return new Map();
    return new Map(Object.entries(record).flatMap(([key, one]) => (isProgress(one) ? [[key, one as never]] : [])));
  } catch {
    return new Map();
  }
}

function isProgress(one: Json): boolean {
  if (!isObject(one)) return false;
  const { status, position, fraction } = one;
  const isNumber = (value: Json | undefined) => value === null || typeof value === 'number';
  return typeof status === 'string' && isNumber(position) && isNumber(fraction);
}
