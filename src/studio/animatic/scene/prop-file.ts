/**
 * A prop's file: SVG as far as props need it, so that any drawing program opens it. Units are thousandths of a figure's own.
 * Understood are `path`, `g` (with `clip-path`, `transform="matrix(…)"`, `mix-blend-mode`, `blur`), gradients in user space,
 * `animate` of opacity and `animateTransform`, and two classes: `night` is drawn after dark only, `sunward` is mirrored where
 * the light comes from the left.
 */
import { Path2D } from '@napi-rs/canvas';
import { type Paint, readPaint, readSlots } from './prop-paint.ts';

export interface PropFile {
  /** In a figure's units. */
  readonly box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  readonly slots: ReadonlyMap<string, Paint | number>;
  readonly parts: readonly Part[];
  readonly moves: boolean;
}

export type Part = Group | Shape;

export interface Group {
  readonly kind: 'group';
  readonly parts: Part[];
  readonly night: boolean;
  readonly sunward: boolean;
  readonly clip?: Outline;
  readonly screen: boolean;
  /** Thousandths of a unit. */
  readonly blur: number;
  readonly motions: Motion[];
}

export interface Shape extends Outline {
  readonly kind: 'shape';
  readonly fill?: Ink;
  readonly stroke?: Ink & { readonly width: number; readonly cap: CanvasLineCap };
  readonly matrix?: readonly number[];
}
type CanvasLineCap = 'butt' | 'round' | 'square';

interface Outline {
  readonly path: Path2D;
  readonly rule: 'nonzero' | 'evenodd';
}

export interface Ink {
  readonly paint: Paint | Gradient;
  readonly alpha: number;
}

export interface Gradient {
  /** x0 y0 x1 y1, or x0 y0 r0 x1 y1 r1. */
  readonly at: readonly number[];
  readonly sunward: boolean;
  readonly stops: { readonly at: number; readonly paint: Paint; readonly alpha: number }[];
}

/** Values gone through in `seconds`, again and again. */
export interface Motion {
  readonly type: 'opacity' | 'rotate' | 'scale' | 'translate';
  readonly values: readonly (readonly number[])[];
  readonly seconds: number;
}

type Attributes = Readonly<Record<string, string>>;
const TAG = /<(\/?)([a-zA-Z]+)([^>]*?)(\/?)>/g;

export function readProp(svg: string): PropFile {
  const [left = 0, top = 0, width = 0, height = 0] = numbers(/viewBox="([^"]+)"/.exec(svg)?.[1] ?? '');
  const gradients = new Map<string, Gradient>();
  const clips = new Map<string, Outline>();
  const root = group({});
  const open: Group[] = [root];
  let gradient: Gradient | undefined;
  let clipping: string | undefined;
  for (const [, ends, tag, written = '', empty] of svg.matchAll(TAG)) {
    const of = attributes(written);
    const inside = open.at(-1) ?? root;
    if (ends) {
      if (tag === 'g') open.pop();
      if (tag === 'clipPath') clipping = undefined;
      continue;
    }
    switch (tag) {
      case 'linearGradient':
      case 'radialGradient':
        gradient = { at: gradientLine(of), sunward: of.class === 'sunward', stops: [] };
        gradients.set(of.id ?? '', gradient);
        break;
      case 'stop':
        gradient?.stops.push({
          at: Number.parseFloat(of.offset ?? '0') / 100,
          paint: readPaint(of['stop-color'] ?? ''),
          alpha: Number(of['stop-opacity'] ?? 1),
        });
        break;
      case 'clipPath':
        clipping = of.id;
        break;
      case 'g': {
        const child = group(of, clips);
        inside.parts.push(child);
        if (!empty) open.push(child);
        break;
      }
      case 'path':
        if (clipping === undefined) inside.parts.push(shape(of, gradients));
        else clips.set(clipping, outlineOf(of));
        break;
      case 'animate':
      case 'animateTransform':
        inside.motions.push(motion(of));
        break;
      default:
    }
  }
  return {
    box: { left: left / 1000, top: top / 1000, right: (left + width) / 1000, bottom: (top + height) / 1000 },
    slots: readSlots(/<style>(.*?)<\/style>/s.exec(svg)?.[1] ?? ''),
    parts: root.parts,
    moves: /<animate/.test(svg),
  };
}

const attributes = (written: string): Attributes =>
  Object.fromEntries([...written.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]));
const numbers = (text: string): number[] => (text.match(/-?[\d.]+/g) ?? []).map(Number);
const nameIn = (text = ''): string | undefined => /^url\(#(.+)\)$/.exec(text)?.[1];

const outlineOf = (of: Attributes): Outline => ({
  path: new Path2D(of.d ?? ''),
  rule: (of['fill-rule'] ?? of['clip-rule']) === 'evenodd' ? 'evenodd' : 'nonzero',
});

function group(of: Attributes, clips?: ReadonlyMap<string, Outline>): Group {
  const clip = clips?.get(nameIn(of['clip-path']) ?? '');
  return {
    kind: 'group',
    parts: [],
    night: of.class === 'night',
    sunward: of.class === 'sunward',
    ...(clip ? { clip } : {}),
    screen: of.style?.includes('mix-blend-mode:screen') ?? false,
    blur: Number(/blur\(([\d.]+)px\)/.exec(of.style ?? '')?.[1] ?? 0),
    motions: [],
  };
}

function shape(of: Attributes, gradients: ReadonlyMap<string, Gradient>): Shape {
  const ink = (paint: string, alpha = '1'): Ink => ({
    paint: gradients.get(nameIn(paint) ?? '') ?? readPaint(paint),
    alpha: Number(alpha),
  });
  const { fill, stroke, transform } = of;
  return {
    kind: 'shape',
    ...outlineOf(of),
    ...(fill && fill !== 'none' ? { fill: ink(fill, of['fill-opacity']) } : {}),
    ...(stroke
      ? {
          stroke: {
            ...ink(stroke, of['stroke-opacity']),
            width: Number(of['stroke-width'] ?? 1),
            cap: of['stroke-linecap'] === 'round' ? 'round' : 'butt',
          },
        }
      : {}),
    ...(transform ? { matrix: numbers(transform) } : {}),
  };
}

function gradientLine(of: Attributes): number[] {
  const at = (name: string) => Number(of[name] ?? 0);
  if (of.r === undefined) return [at('x1'), at('y1'), at('x2'), at('y2')];
  return [Number(of.fx ?? at('cx')), Number(of.fy ?? at('cy')), at('fr'), at('cx'), at('cy'), at('r')];
}

function motion(of: Attributes): Motion {
  const values = of.values?.split(';') ?? [of.from ?? '', of.to ?? ''];
  const type = of.type ?? of.attributeName;
  if (type !== 'opacity' && type !== 'rotate' && type !== 'scale' && type !== 'translate')
    throw new Error(`a prop cannot move by "${type}"`);
  return { type, values: values.map(numbers), seconds: Number.parseFloat(of.dur ?? '1') };
}
