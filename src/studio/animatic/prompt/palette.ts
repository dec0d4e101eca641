/**
 * Colours in OKLab: mixing is even to the eye, and a palette can be jittered by the seed without a muddy hue turning up.
 * A palette is a time of day; weather greys it; the seed leans it a few degrees. Every painter reads colours from here.
 */
import { clamp, mixNumber, Random } from '../../shared/random.ts';
import type { TimeOfDay } from '../../shared/vocabulary.ts';
import rows from './data/lights.json' with { type: 'json' };

/** OKLab: `l` 0 to 1, `a` and `b` about ±0.3. */
export interface Colour {
  readonly l: number;
  readonly a: number;
  readonly b: number;
}

export interface Palette {
  readonly time: TimeOfDay;
  /** Zenith, middle, horizon. */
  readonly sky: readonly [Colour, Colour, Colour];
  readonly far: Colour;
  readonly near: Colour;
  /** The sun, the moon, or the place's own light. */
  readonly light: Colour;
  readonly accent: Colour;
  readonly second: Colour;
  /** Height of the sun as a part of the frame, 0 is the top. */
  readonly sunHeight: number;
  /** 0 to 1. */
  readonly stars: number;
  /** How much of their own colour things lose to the dark, 0 to 1. */
  readonly dark: number;
  /** The colour of things at a distance: 0 is here, 1 is the horizon. */
  at(distance: number): Colour;
}

type LCh = readonly [lightness: number, chroma: number, hue: number];

interface Light {
  readonly sky: readonly [LCh, LCh, LCh];
  readonly far: LCh;
  readonly near: LCh;
  readonly light: LCh;
  readonly sunHeight: number;
  readonly stars: number;
  readonly dark: number;
}

const LIGHTS = rows as unknown as { readonly [time in TimeOfDay]: Light };

/** `storm` 0 to 1 takes the colour out of the sky and the sun behind clouds. */
export function palette(time: TimeOfDay, seed: string, { storm = 0 }: { readonly storm?: number } = {}): Palette {
  const random = new Random(`palette|${seed}`);
  const source = LIGHTS[time];
  const lean = random.between(-12, 12);
  const strength = random.between(0.88, 1.15);
  const jitter = ([l, c, h]: LCh) => lch(clamp(l + random.between(-0.012, 0.012)), c * strength, h + lean);
  const greyed = (colour: Colour) => {
    const grey = lch(colour.l * (1 - 0.16 * storm), 0.028, 248);
    return mix(colour, grey, 0.62 * storm);
  };
  const sky = [greyed(jitter(source.sky[0])), greyed(jitter(source.sky[1])), greyed(jitter(source.sky[2]))] as const;
  const far = greyed(jitter(source.far));
  const near = greyed(jitter(source.near));
  const light = mix(jitter(source.light), lch(0.86, 0.05, 60), storm * 0.4);
  const hue = source.light[2] + lean;
  return {
    time,
    sky,
    far,
    near,
    light,
    accent: lch(0.76, 0.14, hue + random.pick([150, 180, 205, 120])),
    second: lch(0.72, 0.14, hue + random.pick([20, -30, 40])),
    sunHeight: source.sunHeight,
    stars: source.stars * (1 - storm),
    dark: source.dark,
    at: distance => mix(near, far, clamp(distance)),
  };
}

export function lch(lightness: number, chroma: number, hue: number): Colour {
  const angle = (hue * Math.PI) / 180;
  return { l: lightness, a: chroma * Math.cos(angle), b: chroma * Math.sin(angle) };
}

export function mix(from: Colour, to: Colour, t: number): Colour {
  return { l: mixNumber(from.l, to.l, t), a: mixNumber(from.a, to.a, t), b: mixNumber(from.b, to.b, t) };
}

export const lighter = (colour: Colour, by: number): Colour => ({ ...colour, l: clamp(colour.l + by) });
export const WHITE = lch(0.985, 0.006, 90);
export const BLACK = lch(0.04, 0.008, 270);

/** sRGB bytes. */
export function rgb({ l, a, b }: Colour): readonly [number, number, number] {
  const cone = (x: number) => x * x * x;
  const long = cone(l + 0.3963377774 * a + 0.2158037573 * b);
  const medium = cone(l - 0.1055613458 * a - 0.0638541728 * b);
  const short = cone(l - 0.0894841775 * a - 1.291485548 * b);
  const byte = (x: number) => {
    const v = clamp(x);
    return Math.round(255 * (v <= 0.0031308 ? 12.92 * v : 1.055 * v ** (1 / 2.4) - 0.055));
  };
  return [
    byte(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    byte(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    byte(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ];
}

export function css(colour: Colour, alpha = 1): string {
  const [r, g, b] = rgb(colour);
  return `rgba(${r},${g},${b},${Math.round(alpha * 10000) / 10000})`;
}
