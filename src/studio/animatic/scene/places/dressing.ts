/** What words add to a place: palms on its beach, a village in its meadow, books to its room's ceiling. */
import { type Colour, lch, lighter, mix } from '../../prompt/palette.ts';
import { type Pen, rows } from '../brush.ts';
import { standProp } from '../prop.ts';
import type { Stage } from '../stage.ts';
import { roofOf } from '../subjects/buildings.ts';

/** Two or three at each side, leaning out over the water. */
export function palms(stage: Stage): void {
  const { width, height, random, palette } = stage;
  const leaf = mix(palette.near, lch(0.34, 0.07, 138), 0.55 * (1 - palette.dark * 1.4));
  const bark = mix(palette.near, lch(0.4, 0.04, 60), 0.5 * (1 - palette.dark));
  stage.paint(0.9, pen => {
    for (const [at, tall, way] of rows([-0.05, 0.86, 1], [0.04, 0.66, 1], [1.04, 0.92, -1])) {
      const where = { x: width * at, base: height * 1.06, height: height * tall * random.between(0.92, 1.06), way };
      standProp(pen.context, stage, 'palm', where, { leaf, bark });
    }
  });
}

/** Houses in two rows where the meadow begins, their windows lit after dark. */
export function village(stage: Stage, line: number, depth: number): void {
  const { width, unit, random } = stage;
  stage.paint({ depth, from: line - 170 * unit }, pen => {
    for (const [row, size, distance] of rows([0, 88, 0.5], [1, 128, 0.3]))
      for (let i = 0; i < 9; i++) {
        const x = width * (0.08 + 0.84 * ((i + 0.5 * row + random.between(-0.22, 0.22)) / 9));
        const tall = size * unit * random.between(0.85, 1.1);
        const where = { x, base: line + unit * (18 + row * 46), height: tall };
        standProp(pen.context, stage, 'house', where, { ...roofOf(stage), distance });
      }
  });
}

/** Books on a shelf from `left` to `right`, in colours between the wall's and their own. */
export function bookRow(
  { random, unit, palette }: Stage,
  pen: Pen,
  { left, right, y, high, shade }: { left: number; right: number; y: number; high: number; shade: Colour },
): void {
  const { accent, second } = palette;
  const cloths = [accent, second, lch(0.5, 0.1, 30), lch(0.46, 0.07, 150), lch(0.62, 0.07, 80)] as const;
  for (let x = left; x < right; ) {
    const [wide, tall] = [unit * random.between(10, 28), high * random.between(0.55, 1)];
    const spine = mix(shade, random.pick(cloths), random.between(0.12, 0.42));
    const [near, far] = [lighter(spine, -0.05), lighter(spine, -0.06)];
    pen.box(pen.across(x, x + wide, [0, near], [0.5, lighter(spine, 0.03)], [1, far]), x, y - tall, wide, tall);
    x += wide + (random.chance(0.15) ? unit * 24 : unit);
  }
}

/** Shelves from wall to wall, around the window. */
export function books(
  stage: Stage,
  { dark, wall }: { readonly dark: Colour; readonly wall: Colour },
  window: { readonly x: number; readonly y: number; readonly wide: number; readonly tall: number },
): void {
  const { unit, height, left, right, span } = stage;
  stage.paint(0.16, pen => {
    const frame = 24 * unit;
    pen.context.beginPath();
    pen.context.rect(...stage.all);
    pen.context.rect(window.x - frame, window.y - frame, window.wide + frame * 2, window.tall + frame * 2);
    pen.context.clip('evenodd');
    const tall = (height * 0.74) / 6;
    for (let y = tall; y < height * 0.75; y += tall) {
      pen.box(lighter(mix(dark, wall, 0.1), -0.03), left, y - tall, span, tall);
      bookRow(stage, pen, { left, right, y, high: tall * 0.86, shade: mix(dark, wall, 0.4) });
      pen.box(mix(dark, wall, 0.34), left, y - 4 * unit, span, 9 * unit);
    }
    for (let x = left + 90 * unit; x < right; x += 420 * unit) pen.context.fillRect(x, 0, 16 * unit, height * 0.74);
  });
}
