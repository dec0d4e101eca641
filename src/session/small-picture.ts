/** A small picture of a result, for a terminal: drawn once, in a process of its own, and nowhere kept. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../host/clock.ts';

/** Pixels, at most. */
const WITHIN = 480;

/** A PNG; undefined where it cannot be drawn, or what draws is not installed. */
export async function smallPicture(
  file: string,
  kind: 'image' | 'video',
  seconds: number,
  signal: AbortSignal,
): Promise<Uint8Array | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'shotlist-picture-'));
  try {
    const [{ Posters }, { default: sharp }] = await Promise.all([import('../cutting/posters.ts'), import('sharp')]);
    const to = join(folder, 'small.jpg');
    await using posters = new Posters({ clock: systemClock });
    const drawn = await posters.draw({ file, facts: { kind, duration: seconds }, within: WITHIN, to }, signal);
    return drawn.is === 'ok'
      ? await sharp(await readFile(to))
          .png()
          .toBuffer()
      : undefined;
  } catch {
    // A picture is an ornament: a run says nothing about one that is not there.
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
