/**
 * The place for words that name none: ink in water, and before it ribbons, glass balls, paper hills or rising bars. The words choose
 * which, and a colour they name is the picture's own; so two prompts that nothing is understood of still give two pictures.
 */

import { clamp, mixNumber, Random, smooth } from '../../../shared/random.ts';
import { COLOURS } from '../../../shared/vocabulary.ts';
import { type Colour, css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { ellipse, samples, surface, texture } from '../brush.ts';
import type { Stage } from '../stage.ts';

export function abstract(stage: Stage): void {
  const random = new Random(`abstract|${stage.shot.words}|${stage.random.next()}`);
  const paint = colours(stage, random);
  ink(stage, random, paint);
  formOf(stage, random)(stage, random, paint);
  stage.ground = stage.height * 0.8;
}

interface Paint {
  readonly deep: Colour;
  readonly accent: Colour;
  readonly second: Colour;
}

function colours({ palette, shot }: Stage, random: Random): Paint {
  const colourRow = [...COLOURS, GOLD].find(([, english, chinese]) =>
    new RegExp(String.raw`\b(?:${english})\b|${chinese}色`, 'i').test(shot.words),
  );
  const accent = colourRow
    ? lch(mixNumber(colourRow[0][0], 0.66, 0.5), Math.max(0.02, colourRow[0][1]), colourRow[0][2])
    : palette.accent;
  // A neighbour or an opposite of the accent: anything between is mud where the two run into each other.
  const hue = (Math.atan2(accent.b, accent.a) * 180) / Math.PI;
  const second = lch(random.between(0.68, 0.82), random.between(0.1, 0.15), hue + random.pick([-62, -48, 46, 60, 150]));
  return { deep: mix(accent, lch(0.12, 0.04, 280), 0.85), accent, second };
}

const GOLD = [[0.78, 0.13, 84], 'gold|golden|amber|honey', '金'] as const;

type Form = (stage: Stage, random: Random, paint: Paint) => void;

const RISE =
  /\b(growth|data|charts?|business|tech\w*|digital|codes?|stocks?|finance|startup|ai|network)\b|数据|科技|增长/i;
const SWING = /\b(music|sounds?|songs?|rhythm|voice|waves?|silk|flow\w*)\b|音乐|声音/i;

/** Numbers rise, feelings float, sounds swing. */
function formOf({ shot }: Stage, random: Random): Form {
  const { words } = shot;
  if (RISE.test(words)) return bars;
  if (SWING.test(words)) return ribbons;
  return random.pick([ribbons, spheres, hills]);
}

function ink(stage: Stage, random: Random, { deep, accent, second }: Paint): void {
  const { noise } = stage;
  const [left, top] = [random.between(0, 40), random.between(0, 40)];
  const picture = texture(256, 160, (u, v) => {
    const bendX = noise.cloud(u * 2 + 1 + left, v * 2 + top, 4);
    const bendY = noise.cloud(u * 2 + 7 + left, v * 2 + 3 + top, 4);
    const body = noise.cloud(u * 2.4 + 2.2 * bendX + left, v * 2 + 2.2 * bendY, 5);
    const colour = mix(mix(deep, accent, smooth(body * 1.5 - 0.25)), second, smooth(clamp((bendX - 0.42) * 3)));
    return [mix(colour, WHITE, smooth(clamp((body - 0.6) * 4)) * 0.5), 1];
  });
  stage.paint(0.1, pen => {
    pen.context.imageSmoothingQuality = 'high';
    pen.context.drawImage(picture, stage.left, stage.top, stage.span, stage.bottom - stage.top);
  });
}

const ribbons: Form = (stage, random, { accent, second }) => {
  const { width, height, unit } = stage;
  const bundle = Array.from({ length: 18 }, () => ({
    from: random.next() * Math.PI * 2,
    swing: random.between(0.05, 0.22),
    waves: random.between(0.6, 1.6),
    y: height * (0.5 + random.spread() * 0.22),
    wide: unit * random.between(2, 9),
    colour: mix(accent, mix(second, WHITE, 0.3), random.next()),
    alpha: random.between(0.18, 0.6),
    speed: random.between(0.5, 1.4),
  }));
  stage.move({
    depth: 0.4,
    sharp: true,
    draw(pen, { seconds, pulse }) {
      pen.context.globalCompositeOperation = 'screen';
      for (const ribbon of bundle) {
        pen.set({ strokeStyle: css(ribbon.colour, ribbon.alpha), lineWidth: ribbon.wide * (1 + pulse * 2.2) });
        pen.context.beginPath();
        for (let i = 0; i <= 40; i++) {
          const angle = (i / 40) * Math.PI * 2 * ribbon.waves + ribbon.from;
          const swing =
            Math.sin(angle + seconds * ribbon.speed) * (1 + pulse * 0.8) +
            Math.sin(angle * 2.3 - seconds * ribbon.speed + 1) * 0.35;
          pen.context.lineTo(width * (-0.1 + (1.2 * i) / 40), ribbon.y + swing * height * ribbon.swing);
        }
        pen.context.stroke();
      }
      pen.context.globalCompositeOperation = 'source-over';
    },
  });
};

/** Balls of glass that hang and turn in the light, each painted once. */
const spheres: Form = (stage, random, { deep, accent, second }) => {
  const { width, height, lit } = stage;
  const size = Math.min(width, height);
  const balls = Array.from({ length: 11 }, (_, i) => {
    const radius = size * (i === 0 ? 0.24 : random.between(0.025, 0.13));
    const colour = mix(accent, second, random.next());
    return {
      picture: ball(radius, colour, deep, lit),
      radius,
      x: width * (i === 0 ? 0.5 + 0.12 * lit : random.between(0.04, 0.96)),
      y: height * (i === 0 ? 0.46 : random.between(0.1, 0.86)),
      depth: i === 0 ? 0.5 : random.between(0.2, 0.8),
      late: random.next() * 6,
      speed: random.between(0.4, 0.9),
    };
  }).sort((a, b) => a.depth - b.depth);
  for (const { picture, radius, x, y, depth, late, speed } of balls)
    stage.move({
      depth,
      sharp: true,
      draw(pen, { seconds, pulse }, at) {
        const r = radius * at.scale * (1 + pulse * 0.16);
        const px = at.x(x + Math.sin(seconds * speed * 0.7 + late) * size * 0.02);
        const py = at.y(y + Math.sin(seconds * speed + late) * size * 0.03);
        pen.context.drawImage(picture, px - r * 1.1, py - r * 1.1, r * 2.2, r * 2.2);
      },
    });
};

function ball(radius: number, colour: Colour, deep: Colour, lit: 1 | -1) {
  const r = Math.max(2, radius);
  const { canvas, pen } = surface(r * 2.2, r * 2.2);
  pen.context.translate(r * 1.1, r * 1.1);
  const shade = pen.radial(
    [lit * r * 0.35, -r * 0.4, r * 0.05, 0, 0, r],
    [0, mix(colour, WHITE, 0.75)],
    [0.35, lighter(colour, 0.05), 0.95],
    [0.8, mix(colour, deep, 0.45), 0.92],
    [0.94, mix(colour, deep, 0.75), 0.9],
    [1, mix(colour, WHITE, 0.35), 0.9],
  );
  pen.ellipse(shade, 0, 0, r);
  pen.ellipse(css(mix(colour, WHITE, 0.55), 0.35), -lit * r * 0.3, r * 0.5, r * 0.46, r * 0.22, lit * 0.5);
  pen.ellipse(css(WHITE, 0.9), lit * r * 0.36, -r * 0.44, r * 0.13, r * 0.08, lit * 0.7);
  return canvas;
}

/** Sheets of cut paper one behind the other, each with its shadow, drifting against each other. */
const hills: Form = (stage, random, { deep, accent, second }) => {
  const { width, height, unit, noise } = stage;
  const sheets = 6;
  for (let i = 0; i < sheets; i++) {
    const t = i / (sheets - 1);
    const base = height * mixNumber(0.34, 0.86, t);
    const from = random.between(0, 50);
    const colour = mix(mix(second, accent, t), deep, 0.15 + 0.6 * t);
    const line = (x: number) =>
      base +
      Math.sin((x / width) * (2.2 + t) * Math.PI + from) * height * 0.06 +
      (noise.ridge((x / width) * 1.3 + from, 2) - 0.5) * height * 0.3;
    stage.paint({ depth: 0.2 + 0.6 * t, from: base - height * 0.3 }, pen => {
      pen.context.save();
      pen.set({ shadowColor: css(lch(0.08, 0.03, 280), 0.6), shadowBlur: 40 * unit, shadowOffsetY: -10 * unit });
      const shade = pen.down(
        base - height * 0.2,
        base + height * 0.3,
        [0, lighter(colour, 0.06)],
        [1, lighter(colour, -0.08)],
      );
      const [left, right, foot] = [stage.left - 9, stage.right + 9, stage.bottom + 9];
      pen.fill(shade)`M${left} ${foot} L${samples(left, right, 8, line)} L${right} ${foot} Z`;
      pen.context.restore();
      const paint = css(mix(colour, WHITE, 0.5), 0.5);
      pen.stroke(paint, 2 * unit)`M${samples(stage.left, stage.right, 8, x => line(x) + unit)}`;
    });
  }
};

/** Columns of light that grow from left to right, a line over them. */
const bars: Form = (stage, random, { accent, second }) => {
  const { width, height, unit } = stage;
  const count = 13;
  const tall = Array.from({ length: count }, (_, i) => 0.12 + 0.46 * (i / count) ** 1.3 + random.spread() * 0.035);
  const foot = height * 0.8;
  const step = (width * 0.8) / count;
  stage.move({
    depth: 0.45,
    sharp: true,
    draw(pen, { seconds, pulse }, at) {
      const grown = (i: number) => {
        const t = smooth(clamp(seconds * 0.9 - i * 0.09 + 0.35));
        return (
          (tall[i] ?? 0.1) * height * (0.25 + 0.75 * t) * (1 + pulse * 0.2) + Math.sin(seconds * 1.3 + i) * 3 * unit
        );
      };
      const place = (i: number) => at.x(width * 0.1 + step * (i + 0.5));
      for (let i = 0; i < count; i++) {
        const high = grown(i) * at.scale;
        const colour = mix(accent, second, i / count);
        const y = at.y(foot);
        pen.context.fillStyle = pen.down(y - high, y, [0, mix(colour, WHITE, 0.3), 0.92], [1, colour, 0.22]);
        const wide = step * 0.56 * at.scale;
        pen.context.beginPath();
        pen.context.roundRect(place(i) - wide / 2, y - high, wide, high, [wide * 0.24, wide * 0.24, 0, 0]);
        pen.context.fill();
        pen.context.globalAlpha = 0.16;
        pen.context.fillRect(place(i) - wide / 2, y + 4 * unit, wide, high * 0.22);
        pen.context.globalAlpha = 1;
      }
      pen.set({ strokeStyle: css(mix(second, WHITE, 0.7), 0.95), lineWidth: 5 * unit, lineJoin: 'round' });
      pen.context.beginPath();
      for (let i = 0; i < count; i++) pen.context.lineTo(place(i), at.y(foot) - grown(i) * at.scale - 44 * unit);
      pen.context.stroke();
      pen.context.fillStyle = css(WHITE);
      for (let i = 0; i < count; i += 3)
        ellipse(pen.context, place(i), at.y(foot) - grown(i) * at.scale - 44 * unit, 9 * unit, 9 * unit);
    },
  });
};
