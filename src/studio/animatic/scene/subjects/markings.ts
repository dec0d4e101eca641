/** What a coat wears, on the body's side: the pale belly, hairs, stripes, patches, humps. */

import { hash } from '../../../random.ts';
import { css, lch, lighter, mix } from '../../prompt/palette.ts';
import { type Context, ellipse, type Joint, spline, tube } from '../brush.ts';
import type { Breed } from './breeds.ts';

/** Paler below, with a soft edge. */
export function belly(context: Context, breed: Breed, body: readonly Joint[]): void {
  context.save();
  context.clip(tube(body));
  const [chest, rump] = [body.at(-1)?.[0] ?? 0, body[0]?.[0] ?? 0];
  for (const [drop, alpha] of [
    [0.72, 0.16],
    [0.8, 0.22],
    [0.88, 0.3],
  ] as const) {
    context.fillStyle = css(breed.under, alpha);
    // Deeper under the chest, gone before the haunch.
    context.fill(
      tube(
        body.slice(1).map(([x, y, r]): Joint => {
          const on = (x - rump) / (chest - rump);
          return [x, y + r * (0.8 + drop - 0.14 * on ** 3 + 0.55 * (1 - on) ** 2), r];
        }),
        { nap: breed.nap },
      ),
    );
  }
  if (!breed.hump) context.fillStyle = css(breed.dark, 0.13);
  if (!breed.hump)
    context.fill(
      tube(
        body.map(([x, y, r]): Joint => [x, y - r * 1.55, r]),
        { nap: breed.nap },
      ),
    );
  context.restore();
}

/** Hairs that lie along the body, a little darker and lighter than the coat. */
export function fur(context: Context, breed: Breed, body: readonly Joint[], back: number): void {
  if (breed.nap < 0.005) return;
  context.lineCap = 'round';
  context.lineWidth = breed.nap * 0.26;
  for (let i = 0; i < 90; i++) {
    const a = (hash(`hair${i}`) % 1000) / 1000;
    const b = (hash(`lock${i}`) % 1000) / 1000;
    const [x, , r] = body[Math.floor(a * body.length)] ?? [0, 0, 0.1];
    const px = x + (b - 0.5) * 0.16;
    const py = back + (((a * 7.3) % 1) - 0.5) * r * 1.5;
    context.strokeStyle = css(lighter(breed.coat, i % 2 === 0 ? 0.06 : -0.07), 0.5);
    context.beginPath();
    context.moveTo(px, py);
    context.quadraticCurveTo(px - breed.nap * 2, py + breed.nap * 0.2, px - breed.nap * 3.6, py + breed.nap * 0.9);
    context.stroke();
  }
}

/** Humps stand on the back behind the withers, shaggy on top. */
export function hump(context: Context, breed: Breed, body: readonly Joint[]): void {
  const [rump, chest] = [body[0]?.[0] ?? 0, body.at(-1)?.[0] ?? 0];
  const back = (body[1]?.[1] ?? 0) - (body[1]?.[2] ?? 0);
  const rise = breed.torso * 1.05;
  for (const at of breed.hump === 2 ? [0.3, 0.66] : [0.46]) {
    const x = rump + (chest - rump) * at;
    const half = breed.torso * (breed.hump === 2 ? 0.9 : 1.35);
    context.fillStyle = css(mix(breed.coat, breed.dark, 0.1));
    context.fill(
      spline([
        [x - half * 1.5, back + breed.torso * 0.5],
        [x - half * 0.9, back + breed.torso * 0.02],
        [x - half * 0.42, back - rise * 0.72],
        [x + half * 0.02, back - rise],
        [x + half * 0.42, back - rise * 0.74],
        [x + half * 0.95, back + breed.torso * 0.02],
        [x + half * 1.5, back + breed.torso * 0.5],
      ]),
    );
    context.fillStyle = css(lighter(mix(breed.coat, breed.dark, 0.3), -0.02), 0.75);
    context.fill(
      tube(
        [
          [x + half * 0.34, back - rise * 0.66, breed.torso * 0.1],
          [x + half * 0.02, back - rise * 0.86, breed.torso * 0.15],
          [x - half * 0.34, back - rise * 0.66, breed.torso * 0.1],
        ],
        { nap: 0.014 },
      ),
    );
  }
}

export function pattern(context: Context, breed: Breed, body: readonly Joint[]): void {
  context.save();
  context.clip(tube(body));
  if (breed.pattern === 'stripes') stripes(context, breed, body);
  if (breed.pattern === 'spots') spots(context, breed, body);
  if (breed.pattern === 'patches') patches(context, breed, body);
  if (breed.pattern === 'panda') shoulders(context, breed, body);
  context.restore();
}

/** Each stripe hangs from the spine, widest in its middle, and leans back the way a tiger's do. */
function stripes(context: Context, breed: Breed, body: readonly Joint[]): void {
  const [rump, chest] = [(body[0]?.[0] ?? 0) - breed.torso, (body.at(-1)?.[0] ?? 0) + breed.torso];
  const back = body[2]?.[1] ?? 0;
  context.fillStyle = css(breed.dark, 0.92);
  const count = 15;
  for (let i = 0; i < count; i++) {
    const x = rump + ((chest - rump) * (i + 0.5)) / count;
    const deep = breed.torso * (1.25 + 0.5 * Math.sin(i * 2.4));
    const lean = breed.torso * 0.22 * Math.sin(i * 1.7);
    const top = back - breed.torso * 1.2;
    context.fill(
      tube([
        [x, top, breed.torso * 0.03],
        [x + lean * 0.4, top + deep * 0.4, breed.torso * 0.085],
        [x + lean, top + deep * 0.75, breed.torso * 0.06],
        [x + lean * 1.6 + breed.torso * 0.05, top + deep, 0.002],
      ]),
    );
    if (i % 2 === 0) continue;
    const low = back + breed.torso * 1.15;
    context.fill(
      tube([
        [x + breed.torso * 0.08, low, breed.torso * 0.05],
        [x, low - breed.torso * 0.5, breed.torso * 0.055],
        [x - lean, low - breed.torso * 0.82, 0.002],
      ]),
    );
  }
}

/** Rosettes: broken rings, smaller towards the belly. */
function spots(context: Context, breed: Breed, body: readonly Joint[]): void {
  const [rump, chest] = [(body[0]?.[0] ?? 0) - breed.torso, (body.at(-1)?.[0] ?? 0) + breed.torso];
  const back = body[2]?.[1] ?? 0;
  const columns = 17;
  for (let i = 0; i < columns * 4; i++) {
    // In rows, each pushed out of line: thrown at random they would clump.
    const [column, row] = [i % columns, Math.floor(i / columns)];
    const push = (hash(`spot${i}`) % 100) / 100;
    const x = rump + ((chest - rump) * (column + (row % 2) * 0.5 + push * 0.6)) / columns;
    const low = (row + push * 0.7) / 4;
    const y = back - breed.torso * (1.05 - 1.75 * low);
    const size = breed.torso * (0.15 - 0.07 * low);
    context.fillStyle = css(breed.dark, 0.9);
    ellipse(context, x, y, size, size * 0.82, i);
    context.fillStyle = css(mix(breed.coat, breed.dark, 0.28), 0.95);
    ellipse(context, x + size * 0.12, y + size * 0.1, size * 0.5, size * 0.42, i);
  }
}

function patches(context: Context, breed: Breed, body: readonly Joint[]): void {
  context.fillStyle = css(breed.dark);
  const back = body[2]?.[1] ?? 0;
  for (const [x, y, rx, ry, turn] of [
    [-0.32, -0.1, 0.15, 0.12, 0.3],
    [-0.05, -0.17, 0.13, 0.09, -0.2],
    [0.2, -0.02, 0.14, 0.17, 0.5],
    [-0.14, 0.15, 0.09, 0.07, 0.1],
    [0.45, -0.12, 0.12, 0.13, 0],
  ] as const) {
    ellipse(context, x, back + y, rx, ry, turn);
    ellipse(context, x + rx * 0.5, back + y + ry * 0.5, rx * 0.62, ry * 0.62, -turn);
  }
}

/** Black over the shoulders, as if it wore a waistcoat. */
function shoulders(context: Context, breed: Breed, body: readonly Joint[]): void {
  const [x, y, r] = body.at(-2) ?? [0.2, -0.5, 0.2];
  context.fillStyle = css(mix(breed.dark, lch(0.22, 0.01, 270), 0.5));
  context.fill(
    tube(
      [
        [x - r * 0.15, y - r * 1.3, r * 0.4],
        [x + r * 0.05, y, r * 0.5],
        [x + r * 0.12, y + r * 1.4, r * 0.6],
      ],
      { nap: breed.nap },
    ),
  );
}
