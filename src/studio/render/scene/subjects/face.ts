/**
 * A face, painted as one paints a portrait: the big shapes of light and shade first, soft; then sockets, nose, mouth; then eyes, sharp.
 * Units: chin at 0, crown at −1, about 0.75 wide, lit from the right and turned a little towards the light (the painter mirrors it).
 */
import { type Colour, css, lch, lighter, mix, WHITE } from '../../palette.ts';
import type { Person } from '../../prompt.ts';
import type { Random } from '../../random.ts';
import { type Context, ellipse, outline, type Point, spline, tube } from '../brush.ts';

export interface Complexion {
  readonly skin: Colour;
  readonly hair: Colour;
  readonly eyes: Colour;
  /** The colour of the light on the lit side and of the air on the other. */
  readonly light: Colour;
  readonly shade: Colour;
}

const OUTLINE: readonly Point[] = outline(
  '0 -1, 0.2 -0.975, 0.335 -0.84, 0.372 -0.63, 0.358 -0.43, 0.325 -0.25, 0.235 -0.085, 0.12 -0.008, 0.02 0.004, -0.09 -0.014, -0.228 -0.1, -0.325 -0.27, -0.366 -0.45, -0.382 -0.64, -0.345 -0.84, -0.21 -0.972',
);
/** Where the middle of the face is, turned towards the light. */
const MIDDLE = 0.035;
const EYE_LINE = -0.49;

export function paintFace(
  context: Context,
  person: Person,
  look: Complexion,
  random: Random,
  { eyesShut }: { readonly eyesShut: boolean },
): void {
  const { skin, light, shade } = look;
  const warm = mix(skin, lch(0.55, 0.15, 25), 0.5);
  const dark = mix(mix(skin, lch(0.36, 0.09, 32), 0.55), shade, 0.28);
  const bright = mix(lighter(skin, 0.13), light, 0.35);
  ears(context, skin, dark);
  const outline = spline(OUTLINE);
  context.fillStyle = css(skin);
  context.fill(outline);
  context.save();
  context.clip(outline);
  const turn = context.createLinearGradient(-0.4, 0, 0.42, 0);
  turn.addColorStop(0, css(dark, 0.92));
  turn.addColorStop(0.3, css(dark, 0.55));
  turn.addColorStop(0.52, css(dark, 0.1));
  turn.addColorStop(0.75, css(bright, 0.16));
  turn.addColorStop(1, css(bright, 0.4));
  context.fillStyle = turn;
  context.fillRect(-0.5, -1.1, 1, 1.3);
  soft(context, 0.045, () => {
    for (const [x, y, rx, ry, alpha] of [
      [-0.3, -0.3, 0.13, 0.22, 0.55],
      [-0.33, -0.66, 0.1, 0.2, 0.4],
      [0.31, -0.2, 0.07, 0.14, 0.3],
      [0.04, 0.03, 0.3, 0.07, 0.6],
      [-0.12, -0.17, 0.08, 0.09, 0.25],
    ] as const) {
      context.fillStyle = css(dark, alpha);
      ellipse(context, x, y, rx, ry);
    }
    for (const [x, y, rx, ry, alpha] of [
      [0.21, -0.36, 0.1, 0.07, 0.4],
      [-0.19, -0.35, 0.1, 0.07, 0.3],
      [MIDDLE + 0.03, -0.27, 0.07, 0.05, 0.34],
    ] as const) {
      context.fillStyle = css(warm, alpha);
      ellipse(context, x, y, rx, ry);
    }
    for (const [x, y, rx, ry, alpha] of [
      [0.15, -0.79, 0.15, 0.08, 0.5],
      [0.225, -0.415, 0.085, 0.05, 0.62],
      [0.09, -0.045, 0.075, 0.035, 0.34],
      [-0.16, -0.42, 0.06, 0.035, 0.18],
      [0.25, -0.2, 0.05, 0.08, 0.25],
    ] as const) {
      context.fillStyle = css(bright, alpha);
      ellipse(context, x, y, rx, ry);
    }
  });
  nose(context, dark, bright);
  mouth(context, person, skin, dark, bright);
  for (const side of [-1, 1] as const) eye(context, person, look, dark, bright, side, eyesShut);
  if (person.old) lines(context, dark, bright);
  context.restore();
  brows(context, person, look, random);
}

/** Painted out of focus by `radius` units. */
export function soft(context: Context, radius: number, paint: () => void): void {
  context.save();
  context.filter = `blur(${Math.max(0.3, radius * Math.abs(context.getTransform().a || 1))}px)`;
  paint();
  context.filter = 'none';
  context.restore();
}

function ears(context: Context, skin: Colour, dark: Colour): void {
  for (const [x, wide, tone] of [
    [-0.385, 0.06, 0.55],
    [0.365, 0.04, 0.1],
  ] as const) {
    context.fillStyle = css(mix(skin, dark, tone));
    ellipse(context, x, -0.45, wide, 0.115, x * 0.3);
    context.fillStyle = css(dark, 0.5);
    ellipse(context, x * 0.985, -0.45, wide * 0.5, 0.07, x * 0.3);
  }
}

function nose(context: Context, dark: Colour, bright: Colour): void {
  soft(context, 0.016, () => {
    context.fillStyle = css(dark, 0.62);
    context.fill(
      spline(
        outline(
          '-0.03 -0.55, -0.005 -0.47, -0.02 -0.36, -0.048 -0.285, -0.03 -0.25, 0.02 -0.262, 0.012 -0.34, 0.014 -0.45, 0 -0.55',
        ),
      ),
    );
    context.fillStyle = css(dark, 0.6);
    ellipse(context, MIDDLE + 0.008, -0.232, 0.085, 0.02);
    context.fillStyle = css(bright, 0.62);
    context.fill(
      tube([
        [0.042, -0.53, 0.012],
        [0.052, -0.42, 0.013],
        [0.062, -0.33, 0.019],
      ]),
    );
    context.fillStyle = css(bright, 0.75);
    ellipse(context, 0.068, -0.297, 0.024, 0.018);
  });
  soft(context, 0.004, () => {
    context.fillStyle = css(lighter(dark, -0.16), 0.85);
    ellipse(context, -0.008, -0.252, 0.021, 0.0105, 0.3);
    ellipse(context, 0.085, -0.253, 0.016, 0.009, -0.35);
    context.strokeStyle = css(lighter(dark, -0.05), 0.65);
    context.lineWidth = 0.011;
    context.stroke(spline(outline('-0.052 -0.305, -0.066 -0.272, -0.045 -0.247'), { closed: false }));
    context.lineWidth = 0.008;
    context.stroke(spline(outline('0.112 -0.3, 0.122 -0.272, 0.106 -0.25'), { closed: false }));
  });
}

function mouth(context: Context, person: Person, skin: Colour, dark: Colour, bright: Colour): void {
  const lip = mix(skin, lch(person.woman ? 0.5 : 0.52, person.woman ? 0.16 : 0.1, 20), person.woman ? 0.7 : 0.5);
  const wide = person.child ? 0.095 : 0.118;
  const m = MIDDLE + 0.008;
  soft(context, 0.0045, () => {
    context.fillStyle = css(lighter(lip, -0.07));
    context.fill(
      spline([
        [m - wide, -0.148],
        [m - 0.05, -0.17],
        [m - 0.015, -0.18],
        [m + 0.005, -0.173],
        [m + 0.027, -0.179],
        [m + 0.06, -0.169],
        [m + wide * 0.95, -0.15],
        [m + 0.03, -0.146],
        [m - 0.03, -0.145],
      ]),
    );
    context.fillStyle = css(lighter(lip, 0.02));
    context.fill(
      spline([
        [m - wide * 0.96, -0.147],
        [m - 0.03, -0.145],
        [m + 0.04, -0.146],
        [m + wide * 0.93, -0.149],
        [m + 0.06, -0.116],
        [m + 0.005, -0.106],
        [m - 0.06, -0.116],
      ]),
    );
    context.strokeStyle = css(lighter(dark, -0.14), 0.9);
    context.lineCap = 'round';
    context.lineWidth = 0.0085;
    context.stroke(
      spline(
        [
          [m - wide, -0.149],
          [m - 0.045, -0.1455],
          [m + 0.004, -0.149],
          [m + 0.05, -0.146],
          [m + wide * 0.96, -0.151],
        ],
        { closed: false },
      ),
    );
  });
  soft(context, 0.012, () => {
    context.fillStyle = css(bright, 0.5);
    ellipse(context, m + 0.035, -0.125, 0.04, 0.01);
    context.fillStyle = css(dark, 0.5);
    ellipse(context, m, -0.086, 0.075, 0.015);
  });
}

function eye(
  context: Context,
  person: Person,
  look: Complexion,
  dark: Colour,
  bright: Colour,
  side: 1 | -1,
  shut: boolean,
): void {
  const size = (person.child ? 1.2 : person.woman ? 1.06 : 1) * (side === 1 ? 0.94 : 1);
  const x = MIDDLE + side * (side === 1 ? 0.148 : 0.158);
  const y = EYE_LINE;
  soft(context, 0.022, () => {
    context.fillStyle = css(dark, side === 1 ? 0.5 : 0.66);
    ellipse(context, x - side * 0.01, y - 0.022, 0.1, 0.05);
    ellipse(context, x - side * 0.07, y - 0.012, 0.035, 0.045);
    context.fillStyle = css(bright, side === 1 ? 0.34 : 0.12);
    ellipse(context, x + side * 0.01, y + 0.058, 0.07, 0.016);
  });
  context.save();
  context.translate(x, y);
  context.scale(side * size, size);
  const lid = lighter(mix(dark, look.hair, 0.3), -0.14);
  if (shut) {
    context.strokeStyle = css(lid);
    context.lineWidth = 0.012;
    context.lineCap = 'round';
    context.stroke(spline(outline('-0.074 0.002, -0.03 0.018, 0.03 0.02, 0.076 0.004'), { closed: false }));
    context.restore();
    return;
  }
  const opening = spline(
    outline('-0.076 0.01, -0.045 -0.018, 0.004 -0.033, 0.05 -0.021, 0.08 0.003, 0.045 0.02, 0 0.026, -0.045 0.02'),
  );
  context.save();
  context.clip(opening);
  context.fillStyle = css(mix(mix(WHITE, look.shade, side === 1 ? 0.14 : 0.32), lch(0.8, 0.04, 40), 0.14));
  context.fillRect(-0.1, -0.06, 0.2, 0.12);
  const gaze = side * 0.008;
  const iris = context.createRadialGradient(gaze, 0.004, 0.004, gaze, 0, 0.035);
  iris.addColorStop(0, css(lighter(look.eyes, 0.13)));
  iris.addColorStop(0.7, css(look.eyes));
  iris.addColorStop(1, css(lighter(look.eyes, -0.22)));
  context.fillStyle = iris;
  ellipse(context, gaze, -0.0075, 0.0335, 0.0335);
  context.fillStyle = 'rgb(10,8,9)';
  ellipse(context, gaze, -0.0075, 0.0155, 0.0155);
  soft(context, 0.006, () => {
    context.fillStyle = css(lid, 0.6);
    ellipse(context, 0, -0.036, 0.085, 0.02);
  });
  context.fillStyle = 'rgba(255,255,255,0.96)';
  ellipse(context, gaze + side * 0.011, -0.0145, 0.0085, 0.0085);
  context.fillStyle = 'rgba(255,255,255,0.35)';
  ellipse(context, gaze - side * 0.012, 0.012, 0.005, 0.004);
  context.restore();
  context.lineCap = 'round';
  context.strokeStyle = css(lid);
  context.lineWidth = person.woman ? 0.0165 : 0.0125;
  context.stroke(
    spline(
      [
        [-0.078, 0.01],
        [-0.045, -0.02],
        [0.004, -0.035],
        [0.05, -0.023],
        [0.084, person.woman ? -0.006 : 0.004],
      ],
      { closed: false },
    ),
  );
  context.strokeStyle = css(lid, 0.4);
  context.lineWidth = 0.006;
  context.stroke(spline(outline('-0.07 0.014, -0.03 0.025, 0.03 0.027, 0.074 0.008'), { closed: false }));
  context.strokeStyle = css(dark, 0.75);
  context.lineWidth = 0.008;
  context.stroke(spline(outline('-0.066 -0.018, -0.02 -0.052, 0.04 -0.05, 0.088 -0.022'), { closed: false }));
  context.restore();
}

function brows(context: Context, person: Person, look: Complexion, random: Random): void {
  const hair = person.old ? mix(look.hair, WHITE, 0.25) : lighter(look.hair, -0.03);
  const thick = person.woman ? 0.012 : person.child ? 0.011 : 0.0185;
  for (const side of [-1, 1] as const) {
    const x = MIDDLE + side * 0.152;
    const line: readonly Point[] = [
      [x - side * 0.098, -0.565],
      [x - side * 0.04, -0.598],
      [x + side * 0.035, -0.602],
      [x + side * 0.105, -0.568],
    ];
    context.fillStyle = css(mix(hair, look.shade, side === -1 ? 0.35 : 0.08), 0.9);
    context.fill(tube(line.map(([px, py], i) => [px, py, thick * ([0.75, 1, 0.85, 0.2][i] ?? 1)] as const)));
    if (!person.old && !person.beard) continue;
    strokes(context, random, 46, css(mix(hair, side === 1 ? look.light : look.shade, 0.3), 0.9), 0.0065, () => {
      const t = random.next();
      const px = x - side * 0.1 + side * 0.2 * t;
      const py = -0.575 - Math.sin(Math.PI * Math.min(1, t * 1.1)) * 0.026 + random.spread() * 0.008;
      return [px, py, px + side * random.between(0.015, 0.045), py - random.between(-0.008, 0.022)];
    });
  }
}

function lines(context: Context, dark: Colour, bright: Colour): void {
  context.lineCap = 'round';
  const wrinkle = (points: readonly Point[], width: number, alpha: number) => {
    soft(context, 0.004, () => {
      context.strokeStyle = css(dark, alpha);
      context.lineWidth = width;
      context.stroke(spline(points, { closed: false }));
      context.translate(0.003, 0.0085);
      context.strokeStyle = css(bright, alpha * 0.45);
      context.lineWidth = width * 0.8;
      context.stroke(spline(points, { closed: false }));
    });
  };
  for (const [y, wide] of [
    [-0.7, 0.2],
    [-0.755, 0.22],
    [-0.66, 0.14],
  ] as const)
    wrinkle(
      [
        [MIDDLE - wide, y + 0.012],
        [MIDDLE - wide * 0.3, y - 0.006],
        [MIDDLE + wide * 0.4, y],
        [MIDDLE + wide, y + 0.014],
      ],
      0.008,
      0.42,
    );
  for (const side of [-1, 1] as const) {
    for (const [dy, length] of [
      [-0.02, 0.06],
      [0.006, 0.07],
      [0.032, 0.055],
    ] as const) {
      const x = MIDDLE + side * 0.25;
      wrinkle(
        [
          [x, EYE_LINE + dy * 0.6],
          [x + side * length * 0.5, EYE_LINE + dy * 1.1],
          [x + side * length, EYE_LINE + dy * 2],
        ],
        0.0065,
        0.5,
      );
    }
    wrinkle(
      [
        [MIDDLE + side * 0.085, EYE_LINE + 0.062],
        [MIDDLE + side * 0.15, EYE_LINE + 0.08],
        [MIDDLE + side * 0.215, EYE_LINE + 0.06],
      ],
      0.009,
      0.5,
    );
    wrinkle(
      [
        [MIDDLE + side * 0.085, -0.285],
        [MIDDLE + side * 0.135, -0.225],
        [MIDDLE + side * 0.155, -0.165],
      ],
      0.012,
      0.6,
    );
  }
}

/** Many short hairs in one path: `hair` gives each one's ends. */
export function strokes(
  context: Context,
  random: Random,
  count: number,
  colour: string,
  width: number,
  hair: () => readonly [number, number, number, number],
): void {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.lineCap = 'round';
  context.beginPath();
  for (let i = 0; i < count; i++) {
    const [x0, y0, x1, y1] = hair();
    context.moveTo(x0, y0);
    context.quadraticCurveTo(
      (x0 + x1) / 2 + random.spread() * width * 0.9,
      (y0 + y1) / 2 + random.spread() * width * 0.6,
      x1,
      y1,
    );
  }
  context.stroke();
}
