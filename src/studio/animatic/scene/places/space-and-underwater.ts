/** Where no walker goes: space, and under water. */

import { clamp } from '../../../shared/random.ts';
import { css, lch, lighter, mix, WHITE } from '../../prompt/palette.ts';
import { glow, texture } from '../brush.ts';
import { ridge } from '../land.ts';
import type { Stage } from '../stage.ts';
import { shafts } from './forest.ts';
import { starfield } from './orbit.ts';

export function space(stage: Stage): void {
  const { width, height, unit, palette, random, noise, lit } = stage;
  const night = lch(0.09, 0.03, 275);
  const nebula = texture(320, 200, (u, v) => {
    const body = noise.cloud(u * 3 + noise.cloud(u * 2, v * 2, 3), v * 2.4, 6);
    const hue = noise.cloud(u * 3.2 + 9, v * 2.6 + noise.plane(u * 4, v * 4), 6);
    const alpha = clamp((body - 0.42) * 2.6) * 0.62 * clamp(hue * 1.2);
    return [mix(palette.accent, palette.second, clamp((hue - 0.3) * 2.2)), alpha];
  });
  stage.paint(0, pen => {
    pen.box(night, ...stage.all);
    pen.set({ globalCompositeOperation: 'screen', imageSmoothingQuality: 'high' });
    pen.context.drawImage(nebula, stage.left, stage.top, stage.span, stage.bottom - stage.top);
    pen.context.globalCompositeOperation = 'source-over';
    starfield(stage, pen, 900, 2.6, 0.5, stage.bottom);
  });
  stage.paint(0.18, pen => {
    const radius = height * random.between(0.3, 0.4) * (width >= height ? 1 : 0.7);
    const [x, y] = [stage.sun.x, height * random.between(0.36, 0.48)];
    const stone = random.pick([lch(0.66, 0.1, 48), lch(0.6, 0.09, 258), lch(0.6, 0.11, 22), lch(0.66, 0.07, 195)]);
    const base = mix(palette.second, stone, 0.78);
    pen.context.save();
    pen.context.beginPath();
    pen.context.arc(x, y, radius, 0, Math.PI * 2);
    pen.context.clip();
    const shade = pen.radial(
      [x - radius * 0.5 * lit, y - radius * 0.45, radius * 0.05, x, y, radius * 1.25],
      [0, mix(base, WHITE, 0.5)],
      [0.45, base],
      [0.85, lighter(mix(base, night, 0.6), -0.12)],
      [1, night],
    );
    pen.box(shade, x - radius, y - radius, radius * 2, radius * 2);
    pen.context.globalCompositeOperation = 'soft-light';
    for (let i = 0; i < 26; i++) {
      const band = css(random.chance(0.5) ? WHITE : night, random.between(0.08, 0.38));
      const at = y - radius + (2 * radius * i) / 26;
      pen.ellipse(band, x, at, radius * 1.05, radius * random.between(0.02, 0.07), -0.12);
    }
    pen.context.restore();
    pen.shine(glow(256, base), 0.4, x, y, radius * 1.7);
    if (!random.chance(0.7)) return;
    pen.context.translate(x, y);
    pen.context.rotate(-0.35);
    for (let i = 0; i < 8; i++) {
      pen.context.strokeStyle = css(mix(palette.light, base, i / 8), 0.14 + 0.34 * random.next());
      pen.context.lineWidth = unit * random.between(3, 10);
      pen.context.beginPath();
      pen.context.ellipse(0, 0, radius * (1.35 + i * 0.065), radius * (0.26 + i * 0.013), 0, -0.15, Math.PI + 0.15);
      pen.context.stroke();
    }
  });
  stage.ground = height * 0.88;
  if (stage.shot.subject && stage.shot.subject.kind !== 'ship')
    ridge(stage, { base: height * 0.88, rise: 110, hills: 2.4, distance: 0.24, rim: 0.6, colour: lch(0.3, 0.02, 275) });
}

export function underwater(stage: Stage): void {
  const { width, height, unit, random } = stage;
  const hue = stage.palette.time === 'golden' || stage.palette.time === 'sunset' ? 198 : 216;
  const [bright, middle, deep] = [lch(0.74, 0.1, hue - 15), lch(0.46, 0.095, hue), lch(0.2, 0.055, hue + 20)];
  stage.paint(0, pen => {
    pen.box(pen.down(stage.top, height * 1.1, [0, bright], [0.42, middle], [1, deep]), ...stage.all);
    pen.shine(glow(200, lch(0.95, 0.05, hue - 30)), 0.75, stage.sun.x, 0, width * 0.5, height * 0.55);
  });
  const [far, near] = [mix(middle, deep, 0.55), mix(deep, middle, 0.2)];
  ridge(stage, { base: height * 0.86, rise: 200, hills: 2.6, distance: 0.75, rim: 0.1, colour: far });
  ridge(stage, { base: height * 0.97, rise: 190, hills: 3, distance: 0.4, rim: 0.1, colour: near });
  shafts(stage, { y: -height * 0.2, count: 9, strength: 1 });
  stage.paint(0.86, pen => {
    for (let i = 0; i < 40; i++) {
      const x = stage.anywhere();
      const tall = height * random.between(0.08, 0.34);
      if (Math.abs(x - width / 2) < width * 0.2 && tall > height * 0.14) continue;
      const kelp = mix(lch(0.26, 0.05, hue - 40), deep, random.next() * 0.6);
      pen.context.lineCap = 'round';
      pen.stroke(kelp, unit * random.between(6, 15))`M${x} ${height * 1.1}
  C${x + 30 * unit * random.sign()} ${height - tall * 0.4} ${x - 40 * unit * random.sign()} ${height - tall * 0.7} ${x + 20 * unit * random.sign()} ${height * 1.02 - tall}`;
    }
  });
  stage.ground = height * 0.55;
}
