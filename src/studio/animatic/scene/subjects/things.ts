/** Things that move: a bicycle and its rider, a train, a kite, an umbrella, what steams on a table. The rigid parts are props. */
import { type Colour, css, lch, mix, WHITE } from '../../prompt/palette.ts';
import { type Context, ellipse, glow, Pen, rows, tube } from '../brush.ts';
import type { Projection } from '../camera.ts';
import type { Figure } from '../lighting.ts';
import { drawProp, litBy, propFigure } from '../prop.ts';
import type { Stage } from '../stage.ts';
import { joint } from './animals/gait.ts';
import people from './data/people.json' with { type: 'json' };
import { colourOf } from './people/portrait-brush.ts';

const HIP = [-0.23, -0.88] as const;
const CRANK = { x: -0.04, y: -0.29, arm: 0.12 };

/** The origin is on the road below the middle; about 1.5 high with its rider. */
export function bicycle(stage: Stage, paint: Colour, cloth: Colour): Figure {
  const light = litBy(stage, { paint, cloth });
  return {
    box: { left: -0.95, top: -1.62, right: 1, bottom: 0.06 },
    stride: 0,
    draw(context, { seconds }) {
      pedalling(context, HIP, pedal(seconds, Math.PI), lch(0.3, 0.03, 260));
      drawProp(context, 'bicycle', { ...light, seconds });
      pedalling(context, HIP, pedal(seconds, 0), lch(0.34, 0.03, 260));
      drawProp(context, 'cyclist', light);
    },
  };
}

function pedal(seconds: number, phase: number): readonly [number, number] {
  const turn = seconds * 4.2 + phase;
  return [CRANK.x + Math.cos(turn) * CRANK.arm, CRANK.y + Math.sin(turn) * CRANK.arm];
}

function pedalling(
  context: Context,
  hip: readonly [number, number],
  foot: readonly [number, number],
  colour: Colour,
): void {
  const knee = joint(hip, foot, 0.36, 0.38, -1);
  context.fillStyle = css(colour);
  context.fill(tube(rows([...hip, 0.075], [...knee, 0.05])));
  context.fill(tube(rows([...knee, 0.05], [...foot, 0.032])));
  context.fillStyle = css(lch(0.22, 0.02, 40));
  context.fill(tube(rows([foot[0] - 0.03, foot[1] + 0.02, 0.03], [foot[0] + 0.09, foot[1] + 0.03, 0.02])));
}

const CARRIAGE = 1.62;

export function train(stage: Stage): Figure {
  const steams = stage.shot.extras.includes('steam engine');
  const light = litBy(stage);
  return {
    box: { left: -4.2, top: steams ? -2.4 : -0.95, right: 4.2, bottom: 0.08 },
    stride: 0,
    draw(context, { seconds }) {
      for (let i = -2; i <= 2; i++) {
        context.save();
        context.translate(i * CARRIAGE, 0);
        if (i < 2) drawProp(context, 'carriage', { ...light, seconds });
        else if (steams) {
          steam(context, stage, seconds);
          drawProp(context, 'steam-engine', { ...light, seconds });
        } else drawProp(context, 'railcar', { ...light, seconds });
        context.restore();
      }
    },
  };
}

function steam(context: Context, { palette }: Stage, seconds: number): void {
  const white = mix(mix(WHITE, palette.light, 0.3), palette.near, palette.dark * 0.7);
  for (let i = 0; i < 12; i++) {
    const t = (i / 12 + seconds * 0.42) % 1;
    context.fillStyle = css(white, 0.5 * (1 - t) ** 1.3);
    const size = 0.1 + 0.34 * t;
    ellipse(context, 0.46 - t * 2.6, -1.16 - t * 0.8 + Math.sin(t * 9 + i) * 0.05, size * 1.3, size);
  }
}

/** The origin is where its string is tied. */
export const kite = ([one, two]: readonly [Colour, Colour]): Figure => ({
  box: { left: -1.1, top: -0.75, right: 0.75, bottom: 1.7 },
  stride: 0,
  draw(context, { seconds }) {
    context.save();
    context.rotate(0.32 + Math.sin(seconds * 1.7) * 0.07);
    drawProp(context, 'kite', { paints: { paint: one, trim: two } });
    context.restore();
    const tail = (t: number): readonly [number, number] => [
      -0.17 - 0.55 * t + Math.sin(seconds * 3.4 - t * 7) * 0.11 * t,
      0.5 + 1.05 * t,
    ];
    context.strokeStyle = css(mix(one, WHITE, 0.7), 0.8);
    context.lineWidth = 0.013;
    context.beginPath();
    for (let i = 0; i <= 20; i++) context.lineTo(...tail(i / 20));
    context.stroke();
    for (let i = 1; i <= 4; i++) {
      const [x, y] = tail(i / 4.4);
      context.fillStyle = css(i % 2 === 0 ? one : two);
      for (const side of [-1, 1]) ellipse(context, x + side * 0.06, y, 0.06, 0.033, side * 0.5);
    }
  },
});

export const cup = (stage: Stage, glaze: Colour): Figure =>
  propFigure(stage, 'cup', { glaze }, { after: (context, { seconds }) => wisps(context, stage, seconds) });
export const bowl = (stage: Stage, glaze: Colour): Figure =>
  propFigure(stage, 'bowl', { glaze }, { after: (context, { seconds }) => wisps(context, stage, seconds) });

function wisps(context: Context, stage: Stage, seconds: number): void {
  const white = mix(WHITE, stage.palette.light, 0.3);
  context.lineCap = 'round';
  for (const [x, lag] of rows([-0.22, 0], [0.02, 1.7], [0.24, 3.1]))
    for (const [wide, alpha] of rows([0.13, 0.07], [0.07, 0.1], [0.03, 0.13])) {
      context.strokeStyle = css(white, alpha * (0.7 + 0.3 * Math.sin(seconds * 0.9 + lag)));
      context.lineWidth = wide;
      context.beginPath();
      for (let i = 0; i <= 12; i++) {
        const t = i / 12;
        context.lineTo(x + Math.sin(t * 5 - seconds * 1.4 + lag) * 0.11 * t, -0.72 - t * 0.8);
      }
      context.stroke();
    }
}

/** One umbrella for the whole of a shot. */
export const silkOf = ({ palette, shot }: Stage): Colour => {
  const named =
    /\b(red|yellow|blue|green|white|black|pink|transparent|clear) umbrella|(红|黄|蓝|绿|白|黑)色?的?伞/i.exec(
      shot.words,
    );
  const name = (named?.[1] ?? named?.[2] ?? '').toLowerCase();
  const [, silk] = Object.entries(people.umbrellas).find(([names]) => names.split('|').includes(name)) ?? [];
  return silk ? colourOf(silk) : mix(palette.accent, lch(0.5, 0.12, 25), 0.3);
};

/** Behind a head, in the units of `face.ts`: the lining with its ribs, the rim before it, the stick to the shoulder. */
export const umbrellaBehind = (context: Context, stage: Stage): void =>
  drawProp(context, 'umbrella-behind', { paints: { silk: silkOf(stage), near: stage.palette.near } });

/** Over a walker, in its units (1 high): held before the shoulder. */
export function umbrellaOver(context: Context, silk: Colour, lean: number, lift: number): void {
  context.save();
  context.translate(lean, lift);
  drawProp(context, 'umbrella-over', { paints: { silk } });
  context.restore();
}

/** Buildings that stand in a set as well as play in it: a lighthouse and its beam, a house with lit windows. */

export const lighthouse = (stage: Stage): Figure => propFigure(stage, 'lighthouse', { distance: 0.05 });
export const castle = (stage: Stage): Figure => propFigure(stage, 'castle', {}, { rim: 0.6 });
export const house = (stage: Stage): Figure => propFigure(stage, 'house', roofOf(stage), { rim: 0.5 });

/** Snow lies on it in winter. */
export const roofOf = ({ shot, palette }: Stage) => (shot.winter ? { tiles: mix(WHITE, palette.sky[1], 0.3) } : {});

interface Beam {
  readonly x: number;
  readonly y: number;
  readonly reach: number;
  /** One unit of the stage. */
  readonly size: number;
}

/** Two arms of light that turn; brightest when they point at us. */
export function beamOfLight(
  context: Context,
  stage: Stage,
  at: Projection,
  { x, y, reach, size }: Beam,
  seconds: number,
): void {
  const { palette } = stage;
  const strength = 0.25 + 0.75 * Math.min(1, palette.dark * 2.4);
  const colour = mix(palette.light, lch(0.95, 0.07, 90), 0.5);
  const turn = seconds * 1.15 + 0.7;
  const [px, py] = [at.x(x), at.y(y)];
  context.save();
  context.globalCompositeOperation = 'screen';
  for (const angle of [turn, turn + Math.PI]) {
    const along = Math.cos(angle);
    if (Math.abs(along) < 0.06) continue;
    const length = reach * along * at.scale;
    context.fillStyle = new Pen(context).across(
      px,
      px + length,
      [0, colour, 0.62 * strength],
      [0.35, colour, 0.26 * strength],
      [1, colour, 0],
    );
    const opening = Math.abs(length) * 0.075;
    const tilt = Math.sin(angle) * Math.abs(length) * 0.04;
    context.beginPath();
    context.moveTo(px, py - 4 * size);
    context.lineTo(px + length, py - opening + tilt);
    context.lineTo(px + length, py + opening + tilt);
    context.lineTo(px, py + 4 * size);
    context.fill();
  }
  const radius = size * at.scale * (70 + 110 * Math.max(0, Math.sin(turn)) ** 2);
  context.globalAlpha = strength;
  context.drawImage(glow(48, mix(colour, WHITE, 0.3)), px - radius, py - radius, radius * 2, radius * 2);
  context.restore();
}
