/** Two wheels and somebody on them: a bicycle whose pedals turn, a motorcycle whose rider leans into the wind. */
import { type Colour, css, lch, lighter } from '../../prompt/palette.ts';
import { type Context, ellipse, outline, spline, tube } from '../brush.ts';
import type { Figure } from './figure.ts';
import { joint } from './gait.ts';

const WHEEL = 0.3;

/** The origin is on the road below the middle; about 1.5 high with its rider. */
export function bike(paint: Colour, cloth: Colour, motor: boolean): Figure {
  return {
    box: { left: -0.95, top: motor ? -1.55 : -1.62, right: 1, bottom: 0.06 },
    stride: 0,
    draw(context, { seconds }) {
      if (motor) motorcycle(context, paint, cloth, seconds);
      else bicycle(context, paint, cloth, seconds);
    },
  };
}

function wheel(
  context: Context,
  x: number,
  seconds: number,
  { radius, thick }: { readonly radius: number; readonly thick: number },
): void {
  context.strokeStyle = 'rgb(22,22,25)';
  context.lineWidth = thick;
  context.beginPath();
  context.arc(x, -radius, radius - thick / 2, 0, Math.PI * 2);
  context.stroke();
  context.strokeStyle = 'rgba(176,178,184,0.8)';
  context.lineWidth = thick > 0.05 ? 0.014 : 0.007;
  for (let i = 0; i < (thick > 0.05 ? 5 : 9); i++) {
    const angle = seconds * 7 + (i * Math.PI * 2) / (thick > 0.05 ? 5 : 9);
    context.beginPath();
    context.moveTo(x, -radius);
    context.lineTo(x + Math.cos(angle) * (radius - thick), -radius + Math.sin(angle) * (radius - thick));
    context.stroke();
  }
  context.fillStyle = 'rgb(120,122,128)';
  ellipse(context, x, -radius, 0.03, 0.03);
}

function bicycle(context: Context, paint: Colour, cloth: Colour, seconds: number): void {
  const turn = seconds * 4.2;
  const crank = { x: -0.04, y: -0.29 };
  const pedal = (phase: number): readonly [number, number] => [
    crank.x + Math.cos(turn + phase) * 0.12,
    crank.y + Math.sin(turn + phase) * 0.12,
  ];
  const hip: readonly [number, number] = [-0.23, -0.88];
  leg(context, hip, pedal(Math.PI), lch(0.3, 0.03, 260));
  for (const x of [-0.5, 0.52]) wheel(context, x, seconds, { radius: WHEEL, thick: 0.032 });
  context.strokeStyle = css(paint);
  context.lineCap = 'round';
  context.lineWidth = 0.035;
  for (const line of [
    '-0.5 -0.3, -0.04 -0.29, -0.22 -0.72, -0.5 -0.3',
    '-0.19 -0.64, 0.37 -0.68, -0.04 -0.29',
    '0.35 -0.8, 0.41 -0.58, 0.52 -0.3',
  ]) {
    context.beginPath();
    for (const [x, y] of outline(line)) context.lineTo(x, y);
    context.stroke();
  }
  context.strokeStyle = 'rgb(30,28,30)';
  context.lineWidth = 0.03;
  context.stroke(spline(outline('0.35 -0.82, 0.44 -0.86, 0.5 -0.82'), { closed: false }));
  context.fillStyle = 'rgb(34,30,30)';
  context.fill(spline(outline('-0.36 -0.77, -0.2 -0.8, -0.1 -0.77, -0.2 -0.74')));
  context.fillStyle = css(lch(0.66, 0.02, 250));
  ellipse(context, crank.x, crank.y, 0.055, 0.055);
  leg(context, hip, pedal(0), lch(0.34, 0.03, 260));
  rider(context, cloth, { hip, lean: 0.3, hand: [0.42, -0.86], helmet: false });
}

function leg(context: Context, hip: readonly [number, number], foot: readonly [number, number], colour: Colour): void {
  const knee = joint(hip, foot, 0.36, 0.38, -1);
  context.fillStyle = css(colour);
  context.fill(
    tube([
      [...hip, 0.075],
      [...knee, 0.05],
    ]),
  );
  context.fill(
    tube([
      [...knee, 0.05],
      [...foot, 0.032],
    ]),
  );
  context.fillStyle = css(lch(0.22, 0.02, 40));
  context.fill(
    tube([
      [foot[0] - 0.03, foot[1] + 0.02, 0.03],
      [foot[0] + 0.09, foot[1] + 0.03, 0.02],
    ]),
  );
}

function rider(
  context: Context,
  cloth: Colour,
  {
    hip,
    lean,
    hand,
    helmet,
  }: {
    readonly hip: readonly [number, number];
    readonly lean: number;
    readonly hand: readonly [number, number];
    readonly helmet: boolean;
  },
): void {
  const shoulder: readonly [number, number] = [
    hip[0] + Math.sin(lean + 0.12) * 0.46,
    hip[1] - Math.cos(lean + 0.12) * 0.42,
  ];
  context.fillStyle = css(cloth);
  context.fill(
    tube([
      [hip[0], hip[1] + 0.02, 0.1],
      [(hip[0] + shoulder[0]) / 2 - 0.03, (hip[1] + shoulder[1]) / 2, 0.11],
      [shoulder[0], shoulder[1], 0.1],
    ]),
  );
  const head: readonly [number, number] = [shoulder[0] + 0.1 + lean * 0.1, shoulder[1] - 0.19];
  context.fillStyle = css(lch(0.68, 0.065, 54));
  context.fill(
    tube([
      [shoulder[0] + 0.03, shoulder[1] - 0.06, 0.045],
      [...head, 0.088],
    ]),
  );
  context.fillStyle = css(helmet ? lighter(cloth, 0.1) : lch(0.24, 0.03, 45));
  if (helmet) {
    ellipse(context, head[0], head[1], 0.125, 0.125);
    context.fillStyle = css(lch(0.24, 0.03, 250));
    context.fill(
      tube([
        [head[0] + 0.02, head[1] - 0.01, 0.045],
        [head[0] + 0.095, head[1] + 0.0, 0.04],
      ]),
    );
  } else
    context.fill(
      spline([
        [head[0] + 0.075, head[1] - 0.05],
        [head[0] + 0.02, head[1] - 0.105],
        [head[0] - 0.07, head[1] - 0.08],
        [head[0] - 0.1, head[1] + 0.01],
        [head[0] - 0.06, head[1] + 0.05],
        [head[0] - 0.02, head[1] - 0.03],
      ]),
    );
  const elbow = joint([shoulder[0], shoulder[1] + 0.04], hand, 0.26, 0.26, 1);
  context.fillStyle = css(lighter(cloth, 0.05));
  context.fill(
    tube([
      [shoulder[0], shoulder[1] + 0.02, 0.062],
      [...elbow, 0.045],
      [...hand, 0.034],
    ]),
  );
}

function motorcycle(context: Context, paint: Colour, cloth: Colour, seconds: number): void {
  for (const x of [-0.56, 0.6]) wheel(context, x, seconds * 1.6, { radius: 0.29, thick: 0.085 });
  context.strokeStyle = 'rgb(128,130,138)';
  context.lineCap = 'round';
  context.lineWidth = 0.04;
  for (const line of ['0.6 -0.29, 0.42 -0.74', '-0.56 -0.29, -0.14 -0.3']) {
    context.beginPath();
    for (const [x, y] of outline(line)) context.lineTo(x, y);
    context.stroke();
  }
  context.fillStyle = 'rgb(52,53,60)';
  context.beginPath();
  context.roundRect(-0.24, -0.48, 0.42, 0.3, 0.08);
  context.fill();
  context.fillStyle = 'rgb(150,152,160)';
  context.fill(
    tube([
      [0.1, -0.22, 0.03],
      [-0.3, -0.18, 0.035],
      [-0.82, -0.24, 0.05],
    ]),
  );
  context.fillStyle = css(paint);
  context.fill(spline(outline('0.34 -0.78, 0.12 -0.82, -0.1 -0.72, -0.06 -0.54, 0.22 -0.54, 0.38 -0.64')));
  context.fill(spline(outline('-0.5 -0.72, -0.78 -0.7, -0.86 -0.62, -0.5 -0.56, -0.3 -0.58')));
  context.fill(spline(outline('0.36 -0.5, 0.6 -0.64, 0.84 -0.5, 0.84 -0.44, 0.6 -0.56, 0.42 -0.44')));
  context.fillStyle = css(lighter(paint, 0.16), 0.8);
  context.fill(spline(outline('0.28 -0.75, 0.12 -0.78, -0.04 -0.7, 0.1 -0.71')));
  context.fillStyle = 'rgb(28,26,28)';
  context.fill(spline(outline('-0.1 -0.68, -0.42 -0.76, -0.6 -0.74, -0.5 -0.66, -0.14 -0.6')));
  context.strokeStyle = 'rgb(40,40,44)';
  context.stroke(spline(outline('0.42 -0.8, 0.34 -0.86, 0.24 -0.86'), { closed: false }));
  context.fillStyle = css(lch(0.96, 0.06, 90));
  ellipse(context, 0.5, -0.72, 0.055, 0.065);
  const hip: readonly [number, number] = [-0.26, -0.76];
  leg(context, hip, [0.02, -0.28], lch(0.26, 0.02, 260));
  rider(context, cloth, { hip, lean: 0.52, hand: [0.32, -0.86], helmet: true });
}
