/** What a coat wears, on the body's side: the pale belly, hairs, stripes, patches, humps. */

import { hash } from '../../../../shared/random.ts';
import { css, lighter } from '../../../prompt/palette.ts';
import { type Context, type Joint, type Point, tube } from '../../brush.ts';
import rows from '../data/drawings/quadruped.json' with { type: 'json' };
import { draw } from '../drawing.ts';
import type { Breed } from './breeds.ts';

/** Where the body begins and ends along the ground. */
const endsOf = (body: readonly Joint[]): Point => [body[0]?.[0] ?? 0, body.at(-1)?.[0] ?? 0];

/** Paler below, with a soft edge. */
export function belly(context: Context, { under, dark, nap, hump }: Breed, body: readonly Joint[]): void {
  context.save();
  context.clip(tube(body));
  const [rump, chest] = endsOf(body);
  for (const [drop, alpha] of [
    [0.72, 0.16],
    [0.8, 0.22],
    [0.88, 0.3],
  ] as const) {
    context.fillStyle = css(under, alpha);
    // Deeper under the chest, gone before the haunch.
    const line = body.slice(1).map(([x, y, r]): Joint => {
      const on = (x - rump) / (chest - rump);
      return [x, y + r * (0.8 + drop - 0.14 * on ** 3 + 0.55 * (1 - on) ** 2), r];
    });
    context.fill(tube(line, { nap }));
  }
  context.fillStyle = css(dark, 0.13);
  const back = body.map(([x, y, r]): Joint => [x, y - r * 1.55, r]);
  if (!hump) context.fill(tube(back, { nap }));
  context.restore();
}

/** Hairs that lie along the body, a little darker and lighter than the coat. */
export function fur(context: Context, { nap, coat }: Breed, body: readonly Joint[], back: number): void {
  if (nap < 0.005) return;
  context.lineCap = 'round';
  context.lineWidth = nap * 0.26;
  for (let i = 0; i < 90; i++) {
    const a = (hash(`hair${i}`) % 1000) / 1000;
    const b = (hash(`lock${i}`) % 1000) / 1000;
    const [x, , r] = body[Math.floor(a * body.length)] ?? [0, 0, 0.1];
    const px = x + (b - 0.5) * 0.16;
    const py = back + (((a * 7.3) % 1) - 0.5) * r * 1.5;
    context.strokeStyle = css(lighter(coat, i % 2 === 0 ? 0.06 : -0.07), 0.5);
    context.beginPath();
    context.moveTo(px, py);
    context.quadraticCurveTo(px - nap * 2, py + nap * 0.2, px - nap * 3.6, py + nap * 0.9);
    context.stroke();
  }
}

/** Humps stand on the back behind the withers, shaggy on top. */
export function hump(context: Context, { hump, torso, coat, dark }: Breed, body: readonly Joint[]): void {
  const [rump, chest] = endsOf(body);
  const back = (body[1]?.[1] ?? 0) - (body[1]?.[2] ?? 0);
  const half = torso * (hump === 2 ? 0.9 : 1.35);
  for (const at of hump === 2 ? [0.3, 0.66] : [0.46]) {
    const x = rump + (chest - rump) * at;
    draw(context, rows.hump, { coat, dark }, { x, half, back, torso, rise: torso * 1.05 });
  }
}

/** Stripes, spots, patches or a panda's shoulders, where the breed has them. */
export function pattern(context: Context, breed: Breed, body: readonly Joint[]): void {
  const { pattern, torso, nap, coat, dark } = breed;
  if (pattern === undefined || pattern === 'blaze') return;
  const [rump, chest] = [endsOf(body)[0] - torso, endsOf(body)[1] + torso];
  const back = body[2]?.[1] ?? 0;
  const [x, y, wide] = body.at(-2) ?? [0.2, -0.5, 0.2];
  const measures = {
    stripes: {
      ...{ torso, top: back - torso * 1.2, low: back + torso * 1.15 },
      // Each stripe hangs from the spine, widest in its middle, and leans back the way a tiger's do.
      x: (i: number) => rump + ((chest - rump) * (i + 0.5)) / 15,
      deep: (i: number) => torso * (1.25 + 0.5 * Math.sin(i * 2.4)),
      lean: (i: number) => torso * 0.22 * Math.sin(i * 1.7),
      odd: (i: number) => i % 2,
    },
    spots: rosettes(torso, back, rump, chest),
    patches: { back },
    panda: { shoulder: [x, y] as const, wide, nap },
  };
  context.save();
  context.clip(tube(body));
  draw(context, rows[pattern], { coat, dark }, measures[pattern]);
  context.restore();
}

/** Broken rings in rows, smaller towards the belly, each pushed out of line: thrown at random they would clump. */
function rosettes(torso: number, back: number, rump: number, chest: number) {
  const columns = 17;
  const push = (i: number) => (hash(`spot${i}`) % 100) / 100;
  const row = (i: number) => Math.floor(i / columns);
  const low = (i: number) => (row(i) + push(i) * 0.7) / 4;
  return {
    x: (i: number) => rump + ((chest - rump) * ((i % columns) + (row(i) % 2) * 0.5 + push(i) * 0.6)) / columns,
    y: (i: number) => back - torso * (1.05 - 1.75 * low(i)),
    size: (i: number) => torso * (0.15 - 0.07 * low(i)),
  };
}
