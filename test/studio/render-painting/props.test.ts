/** Every prop's file can be read and drawn as it is, with its own paints. */
import { readdirSync } from 'node:fs';
import { createCanvas } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { drawProp } from '../../../src/studio/animatic/scene/prop.ts';
import { variety } from './painted.ts';

const PROPS = readdirSync('src/studio/animatic/scene/props').map(file => file.replace(/\.svg$/, ''));

test.each(PROPS)('%s', name => {
  const canvas = createCanvas(200, 200);
  const context = canvas.getContext('2d');
  context.translate(100, 130);
  context.scale(60, 60);
  drawProp(context, name, { paints: {}, night: true, seconds: 0.3 });
  expect(variety(canvas.data())).toBeGreaterThan(1);
});
