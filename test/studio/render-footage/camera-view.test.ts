import { expect, test } from 'vitest';
import { viewOf, WIDEST } from '../../../src/studio/animatic/picture/camera-view.ts';
import { type CameraMoment, cameraAt } from '../../../src/studio/animatic/scene/camera.ts';
import { Noise } from '../../../src/studio/shared/random.ts';
import type { CameraMove } from '../../../src/studio/shared/vocabulary.ts';

const SIZE = { width: 1600, height: 900 };
const noise = new Noise('hand');
const MOVES =
  'locked drift pan-left pan-right tilt-up tilt-down truck-left tracking push-in pull-out zoom-in zoom-out crane-up crane-down orbit handheld aerial roll';

function path(move: CameraMove, moment: Pick<CameraMoment, 'loop'> = {}, aim = { x: 0, y: 0 }) {
  const at = (progress: number) => cameraAt(move, { progress, seconds: progress * 5, pace: 'fast', ...moment }, noise);
  return Array.from({ length: 101 }, (_, i) => viewOf(at(i / 100), at(0), SIZE, aim));
}

test.each(MOVES.split(' ') as CameraMove[])(
  '%s starts at the picture itself and never shows what is not there',
  move => {
    const views = [...path(move), ...path(move, {}, { x: -0.25, y: 0.25 })];
    expect(views[0]).toEqual({ x: expect.closeTo(0), y: expect.closeTo(0), scale: 1, roll: 0 });
    // The margin of a picture that was widened for pulling out, on each side, in parts of the frame.
    const margin = (1 / WIDEST - 1) / 2;
    for (const { x, y, scale } of views) {
      const beyond = Math.max(Math.abs(x) / SIZE.width, Math.abs(y) / SIZE.height) / scale + (1 / scale - 1) / 2;
      expect(beyond).toBeLessThanOrEqual(scale < 1 ? margin : 1e-9);
    }
  },
);

test.each(['drift', 'pan-left', 'push-in', 'orbit', 'handheld'] as const)('%s closes in a loop', move => {
  const views = path(move, { loop: true });
  const { x, y, scale, roll } = views.at(-1)!;
  expect([x, y, scale, roll]).toEqual([0, 0, 1, 0].map(value => expect.closeTo(value, 6)));
});

test('a camera that comes closer brings what it aims at to the middle', () => {
  const aim = { x: 0, y: 0.2 };
  const { y, scale } = path('push-in', {}, aim).at(-1)!;
  expect(aim.y * scale + y / SIZE.height).toBeLessThan(aim.y * 0.9);
});

test('pulling out never stops dead', () => {
  const scales = path('zoom-out').map(({ scale }) => scale);
  for (let i = 20; i < 80; i++) expect(scales[i + 1]!).toBeLessThan(scales[i]! - 1e-4);
  expect(scales.at(-1)!).toBeGreaterThan(WIDEST);
});
