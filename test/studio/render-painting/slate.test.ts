import { createCanvas } from '@napi-rs/canvas';
import { describe, expect, test } from 'vitest';
import { font, shorten, wrap } from '../../../src/media/encode/typography.ts';
import { Slate, type SlateOptions, timecode } from '../../../src/studio/animatic/slate/slate.ts';

const OPTIONS: SlateOptions = {
  width: 640,
  height: 360,
  fps: 24,
  duration: 4,
  facts: ['V-T2V-A', '640×360', '24 fps', 'seed 11'],
  shots: [
    { start: 0, end: 2, words: 'A red fox crosses a frozen river', size: 'wide', camera: 'pan-right' },
    { start: 2, end: 4, words: 'It looks back', size: 'close', camera: 'push-in' },
  ],
};

/** Opacity laid on each pixel of a part of the picture. */
function ink(
  options: Partial<SlateOptions>,
  frame: number,
  [x, y, width, height]: readonly [number, number, number, number],
  envelope?: Float32Array,
): number {
  const canvas = createCanvas(640, 360);
  const context = canvas.getContext('2d');
  new Slate({ ...OPTIONS, ...options }).draw(context, frame, envelope);
  const { data } = context.getImageData(x, y, width, height);
  let sum = 0;
  for (let i = 3; i < data.length; i += 4) sum += data[i] ?? 0;
  return sum / (data.length / 4);
}
const HEADING = [0, 0, 320, 40] as const;
const CORNER = [562, 319, 60, 14] as const;
const LINE = [0, 336, 640, 16] as const;
const MIDDLE = [0, 120, 640, 60] as const;

describe('the slate', () => {
  test('counts hours, minutes, seconds and frames', () => {
    expect([0, 1 / 24, 2.5, 61, 3600].map(time => timecode(time, 24))).toEqual([
      '00:00:00:00',
      '00:00:00:01',
      '00:00:02:12',
      '00:01:01:00',
      '01:00:00:00',
    ]);
  });
  test('leaves the middle of the picture alone', () => expect(ink({}, 12, MIDDLE)).toBe(0));
  test('changes on the frame of the cut, not before', () => {
    const still = [47, 48].map(frame => ink({}, frame, HEADING));
    expect(ink({}, 46, HEADING)).toBe(still[0]);
    expect(still[1]).not.toBe(still[0]);
  });
  test('marks the lower right corner when asked to', () => {
    expect(ink({ shade: false }, 0, CORNER)).toBe(0);
    expect(ink({ shade: false, watermark: true }, 0, CORNER)).toBeGreaterThan(60);
  });
  test('draws the sound along the line', () => {
    expect(ink({}, 0, LINE, new Float32Array(96).fill(1))).toBeGreaterThan(ink({}, 0, LINE, new Float32Array(96)) + 5);
  });
  test('can do without the bands that shade the type', () =>
    expect(ink({ shade: false }, 0, [200, 300, 200, 3])).toBe(0));
});

describe('type', () => {
  const context = createCanvas(10, 10).getContext('2d');
  test('breaks lines between words, and between any two Chinese characters', () => {
    context.font = font('sans', 600, 20, '红狐狸走过');
    expect(wrap(context, 'a red fox crosses the river', 110, 5)).toEqual(['a red fox', 'crosses', 'the river']);
    expect(wrap(context, '红狐狸走过冰河', 62, 5)).toEqual(['红狐狸', '走过冰', '河']);
  });
  test('says with … that words are left over', () => {
    context.font = font('sans', 600, 20);
    expect(wrap(context, 'a red fox crosses the river', 110, 2)).toEqual(['a red fox', 'crosses…']);
    expect(shorten(context, 'a red fox', 1000)).toBe('a red fox');
  });
  test('has glyphs of its own for Chinese, Greek and Cyrillic: no machine font is asked', () => {
    for (const text of ['狐', 'ж', 'λ', 'ř']) {
      const canvas = createCanvas(40, 40);
      const pen = canvas.getContext('2d');
      const drawn = (letter: string) => {
        pen.clearRect(0, 0, 40, 40);
        pen.font = font('sans', 400, 30, letter);
        pen.fillText(letter, 4, 32);
        return Buffer.from(canvas.data()).toString('base64');
      };
      // A letter without a glyph is the same box as one that no font has.
      expect(drawn(text)).not.toBe(drawn('\u{10FFFF}'));
    }
  });
});
