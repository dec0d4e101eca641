/** A room: a window with the hour outside, its light across the floor, shelves, a table with a lamp. */
import { BLACK, type Colour, css, lch, lighter, mix } from '../../prompt/palette.ts';
import { ellipse, glow, type Pen, path } from '../brush.ts';
import type { Stage } from '../stage.ts';
import { FALLS, Weather } from '../weather.ts';
import { shafts } from './forest.ts';
import { isWare, onTable, seamless, tabletop } from './tabletop.ts';

export function interior(stage: Stage): void {
  const product = isWare(stage);
  if (product && !onTable(stage)) {
    seamless(stage);
    return;
  }
  room(stage);
  if (product) tabletop(stage);
}

function room(stage: Stage): void {
  const { width, height, unit, palette, lit } = stage;
  const wall = mix(mix(palette.at(0.6), palette.light, 0.16), lch(0.6, 0.06, 60), 0.25);
  const dark = mix(palette.near, lch(0.22, 0.03, 45), 0.4);
  const floor = height * 0.74;
  const window = {
    x: stage.sun.x - width * 0.12,
    y: height * 0.1,
    wide: width * 0.24 * (width >= height ? 1 : 1.5),
    tall: height * 0.4,
  };
  stage.paint(0.1, pen => {
    const [bright, middle, dim] = [mix(wall, palette.light, 0.35), mix(wall, dark, 0.3), mix(dark, wall, 0.3)];
    const [from, to] = lit === 1 ? [width, 0] : [0, width];
    pen.box(pen.across(from, to, [0, bright], [0.5, middle], [1, dim]), ...stage.all);
    pane(stage, pen, window, mix(dark, wall, 0.25));
    pen.box(pen.down(floor, height * 1.1, [0, mix(wall, dark, 0.5)], [1, mix(dark, BLACK, 0.3)]), ...stage.from(floor));
    for (let i = -14; i <= 14; i++) {
      const board = pen.stroke(css(dark, 0.55), 2 * unit);
      board`M${width / 2 + i * width * 0.07} ${floor} L${width / 2 + i * width * 0.24} ${height * 1.2}`;
    }
    pen.box(mix(dark, wall, 0.22), stage.left, floor - 14 * unit, stage.span, 14 * unit);
    pen.context.globalCompositeOperation = 'screen';
    for (let i = 0; i < 3; i++) {
      const [a, b] = [window.x + (window.wide * i) / 3, window.x + (window.wide * (i + 1)) / 3 - 8 * unit];
      const slide = -lit * width * 0.12;
      pen.fill(
        css(palette.light, 0.24),
      )`M${a + slide * 0.3} ${floor + height * 0.04} L${b + slide * 0.3} ${floor + height * 0.04}
  L${b + slide * 1.3 + width * 0.03} ${height * 0.97} L${a + slide * 1.3} ${height * 0.97}`;
    }
  });
  outside(stage, window);
  if (stage.shot.extras.includes('books')) books(stage, { dark, wall }, window);
  stage.paint(0.22, pen => shelves(stage, pen, lit === 1 ? width * 0.03 : width * 0.7, dark, wall));
  stage.paint(0.5, pen => tableAndLamp(stage, pen, mix(dark, wall, 0.16)));
  const from = { x: window.x + window.wide / 2, y: window.y + window.tall * 0.4 };
  shafts(stage, { ...from, count: 3, lean: lit === 1 ? -0.75 : 0.75, strength: 0.55 });
  stage.ground = height * 0.93;
}

interface Pane {
  readonly x: number;
  readonly y: number;
  readonly wide: number;
  readonly tall: number;
}

/** Rain or snow, seen through the window. */
function outside(stage: Stage, { x, y, wide, tall }: Pane): void {
  const { width, height, palette, shot } = stage;
  const kinds = shot.weather.filter(kind => FALLS.has(kind));
  if (kinds.length === 0) return;
  const weather = new Weather(kinds, { width, height, palette, seed: 'window', heavy: true });
  const lens = stage.seen(0.1);
  stage.move({
    depth: 0.1,
    sharp: true,
    draw(pen, { seconds, pulse }, at) {
      const [left, top] = [at.x(lens.x(x)), at.y(lens.y(y))];
      const [right, bottom] = [at.x(lens.x(x + wide)), at.y(lens.y(y + tall))];
      const glass = path`M${left} ${top} L${right} ${top} L${right} ${bottom} L${left} ${bottom} Z`;
      pen.within(glass, () => weather.draw(pen.context, { seconds, pulse }));
    },
  });
}

function pane(stage: Stage, pen: Pen, { x, y, wide, tall }: Pane, frame: Colour): void {
  const { palette, random, unit } = stage;
  const [above, below] = [mix(palette.sky[1], palette.light, 0.4), mix(palette.sky[2], palette.light, 0.6)];
  const glass = path`M${x} ${y} L${x + wide} ${y} L${x + wide} ${y + tall} L${x} ${y + tall} Z`;
  pen.with(
    {
      shadowColor: css(palette.light, 0.9),
      shadowBlur: 90 * unit,
      fillStyle: pen.down(y, y + tall, [0, above], [1, below]),
    },
    () => pen.context.fill(glass),
  );
  pen.within(glass, () => {
    const roofs = css(mix(palette.far, palette.light, 0.3), 0.55);
    for (let i = 0; i < 7; i++)
      pen.box(
        roofs,
        x + (i * wide) / 6 - 10 * unit,
        y + tall * random.between(0.5, 0.85),
        wide * random.between(0.08, 0.17),
        tall,
      );
  });
  pen.context.fillStyle = css(frame);
  for (const k of [0, 1 / 3, 2 / 3, 1])
    pen.context.fillRect(x + wide * k - 4 * unit, y - 6 * unit, 8 * unit, tall + 12 * unit);
  for (const k of [0, 0.5, 1]) pen.context.fillRect(x - 4 * unit, y + tall * k - 4 * unit, wide + 8 * unit, 8 * unit);
}

function shelves(stage: Stage, pen: Pen, left: number, dark: Colour, wall: Colour): void {
  const { unit, width, height } = stage;
  for (let row = 0; row < 3; row++) {
    const y = height * (0.2 + 0.13 * row);
    pen.box(mix(dark, wall, 0.32), left, y, width * 0.26, 8 * unit);
    const ends = { left: left + 8 * unit, right: left + width * 0.25 };
    bookRow(stage, pen, { ...ends, y, high: 82 * unit, shade: mix(dark, wall, 0.45) });
  }
}

function tableAndLamp(stage: Stage, pen: Pen, colour: Colour): void {
  const { unit, width, height, palette, lit } = stage;
  const x = width * (0.5 + lit * -0.24);
  const top = height * 0.8;
  pen.context.fillStyle = css(colour);
  ellipse(pen.context, x, top, width * 0.16, 18 * unit);
  pen.context.fillRect(x - 8 * unit, top, 16 * unit, height * 0.3);
  const lamp = x - lit * width * 0.04;
  pen.context.fillRect(lamp - 3 * unit, top - 120 * unit, 6 * unit, 120 * unit);
  const shade = lch(0.86, 0.11, 72);
  pen.fill(mix(colour, shade, 0.75))`M${lamp - 50 * unit} ${top - 108 * unit} L${lamp - 28 * unit} ${top - 172 * unit}
  L${lamp + 28 * unit} ${top - 172 * unit} L${lamp + 50 * unit} ${top - 108 * unit}`;
  pen.shine(glow(128, mix(palette.light, shade, 0.6)), 0.62, lamp, top - 120 * unit, 280 * unit);
}

/** Books on a shelf from `left` to `right`, in colours between the wall's and their own. */
function bookRow(
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
function books(
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
