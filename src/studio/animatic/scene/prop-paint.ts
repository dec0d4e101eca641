/**
 * Paint as a prop's file writes it: the part of CSS colour that OKLab painters need, so that a browser shows the file as we do.
 *
 *     oklch(0.52 0.19 27)
 *     var(--paint)                                             a slot, filled by who draws
 *     oklch(from var(--paint) calc(l - 0.12) c h)              the same, darker
 *     color-mix(in oklab, var(--stone), var(--near) 30%)       a share may be a slot too: var(--night), calc(var(--dark) * 80%)
 */
import { type Colour, lch, lighter, mix } from '../prompt/palette.ts';

/** Colours by name; a number is a share, 0 to 1. */
export interface Paints {
  readonly [slot: string]: Colour | number;
}

export type Paint = (slots: Slots) => Colour;

/** A prop's own values for its slots, read only where the painter gives none. */
export class Slots {
  readonly #given: Paints;
  readonly #own: ReadonlyMap<string, Paint | number>;
  readonly #mixed = new Map<string, Colour>();

  constructor(given: Paints, own: ReadonlyMap<string, Paint | number>) {
    this.#given = given;
    this.#own = own;
  }

  /** The same paints and these, mixed from them. */
  with(more: readonly (readonly [name: string, paint: Paint])[]): Slots {
    return new Slots(
      { ...this.#given, ...Object.fromEntries(more.map(([name, paint]) => [name, paint(this)])) },
      this.#own,
    );
  }

  colour(name: string): Colour {
    const known = this.#mixed.get(name);
    if (known) return known;
    const value = this.#given[name] ?? this.#own.get(name);
    if (value === undefined || typeof value === 'number') throw new Error(`a prop has no colour for --${name}`);
    const colour = typeof value === 'function' ? value(this) : value;
    this.#mixed.set(name, colour);
    return colour;
  }

  share(name: string): number {
    const value = this.#given[name] ?? this.#own.get(name);
    if (typeof value !== 'number') throw new Error(`a prop has no share for --${name}`);
    return value;
  }
}

export function readPaint(text: string): Paint {
  const trimmed = text.trim();
  const [, slot] = /^var\(--([\w-]+)\)$/.exec(trimmed) ?? [];
  if (slot !== undefined) return slots => slots.colour(slot);
  const [, from, sign, by] = /^oklch\(from (.+) calc\(l ([+-]) ([\d.]+)\) c h\)$/.exec(trimmed) ?? [];
  if (from !== undefined) {
    const base = readPaint(from);
    const step = Number(`${sign}${by}`);
    return slots => lighter(base(slots), step);
  }
  const [, mixed] = /^color-mix\(in oklab, (.+)\)$/.exec(trimmed) ?? [];
  if (mixed !== undefined) return readMix(mixed);
  const [, lightness, chroma, hue] = /^oklch\(([\d.]+) ([\d.]+) ([\d.-]+)\)$/.exec(trimmed) ?? [];
  if (hue === undefined) throw new Error(`"${trimmed}" is no paint of a prop`);
  const colour = lch(Number(lightness), Number(chroma), Number(hue));
  return () => colour;
}

function readMix(text: string): Paint {
  const comma = outerComma(text);
  const [, to = '', amount = ''] = /^(.+) (\S+%|var\(\S+\)|calc\(.+\))$/.exec(text.slice(comma + 1).trim()) ?? [];
  const [a, b, share] = [readPaint(text.slice(0, comma)), readPaint(to), readShare(amount)];
  return slots => mix(a(slots), b(slots), share(slots));
}

/** `30%`, `var(--night)`, `calc(var(--dark) * 80%)`. */
function readShare(text: string): (slots: Slots) => number {
  const [, slot, times = '100'] = /^(?:calc\()?var\(--([\w-]+)\)(?: \* ([\d.]+)%\))?$/.exec(text) ?? [];
  if (slot !== undefined) return slots => (slots.share(slot) * Number(times)) / 100;
  const share = Number.parseFloat(text) / 100;
  return () => share;
}

/** Where the first of two arguments ends. */
function outerComma(text: string): number {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const letter = text[i];
    if (letter === '(') depth++;
    else if (letter === ')') depth--;
    else if (letter === ',' && depth === 0) return i;
  }
  throw new Error(`"${text}" mixes nothing`);
}

/** The slots a file's style gives values to: `--paint: oklch(0.52 0.19 27); --night: 0%`. */
export function readSlots(style: string): Map<string, Paint | number> {
  return new Map(
    [...style.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [
      name,
      value.endsWith('%') ? Number.parseFloat(value) / 100 : readPaint(value),
    ]),
  );
}
