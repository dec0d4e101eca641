import { createCanvas } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { drawBands, opaqueBands } from '../../../src/studio/animatic/slate/slate.ts';

test('a layer with an empty middle is kept as its two bands, and looks the same laid over', () => {
  const layer = () => {
    const canvas = createCanvas(40, 100);
    const context = canvas.getContext('2d');
    context.fillStyle = 'rgba(200,40,10,0.4)';
    context.fillRect(3, 2, 30, 10);
    context.fillStyle = 'rgba(255,255,255,0.9)';
    context.fillText('shot 2', 2, 90);
    return canvas;
  };
  const over = (lay: (context: ReturnType<ReturnType<typeof createCanvas>['getContext']>) => void) => {
    const canvas = createCanvas(40, 100);
    const context = canvas.getContext('2d');
    context.fillStyle = '#345';
    context.fillRect(0, 0, 40, 100);
    lay(context);
    return canvas.data();
  };
  const whole = layer();
  const cut = opaqueBands(whole);
  expect(cut.map(({ top }) => top < 50)).toEqual([true, false]);
  expect(cut.reduce((rows, { canvas }) => rows + canvas.height, 0)).toBeLessThan(40);
  expect(over(context => drawBands(context, cut)).equals(over(context => context.drawImage(layer(), 0, 0)))).toBe(true);
});

test('an empty layer is nothing', () => {
  expect(opaqueBands(createCanvas(10, 10))).toEqual([]);
});
