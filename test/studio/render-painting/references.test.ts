import { join } from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { readAudio, readFrames } from '../../../src/media/decode/decode.ts';
import { encode } from '../../../src/media/encode/encoder.ts';
import { aac, h264, rateOf } from '../../../src/media/encode/encoder-settings.ts';
import { DRAWN } from '../../../src/media/filtergraph.ts';
import type { JsonObject } from '../../../src/model/text/json.ts';
import { referenceCards, standing } from '../../../src/studio/animatic/kinds/reference-to-video.ts';
import { readPrompt } from '../../../src/studio/animatic/prompt/read-prompt.ts';
import { Scene } from '../../../src/studio/animatic/scene/scene.ts';
import { tone } from '../../media/footage.ts';
import { folder, given, render, SILENT } from '../render-footage/rig.ts';

type Rgb = readonly [number, number, number];
const COLOURS = {
  face: [240, 30, 30],
  image: [30, 230, 40],
  second: [240, 230, 30],
  'face video': [30, 60, 240],
  video: [230, 30, 230],
} as const satisfies Record<string, Rgb>;

let place: string;
beforeAll(async () => {
  place = await folder();
});
const plain = async (name: keyof typeof COLOURS) => {
  const [r, g, b] = COLOURS[name];
  const path = join(place, `${name}.png`);
  await sharp({ create: { width: 90, height: 90, channels: 3, background: { r, g, b } } })
    .png()
    .toFile(path);
  return await given(path);
};
const moving = async (name: keyof typeof COLOURS) => {
  const out = join(place, `${name}.mp4`.replace(' ', '-'));
  const picture = Uint8Array.from({ length: 64 * 64 * 4 }, (_, i) => (i % 4 === 3 ? 255 : COLOURS[name][i % 4]!));
  const pixels = Array.from({ length: 12 }, () => picture);
  await encode({
    frames: { width: 64, height: 64, fps: rateOf(24), pixels },
    graph: DRAWN,
    video: h264(rateOf(24)),
    out,
  });
  return await given(out);
};
const sounding = async (hertz: number) => {
  const out = join(place, `${hertz}.m4a`);
  await encode({ sound: tone(1, hertz), graph: '[pcm]anull[a]', audio: aac(), out });
  return await given(out);
};

/** Runs of frames in which a twentieth of the picture or more has the colour. */
async function runsOf(path: string, [r, g, b]: Rgb): Promise<number> {
  let runs = 0;
  let before = false;
  for await (const { pixels } of readFrames(path, { pixelFormat: 'rgb24', through: 'scale=80:-2' })) {
    let there = 0;
    for (let i = 0; i < pixels.length; i += 3) {
      const away = Math.abs(pixels[i]! - r) + Math.abs(pixels[i + 1]! - g) + Math.abs(pixels[i + 2]! - b);
      if (away < 110) there++;
    }
    const seen = there > pixels.length / 3 / 20;
    if (seen && !before) runs++;
    before = seen;
  }
  return runs;
}

/** How much of a note there is in a stretch of sound, 0 to 1 (Goertzel). */
function noteIn(samples: Float32Array, hertz: number, from: number, to: number): number {
  let [re, im] = [0, 0];
  const [first, last] = [Math.round(from * 48_000), Math.round(to * 48_000)];
  for (let i = first; i < last; i++) {
    re += samples[i]! * Math.cos((2 * Math.PI * hertz * i) / 48_000);
    im += samples[i]! * Math.sin((2 * Math.PI * hertz * i) / 48_000);
  }
  return (2 * Math.hypot(re, im)) / (last - first);
}

const PROMPT = 'locked camera: a grey overcast city street';
const make = async (request: JsonObject, inputs: Parameters<typeof render>[2] = {}) =>
  await render('V-REF', { prompt: PROMPT, resolution: '480p', duration: 4, ...request }, inputs);

describe('V-REF', () => {
  test('every face, picture and film is seen once, and each sound is heard once, in order', async () => {
    const made = await make(
      { duration: 6 },
      {
        input_face_images: [await plain('face')],
        input_images: [await plain('image'), await plain('second')],
        input_face_videos: [await moving('face video')],
        input_videos: [await moving('video')],
        input_audios: [await sounding(1500), await sounding(2300)],
      },
    );
    expect(made.facts).toMatchObject({ width: 214, height: 120, duration: 6, fps: 24, audio_codec: 'aac' });
    const runs: Record<string, number> = {};
    for (const [name, colour] of Object.entries(COLOURS)) runs[name] = await runsOf(made.plate, colour);
    expect(runs).toEqual({ face: 1, image: 1, second: 1, 'face video': 1, video: 1 });
    const { left } = await readAudio(made.path);
    const heard = (hertz: number) => [0.2, 3.2].map(at => noteIn(left, hertz, at, at + 0.6) > 0.15);
    expect({ first: heard(1500), second: heard(2300) }).toEqual({ first: [true, false], second: [false, true] });
  });

  test('with generate_audio off there is no sound track, also where sounds were given', async () => {
    const made = await make({ generate_audio: false }, { input_audios: [await sounding(1500)] });
    expect(made.facts.audio_codec).toBeNull();
  });

  test('a length of −1 has room for the shots and for the references', async () => {
    const images = [await plain('image'), await plain('second'), await plain('face'), await plain('video')];
    expect((await make({ duration: -1, generate_audio: false }, { input_images: images })).facts.duration).toBe(6);
    expect((await make({ duration: -1, generate_audio: false })).facts.duration).toBe(5);
  });

  test('without references it is the prompt’s film; watermark and tags are on the slate only', async () => {
    const [plainFilm, marked] = [
      await make({ ...SILENT, duration: 2 }),
      await make({ ...SILENT, duration: 2, watermark: true }, { input_images: [await plain('image')] }),
    ];
    expect(await runsOf(plainFilm.plate, COLOURS.image)).toBe(0);
    expect(await runsOf(marked.plate, COLOURS.image)).toBe(1);
    // Its first picture is shown while it is drawn, and goes with the rest of the work.
    expect(marked.left).toEqual(['first-frame.jpg', 'result.mp4']);
  });
});

describe('where a reference stands', () => {
  const one = { path: 'x', facts: { kind: 'image' as const } };
  const told = (words: readonly string[], inputs: Parameters<typeof standing>[0]) =>
    standing(
      inputs,
      words.map((said, i) => ({ start: i * 2, end: i * 2 + 2, words: said })),
      24,
    ).map(
      ({ reference, from, to, side, of }) =>
        `${reference.tag} ${from}–${to} ${side ?? 'free'}${of > 1 ? ` of ${of}` : ''}`,
    );
  test('in the shot that names it, at the side that it says', () => {
    expect(
      told(['a street, video 1 on the left', '图1在右边, face 1 in the middle'], {
        input_images: [one],
        input_videos: [one],
        input_face_images: [one],
      }),
    ).toEqual(['@video1 0–48 left', '@face1 48–72 centre', '@image1 72–96 right']);
  });
  test.each(['1', '2', '3', '4', '5', '6'])('beside the face that it would cover, seed %s', async seed => {
    const size = { width: 160, height: 90 };
    const shots = readPrompt('close-up, locked camera: a woman on a beach', { duration: 2, seed });
    const cards = await referenceCards({ input_images: [await plain('image')] }, { shots, size, seed });
    const context = createCanvas(size.width, size.height).getContext('2d');
    cards.picture(context, 24);
    const { data } = context.getImageData(0, 45, size.width, 1);
    const columns = Array.from({ length: size.width }, (_, x) => x).filter(x => (data[x * 4 + 3] ?? 0) > 250);
    const face = new Scene(shots[0]!, { ...size, seed }).subject({ seconds: 1, progress: 0.5 })!;
    const middle = (columns[0]! + columns.at(-1)!) / 2 / size.width;
    expect(Math.sign(middle - 0.5)).toBe(-Math.sign(face.left + face.right - 1));
  });
  test('the ones nobody names are spread over the film', () => {
    expect(told(['dawn', 'dusk'], { input_images: [one, one] })).toEqual(['@image1 0–48 free', '@image2 48–96 free']);
  });
  test('a face video is not a video', () => {
    expect(told(['wait', 'face video 1 laughs'], { input_face_videos: [one], input_videos: [one] })).toEqual([
      '@video1 0–48 free',
      '@facevideo1 48–96 free',
    ]);
  });
  test('more than one can see one after the other stand together', () => {
    expect(told(['dawn'], { input_images: [one, one, one, one] })).toEqual([
      '@image1 0–24 free of 2',
      '@image2 0–24 free of 2',
      '@image3 24–48 free of 2',
      '@image4 24–48 free of 2',
    ]);
  });
});
