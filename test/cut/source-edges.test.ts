/** Sources that lie at the edge of what there is: mirrored, uneven, odd, of one picture. */
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFootage } from '../../src/media/decode/footage.ts';
import { readPackets, writePackets } from '../../src/media/decode/packets.ts';
import { encode } from '../../src/media/encode/encoder.ts';
import { h264, rateOf } from '../../src/media/encode/encoder-settings.ts';
import { escapePath } from '../../src/media/filtergraph.ts';
import { probe } from '../../src/media/probe.ts';
import { workFolder } from '../support/temp.ts';
import { cutOf, lumaOf, numbered, numberIn, numbersIn, rendered, renderedApart, SIZE, video } from './cuts.ts';
import { writeRaw } from './raw-film.ts';

const folder = await workFolder();

describe('a display matrix', () => {
  /** Four corners of four lights, as they are stored. */
  const CORNERS = [30, 90, 150, 220] as const;
  const stored = async () => {
    const out = `${folder}/corners.mp4`;
    const [a, b, c, d] = CORNERS.map(light => `0x${light.toString(16).padStart(2, '0').repeat(3)}`);
    const box = (at: string, colour: string | undefined) => `drawbox=${at}:w=80:h=45:color=${colour}:t=fill`;
    const boxes = [box('x=0:y=0', a), box('x=80:y=0', b), box('x=0:y=45', c), box('x=80:y=45', d)].join(',');
    const graph = `color=c=black:s=160x90:r=24,format=rgb24,${boxes},scale=out_color_matrix=bt709:out_range=tv,format=yuv420p,trim=end_frame=2[v]`;
    await encode({ graph, video: h264(rateOf(24), { crf: 4 }), out });
    return out;
  };
  const turned = async (name: string, matrix: readonly number[]) => {
    const bytes = await readFile(await stored());
    // The matrix of the track header (ISO/IEC 14496-12, 8.3.2): a, b, u, c, d.
    const at = bytes.indexOf('tkhd') + 44;
    for (const [i, value] of [matrix[0]!, matrix[1]!, 0, matrix[2]!, matrix[3]!].entries())
      bytes.writeInt32BE(value * 0x10000, at + i * 4);
    const out = `${folder}/${name}.mp4`;
    await writeFile(out, bytes);
    return out;
  };
  // In the order top left, top right, bottom left, bottom right, as a player shows them.
  test.each([
    ['none', [1, 0, 0, 1], [0, 1, 2, 3]],
    ['half a turn', [-1, 0, 0, -1], [3, 2, 1, 0]],
    ['mirrored left to right', [-1, 0, 0, 1], [1, 0, 3, 2]],
    ['mirrored top to bottom', [1, 0, 0, -1], [2, 3, 0, 1]],
    ['a quarter turn clockwise', [0, 1, -1, 0], [2, 0, 3, 1]],
    ['a quarter turn back', [0, -1, 1, 0], [1, 3, 0, 2]],
    ['mirrored along one diagonal', [0, 1, 1, 0], [0, 2, 1, 3]],
    ['mirrored along the other', [0, -1, -1, 0], [3, 1, 2, 0]],
  ] as const)('%s', async (name, matrix, shown) => {
    const path = await turned(name, matrix);
    const upright = matrix[0] === 0;
    const size = upright ? { width: 90, height: 160 } : SIZE;
    expect(await probe(path)).toMatchObject(size);
    expect(await openFootage(path)).toMatchObject(size);
    const cut = cutOf([{ frames: 2, picture: await video(path) }], { size });
    const [frame] = await lumaOf(await rendered(cut, folder, `shown-${name}`));
    const at = (x: number, y: number) =>
      frame!.pixels[Math.round(y * size.height) * size.width + Math.round(x * size.width)]!;
    const seen = [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)];
    const nearest = seen.map(light => CORNERS.findIndex(corner => Math.abs(corner - light) < 12));
    expect(nearest).toEqual(shown);
  });
});

test('an uneven clock: each picture stands until the next one begins', async () => {
  const even = await numbered(folder, 'for-uneven', { frames: 8, video: h264(rateOf(24), { crf: 10 }) });
  const { packets, timeBase } = (await readPackets(even, 'video'))!;
  const uneven = `${folder}/uneven-clock.mp4`;
  // In 24ths of a second: as a phone writes them that drops to 8 pictures a second in the dark.
  const begins = [0, 1, 2, 5, 8, 9, 13, 14];
  const tick = (beat: number) => BigInt(Math.round((beat * timeBase.den) / timeBase.num / 24));
  const spread = packets.map(packet => {
    const n = Math.round((Number(packet.pts) * timeBase.num * 24) / timeBase.den);
    return { ...packet, pts: tick(begins[n]!), dts: tick(begins[n]!) };
  });
  await writePackets(uneven, [{ kind: 'video', like: even, packets: spread.sort((a, b) => Number(a.pts - b.pts)) }]);
  const whole = cutOf([{ frames: 15, picture: await video(uneven) }]);
  expect(await numbersIn(await rendered(whole, folder, 'from-clock'))).toEqual([
    ...[0, 1, 2, 2, 2, 3, 3, 3, 4, 5, 5, 5, 5, 6, 7],
  ]);
  const slow = cutOf([{ frames: 6, picture: await video(uneven, { in: 8 / 24, speed: 0.5 }) }]);
  expect(await numbersIn(await rendered(slow, folder, 'slow-clock'))).toEqual([4, 4, 5, 5, 5, 5]);
});

describe('odd sizes', () => {
  test.each([
    ['ffv1', 'matroska', 'yuv420p'],
    ['ffv1', 'matroska', 'yuv444p'],
    ['libx264', 'mov', 'yuv444p'],
  ] as const)('%s in %s, %s: nothing of the edge is lost, and nothing is made up', async (codec, container, format) => {
    const source = await numbered(folder, 'for-odd', { frames: 3 });
    const out = `${folder}/odd-${codec}-${format}.${container === 'mov' ? 'mov' : 'mkv'}`;
    const graph = `movie=${escapePath(source)},scale=159:89,format=${format}`;
    await writeRaw(out, { graph, codec, container, ...(codec === 'libx264' && { options: { crf: 4 } }) });
    expect(await probe(out)).toMatchObject({ width: 159, height: 89 });
    for (const size of [SIZE, { width: 158, height: 88 }]) {
      for (const fit of ['crop', 'pad', 'blur'] as const) {
        const cut = cutOf([{ frames: 3, picture: await video(out, { fit }) }], { size });
        const frames = await lumaOf(await rendered(cut, folder, `from-odd-${size.width}-${fit}`));
        expect(frames.map(frame => numberIn(frame, { x: 0, y: 0, ...size }))).toEqual([0, 1, 2]);
      }
    }
  });

  test('a picture of one pixel, and one that is thinner than a pixel of the film', async () => {
    for (const [name, shape] of [
      ['dot', 'color=c=white:s=2x2:r=24'],
      ['line', 'color=c=white:s=640x2:r=24'],
    ] as const) {
      const out = `${folder}/${name}.mkv`;
      await writeRaw(out, { graph: `${shape},format=yuv444p,trim=end_frame=2`, codec: 'ffv1', container: 'matroska' });
      for (const fit of ['crop', 'pad', 'blur'] as const) {
        const cut = cutOf([{ frames: 2, picture: await video(out, { fit }) }]);
        const [frame] = await lumaOf(await rendered(cut, folder, `from-${name}-${fit}`));
        expect(frame!.pixels[45 * SIZE.width + 80]!, `${name} ${fit}`).toBeGreaterThan(200);
      }
    }
  });
});

describe('short ones', () => {
  test('a film of one picture stands for as long as it is asked for, forward, slow and fast', async () => {
    const one = await numbered(folder, 'one-picture', { frames: 1, from: 77 });
    for (const speed of [1, 0.25, 4]) {
      const cut = cutOf([{ frames: 5, picture: await video(one, { speed }) }]);
      expect(await numbersIn(await rendered(cut, folder, `one-${speed}`))).toEqual([77, 77, 77, 77, 77]);
    }
  });

  test('clips of one frame, with a dissolve that is as long as they are', async () => {
    const source = await numbered(folder, 'steps', { frames: 24 });
    const at = async (n: number) => ({ frames: 1, picture: await video(source, { in: n / 24 }) });
    const hard = cutOf([await at(3), await at(9), await at(20)]);
    expect(await numbersIn(await rendered(hard, folder, 'single'))).toEqual([3, 9, 20]);
    const soft = cutOf([
      { ...(await at(3)), frames: 4 },
      { ...(await at(9)), frames: 2, dissolve: 2 },
      { ...(await at(20)), frames: 3 },
    ]);
    const numbers = await numbersIn(await rendered(soft, folder, 'dissolved-away'));
    expect([numbers.length, ...numbers.slice(0, 2), ...numbers.slice(4)]).toEqual([7, 3, 4, 20, 21, 22]);
  });
});

describe('speeds at the ends', () => {
  test('slow up to the last picture, and fast beyond it', async () => {
    const source = await numbered(folder, 'ends', { frames: 24 });
    const slow = cutOf([{ frames: 8, picture: await video(source, { in: 22 / 24, speed: 0.25 }) }]);
    expect(await numbersIn(await rendered(slow, folder, 'slow-end'))).toEqual([22, 22, 22, 22, 23, 23, 23, 23]);
    const fast = cutOf([{ frames: 5, picture: await video(source, { in: 15 / 24, speed: 4 }) }]);
    expect(await numbersIn(await rendered(fast, folder, 'fast-end'))).toEqual([15, 19, 23, 23, 23]);
  });
});

describe.skipIf(process.platform !== 'linux')('memory', () => {
  test('a hundred files take no more of it than five', async () => {
    const size = { width: 640, height: 360 };
    const files: string[] = [];
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.push(await numbered(folder, `made-${n}`, { frames: 2, from: n, ...size }));
    for (let n = 0; n < 100; n++) {
      files.push(`${folder}/file-${n}.mp4`);
      await copyFile(made[n % 5]!, files[n]!);
    }
    const peakOf = async (count: number) => {
      const shots = files.slice(0, count).map(async path => ({ frames: 2, picture: await video(path) }));
      const cut = cutOf(await Promise.all(shots), { size });
      const film = await renderedApart(cut, folder, `of-${count}`, join(import.meta.dirname, 'tells-its-peak.ts'));
      const numbers = (await lumaOf(film)).map(frame => numberIn(frame, { x: 0, y: 0, ...size }));
      expect(numbers).toEqual(Array.from({ length: count }, (_, n) => [n % 5, (n % 5) + 1]).flat());
      return Number(await readFile(join(folder, 'peak'), 'utf8')) / 1024;
    };
    const [few, many] = [await peakOf(5), await peakOf(100)];
    expect(few).toBeGreaterThan(0);
    expect(many - few).toBeLessThan(60);
  });
});
