/** The head of somebody seen whole, from the side, and what is on it. Units as in `person.ts`. */
import { css, lch, lighter } from '../../prompt/palette.ts';
import type { Person } from '../../prompt/prompt.ts';
import { type Context, ellipse, spline, tube } from '../brush.ts';
import { SHOULDER, type Walker, type Wear } from './person.ts';

export function head(context: Context, { person, wear, robot }: Walker, lean: number, bob: number): void {
  const [x, y] = [lean * 1.4 + 0.006, -0.905 + bob];
  context.fillStyle = css(lighter(wear.skin, -0.06));
  context.fill(
    tube([
      [lean, SHOULDER + bob, 0.034],
      [x - 0.004, y + 0.05, 0.03],
    ]),
  );
  if (robot) {
    context.fillStyle = css(wear.skin);
    context.beginPath();
    context.roundRect(x - 0.065, y - 0.075, 0.13, 0.14, 0.04);
    context.fill();
    context.fillStyle = css(lch(0.85, 0.14, 200));
    context.fillRect(x + 0.005, y - 0.03, 0.06, 0.022);
    return;
  }
  if (person.woman && person.headwear === 'none') {
    context.fillStyle = css(lighter(wear.hair, -0.03));
    context.fill(
      spline([
        [x - 0.07, y - 0.05],
        [x - 0.095, y + 0.04],
        [x - 0.11, y + 0.14],
        [x - 0.03, y + 0.15],
        [x + 0.01, y + 0.05],
        [x, y - 0.07],
      ]),
    );
  }
  context.fillStyle = css(wear.skin);
  context.fill(
    spline([
      [x - 0.058, y - 0.03],
      [x - 0.02, y - 0.078],
      [x + 0.035, y - 0.07],
      [x + 0.058, y - 0.028],
      [x + 0.072, y + 0.006],
      [x + 0.056, y + 0.022],
      [x + 0.05, y + 0.056],
      [x + 0.01, y + 0.072],
      [x - 0.04, y + 0.05],
    ]),
  );
  context.fillStyle = css(wear.hair);
  context.fill(
    spline([
      [x + 0.05, y - 0.05],
      [x + 0.02, y - 0.088],
      [x - 0.035, y - 0.085],
      [x - 0.072, y - 0.04],
      [x - 0.068, y + 0.025],
      [x - 0.04, y + 0.03],
      [x - 0.03, y - 0.02],
      [x + 0.01, y - 0.05],
    ]),
  );
  if (person.beard) {
    context.fillStyle = css(lighter(wear.hair, 0.02));
    context.fill(
      spline([
        [x - 0.035, y + 0.005],
        [x + 0.03, y + 0.028],
        [x + 0.062, y + 0.03],
        [x + 0.052, y + 0.09],
        [x + 0.01, y + 0.11],
        [x - 0.03, y + 0.07],
      ]),
    );
  }
  headwear(context, person, wear, x, y);
}

function headwear(context: Context, person: Person, wear: Wear, x: number, y: number): void {
  switch (person.headwear) {
    case 'none':
      break;
    case 'souwester':
      context.fillStyle = css(lighter(wear.cloth, -0.02));
      context.fill(
        spline([
          [x - 0.16, y + 0.045],
          [x - 0.09, y - 0.04],
          [x - 0.065, y - 0.1],
          [x, y - 0.12],
          [x + 0.06, y - 0.095],
          [x + 0.07, y - 0.05],
          [x + 0.125, y - 0.022],
          [x + 0.02, y - 0.028],
          [x - 0.06, y + 0.0],
        ]),
      );
      break;
    case 'hood':
      context.fillStyle = css(lighter(wear.cloth, -0.06));
      context.fill(
        spline([
          [x + 0.05, y - 0.085],
          [x - 0.02, y - 0.12],
          [x - 0.09, y - 0.06],
          [x - 0.1, y + 0.06],
          [x - 0.06, y + 0.12],
          [x + 0.0, y + 0.1],
          [x - 0.02, y],
          [x + 0.02, y - 0.055],
        ]),
      );
      break;
    case 'brim':
      context.fillStyle = css(lch(0.27, 0.025, 55));
      ellipse(context, x, y - 0.052, 0.125, 0.018, -0.06);
      context.fill(
        spline([
          [x - 0.062, y - 0.05],
          [x - 0.055, y - 0.12],
          [x, y - 0.13],
          [x + 0.055, y - 0.12],
          [x + 0.062, y - 0.055],
        ]),
      );
      break;
    case 'cap':
      context.fillStyle = css(lch(0.34, 0.05, 255));
      context.fill(
        spline([
          [x - 0.07, y - 0.025],
          [x - 0.06, y - 0.09],
          [x, y - 0.115],
          [x + 0.055, y - 0.085],
          [x + 0.062, y - 0.04],
        ]),
      );
      break;
    case 'straw':
      context.fillStyle = css(lch(0.74, 0.085, 82));
      context.fill(
        spline([
          [x - 0.19, y - 0.03],
          [x - 0.08, y - 0.105],
          [x, y - 0.165],
          [x + 0.08, y - 0.105],
          [x + 0.19, y - 0.03],
          [x, y - 0.018],
        ]),
      );
      break;
    case 'toque':
      context.fillStyle = css(lch(0.95, 0.008, 90));
      context.fill(
        spline([
          [x - 0.066, y - 0.05],
          [x - 0.07, y - 0.11],
          [x - 0.09, y - 0.17],
          [x, y - 0.21],
          [x + 0.09, y - 0.17],
          [x + 0.065, y - 0.11],
          [x + 0.06, y - 0.055],
        ]),
      );
      break;
    case 'helmet':
      context.fillStyle = css(lch(0.93, 0.008, 240));
      ellipse(context, x, y, 0.105, 0.11);
      context.fillStyle = css(lch(0.45, 0.07, 235));
      ellipse(context, x + 0.035, y, 0.068, 0.068);
      context.fillStyle = 'rgba(255,255,255,0.55)';
      ellipse(context, x + 0.055, y - 0.03, 0.02, 0.014, -0.5);
  }
}
