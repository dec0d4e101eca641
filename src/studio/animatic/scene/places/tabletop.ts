/** Where a product is looked at: on a table in its room, or on a plinth before a seamless wall, as a photographer would light it. */
import { BLACK, type Colour, css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { glow, type Pen, rows } from '../brush.ts';
import { type Figure, LitFigure } from '../lighting.ts';
import type { Stage } from '../stage.ts';

/** Shown as a product is: near, on something that is as sharp as itself. */
export const isWare = ({ shot }: Stage): boolean =>
  shot.subject?.kind === 'product' || (shot.subject?.glyph?.home === 'table' && shot.place === 'interior');

/** What is eaten, drunk or read belongs on a table. */
export const onTable = ({ shot }: Stage): boolean =>
  (shot.subject?.glyph !== undefined && !/\bstudio\b|\bproduct\b|\bplinth\b|产品/i.test(shot.words)) ||
  shot.extras.some(extra => extra === 'cup' || extra === 'bowl' || extra === 'clock' || extra === 'table');

/** A board across the frame below `top`, its edge in the light: `own` is how much of the wood's own colour it keeps. */
function board(
  stage: Stage,
  depth: number,
  top: number,
  colour: Colour,
  own: number,
  grain?: (pen: Pen, wood: Colour) => void,
): void {
  const { height, unit, palette, left, span } = stage;
  const wood = mix(mix(palette.near, colour, own * (1 - palette.dark)), palette.light, 0.055);
  stage.paint({ depth, from: top, still: true }, pen => {
    const [edge, face, foot] = [mix(wood, palette.light, 0.24), lighter(wood, 0.035), mix(wood, BLACK, 0.32)];
    pen.box(pen.down(top, height * 1.055, [0, edge], [0.13, face], [1, foot]), ...stage.from(top));
    grain?.(pen, wood);
    pen.box(css(mix(palette.light, WHITE, 0.3), 0.4), left, top, span, 2.4 * unit);
  });
}

/** A table across the frame, sharp before the soft room. */
export function tabletop(stage: Stage): void {
  const { height, unit, palette, random, lit, left, right, bottom, width } = stage;
  const top = height * 0.72;
  board(stage, 0.62, top, lch(0.44, 0.075, 52), 0.6, (pen, wood) => {
    pen.context.lineCap = 'round';
    for (let i = 0; i < 90; i++) {
      const t = random.next() ** 1.5;
      const [x, y] = [stage.anywhere(), top + (bottom - top) * t];
      pen.stroke(css(lighter(wood, random.chance(0.5) ? 0.05 : -0.07), 0.2), unit * (1 + 4 * t))`M${x} ${y}
  Q${x + 240 * unit} ${y + random.spread() * 8 * unit} ${x + unit * random.between(300, 700)} ${y}`;
    }
    const beam = pen.across(lit === 1 ? right : left, width / 2, [0, palette.light, 0.3], [1, palette.light, 0]);
    pen.with({ globalCompositeOperation: 'screen' }, () => pen.box(beam, ...stage.from(top)));
  });
  stage.ground = height * 0.86;
  stage.mirror = 0.16;
}

/** A counter before a person, with what they are busy with on it. */
export function counter(stage: Stage, ware: Figure, broad: number): void {
  const { height, width, lit } = stage;
  board(stage, BEFORE, height * 0.86, lch(0.4, 0.07, 48), 0.5);
  const thing = new LitFigure(stage, ware, Math.min(width, height) * 0.26 * broad, 1);
  stage.move({
    depth: BEFORE,
    draw(pen, moment, at) {
      const [x, y] = [at.x(width * (0.5 + 0.2 * lit)), at.y(height * 0.925)];
      thing.draw(pen.context, x, y, at.scale, { ...moment, turns: 0 });
    },
  });
}

/** Nearer than anything that is thrown out of focus. */
const BEFORE = 1.02;

/** A wall of one colour that turns into the floor without an edge, an arch, a plinth, a light from the side. */
export function seamless(stage: Stage): void {
  const { width, height, unit, palette, lit, dark } = stage;
  const warm = stage.random.pick([palette.second, palette.accent, lch(0.72, 0.08, 40), lch(0.7, 0.07, 300)]);
  const wall = mix(mix(warm, palette.sky[1], 0.42), dark ? BLACK : WHITE, dark ? 0.42 : 0.24);
  const middle = width * 0.5;
  const size = Math.min(width, height);
  const plinth = { top: height * 0.82, wide: size * 0.36, deep: size * 0.075 };
  stage.paint({ depth: 0.1, still: true }, pen => {
    const shades = rows([0, -0.1], [0.55, 0.02], [0.72, 0.07], [1, -0.06]).map(
      ([at, by]) => [at, lighter(wall, by)] as const,
    );
    pen.box(pen.down(stage.top, stage.bottom, ...shades), ...stage.all);
    const spot = glow(200, mix(palette.light, wall, 0.4));
    pen.shine(spot, 0.5, middle + lit * width * 0.2, height * 0.3, width * 0.62);
  });
  stage.paint({ depth: 0.3, still: true }, pen => {
    const block = { stage, x: middle, foot: height * 0.88, wide: size * 0.4, colour: lighter(wall, -0.07) };
    arch(pen, { ...block, top: height * 0.88 - size * 0.7 });
    for (const [aside, tall, wide] of rows([-0.62, 0.2, 0.13], [0.62, 0.34, 0.11])) {
      const at = { x: middle + aside * size * lit, top: height * (0.9 - tall), foot: height * 0.9 };
      column(pen, { stage, ...at, wide: size * wide, colour: lighter(wall, 0.02) });
    }
  });
  stage.paint({ depth: 0.62, still: true }, pen => {
    pen.with({ filter: `blur(${Math.max(0.6, 16 * unit)}px)` }, () =>
      pen.ellipse(
        css(lighter(wall, -0.32), 0.5),
        middle - lit * size * 0.16,
        height,
        plinth.wide * 1.3,
        plinth.deep * 1.1,
      ),
    );
    const { top, wide } = plinth;
    column(pen, { stage, x: middle, top, foot: height * 1.06, wide, colour: lighter(wall, 0.05) });
  });
  stage.ground = plinth.top + plinth.deep * 0.15;
  stage.mirror = 0.12;
}

interface Block {
  readonly stage: Stage;
  readonly x: number;
  readonly top: number;
  readonly foot: number;
  readonly wide: number;
  readonly colour: Colour;
}

function arch(pen: Pen, { stage, x, top, foot, wide, colour }: Block): void {
  const { palette, lit, unit } = stage;
  const [left, right, spring] = [x - wide, x + wide, top + wide];
  const shade = pen.across(x - wide * lit, x + wide * lit, [0, lighter(colour, 0.02)], [1, lighter(colour, -0.1)]);
  pen.fill(shade)`M${left} ${foot} L${left} ${spring} A${wide} ${wide} 0 0 1 ${right} ${spring} L${right} ${foot}`;
  const edge = pen.stroke(css(mix(palette.light, WHITE, 0.3), 0.3), 2.5 * unit);
  edge`M${x} ${top} A${wide} ${wide} 0 0 ${lit === 1 ? 0 : 1} ${lit === 1 ? left : right} ${spring}`;
}

/** A cylinder seen from a little above. */
function column(pen: Pen, { stage, x, top, foot, wide, colour }: Block): void {
  const { palette, lit } = stage;
  const deep = wide * 0.2;
  const [from, to] = [x - wide * lit, x + wide * lit];
  const [dark, shade, edge] = [lighter(colour, -0.2), lighter(colour, -0.1), lighter(colour, -0.05)];
  const bright = mix(colour, palette.light, 0.12);
  const body = pen.across(from, to, [0, dark], [0.4, shade], [0.8, bright], [1, edge]);
  pen.fill(
    body,
  )`M${x - wide} ${top} L${x - wide} ${foot} A${wide} ${deep} 0 0 0 ${x + wide} ${foot} L${x + wide} ${top}`;
  const face = pen.across(from, to, [0, lighter(colour, 0)], [1, mix(lighter(colour, 0.06), palette.light, 0.3)]);
  pen.ellipse(face, x, top, wide, deep);
}
