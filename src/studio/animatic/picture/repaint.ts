/**
 * The paint style and the colours of a re-render, as a filtergraph. Colours go through a table painted in JavaScript from the prompt's
 * palette (a hald CLUT: one pixel for each colour there can be): a tone's place between dark and light decides which colour
 * of the palette it takes, in steps where the style is flat. Lines are the picture's own edges, multiplied over it.
 */
import sharp from 'sharp';
import { escapePath } from '../../../media/filtergraph.ts';
import { clamp, mixNumber } from '../../shared/random.ts';
import { BLACK, type Colour, mix, type Palette, rgb, WHITE } from '../prompt/palette.ts';
import paintStyles from './data/paint-styles.json' with { type: 'json' };

interface PaintStyle {
  readonly name: string;
  /** 0 no lines to 1 black ones. */
  readonly ink: number;
  /** Of light; 0 is none. */
  readonly steps: number;
  /** How much of the palette there is over the film's own colours, 0 to 1. */
  readonly grade: number;
  /** How much of its own colour a thing keeps. */
  readonly colour: number;
  /** How much white of the paper is left in the darkest tone, 0 to 1. */
  readonly paper: number;
  /** Rounds of smoothing. */
  readonly calm: number;
}

/** The first that the prompt speaks of; the last is that of every other prompt. */
export const paintStyleOf = (prompt: string): PaintStyle =>
  paintStyles.find(({ pattern }) => new RegExp(pattern, 'i').test(prompt))!;

/** 64 steps of each channel: a picture of 512×512. */
const LEVELS = 64;
const SIDE = 512;

export async function paintTable(path: string, palette: Palette, style: PaintStyle): Promise<void> {
  const tones = ramp(palette, style);
  const pixels = Buffer.alloc(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const channel = (at: number) => ((at % LEVELS) / (LEVELS - 1)) * 255;
    const own = [channel(i), channel(Math.floor(i / LEVELS)), channel(Math.floor(i / LEVELS / LEVELS))] as const;
    const light = 0.2126 * own[0] + 0.7152 * own[1] + 0.0722 * own[2];
    const flat = mixNumber(stepped(light / 255, style.steps), 1, style.paper * (1 - light / 255));
    const tone = tones[Math.round(flat * (tones.length - 1))]!;
    for (let c = 0; c < 3; c++) {
      const chroma = own[c]! - light;
      const kept = flat * 255 + chroma * Math.min(1, style.colour * 1.4);
      pixels[i * 3 + c] = Math.round(clamp(mixNumber(kept, tone[c]! + chroma * style.colour, style.grade), 0, 255));
    }
  }
  // Three channels: with a fourth the filter reads the table wrongly.
  await sharp(pixels, { raw: { width: SIDE, height: SIDE, channels: 3 } })
    .png({ compressionLevel: 6 })
    .toFile(path);
}

/** Dark to light through the palette, each colour at the light it has itself, so that the picture's light stays readable. */
function ramp(
  { near, sky, light, dark }: Palette,
  { colour }: PaintStyle,
): readonly (readonly [number, number, number])[] {
  const through = [...sky, near, light].sort((a, b) => a.l - b.l);
  const stops = [BLACK, ...through, mix(light, WHITE, 0.7)];
  return Array.from({ length: 256 }, (_, i) => {
    // Even steps along the palette are mixed with the tone's own place: a dark palette darkens, it does not swallow.
    const at = (i / 255) ** 0.9 * (stops.length - 1);
    const below = stops[Math.min(stops.length - 2, Math.floor(at))]!;
    const above = stops[Math.min(stops.length - 1, Math.floor(at) + 1)]!;
    const mixed = mix(below, above, at - Math.min(stops.length - 2, Math.floor(at)));
    const lit: Colour = { ...mixed, l: mixNumber(mixed.l, 0.08 + 0.9 * (i / 255), 0.5 - 0.5 * dark) };
    return rgb(colour === 0 ? { l: lit.l, a: lit.a * 0.12, b: lit.b * 0.12 } : lit);
  });
}

/** Flat in the middle of a step and steep between two, so that the border is a line and never flickers. */
function stepped(light: number, steps: number): number {
  if (steps === 0) return light;
  const at = light * steps;
  const low = Math.floor(at);
  const within = clamp((at - low - 0.5) / 0.3 + 0.5);
  return clamp((low + within * within * (3 - 2 * within)) / steps);
}

/** Graph text from `[source]` to `[repainted]`. */
export function repainted(table: string, { ink, calm }: PaintStyle, unit: number): string {
  const smoothing = Array.from({ length: calm }, (_, i) => `bilateral=sigmaS=${2 + i}:sigmaR=0.09:planes=1`);
  const colours = [...(calm > 1 ? ['median=radius=1'] : []), ...smoothing, `${EXACT},format=rgb24`].join(',');
  const lut = `movie=${escapePath(table)},format=rgb24[table]`;
  if (ink === 0)
    return `[source]${colours}[calm];${lut};[calm][table]haldclut=interp=tetrahedral,format=gbrp[repainted]`;
  const wide = Math.max(0.6, unit * 1.1).toFixed(2);
  const lines = `format=gray,gblur=sigma=${wide},edgedetect=mode=wires:high=0.14:low=0.06,negate,gblur=sigma=${(Number(wide) * 0.6).toFixed(2)},format=gbrp`;
  return [
    `[source]split[paint][edge]`,
    `[paint]${colours}[calm]`,
    lut,
    '[calm][table]haldclut=interp=tetrahedral,format=gbrp[colours]',
    `[edge]${lines}[lines]`,
    `[colours][lines]blend=all_mode=multiply:all_opacity=${ink}[repainted]`,
  ].join(';');
}

const EXACT = 'scale=in_color_matrix=bt709:in_range=tv:flags=bicubic+accurate_rnd+full_chroma_int+bitexact';
