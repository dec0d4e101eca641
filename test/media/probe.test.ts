import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { readFrames } from '../../src/media/decode/decode.ts';
import { readStreams } from '../../src/media/decode/packets.ts';
import { escapePath } from '../../src/media/filtergraph.ts';
import { NotMedia, probe } from '../../src/media/probe.ts';
import { workFolder } from '../support/temp.ts';
import { silentWav } from '../support/wav.ts';
import { film } from './footage.ts';

const folder = await workFolder();

async function kept(name: string, bytes: string | Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, bytes);
  return path;
}

describe('probe', () => {
  test('a film says its size, length, rate and codecs', async () => {
    const path = await film(join(folder, 'film.mp4'), { width: 160, height: 90, fps: 29.97, frames: 45 });
    expect(await probe(path)).toEqual({
      kind: 'video',
      format: 'mp4',
      width: 160,
      height: 90,
      duration: 1.502,
      fps: 29.97,
      video_codec: 'h264',
      audio_codec: 'aac',
    });
  });

  test('a silent film has no sound, which is not the same as not knowing', async () => {
    const path = await film(join(folder, 'silent.mp4'), { width: 160, height: 90, frames: 12, sound: false });
    expect((await probe(path)).audio_codec).toBeNull();
  });

  test('a film cut short by a broken download has the length that is there, not the one its head promises', async () => {
    const whole = await readFile(await film(join(folder, 'whole.mp4'), { width: 320, height: 180, frames: 96 }));
    expect((await probe(await kept('cut.mp4', whole.subarray(0, whole.length * 0.5)))).duration).toBeLessThan(3);
    expect((await probe(await kept('cut.mp4', whole.subarray(0, whole.length - 1)))).duration).toBeCloseTo(4, 0);
    await expect(probe(await kept('head-only.mp4', whole.subarray(0, whole.indexOf('mdat') + 8)))).rejects.toThrow(
      'the file breaks off before its first picture or sound: fetch or export it again',
    );
  });

  test('a sound and a picture', async () => {
    expect(await probe(await kept('bell.mp3', silentWav(1)))).toEqual({
      kind: 'audio',
      format: 'wav',
      duration: 1,
      audio_codec: 'pcm-s16',
    });
    const picture = sharp({ create: { width: 30, height: 20, channels: 3, background: '#336699' } });
    expect(await probe(await kept('a.bin', await picture.png().toBuffer()))).toEqual({
      kind: 'image',
      format: 'png',
      width: 30,
      height: 20,
    });
    const turned = await picture.jpeg().withMetadata({ orientation: 6 }).toBuffer();
    expect(await probe(await kept('turned.jpg', turned))).toMatchObject({ format: 'jpg', width: 20, height: 30 });
  });

  test.each([
    ['nothing', '', 'the file is empty: fetch or export it again'],
    [
      'a login page named .mp4',
      '<!DOCTYPE html><html><body>Sign in</body></html>',
      'the file is a web page, not media: check that the address leads to the file itself and has not expired',
    ],
    [
      'an error answer',
      '{"error":"expired"}',
      'the file is JSON text, not media: check that the address leads to the file itself',
    ],
    [
      'a note',
      'to do: render the film',
      'the file is text, not media: check that the address leads to the file itself',
    ],
    ['a PDF', '%PDF-1.7\n', 'the file is application/pdf, not media: send an image, a film or a sound'],
    [
      'noise',
      Uint8Array.from({ length: 4000 }, (_, i) => (i * 7919) >> 3),
      'the file holds no picture or sound that can be read: send a whole mp4, mov, webm, mp3 or wav',
    ],
  ])('%s is no media, and the message says what it is', async (_, bytes, message) => {
    const error = await probe(await kept('thing.mp4', bytes)).catch(caught => caught);
    expect(error).toBeInstanceOf(NotMedia);
    expect(error.message).toBe(message);
  });

  test('a list of other files is never followed, also where nobody looked at the file first', async () => {
    await film(join(folder, 'secret.mp4'), { width: 160, height: 90, frames: 12, sound: false });
    const list = await kept('list.ffconcat', 'ffconcat version 1.0\nfile secret.mp4\n');
    const follow = async (picture?: string) => {
      let count = 0;
      for await (const _ of readFrames(list, picture ? { picture } : {})) count++;
      return count;
    };
    // libav itself would: that is what the guard is for.
    expect(await follow(`movie=${escapePath(list)}`)).toBe(12);
    await expect(follow()).rejects.toThrow('Invalid argument');
    await expect(readStreams(list)).rejects.toThrow('Invalid argument');
    await expect(probe(list)).rejects.toThrow('the file is a list of other files, not media');
  });

  test('a broken picture is refused', async () => {
    const noise = Buffer.from(Uint8Array.from({ length: 300 * 300 * 3 }, (_, i) => (i * 7919) >> 5));
    const whole = await sharp(noise, { raw: { width: 300, height: 300, channels: 3 } })
      .png()
      .toBuffer();
    await expect(probe(await kept('broken.png', whole.subarray(0, whole.length / 2)))).rejects.toThrow(
      'the file is a png image that cannot be decoded: send a whole png, jpg or webp',
    );
  });

  test('a file that is not there is the file system’s error, not a judgement about media', async () => {
    await expect(probe(join(folder, 'nowhere.mp4'))).rejects.toMatchObject({ code: 'ENOENT' });
  });
});
