/** A small picture of a result, for a terminal: drawn once, in a process of its own, and nowhere kept. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../machine/time/clock.ts';

/** Pixels. */
interface Extent {
  readonly width: number;
  readonly height: number;
}

interface SmallPictureOf {
  readonly file: string;
  readonly kind: 'image' | 'video';
  /** Of a video. */
  readonly seconds: number;
  /** It fits into these. */
  readonly within: Extent;
}

interface DrawnPicture extends Extent {
  /** Red, green, blue and alpha of each pixel, row by row. */
  readonly rgba: Uint8Array;
  readonly png: Uint8Array;
}

/** Undefined where it cannot be drawn, or what draws is not installed. */
export async function smallPicture(
  { file, kind, seconds, within }: SmallPictureOf,
  signal: AbortSignal,
): Promise<DrawnPicture | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'shotlist-picture-'));
  try {
    const [{ Posters }, { default: sharp }] = await Promise.all([
      import('../../media/cut/poster-workers.ts'),
      import('sharp'),
    ]);
    const to = join(folder, 'small.jpg');
    await using posters = new Posters({ clock: systemClock });
    const most = Math.max(within.width, within.height);
    const drawn = await posters.draw({ file, facts: { kind, duration: seconds }, within: most, to }, signal);
    if (drawn.is !== 'ok') return undefined;
    const fitted = sharp(await readFile(to)).resize({ ...within, fit: 'inside', withoutEnlargement: true });
    const { data, info } = await fitted.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    const { width, height } = info;
    const png = await sharp(data, { raw: { width, height, channels: 4 } })
      .png()
      .toBuffer();
    return { width, height, rgba: data, png };
  } catch {
    // A picture is an ornament: a run reports no missing one.
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
