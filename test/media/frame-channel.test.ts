import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type FrameChannel, frameChannel, receivedFrames } from '../../src/media/decode/frame-channel.ts';

const SHAPE = { width: 1, height: 1, fps: 24 };

/** Pictures of one pixel, and which of them were drawn. */
function numbered(count: number) {
  const drawn: (number | 'ended early')[] = [];
  function* pixels() {
    try {
      for (let n = 0; n < count; n++) {
        drawn.push(n);
        yield Uint8Array.of(n, n, n, 255);
      }
    } finally {
      if (drawn.length < count) drawn.push('ended early');
    }
  }
  return { drawn, pixels: pixels() };
}

/** As many turns of both sides as anything here takes. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}

async function all({ end }: FrameChannel): Promise<number[]> {
  const seen: number[] = [];
  for await (const picture of receivedFrames(end)) seen.push(picture[0] ?? -1);
  return seen;
}

test('pictures arrive in order, each once', async () => {
  const { drawn, pixels } = numbered(5);
  const pictures = frameChannel({ ...SHAPE, pixels });
  expect(await all(pictures)).toEqual([0, 1, 2, 3, 4]);
  await pictures.close();
  expect(drawn).toEqual([0, 1, 2, 3, 4]);
});

test('one is drawn ahead while the last is looked at, which stays as it was', async () => {
  const { drawn, pixels } = numbered(5);
  const pictures = frameChannel({ ...SHAPE, pixels });
  const taken = receivedFrames(pictures.end);
  const first = await taken.next();
  await turns();
  expect([drawn, [...(first.value ?? [])]]).toEqual([
    [0, 1],
    [0, 0, 0, 255],
  ]);
  await taken.next();
  await turns();
  expect(drawn).toEqual([0, 1, 2]);
  await pictures.close();
});

test('a channel that is closed draws no more', async () => {
  const { drawn, pixels } = numbered(5);
  const pictures = frameChannel({ ...SHAPE, pixels });
  await receivedFrames(pictures.end).next();
  await pictures.close();
  expect(drawn.at(-1)).toBe('ended early');
});

test('what drawing throws is kept for the drawing side, and ends the other', async () => {
  const mishap = new Error('the paint is dry');
  function* pixels() {
    yield Uint8Array.of(0, 0, 0, 255);
    throw mishap;
  }
  const pictures = frameChannel({ ...SHAPE, pixels: pixels() });
  await expect(all(pictures)).rejects.toThrow('the drawing failed');
  expect(pictures.failure?.error).toBe(mishap);
  await pictures.close();
});

test('a picture of another size is nobody’s picture', async () => {
  const pictures = frameChannel({ ...SHAPE, pixels: [new Uint8Array(3)] });
  await expect(all(pictures)).rejects.toThrow();
  expect(pictures.failure?.error).toEqual(new Error('a drawn picture has 3 bytes, but 1x1 RGBA has 4'));
  await pictures.close();
});
