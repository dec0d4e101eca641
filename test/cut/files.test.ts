import { mkdir, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/machine/time/clock.ts';
import { renderCut } from '../../src/media/cut/index.ts';
import { renderFilm } from '../../src/media/cut/render-film.ts';
import { explained } from '../../src/media/cut/render-messages.ts';
import { readPackets } from '../../src/media/decode/packets.ts';
import { probe } from '../../src/media/probe.ts';
import { type Cut, sourcesOf } from '../../src/model/media/cut.ts';
import { difference } from '../media/difference.ts';
import { film } from '../media/footage.ts';
import { workFolder } from '../support/temp.ts';
import {
  cutOf,
  fileOf,
  lumaOf,
  mean,
  numbered,
  numbersIn,
  rendered,
  renderedApart,
  sourceOf,
  tried,
  video,
} from './cuts.ts';
import { noise, wav } from './sound/sounds.ts';

const folder = await workFolder();
const source = await numbered(folder, 'source', { frames: 48 });

const SOUND = { role: 'music', at: 0, in: 0, speed: 1, level: 0, fadeIn: 0, fadeOut: 0 } as const;

/** All that a film can be made of, in twelve frames. */
async function everything(): Promise<Cut> {
  const still = join(folder, 'still.png');
  await sharp({ create: { width: 300, height: 200, channels: 3, background: '#7a4' } })
    .png()
    .toFile(still);
  const music = await sourceOf(await wav(folder, 'bed', [noise(0.3, 0.3)], 44_100));
  const hum = await sourceOf(await film(join(folder, 'hum.mp4'), { width: 64, height: 36, frames: 24 }));
  const picture = { is: 'still', source: await sourceOf(still), fit: 'blur', move: 'push_in' } as const;
  return cutOf(
    [
      { frames: 4, fadeIn: 2, picture: { is: 'title', text: 'Twice' } },
      { frames: 6, picture: await video(source, { fit: 'blur' }) },
      { frames: 6, dissolve: 2, fadeOut: 2, picture },
    ],
    {
      overlays: [{ at: 2, frames: 6, place: 'top', is: 'text', text: 'the same' }],
      captions: { style: 'line', place: 'bottom', track: false, cues: [{ start: 0.1, end: 0.4, text: 'bytes' }] },
      sounds: [
        { ...SOUND, frames: 14, source: music, loop: true, duck: true, fadeOut: 4 },
        { ...SOUND, role: 'voice', at: 3, frames: 6, source: hum },
        { ...SOUND, role: 'clip', at: 8, frames: 6, speed: 0.8, source: hum },
      ],
      loudness: -16,
    },
  );
}

describe('the same cut', () => {
  test.each(['h264', 'h265', 'prores'] as const)('in %s is the same file each time', async codec => {
    const cut = { ...(await everything()), codec };
    const [one, two] = [await renderedApart(cut, folder, `one-${codec}`), await rendered(cut, folder, `two-${codec}`)];
    expect(await difference(one, two)).toBeUndefined();
  });
});

describe('a file', () => {
  test.each([
    ['h264', { format: 'mp4', video_codec: 'h264' }, 'avc1'],
    ['h265', { format: 'mp4', video_codec: 'hevc' }, 'hvc1'],
  ] as const)(
    'of %s plays everywhere: its tags are those of HD video, and its head comes first',
    async (codec, facts, tag) => {
      const cut = cutOf([{ frames: 6, picture: await video(source) }], {
        codec,
        rate: { frames: 30000, seconds: 1001 },
      });
      const path = await rendered(cut, folder, codec);
      expect(await probe(path)).toMatchObject({ ...facts, width: 160, height: 90, fps: 29.97 });
      const bytes = await readFile(path);
      expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
      expect(bytes.includes(tag)).toBe(true);
      // `nclx`: primaries, transfer, matrix of BT.709; limited range.
      const colours = bytes.indexOf('colrnclx');
      expect([...bytes.subarray(colours + 8, colours + 15)]).toEqual([0, 1, 0, 1, 0, 1, 0]);
    },
  );

  test('of ProRes is 422 HQ in ten bits', async () => {
    const cut = cutOf([{ frames: 6, picture: await video(source) }], { codec: 'prores' });
    const path = await rendered(cut, folder, 'prores');
    expect((await readFile(path)).includes('apch')).toBe(true);
    expect((await readPackets(path, 'video'))?.packets).toHaveLength(6);
    expect(await numbersIn(path)).toEqual([0, 1, 2, 3, 4, 5]);
  });

  test('a film in another size and at another rate', async () => {
    const cut = cutOf([{ frames: 50, picture: await video(source) }], {
      size: { width: 320, height: 180 },
      rate: { frames: 50, seconds: 1 },
    });
    const path = await rendered(cut, folder, 'fifty');
    expect(await probe(path)).toMatchObject({ width: 320, height: 180, fps: 50, duration: 1 });
  });

  test('a draft is small, and has the same frames', async () => {
    const size = { width: 1280, height: 720 };
    const cut: Cut = { ...cutOf([{ frames: 10, picture: await video(source) }], { size }), isDraft: true };
    const path = await rendered(cut, folder, 'draft');
    expect(await probe(path)).toMatchObject({ width: 320, height: 180 });
    expect(await lumaOf(path)).toHaveLength(10);
  });

  test('captions as a track are for a player to show, and are not in the picture', async () => {
    const cues = [
      { start: 0.25, end: 0.5, text: 'Nobody waits' },
      { start: 0.5, end: 0.75, text: '河流' },
    ];
    const cut = cutOf([{ frames: 24, picture: await video(source, { in: 0, speed: 0.001 }) }], {
      captions: { style: 'line', place: 'bottom', track: true, cues },
    });
    const path = await rendered(cut, folder, 'track');
    expect(Math.max(...(await lumaOf(path)).map(frame => mean(frame.pixels)))).toBeLessThan(40);
    expect(await textSamples(path)).toEqual([
      [0.25, 0.5, 'Nobody waits'],
      [0.5, 0.75, '河流'],
    ]);
  });
});

/** Of the track of texts: from when to when, in seconds, each is shown, and what it says. */
async function textSamples(path: string): Promise<readonly (readonly [number, number, string])[]> {
  const { check, libav } = await import('../../src/media/libav.ts');
  const { openMedia } = await import('../../src/media/decode/open-input.ts');
  const av = await libav();
  await using file = await openMedia(av, path);
  const stream = file.streams.find(it => it.codecpar.codecType === av.c.AVMEDIA_TYPE_SUBTITLE)!;
  expect(stream.codecpar.codecId).toBe(av.c.AV_CODEC_ID_MOV_TEXT);
  using packet = new av.Packet();
  packet.alloc();
  const samples: (readonly [number, number, string])[] = [];
  for (let code = await file.readFrame(packet); code >= 0; code = await file.readFrame(packet)) {
    check(av, code, 'reading');
    if (packet.streamIndex === stream.index) {
      const data = packet.data!;
      const [from, long] = [packet.pts, packet.duration].map(ticks => Number(ticks) / 1000) as [number, number];
      // Empty ones stand between them.
      if (data.readUInt16BE(0) > 0) samples.push([from, from + long, data.subarray(2).toString('utf8')]);
    }
    packet.unref();
  }
  return samples;
}

describe('while it is made', () => {
  const order = (cut: Cut, to: string) => ({ cut, to, fileOf, clock: systemClock });

  test('progress goes forward, to the last frame', async () => {
    const cut = cutOf([{ frames: 40, picture: await video(source) }]);
    const told: number[] = [];
    const signal = new AbortController().signal;
    const to = join(folder, 'progress.mp4');
    expect(await renderCut({ ...order(cut, to), signal, onProgress: frames => told.push(frames) })).toEqual({
      is: 'ok',
    });
    expect(told.length).toBeGreaterThan(5);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)).toBe(40);
  });

  test('stopped half way, it ends at once and leaves nothing', async () => {
    const place = await emptyFolder('stopped');
    const cut = cutOf([{ frames: 20_000, picture: await video(source, { speed: 0.001 }) }]);
    const stop = new AbortController();
    let last = 0;
    const onProgress = (frames: number) => {
      last = frames;
      stop.abort(new Error('enough'));
    };
    const working = renderCut({ ...order(cut, join(place, 'film.mp4')), signal: stop.signal, onProgress });
    await expect(working).rejects.toThrow('enough');
    expect(last).toBeLessThan(cut.frames / 2);
    expect(await readdir(place)).toEqual([]);
  });

  test('a film that is there stays whole while the next one fails', async () => {
    const place = await emptyFolder('kept');
    const to = join(place, 'film.mp4');
    await writeFile(to, 'the film before');
    const broken = join(folder, 'no-film.mp4');
    await writeFile(broken, 'x'.repeat(5000));
    const picture = await video(broken, { facts: { kind: 'video' } });
    expect(await tried(cutOf([{ frames: 5, name: 'shot[beat=3]', picture }]), to)).toEqual({
      is: 'failed',
      message: 'shot[beat=3]: it cannot be opened as a film; make it again, or leave it out of the cut',
    });
    expect(await readFile(to, 'utf8')).toBe('the film before');
    expect(await readdir(place)).toEqual(['film.mp4']);
  });

  test('a process that is ended twice from outside is told, and leaves nothing', async () => {
    const place = await emptyFolder('ended');
    const entry = join(folder, 'dies.mjs');
    await writeFile(
      entry,
      `import { writeFileSync } from 'node:fs';
      process.on('message', ({ job }) => { writeFileSync(job.job.out, 'half'); process.kill(process.pid, 'SIGKILL'); });
      process.send({ type: 'ready' });`,
    );
    const cut = cutOf([{ frames: 5, picture: { is: 'title', text: 'x' } }]);
    const signal = new AbortController().signal;
    expect(await renderCut({ ...order(cut, join(place, 'film.mp4')), signal, entry })).toEqual({
      is: 'failed',
      message: 'the process that cuts the film was ended by SIGKILL, twice; free some memory, then run again',
      here: true,
    });
    expect(await readdir(place)).toEqual([]);
  });
});

test('a crash is told by the shot that it happened in', async () => {
  const entry = join(folder, 'crashes.mjs');
  await writeFile(
    entry,
    `process.on('message', ({ id }) => {
      process.send({ type: 'progress', id, fraction: 0.5 });
      setTimeout(() => process.kill(process.pid, 'SIGSEGV'), 50);
    });
    process.send({ type: 'ready' });`,
  );
  const cut = cutOf(
    [1, 2, 3].map(n => ({ frames: 8, name: `shot[${n}]`, picture: { is: 'title', text: 'x' } as const })),
  );
  const signal = new AbortController().signal;
  const outcome = await renderCut({ cut, to: join(folder, 'crash.mp4'), fileOf, clock: systemClock, signal, entry });
  expect(outcome).toEqual({
    is: 'failed',
    message:
      'the process that cuts the film crashed near shot[2] (it was ended by SIGSEGV): make that again, or leave it out of the cut',
  });
});

async function emptyFolder(name: string): Promise<string> {
  const place = join(folder, name);
  await rm(place, { recursive: true, force: true });
  await mkdir(place);
  return place;
}

test.skipIf(process.platform !== 'linux')('a full disk is told as one', async () => {
  const cut = cutOf([{ frames: 24, picture: await video(source) }]);
  const paths = Object.fromEntries(sourcesOf(cut).map(({ sha256 }) => [sha256, fileOf(sha256)]));
  const failure = await renderFilm({ cut, paths, out: '/dev/full' }, () => {}).catch(error => error);
  expect(explained(failure)).toEqual({
    message: 'the film cannot be written: the disk is full; free some space, then run again',
  });
});

test('what nobody foresaw is told with the words of whatever cutterFailed', () => {
  expect(explained(new Error('the filtergraph lost one of its ends\nmore'))).toEqual({
    message:
      'the film could not be cut, and the fault is not its author’s (the filtergraph lost one of its ends): run again, and report it if it happens again',
    bug: expect.stringContaining('the filtergraph lost'),
  });
});

test('a film with sound is as long as its pictures', async () => {
  const tone = await film(join(folder, 'tone.mp4'), { width: 64, height: 36, frames: 24 });
  const cut = cutOf([{ frames: 24, picture: await video(source) }], {
    sounds: [{ ...SOUND, frames: 24, source: await sourceOf(tone) }],
  });
  const facts = await probe(await rendered(cut, folder, 'sounding'));
  expect(facts).toMatchObject({ duration: 1, audio_codec: 'aac' });
  const master = await rendered({ ...cut, codec: 'prores' }, folder, 'sounding-master');
  expect((await probe(master)).audio_codec).toBe('pcm-s24');
  expect((await readPackets(master, 'audio'))?.packets.reduce((sum, { data }) => sum + data.length, 0)).toBe(
    48_000 * 6,
  );
});

describe('a source that is damaged', () => {
  test('one that breaks off is told by its name and place', async () => {
    const cutOff = join(folder, 'cut-off.mp4');
    const whole = await numbered(folder, 'whole', { frames: 120 });
    await writeFile(cutOff, await readFile(whole));
    // Its head comes first, so it opens, and promises five seconds.
    await truncate(cutOff, Math.round((await readFile(whole)).length * 0.5));
    const picture = await video(cutOff, { facts: { kind: 'video' } });
    const outcome = await tried(cutOf([{ frames: 110, name: 'clip 2', picture }]), join(folder, 'from-cut-off.mp4'));
    expect(outcome).toMatchObject({
      is: 'failed',
      message: expect.stringMatching(/^clip 2: it cannot be decoded after [\d.]+ s;/),
    });
  });

  test('one with a hole in it is told where', async () => {
    const holed = join(folder, 'holed.mp4');
    const whole = await numbered(folder, 'whole-too', {
      frames: 96,
      graph: '[raw]noise=alls=60:allf=t,format=yuv420p[v]',
    });
    await writeFile(holed, await readFile(whole));
    const { size } = await stat(whole);
    await using file = await open(holed, 'r+');
    await file.write(Buffer.alloc(Math.round(size / 8), 0xa5), 0, Math.round(size / 8), Math.round(size / 2));
    const picture = await video(holed, { facts: { kind: 'video' } });
    const outcome = await tried(cutOf([{ frames: 90, name: 'clip 3', picture }]), join(folder, 'from-holed.mp4'));
    expect(outcome).toMatchObject({ is: 'failed', message: expect.stringMatching(/^clip 3: .*cannot be decoded/) });
  });

  test('a still that is none', async () => {
    const none = join(folder, 'none.png');
    await writeFile(none, 'not a picture');
    const still = { is: 'still', source: await sourceOf(none, { kind: 'image' }), fit: 'crop', move: 'none' } as const;
    expect(await tried(cutOf([{ frames: 5, name: 'still[2]', picture: still }]), join(folder, 'no.mp4'))).toEqual({
      is: 'failed',
      message: 'still[2]: it is no picture that can be decoded; make it again, or leave it out of the cut',
    });
  });
});
