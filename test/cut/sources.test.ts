/** Sources as the world makes them: what counts is what a player shows. */
import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { readFrames } from '../../src/media/decode/decode.ts';
import { readPackets, writePackets } from '../../src/media/decode/packets.ts';
import { encode } from '../../src/media/encode/encoder.ts';
import { h264, hevcMain10, rateOf } from '../../src/media/encode/encoder-settings.ts';
import { escapePath, toYuv } from '../../src/media/filtergraph.ts';
import { workFolder } from '../support/temp.ts';
import { cutOf, lumaOf, numbered, numbersIn, rendered, SIZE, video } from './cuts.ts';
import { writeRaw } from './raw-film.ts';

const folder = await workFolder();

describe('times', () => {
  test.each([
    ['a clock that does not begin at zero', 72, [0, 1, 2, 36, 37, 38]],
    ['a clip that was cut without encoding begins with the first picture that is seen', -10, [10, 11, 12, 46, 47, 48]],
  ])('%s', async (_name, shift, numbers) => {
    const source = await numbered(folder, 'unshifted', { frames: 60 });
    const shifted = `${folder}/shifted.mp4`;
    const { packets, timeBase } = (await readPackets(source, 'video'))!;
    const by = BigInt(Math.round((shift / 24) * (timeBase.den / timeBase.num)));
    const moved = packets.map(packet => ({ ...packet, pts: packet.pts + by, dts: packet.dts + by }));
    await writePackets(shifted, [{ kind: 'video', like: source, packets: moved }]);
    const cut = cutOf([
      { frames: 3, picture: await video(shifted) },
      { frames: 3, picture: await video(shifted, { in: 1.5 }) },
    ]);
    expect(await numbersIn(await rendered(cut, folder, 'from-shifted'))).toEqual(numbers);
  });

  test('pictures in both directions, entered in the middle', async () => {
    const b = { codec: 'libx264', pixelFormat: 'yuv420p', rate: rateOf(24) } as const;
    const settings = { ...b, options: { preset: 'medium', crf: 10, g: 250, bf: 3, 'x264-params': 'mbtree=0' } };
    const source = await numbered(folder, 'both', { frames: 96, video: settings });
    const cut = cutOf([
      { frames: 4, picture: await video(source, { in: 70 / 24 }) },
      { frames: 4, picture: await video(source, { in: 13 / 24 }) },
    ]);
    const numbers = await numbersIn(await rendered(cut, folder, 'from-both'));
    expect(numbers).toEqual([70, 71, 72, 73, 13, 14, 15, 16]);
  });
});

describe('shapes', () => {
  test('pixels that are not square are shown as wide as they are', async () => {
    const squeezed = `${folder}/squeezed.mp4`;
    const source = await numbered(folder, 'square', { frames: 3 });
    await encode({
      graph: `movie=${escapePath(source)},scale=80:90,setsar=2[v]`,
      video: h264(rateOf(24), { crf: 8 }),
      out: squeezed,
    });
    // The encoder says square: the file's own word is rewritten.
    const bytes = await readFile(squeezed);
    const at = bytes.indexOf('pasp');
    bytes.writeUInt32BE(2, at + 4);
    bytes.writeUInt32BE(1, at + 8);
    await writeFile(squeezed, bytes);
    const cut = cutOf([{ frames: 3, picture: await video(squeezed, { fit: 'pad' }) }]);
    expect(await numbersIn(await rendered(cut, folder, 'unsqueezed'))).toEqual([0, 1, 2]);
  });
});

describe('fit', () => {
  test('crop cuts off, pad is black, blur goes on past the edges, soft and a little darker', async () => {
    const source = await numbered(folder, 'wide', { frames: 2, from: 255 });
    const size = { width: 90, height: 90 };
    const corner = async (fit: 'crop' | 'pad' | 'blur') => {
      const cut = cutOf([{ frames: 2, picture: await video(source, { fit }) }], { size });
      const [frame] = await lumaOf(await rendered(cut, folder, fit));
      const at = (x: number, y: number) => frame!.pixels[y * 90 + x]!;
      return { edge: at(45, 4), middle: at(45, 45), picture: at(45, 24) };
    };
    const white = 235;
    const crop = await corner('crop');
    const pad = await corner('pad');
    const blur = await corner('blur');
    expect(crop.edge).toBeGreaterThan(white - 5);
    expect(pad.edge).toBeLessThan(4);
    expect(pad.middle).toBeGreaterThan(white - 5);
    expect(pad.picture).toBeGreaterThan(white - 5);
    expect(Math.abs(blur.edge - white * 0.86)).toBeLessThan(6);
    expect(blur.middle).toBeGreaterThan(white - 5);
  });
});

describe('colours', () => {
  const red = { r: 200, g: 40, b: 60 };
  const plain = 'color=c=0xc8283c:s=160x90:r=24,format=rgb24';
  /** A film of one colour, as an archive of another kind would keep it. */
  const coloured = async (name: string, through: string, settings = h264(rateOf(24), { crf: 4 })) => {
    const out = `${folder}/${name}.mp4`;
    const graph = `${plain},${through},trim=end_frame=3[v]`;
    await encode({ graph, video: settings, out });
    return out;
  };
  const shown = async (path: string, name: string) => {
    const out = await rendered(cutOf([{ frames: 2, picture: await video(path) }]), folder, name);
    const through = 'scale=in_color_matrix=bt709:in_range=tv';
    const { value } = await readFrames(out, { pixelFormat: 'rgb24', through }).next();
    const at = (45 * SIZE.width + 80) * 3;
    const [r, g, b] = (value as { pixels: Uint8Array }).pixels.subarray(at, at + 3);
    return { r, g, b };
  };
  const close = (to: typeof red) => ({
    r: expect.closeTo(to.r, -1),
    g: expect.closeTo(to.g, -1),
    b: expect.closeTo(to.b, -1),
  });

  test('those of HD video stay as they are', async () => {
    expect(await shown(await coloured('hd', toYuv()), 'from-hd')).toEqual(close(red));
  });

  test('those of standard video, said and unsaid, come out the same', async () => {
    const through = 'scale=out_color_matrix=bt601:out_range=tv,format=yuv420p';
    const graph = (extra: string) => `${plain},${through},trim=end_frame=3${extra}`;
    const shape = { codec: 'libx264', container: 'mov', options: { crf: 4 } } as const;
    const said = { ...shape, graph: graph(''), told: { space: 'SMPTE170M', range: 'MPEG' } };
    expect(await shown(await writeRaw(`${folder}/said.mov`, said), 'from-said')).toEqual(close(red));
    const unsaid = { ...shape, graph: graph(',setparams=colorspace=unknown:range=unknown') };
    expect(await shown(await writeRaw(`${folder}/unsaid.mov`, unsaid), 'from-unsaid')).toEqual(close(red));
  });

  test('the full range of a camera is not cut off', async () => {
    const graph = `${plain},scale=out_color_matrix=bt709:out_range=pc,format=yuv420p,trim=end_frame=3`;
    const film = { graph, codec: 'libx264', container: 'mov', options: { crf: 4 } } as const;
    const path = await writeRaw(`${folder}/full.mov`, { ...film, told: { space: 'BT709', range: 'JPEG' } });
    expect(await shown(path, 'from-full')).toEqual(close(red));
  });

  test.each([
    ['PQ', 'smpte2084', 'SMPTE2084', 8],
    ['hybrid log-gamma', 'arib-std-b67', 'ARIB_STD_B67', 16],
  ])(
    'wide light in %s is brought down: white is nearly white, colours keep their hue',
    async (name, curve, trc, greyWithin) => {
      const wide =
        'setparams=color_primaries=bt709:color_trc=bt709:colorspace=gbr:range=pc,' +
        `zscale=t=linear:npl=203,format=gbrpf32le,zscale=p=bt2020:t=${curve}:m=bt2020nc:r=tv:npl=203,format=yuv420p10le`;
      const film = async (colour: string) =>
        shown(
          await writeRaw(`${folder}/${trc}-${colour}.mov`, {
            graph: `color=c=${colour}:s=160x90:r=24,format=gbrp,${wide},trim=end_frame=3`,
            codec: 'libx265',
            container: 'mov',
            told: { space: 'BT2020_NCL', range: 'MPEG', trc, primaries: 'BT2020' },
            options: { crf: 4, 'x265-params': 'log-level=none' },
          }),
          `from-${name}-${colour}`,
        );
      const white = Object.values(await film('white')) as number[];
      expect(Math.min(...white)).toBeGreaterThan(175);
      expect(Math.max(...white) - Math.min(...white)).toBeLessThan(6);
      expect(Math.abs((await film('0x606060')).g! - 0x60)).toBeLessThan(greyWithin);
      const coloured = await film('0xc8283c');
      expect(coloured.r!).toBeGreaterThan(2.5 * coloured.g!);
    },
  );

  test('ten bits', async () => {
    const path = await coloured('ten', toYuv('yuv420p10le'), hevcMain10(rateOf(24), { crf: 4 }));
    expect(await shown(path, 'from-ten')).toEqual(close(red));
  });
});

test('two fields become one picture', async () => {
  // Upper lines of one moment, lower lines of the next: a bar that moves is torn into a comb.
  const moving = "color=c=black:s=160x90:r=48,geq=lum='if(between(X-2*N,20,60),200,20)':cb=128:cr=128,format=yuv420p";
  const graph = `${moving},tinterlace=mode=interleave_top,setparams=field_mode=tff,trim=end_frame=8`;
  const shape = { codec: 'mpeg2video', container: 'matroska', isInterlaced: true } as const;
  const out = await writeRaw(`${folder}/fields.mkv`, {
    ...shape,
    graph,
    options: { b: 4_000_000, flags: '+ildct+ilme' },
  });
  const comb = (frames: readonly { pixels: Uint8Array; width: number }[]) => {
    const { pixels, width } = frames[3]!;
    let torn = 0;
    for (let y = 20; y < 70; y++) {
      for (let x = 0; x < width; x++) {
        const [above, here, below] = [-1, 0, 1].map(step => pixels[(y + step) * width + x]!);
        if (Math.abs(above! - below!) < 30 && Math.abs(here! - above!) > 80) torn++;
      }
    }
    return torn;
  };
  const film = await rendered(cutOf([{ frames: 6, picture: await video(out) }]), folder, 'from-fields');
  expect(comb(await lumaOf(out))).toBeGreaterThan(80);
  expect(comb(await lumaOf(film))).toBeLessThan(10);
});

test('a film with holes stands on black', async () => {
  const graph =
    "color=c=white:s=160x90:r=24,format=rgba,geq=r=255:g=255:b=255:a='255*lt(X,80)',format=argb,trim=end_frame=3";
  const out = await writeRaw(`${folder}/holes.mov`, { graph, codec: 'qtrle', container: 'mov' });
  const cut = cutOf([{ frames: 2, picture: await video(out, { facts: { kind: 'video' } }) }]);
  const [frame] = await lumaOf(await rendered(cut, folder, 'from-holes'));
  expect(frame!.pixels[45 * 160 + 40]).toBeGreaterThan(200);
  expect(frame!.pixels[45 * 160 + 120]).toBeLessThan(4);
});
