/** A mouth, shut, smiling or in the middle of a word, in the units of `face.ts`. */
import { type Colour, css, lch, lighter, mix } from '../../prompt/palette.ts';
import type { Person } from '../../prompt/prompt.ts';
import { type Context, ellipse, outline, spline } from '../brush.ts';
import { MIDDLE, soft } from './portrait-brush.ts';

/** `up`: how far its corners are raised. */
export function mouth(context: Context, person: Person, skin: Colour, dark: Colour, bright: Colour, up: number): void {
  const lip = mix(skin, lch(person.woman ? 0.5 : 0.52, person.woman ? 0.16 : 0.1, 20), person.woman ? 0.7 : 0.5);
  const wide = (person.child ? 0.095 : 0.118) + up * 0.7;
  const m = MIDDLE + 0.008;
  soft(context, 0.0045, () => {
    context.fillStyle = css(lighter(lip, -0.07));
    context.fill(
      spline([
        [m - wide, -0.148 - up],
        [m - 0.05, -0.17],
        [m - 0.015, -0.18],
        [m + 0.005, -0.173],
        [m + 0.027, -0.179],
        [m + 0.06, -0.169],
        [m + wide * 0.95, -0.15 - up],
        [m + 0.03, -0.146],
        [m - 0.03, -0.145],
      ]),
    );
    context.fillStyle = css(lighter(lip, 0.02));
    context.fill(
      spline([
        [m - wide * 0.96, -0.147 - up],
        [m - 0.03, -0.145],
        [m + 0.04, -0.146],
        [m + wide * 0.93, -0.149 - up],
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
          [m - wide, -0.149 - up],
          [m - 0.045, -0.1455],
          [m + 0.004, -0.149],
          [m + 0.05, -0.146],
          [m + wide * 0.96, -0.151 - up],
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

/** In the middle of a word. */
export function openMouth(context: Context, person: Person, skin: Colour, dark: Colour): void {
  const lip = mix(skin, lch(0.5, person.woman ? 0.16 : 0.1, 20), person.woman ? 0.7 : 0.5);
  const m = MIDDLE + 0.008;
  soft(context, 0.0045, () => {
    context.fillStyle = css(lighter(lip, -0.04));
    ellipse(context, m, -0.135, 0.098, 0.058);
    context.fillStyle = css(mix(dark, lch(0.14, 0.05, 20), 0.8));
    ellipse(context, m, -0.135, 0.078, 0.037);
    context.fillStyle = css(lch(0.9, 0.015, 80), 0.85);
    context.fill(spline(outline(`${m - 0.055} -0.158, ${m} -0.163, ${m + 0.055} -0.158, ${m} -0.149`)));
    context.fillStyle = css(lch(0.55, 0.11, 20), 0.6);
    ellipse(context, m, -0.112, 0.042, 0.012);
  });
  soft(context, 0.012, () => {
    context.fillStyle = css(dark, 0.5);
    ellipse(context, m, -0.062, 0.075, 0.015);
  });
}
