import type { Canvas } from '@napi-rs/canvas';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { paintCaption, paintText } from '../../src/media/cut/layers/text-plate.ts';
import { paintTitle } from '../../src/media/cut/pictures/title-canvas.ts';
import { type DecodedFrame, readFrames } from '../../src/media/decode/decode.ts';
import type { Cut, CutCaptions, CutOverlay } from '../../src/model/media/cut.ts';
import { workFolder } from '../support/temp.ts';
import { cutOf, lumaOf, numbered, numberIn, rendered, sourceOf, video } from './cuts.ts';

const folder = await workFolder();

const SIZE = { width: 320, height: 180 } as const;

/** Where anything is brighter than the ground, in pixels; undefined where nothing is. */
function lit({ pixels, width, height }: DecodedFrame, over = 40) {
  let box: { left: number; right: number; top: number; bottom: number } | undefined;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (pixels[y * width + x]! <= over) continue;
      box ??= { left: x, right: x, top: y, bottom: y };
      box = {
        left: Math.min(box.left, x),
        right: Math.max(box.right, x),
        top: Math.min(box.top, y),
        bottom: Math.max(box.bottom, y),
      };
    }
  }
  return box;
}

async function titled(text: string, size: Cut['size'] = SIZE): Promise<readonly DecodedFrame[]> {
  const cut = cutOf([{ frames: 2, picture: { is: 'title', text } }], { size });
  return await lumaOf(await rendered(cut, folder, `title-${Math.abs(hash(text))}-${size.width}`));
}

const hash = (text: string) => [...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) | 0, 7);

describe('a title', () => {
  test('stands in the middle, inside the part that every screen shows', async () => {
    const [frame] = await titled('The Frozen River');
    const box = lit(frame!)!;
    expect(box.left).toBeGreaterThan(SIZE.width * 0.1);
    expect(box.right).toBeLessThan(SIZE.width * 0.9);
    expect(Math.abs((box.left + box.right) / 2 - SIZE.width / 2)).toBeLessThan(3);
    expect(Math.abs((box.top + box.bottom) / 2 - SIZE.height / 2)).toBeLessThan(6);
  });

  test.each([
    ['a long one', 'A title that somebody wrote without thinking for a moment of how it would ever fit into a frame'],
    ['one word that is too long', 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'],
    ['Chinese', '冰封的河流，一部关于等待的电影，以及所有没有等到的人'],
    ['credits', Array.from({ length: 14 }, (_, i) => `Name of person ${i}`).join('\n')],
  ])('%s is set smaller, and in lines', async (_, text) => {
    for (const size of [SIZE, { width: 180, height: 320 }]) {
      const [frame] = await titled(text, size);
      const box = lit(frame!)!;
      expect(box.left).toBeGreaterThan(size.width * 0.05);
      expect(box.right).toBeLessThan(size.width * 0.95);
      expect(box.top).toBeGreaterThan(size.height * 0.05);
      expect(box.bottom).toBeLessThan(size.height * 0.95);
    }
  });

  test('line breaks are kept, and emoji are drawn', async () => {
    const rows = (frame: DecodedFrame) => {
      let count = 0;
      let was = false;
      for (let y = 0; y < frame.height; y++) {
        const is = frame.pixels.subarray(y * frame.width, (y + 1) * frame.width).some(value => value > 60);
        if (is && !was) count++;
        was = is;
      }
      return count;
    };
    expect(rows((await titled('ONE\nTWO'))[0]!)).toBe(2);
    expect(lit((await titled('🎬'))[0]!)).toBeDefined();
  });
});

/** What lies over 24 black frames. */
async function over(
  options: Partial<Pick<Cut, 'overlays' | 'captions'>>,
  name: string,
): Promise<readonly DecodedFrame[]> {
  const black = await numbered(folder, 'black', { frames: 24, ...SIZE });
  const cut = cutOf([{ frames: 24, fadeIn: 0, fadeOut: 0, picture: await video(black, { in: 0, speed: 0.001 }) }], {
    size: SIZE,
    ...options,
  });
  return await lumaOf(await rendered(cut, folder, name));
}

describe('what lies over a film', () => {
  const text: CutOverlay = { at: 6, frames: 8, place: 'bottom left', is: 'text', text: 'Kemijoki, 06:12' };

  test('is there from its first frame to its last, and only then', async () => {
    const frames = await over({ overlays: [text] }, 'text');
    const there = frames.map(frame => lit(frame, 150) !== undefined);
    expect(there).toEqual(Array.from({ length: 24 }, (_, n) => n >= 6 && n < 14));
  });

  test('appears and goes in its fades, in even steps', async () => {
    const frames = await over({ overlays: [{ ...text, at: 4, frames: 14, fadeIn: 4, fadeOut: 4 }] }, 'text-fading');
    const light = frames.map(({ pixels }) => Math.max(...pixels) - 16);
    const whole = light[10]!;
    const shares = light.slice(4, 18).map(one => one / whole);
    const ramp = [0.2, 0.4, 0.6, 0.8];
    const expected = [...ramp, ...Array.from({ length: 6 }, () => 1), ...ramp.toReversed()];
    for (const [n, share] of shares.entries()) expect(share).toBeCloseTo(expected[n]!, 1);
    expect(lit(frames[3]!, 40)).toBeUndefined();
    expect(lit(frames[18]!, 40)).toBeUndefined();
  });

  test('what comes while another one goes takes its place', async () => {
    const first: CutOverlay = { ...text, at: 0, frames: 12, fadeOut: 4 };
    const second: CutOverlay = { ...text, at: 8, frames: 12, fadeIn: 4 };
    const frames = await over({ overlays: [first, second] }, 'text-exchanged');
    const [before, between, after] = [lit(frames[4]!, 150)!, lit(frames[10]!, 40)!, lit(frames[16]!, 150)!];
    expect([after.top, after.bottom]).toEqual([before.top, before.bottom]);
    expect(between.bottom - between.top).toBeLessThan(2 * (before.bottom - before.top));
  });

  test.each([
    ['top left', { left: true, top: true }],
    ['top right', { left: false, top: true }],
    ['bottom right', { left: false, top: false }],
    ['bottom left', { left: true, top: false }],
  ] as const)('%s keeps away from both edges', async (place, { left, top }) => {
    const frames = await over({ overlays: [{ ...text, at: 0, place }] }, `text ${place}`);
    const box = lit(frames[2]!, 150)!;
    expect(left ? box.left : SIZE.width - 1 - box.right).toBeGreaterThanOrEqual(SIZE.width * 0.05);
    expect(top ? box.top : SIZE.height - 1 - box.bottom).toBeGreaterThanOrEqual(SIZE.height * 0.05);
    expect(left ? box.right < SIZE.width / 2 : box.left > SIZE.width / 2).toBe(true);
  });

  test('words are read on white as on black', async () => {
    const white = await numbered(folder, 'white', { frames: 4, from: 255, ...SIZE });
    const cut = cutOf([{ frames: 2, picture: await video(white, { speed: 0.001 }) }], {
      size: SIZE,
      overlays: [{ ...text, at: 0, frames: 2, place: 'middle' }],
    });
    const [frame] = await lumaOf(await rendered(cut, folder, 'on-white'));
    const row = frame!.pixels.subarray(90 * 320 + 120, 90 * 320 + 200);
    expect(Math.max(...row) - Math.min(...row)).toBeGreaterThan(110);
  });

  test('a logo is as wide as asked, and what is transparent in it is not there', async () => {
    const logo = `${folder}/logo.png`;
    const ring =
      '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="100" height="100" fill="#fff"/></svg>';
    await sharp(Buffer.from(ring)).png().toFile(logo);
    const overlay = {
      at: 0,
      frames: 24,
      place: 'top right',
      is: 'picture',
      source: await sourceOf(logo),
      size: 0.25,
    } as const;
    const [frame] = await over({ overlays: [overlay] }, 'logo');
    // 80 pixels wide, 16 from the edge; its right half is transparent.
    const box = lit(frame!, 120)!;
    expect([box.left, box.right].map(x => Math.round(x / 2) * 2)).toEqual([224, 264]);
    expect(Math.abs(box.bottom - box.top - 39)).toBeLessThanOrEqual(1);
  });

  test('a film laid over it runs along from its beginning', async () => {
    const small = await numbered(folder, 'small', { frames: 24, from: 128 });
    const overlay = {
      at: 4,
      frames: 10,
      place: 'bottom right',
      is: 'picture',
      source: await sourceOf(small),
      size: 0.5,
    } as const;
    const frames = await over({ overlays: [overlay] }, 'film-over');
    const part = { x: 320 - 16 - 160, y: 180 - 9 - 90, width: 160, height: 90 };
    expect(frames.slice(4, 14).map(frame => numberIn(frame, { ...part, y: 80 }))).toEqual(
      Array.from({ length: 10 }, (_, i) => 128 + i),
    );
    expect(lit(frames[14]!)).toBeUndefined();
  });

  test('words make room for captions in the same place', async () => {
    const captions: CutCaptions = {
      style: 'line',
      place: 'bottom',
      track: false,
      cues: [{ start: 0.25, end: 0.5, text: 'Nobody waits' }],
    };
    const words: CutOverlay = { at: 0, frames: 24, place: 'bottom', is: 'text', text: 'Kemijoki' };
    const frames = await over({ overlays: [words], captions }, 'room');
    const [without, both] = [lit(frames[2]!, 150)!, lit(frames[8]!, 150)!];
    expect(both.bottom).toBeGreaterThan(without.bottom + 10);
    expect(both.top).toBe(without.top);
  });
});

test.each([
  [320, 180],
  [180, 180],
  [180, 320],
] as const)(
  'at %i×%i a title is larger than words over a picture, and they are larger than the captions under them',
  (width, height) => {
    const [frame, text] = [{ width, height }, 'Forty balloons'];
    const tall = (canvas: Canvas) => {
      const { data: rgba } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const pixels = new Uint8Array(rgba.filter((_, i) => i % 4 === 0));
      const { top, bottom } = lit({ index: 0, time: 0, width: canvas.width, height: canvas.height, pixels }, 150)!;
      return bottom - top;
    };
    const caption = tall(paintCaption({ from: 0, to: 1, text, words: [] }, frame));
    const words = tall(paintText(text, 'top', frame));
    expect(words).toBeGreaterThan(caption);
    expect(tall(paintTitle(text, frame))).toBeGreaterThan(words);
  },
);

describe('captions', () => {
  const cues = [
    { start: 0.25, end: 0.5, text: 'Nobody waits' },
    { start: 0.5, end: 0.75, text: 'for the river' },
  ];

  test('are there for their time', async () => {
    const captions: CutCaptions = { style: 'line', place: 'bottom', track: false, cues };
    const frames = await over({ captions }, 'captions');
    expect(frames.map(frame => lit(frame, 150) !== undefined)).toEqual(
      Array.from({ length: 24 }, (_, n) => n >= 6 && n < 18),
    );
    const box = lit(frames[8]!, 150)!;
    expect(box.bottom).toBeLessThan(SIZE.height * 0.95);
    expect(lit(frames[8]!, 150)).not.toEqual(lit(frames[14]!, 150));
  });

  test('the word that is spoken is set apart, in its time', async () => {
    const words = [
      { start: 0, end: 0.25, text: 'Nobody' },
      { start: 0.25, end: 0.5, text: 'waits' },
    ];
    const captions: CutCaptions = {
      style: 'word',
      place: 'middle',
      track: false,
      cues: [{ start: 0, end: 0.75, text: 'Nobody waits', words }],
    };
    await over({ captions }, 'words');
    // Where the mark is, from left to right: it is the only yellow.
    const marks: (number | undefined)[] = [];
    for await (const { pixels } of readFrames(`${folder}/words.mp4`, { pixelFormat: 'rgb24' })) {
      const yellow: number[] = [];
      for (let x = 0; x < SIZE.width; x++) {
        const at = (90 * SIZE.width + x) * 3;
        if (pixels[at]! - pixels[at + 2]! > 80) yellow.push(x);
      }
      marks.push(yellow.length === 0 ? undefined : Math.round(yellow.reduce((sum, x) => sum + x, 0) / yellow.length));
    }
    const halves = marks.map(x => (x === undefined ? 'neither' : x < SIZE.width / 2 ? 'first' : 'second'));
    expect(halves.slice(0, 6)).toEqual(Array.from({ length: 6 }, () => 'first'));
    expect(halves.slice(6, 12)).toEqual(Array.from({ length: 6 }, () => 'second'));
    expect(halves.slice(12, 18)).toEqual(Array.from({ length: 6 }, () => 'neither'));
  });
});
