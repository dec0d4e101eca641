/** The picture that a film shows before it is finished is the film's own first one. */

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { readFrames } from '../../../src/media/decode.ts';
import { renderTextToVideo } from '../../../src/studio/animatic/kinds/text-to-video.ts';
import { FIRST_FRAME } from '../../../src/studio/animatic/picture/first-frame.ts';

test('it is there before the film is, and is what the film begins with', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'shotlist-first-'));
  try {
    const request = { prompt: 'a red fox crossing a frozen river, dawn, wide shot', duration: 1, seed: 3 };
    const job = { id: 'first', label: 'V-T2V-A', request, inputs: {}, folder, speed: 'draft' } as const;
    /** At the first word of progress: whether the picture is there, and the film. */
    let early: readonly boolean[] | undefined;
    const { file } = await renderTextToVideo(job, {
      progress: () => {
        early ??= [FIRST_FRAME, 'result.mp4'].map(name => existsSync(join(folder, name)));
      },
    });
    expect(early).toEqual([true, false]);
    const picture = await loadImage(join(folder, FIRST_FRAME));
    const canvas = createCanvas(picture.width, picture.height);
    canvas.getContext('2d').drawImage(picture, 0, 0);
    const shown = canvas.getContext('2d').getImageData(0, 0, picture.width, picture.height).data;
    const [first, fifteenth] = await framesOf(join(folder, file), [0, 15]);
    expect([first?.width, first?.height]).toEqual([picture.width, picture.height]);
    // Two codecs lie between them, and nothing else.
    expect(meanDifference(shown, first!.pixels)).toBeLessThan(4);
    expect(meanDifference(shown, first!.pixels)).toBeLessThan(meanDifference(shown, fifteenth!.pixels));
  } finally {
    await rm(folder, { recursive: true });
  }
});

async function framesOf(path: string, wanted: readonly number[]) {
  const found = [];
  for await (const frame of readFrames(path)) if (wanted.includes(frame.index)) found.push(frame);
  return found;
}

function meanDifference(a: Uint8ClampedArray, b: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 4)
    for (let channel = 0; channel < 3; channel++) sum += Math.abs((a[at + channel] ?? 0) - (b[at + channel] ?? 0));
  return sum / ((a.length / 4) * 3);
}
