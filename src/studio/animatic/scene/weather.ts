/**
 * What falls, drifts and glows before the lens, over any picture: `new Weather(['snow'], { width, height, palette, seed, heavy })`.
 * Three depths; the near ones are large, soft and fast, and the camera's own movement carries them along.
 */
import type { Canvas } from '@napi-rs/canvas';
import { clamp, mixNumber, Noise, Random, smooth } from '../../shared/random.ts';
import type { WeatherKind } from '../../shared/vocabulary.ts';
import { type Colour, css, lch, mix, type Palette, WHITE } from '../prompt/palette.ts';
import { type Context, glow, Pen, rows, texture } from './brush.ts';

interface WeatherOptions {
  readonly width: number;
  readonly height: number;
  readonly palette: Palette;
  readonly seed: string;
  readonly heavy?: boolean;
}

interface WeatherMoment {
  /** Since the shot began; within a loop, the loop's own time. */
  readonly seconds: number;
  /** How far the camera has slid to the right, in pixels of the near layer. */
  readonly slide?: number;
  readonly pulse?: number;
}

interface Particle {
  /** 0 to 1 of the frame. */
  readonly x: number;
  readonly y: number;
  /** 0 far to 1 at the lens. */
  readonly near: number;
  readonly size: number;
  readonly speed: number;
  readonly sway: number;
  readonly phase: number;
  readonly alpha: number;
}

interface Kind {
  /** Particles in a frame of 6:5. */
  readonly count: number;
  readonly size: number;
  /** Frames of height a second, for a particle in the middle; less than 0 rises, 0 floats. */
  readonly fall: number;
  readonly wind: number;
  /** How much of driving audio makes it larger. */
  readonly pulse: number;
}

const KINDS: { readonly [kind in WeatherKind]: Kind } = {
  rain: { count: 260, size: 1, fall: 1, wind: 0.01, pulse: 0.2 },
  snow: { count: 260, size: 1, fall: 0.14, wind: 0.035, pulse: 0.2 },
  fog: { count: 0, size: 1, fall: 0, wind: 0.01, pulse: 0.2 },
  dust: { count: 64, size: 0.55, fall: 0, wind: 0.01, pulse: 0.2 },
  embers: { count: 90, size: 0.9, fall: -0.16, wind: 0.01, pulse: 1 },
  fireflies: { count: 46, size: 1.7, fall: 0, wind: 0.01, pulse: 1 },
  petals: { count: 46, size: 1, fall: 0.12, wind: 0.09, pulse: 0.2 },
  bubbles: { count: 60, size: 0.9, fall: -0.1, wind: 0.01, pulse: 0.2 },
};

/** What comes down from the sky. */
export const FALLS: ReadonlySet<WeatherKind> = new Set<WeatherKind>(['rain', 'snow']);

export class Weather {
  readonly #options: WeatherOptions;
  readonly #unit: number;
  readonly #kinds: readonly { readonly kind: WeatherKind; readonly particles: readonly Particle[] }[];
  readonly #flake: Canvas;
  readonly #warm: Canvas;
  readonly #mote: Canvas;
  #fog: Canvas | undefined;

  constructor(kinds: readonly WeatherKind[], options: WeatherOptions) {
    this.#options = options;
    this.#unit = Math.min(options.width, options.height) / 1080;
    const wide = Math.max(1, options.width / options.height / 1.2);
    this.#kinds = kinds.map(kind => {
      const random = new Random(`weather|${options.seed}|${kind}`);
      const count = Math.round(KINDS[kind].count * (options.heavy ? 1.9 : 1) * wide);
      return { kind, particles: Array.from({ length: count }, () => particle(random)) };
    });
    this.#flake = glow(24, mix(WHITE, options.palette.light, 0.12));
    this.#warm = glow(24, lch(0.84, 0.16, 65));
    this.#mote = glow(32, options.palette.light);
  }

  draw(context: Context, moment: WeatherMoment): void {
    context.save();
    for (const { kind, particles } of this.#kinds) {
      if (kind === 'fog') this.#drawFog(context, moment);
      else if (kind === 'rain') this.#drawRain(context, particles, moment);
      else for (const one of particles) this.#drawParticle(context, kind, one, moment);
    }
    context.restore();
  }

  #drawParticle(context: Context, kind: WeatherKind, it: Particle, moment: WeatherMoment): void {
    const { seconds, slide = 0, pulse = 0 } = moment;
    const { width, height, heavy } = this.#options;
    const how = KINDS[kind];
    const floats = how.fall === 0;
    const fall = floats ? 0.012 * Math.sin(seconds * 0.6 + it.phase) : seconds * it.speed * how.fall * (0.5 + it.near);
    const wind = how.wind * seconds * (0.6 + it.near) * (heavy ? 2.2 : 1);
    const sway = Math.sin(seconds * (0.7 + it.speed) + it.phase) * it.sway;
    const x = wrapped(it.x + sway - wind - (slide / width) * (0.35 + it.near)) * 1.12 - 0.06;
    const y = floats ? it.y + fall : wrapped(it.y + fall) * 1.12 - 0.06;
    const alpha =
      it.alpha *
      (kind === 'embers' ? smooth(y * 1.6) : floats ? 0.5 + 0.5 * Math.sin(seconds * 1.7 + it.phase * 3) : 1);
    if (alpha <= 0.02) return;
    const size = it.size * this.#unit * how.size * (1 + pulse * how.pulse);
    const [px, py] = [x * width, y * height];
    context.globalAlpha = clamp(alpha);
    if (kind === 'petals') {
      context.save();
      context.translate(px, py);
      context.rotate(it.phase + seconds * it.speed);
      new Pen(context).ellipse(
        mix(this.#options.palette.second, WHITE, 0.35),
        0,
        0,
        size,
        size * (0.2 + 0.5 * Math.abs(Math.sin(seconds * 1.3 + it.phase))),
      );
      context.restore();
    } else if (kind === 'bubbles') {
      context.strokeStyle = css(this.#options.palette.light, 0.8);
      context.lineWidth = 1.5 * this.#unit;
      context.beginPath();
      context.arc(px, py, size, 0, Math.PI * 2);
      context.stroke();
    } else {
      context.globalCompositeOperation = kind === 'snow' ? 'source-over' : 'lighter';
      const sprite = kind === 'snow' ? this.#flake : kind === 'dust' ? this.#mote : this.#warm;
      context.drawImage(sprite, px - size, py - size, size * 2, size * 2);
      context.globalCompositeOperation = 'source-over';
    }
  }

  #drawRain(context: Context, drops: readonly Particle[], { seconds, slide = 0 }: WeatherMoment): void {
    const { width, height, palette, heavy } = this.#options;
    const lean = heavy ? 0.2 : 0.07;
    for (const depth of [0, 1, 2] as const) {
      context.globalAlpha = 1;
      context.strokeStyle = css(mix(palette.light, lch(0.9, 0.02, 240), 0.55), 0.16 + depth * 0.1);
      context.lineWidth = this.#unit * (0.9 + depth * 0.75);
      context.beginPath();
      for (const drop of drops) {
        if (Math.floor(drop.near * 2.999) !== depth) continue;
        const length = (0.035 + 0.06 * drop.near) * (heavy ? 1.3 : 1);
        const y = wrapped(drop.y + seconds * (1.1 + drop.near) * (0.8 + drop.speed * 0.5)) * 1.3 - 0.15;
        const x = wrapped(drop.x - y * lean - (slide / width) * (0.3 + drop.near)) * 1.1 - 0.05;
        context.moveTo(x * width, y * height);
        context.lineTo((x - length * lean) * width, (y + length) * height);
      }
      context.stroke();
    }
  }

  #drawFog(context: Context, { seconds, slide = 0 }: WeatherMoment): void {
    const { width, height, heavy } = this.#options;
    this.#fog ??= this.#fogBank();
    for (const [speed, alpha, top, depth] of rows([0.014, 0.5, 0.42, 0.4], [0.03, 0.42, 0.6, 1])) {
      const wide = width * 1.3;
      const shift = (((seconds * speed * width + slide * depth) % wide) + wide) % wide;
      context.globalAlpha = alpha * (heavy ? 1.35 : 1);
      for (const k of [-1, 0, 1]) context.drawImage(this.#fog, k * wide - shift, height * top, wide + 1, height * 0.44);
    }
    context.globalAlpha = 1;
  }

  /** Its left and right edges meet, so it can drift for ever. */
  #fogBank(): Canvas {
    const { palette, seed } = this.#options;
    const noise = new Noise(`fog|${seed}`);
    const colour: Colour = mix(palette.sky[2], palette.light, 0.25);
    return texture(256, 96, (u, v) => {
      const body = mixNumber(noise.cloud(u * 5, v * 3, 4), noise.cloud((u - 1) * 5, v * 3, 4), u);
      return [colour, clamp((body - 0.36) * 1.9) * smooth(Math.min(1, v * 3)) * smooth(Math.min(1, (1 - v) * 3)) * 0.8];
    });
  }
}

function particle(random: Random): Particle {
  const near = random.next() ** 2.2;
  return {
    x: random.next(),
    y: random.next(),
    near,
    size: 3 + near * 11 + random.next() * 2,
    speed: random.between(0.7, 1.3),
    sway: random.between(0.008, 0.03),
    phase: random.next() * Math.PI * 2,
    alpha: mixNumber(0.55, 0.95, random.next()) * (near > 0.75 ? 0.5 : 1),
  };
}

const wrapped = (at: number) => ((at % 1) + 1) % 1;
