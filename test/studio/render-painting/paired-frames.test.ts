import { describe, expect, test } from 'vitest';
import { splitPairs } from '../../../src/studio/animatic/picture/paired-frames.ts';

function* numbered(count: number, painted: number[]) {
  for (let i = 0; i < count; i++) {
    painted.push(i);
    yield { slated: Uint8Array.of(i), clean: Uint8Array.of(100 + i) };
  }
}
const all = async (pictures: AsyncIterable<Uint8Array>) => {
  const seen: number[] = [];
  for await (const picture of pictures) seen.push(picture[0] ?? -1);
  return seen;
};

describe('one painting for two films', () => {
  test('each takes every picture once, and each is painted once', async () => {
    const painted: number[] = [];
    const { slated, clean } = splitPairs(numbered(5, painted));
    expect(await Promise.all([all(slated), all(clean)])).toEqual([
      [0, 1, 2, 3, 4],
      [100, 101, 102, 103, 104],
    ]);
    expect(painted).toEqual([0, 1, 2, 3, 4]);
  });

  test('the faster one waits: no picture is painted before both are done with the one before', async () => {
    const painted: number[] = [];
    const { slated, clean } = splitPairs(numbered(5, painted));
    const [fast, slow] = [slated[Symbol.asyncIterator](), clean[Symbol.asyncIterator]()];
    await Promise.all([fast.next(), slow.next()]);
    const second = fast.next();
    expect(painted).toEqual([0]);
    await Promise.all([slow.next(), second]);
    expect(painted).toEqual([0, 1]);
  });

  test('when one gives up, the other ends and nothing more is painted', async () => {
    const painted: number[] = [];
    const { slated, clean } = splitPairs(numbered(50, painted));
    const giveUp = async () => {
      for await (const picture of slated) if (picture[0] === 2) break;
    };
    const [, seen] = await Promise.all([giveUp(), all(clean)]);
    expect(seen.length).toBeLessThanOrEqual(4);
    expect(painted.length).toBeLessThanOrEqual(4);
  });
});
