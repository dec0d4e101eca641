/** What swims and flies by itself: its pose at a moment as measures, its shapes in `data/drawings/creatures.json`. The stage lights it. */
import { type Colour, lch, lighter } from '../../prompt/palette.ts';
import type { Context, Point } from '../brush.ts';
import type { Figure } from '../lighting.ts';
import rows from './data/drawings/creatures.json' with { type: 'json' };
import { draw } from './drawing.ts';

/** A wave runs down its body. */
export const whale: Figure = {
  box: { left: -1.35, top: -0.6, right: 1.1, bottom: 0.65 },
  stride: 0,
  draw(context, { seconds }) {
    const wave = (x: number) => Math.sin(seconds * 1.3 + x * 1.6) * 0.05 * (0.4 + Math.max(0, -x));
    draw(context, rows.whale, { skin: lch(0.36, 0.045, 245) }, { wave, flap: Math.sin(seconds * 1.3) * 0.07 });
  },
};

/** In flight, a wing's length on each side. */
export const bird = (phase: number): Figure => ({
  box: { left: -1.3, top: -1, right: 1.3, bottom: 1 },
  stride: 0,
  draw: (context, { seconds }) =>
    draw(context, rows.bird, { body: lch(0.86, 0.012, 90) }, { beat: Math.sin(seconds * 7 + phase) * 0.75 + 0.1 }),
});

/** Wings about 0.9 to each side, which open and shut. */
export const butterfly = (wing: Colour, phase: number): Figure => ({
  box: { left: -1.05, top: -0.95, right: 1.05, bottom: 0.85 },
  stride: 0,
  draw(context, { seconds }) {
    context.rotate(0.22);
    const open = 0.3 + 0.7 * Math.abs(Math.cos(seconds * 3.1 + phase));
    draw(context, rows.butterfly, { wing, dark: lch(0.17, 0.02, 40) }, { open });
  },
});

/** An eagle soaring: broad wings with fingers at their tips, pale head and tail; it beats its wings now and then. */
export const raptor: Figure = {
  box: { left: -1.6, top: -0.9, right: 1.6, bottom: 0.8 },
  stride: 0,
  draw(context, { seconds }) {
    const beat =
      Math.sin(seconds * 1.1) * 0.12 + Math.max(0, Math.sin(seconds * 0.7 + 2)) ** 4 * Math.sin(seconds * 7) * 0.4;
    const plumage = lch(0.33, 0.045, 55);
    const rise = (at: number) => -at * at * (0.26 + beat * 0.5) - at * 0.04;
    const { cos, sin } = Math;
    for (const side of [-1, 1] as const) {
      const wing = lighter(plumage, side === 1 ? 0.02 : -0.05);
      const x = (at: number) => side * at * (side === 1 ? 1 : 0.92);
      draw(context, rows.raptorWing, { plumage, wing }, { x, rise, cos, sin });
    }
    draw(context, rows.raptor, { plumage, pale: lch(0.95, 0.012, 85) });
  },
};

/** A dragon from the side: wings of skin on long fingers, a neck and a tail that wind. */
export const dragon: Figure = {
  box: { left: -1.7, top: -1.35, right: 1.5, bottom: 0.95 },
  stride: 0,
  draw(context, { seconds }) {
    const beat = Math.sin(seconds * 2.6);
    const scales = lch(0.38, 0.09, 25);
    const wave = (x: number) => Math.sin(seconds * 2.6 - x * 2.2) * 0.06;
    const spine = (x: number) =>
      (x < 0.3 ? -0.14 + Math.max(0, -x - 0.2) * 0.22 : -0.16 - (x - 0.3) * 0.5) + wave(x) * 0.7;
    dragonWing(context, lighter(scales, -0.1), beat, -0.1);
    const paints = { scales, dark: lighter(scales, -0.14) };
    draw(context, rows.dragon, paints, { wave, spine, y: -0.46 + wave(1) * 0.6 });
    dragonWing(context, lighter(scales, 0.02), beat, 0.12);
  },
};

function dragonWing(context: Context, skin: Colour, beat: number, at: number): void {
  const up = -0.66 - beat * 0.36;
  const elbow: Point = [at + 0.02, up * 0.62 - 0.1];
  const fingers: { readonly [finger: string]: Point } = {
    one: [at + 0.42, up * 1.5 + 0.06],
    two: [at - 0.34, up * 1.4 + 0.02],
    three: [at - 0.86, up * 0.86 + 0.16],
    four: [at - 0.98, up * 0.26 + 0.2],
  };
  draw(context, rows.dragonWing, { skin }, { at, up, elbow, ...fingers });
}
