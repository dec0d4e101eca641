import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAudio, readFrames } from '../../src/media/decode/decode.ts';
import { readPackets } from '../../src/media/decode/packets.ts';
import { encode } from '../../src/media/encode/encoder.ts';
import { aac, h264, hevcMain10, rateOf } from '../../src/media/encode/encoder-settings.ts';
import { DRAWN, DRAWN_WITH_SOUND, escapePath, toYuv } from '../../src/media/filtergraph.ts';
import { probe } from '../../src/media/probe.ts';
import { workFolder } from '../support/temp.ts';
import { drift, film, psnr, tone } from './footage.ts';

const folder = await workFolder();

describe('encode', () => {
  test('drawn pictures and made sound become an H.264 film with AAC that decodes to the same pictures', async () => {
    const out = join(folder, 'film.mp4');
    const counted: number[] = [];
    const result = await encode({
      frames: { width: 320, height: 180, fps: 24, pixels: drift(320, 180, 36) },
      sound: tone(1.5),
      graph: DRAWN_WITH_SOUND,
      video: h264(rateOf(24)),
      audio: aac(),
      out,
      onFrame: n => counted.push(n),
    });
    expect(result).toEqual({ frames: 36 });
    expect(counted).toEqual(Array.from({ length: 36 }, (_, i) => i + 1));
    expect(await probe(out)).toEqual({
      kind: 'video',
      format: 'mp4',
      width: 320,
      height: 180,
      duration: 1.5,
      fps: 24,
      video_codec: 'h264',
      audio_codec: 'aac',
    });
    const originals = drift(320, 180, 36);
    for await (const frame of readFrames(out)) {
      expect(frame.time).toBeCloseTo(frame.index / 24, 6);
      expect(psnr(frame.pixels, originals.next().value as Uint8Array)).toBeGreaterThan(36);
    }
    expect(originals.next().done).toBe(true);
    const { left } = await readAudio(out);
    expect(left.length).toBe(72_000);
    expect(Math.max(...left)).toBeGreaterThan(0.28);
  });

  test('the same job gives the same bytes', async () => {
    const digests = new Set<string>();
    for (const name of ['once.mp4', 'twice.mp4', 'thrice.mp4']) {
      const out = await film(join(folder, name), { width: 256, height: 144, frames: 30 });
      digests.add(
        createHash('sha256')
          .update(await readFile(out))
          .digest('hex'),
      );
    }
    expect(digests.size).toBe(1);
  });

  test('every second begins a closed group of pictures, so that films can be spliced there', async () => {
    const out = await film(join(folder, 'groups.mp4'), { width: 128, height: 72, frames: 60, sound: false });
    const track = await readPackets(out, 'video');
    expect(track?.packets.flatMap((packet, i) => (packet.key ? [i] : []))).toEqual([0, 24, 48]);
  });

  test('1080p HEVC is ten bits deep and tagged for Apple players', async () => {
    const out = join(folder, 'ten-bits.mp4');
    const frames = { width: 128, height: 72, fps: 24, pixels: drift(128, 72, 12) };
    await encode({ frames, graph: `[raw]${toYuv('yuv420p10le')}[v]`, video: hevcMain10(rateOf(24)), out });
    expect(await probe(out)).toMatchObject({ video_codec: 'hevc', duration: 0.5, audio_codec: null });
    expect((await readFile(out)).includes('hvc1')).toBe(true);
  });

  test('copied sound is the same packet for packet', async () => {
    const source = await film(join(folder, 'with-sound.mp4'), { width: 128, height: 72, frames: 24 });
    const out = join(folder, 'copied.mp4');
    const graph = `movie=${escapePath(source)},hflip[v]`;
    await encode({ graph, video: h264(rateOf(24)), copyAudio: source, out });
    const [before, after] = [await readPackets(source, 'audio'), await readPackets(out, 'audio')];
    expect(after?.packets.map(packet => packet.data)).toEqual(before?.packets.map(packet => packet.data));
    expect((await probe(out)).duration).toBe(1);
  });

  test('a path may hold any character the disk allows', async () => {
    const odd = join(folder, "it's [a] folder; with, (all): sorts = of % things");
    await mkdir(odd);
    const source = await film(join(odd, 'a.mp4'), { width: 128, height: 72, frames: 6, sound: false });
    const out = join(odd, 'b.mp4');
    expect(await encode({ graph: `movie=${escapePath(source)}[v]`, video: h264(rateOf(24)), out })).toEqual({
      frames: 6,
    });
  });

  test('a failed job says what failed and leaves no file', async () => {
    const empty = await workFolder();
    const out = join(empty, 'never.mp4');
    const video = h264(rateOf(24));
    const frames = { width: 16, height: 16, fps: 24, pixels: [new Uint8Array(16 * 16 * 4), new Uint8Array(3)] };
    await expect(encode({ frames, graph: DRAWN, video, out })).rejects.toThrow(
      'a drawn picture has 3 bytes, but 16x16 RGBA has 1024',
    );
    await expect(encode({ graph: '[raw]nosuchfilter[v]', video, out })).rejects.toThrow(
      'reading the filtergraph "[raw]nosuchfilter[v];[v]format=yuv420p,buffersink@v": Filter not found',
    );
    expect(await readdir(empty)).toEqual([]);
  });

  test('drawing that throws ends the job with its own error', async () => {
    function* breaking() {
      yield new Uint8Array(16 * 16 * 4);
      throw new Error('the paint ran out');
    }
    const frames = { width: 16, height: 16, fps: 24, pixels: breaking() };
    const job = encode({ frames, graph: DRAWN, video: h264(rateOf(24)), out: join(folder, 'broken.mp4') });
    await expect(job).rejects.toThrow('the paint ran out');
  });
});

test('broadcast rates are exact fractions', () => {
  expect([24, 23.976, 29.97, 59.94, 12.5].map(rateOf)).toEqual([
    { num: 24, den: 1 },
    { num: 24000, den: 1001 },
    { num: 30000, den: 1001 },
    { num: 60000, den: 1001 },
    { num: 25, den: 2 },
  ]);
});
