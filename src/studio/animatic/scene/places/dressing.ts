/** What words add to a place: palms on its beach, a village in its meadow, books to its room's ceiling. */
import { type Colour, css, lch, lighter, mix } from '../../prompt/palette.ts';
import { type Joint, type Pen, rows, tube } from '../brush.ts';
import type { Stage } from '../stage.ts';
import { drawBuilding } from '../subjects/buildings.ts';

/** Two or three at each side, leaning out over the water. */
export function palms(stage: Stage): void {
  const { width, height, unit, random, palette, lit } = stage;
  const colour = mix(palette.near, lch(0.34, 0.07, 138), 0.55 * (1 - palette.dark * 1.4));
  stage.paint(0.9, pen => {
    for (const [at, tall, lean] of rows([-0.05, 0.86, 0.2], [0.04, 0.66, 0.14], [1.04, 0.92, -0.22]))
      palm(pen, width * at, height * tall * random.between(0.92, 1.06), lean * Math.min(width, height * 1.4));
  });

  function palm(pen: Pen, x: number, tall: number, lean: number): void {
    const base = height * 1.06;
    const trunk = mix(palette.near, lch(0.4, 0.04, 60), 0.5 * (1 - palette.dark));
    const [tx, ty] = [x + lean, base - tall];
    const along = (t: number): Joint => [x + lean * t ** 1.7, base - tall * t, unit * (13 - 6 * t)];
    const [dark, bright] = [lighter(trunk, -0.03), mix(trunk, palette.light, 0.14)];
    pen.context.fillStyle = pen.across(x - 40 * unit, x + lean + 40 * unit, [0, dark], [1, bright]);
    pen.context.fill(tube([0, 0.25, 0.5, 0.75, 1].map(along)));
    for (let t = 0.02; t < 0.98; t += 0.035) {
      const [px, py, half] = along(t);
      const ring = css(lighter(trunk, -0.07), 0.7);
      pen.stroke(ring, 1.8 * unit)`M${px - half} ${py} Q${px} ${py + 5 * unit} ${px + half} ${py - 2 * unit}`;
    }
    for (let i = 0; i < 11; i++) {
      const angle = -Math.PI * 0.08 - (i / 10) * Math.PI * 0.84 + random.spread() * 0.1;
      const long = tall * random.between(0.34, 0.46);
      const [ex, ey] = [tx + Math.cos(angle) * long, ty + Math.sin(angle) * long * 0.42 + long * 0.34];
      const [mx, my] = [tx + Math.cos(angle) * long * 0.52, ty + Math.sin(angle) * long * 0.62];
      const leaf = Math.cos(angle) * lit > 0.2 ? mix(colour, palette.light, 0.18) : lighter(colour, -0.02);
      pen.fill(leaf)`M${tx} ${ty}
  Q${mx} ${my - long * 0.07} ${ex} ${ey} Q${mx} ${my + long * 0.13} ${tx} ${ty}`;
      for (let k = 2; k < 14; k++) {
        const t = k / 14;
        const [px, py] = [
          (1 - t) ** 2 * tx + 2 * t * (1 - t) * mx + t * t * ex,
          (1 - t) ** 2 * ty + 2 * t * (1 - t) * my + t * t * ey,
        ];
        pen.stroke(leaf, 2.4 * unit)`M${px} ${py}
  L${px + (ex - tx) * 0.07} ${py + long * 0.17 * Math.sin(Math.PI * Math.min(1, t + 0.25))}`;
      }
    }
  }
}

/** Houses in two rows where the meadow begins, their windows lit after dark. */
export function village(stage: Stage, line: number, depth: number): void {
  const { width, unit, random } = stage;
  stage.paint({ depth, from: line - 170 * unit }, pen => {
    for (const [row, size, distance] of rows([0, 88, 0.5], [1, 128, 0.3]))
      for (let i = 0; i < 9; i++) {
        const x = width * (0.08 + 0.84 * ((i + 0.5 * row + random.between(-0.22, 0.22)) / 9));
        const tall = size * unit * random.between(0.85, 1.1);
        drawBuilding(pen.context, stage, 'house', { x, base: line + unit * (18 + row * 46), height: tall, distance });
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
