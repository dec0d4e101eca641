/** A renderer's first film costs it half a second of loading and of warming up. Done beforehand, nobody waits for it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rendererFor } from '../renderer-for.ts';

/** Short, and it takes what most films take: type, a place, somebody in it, sound, the encoder. */
const REQUEST = { prompt: 'a walker on a hill at dawn, wide shot, slow pan right', duration: 1, seed: 1 };

export async function rehearse(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'shotlist-rehearsal-'));
  try {
    const job = { id: 'rehearsal', label: 'V-T2V-A', kind: 'text_to_video', request: REQUEST, inputs: {} } as const;
    await rendererFor(job)({ ...job, folder, speed: 'draft' }, { progress: () => {} });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
