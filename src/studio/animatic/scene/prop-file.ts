/**
 * A prop's file: SVG as far as props need it, so that any drawing program opens it. Units are thousandths of a figure's own.
 * Understood are `path`, `g` (with `clip-path`, `transform="matrix(…)"`, `mix-blend-mode`, `blur`), gradients in user space,
 * `animate` of opacity and `animateTransform`, and two classes: `night` is drawn after dark only, `sunward` is mirrored where
 * the light comes from the left.
 */
import { Path2D } from '@napi-rs/canvas';
import { css } from '../prompt/palette.ts';
import type { Context } from './brush.ts';
import { type Paint, readPaint, readSlots, type Slots } from './prop-paint.ts';

export interface PropFile {
  /** In a figure's units. */
  readonly box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  readonly slots: ReadonlyMap<string, Paint | number>;
  readonly moves: boolean;
  readonly draw: Painter;
}

interface Brush {
  readonly context: Context;
  readonly slots: Slots;
  readonly lit: 1 | -1;
  readonly night: boolean;
  readonly seconds: number;
}
type Painter = (brush: Brush) => void;
/** A paint in an opacity, as the canvas takes it. */
type Ink = (brush: Brush, alpha: number) => NonNullable<Context['fillStyle']>;

interface Group {
  readonly of: Attributes;
  readonly parts: Painter[];
  readonly motions: Painter[];
}

interface Outline {
  readonly path: Path2D;
  readonly rule: 'nonzero' | 'evenodd';
}

interface Stop {
  readonly at: number;
  readonly paint: Paint;
  readonly alpha: number;
}

type Attributes = Readonly<Record<string, string>>;
const TAG = /<(\/?)([a-zA-Z]+)([^>]*?)(\/?)>/g;

export function readProp(svg: string): PropFile {
  const [left = 0, top = 0, width = 0, height = 0] = numbers(/viewBox="([^"]+)"/.exec(svg)?.[1] ?? '');
  const gradients = new Map<string, Ink>();
  const clips = new Map<string, Outline>();
  const open: Group[] = [{ of: {}, parts: [], motions: [] }];
  let stops: Stop[] = [];
  let clipping: string | undefined;
  for (const [, ends, tag, written = '', empty] of svg.matchAll(TAG)) {
    const of = attributes(written);
    const inside = open.at(-1)!;
    if (ends) {
      if (tag === 'g') open.pop();
      if (tag === 'clipPath') clipping = undefined;
      continue;
    }
    switch (tag) {
      case 'linearGradient':
      case 'radialGradient':
        stops = [];
        gradients.set(of.id ?? '', gradient(of, stops));
        break;
      case 'stop':
        stops.push({
          at: Number.parseFloat(of.offset ?? '0') / 100,
          paint: readPaint(of['stop-color'] ?? ''),
          alpha: Number(of['stop-opacity'] ?? 1),
        });
        break;
      case 'clipPath':
        clipping = of.id;
        break;
      case 'g': {
        const child: Group = { of, parts: [], motions: [] };
        inside.parts.push(group(child, clips.get(nameIn(of['clip-path']) ?? '')));
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
    moves: /<animate/.test(svg),
    draw: group(open[0]!),
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

function group({ of, parts, motions }: Group, clip?: Outline): Painter {
  const blur = Number(/blur\(([\d.]+)px\)/.exec(of.style ?? '')?.[1] ?? 0);
  return brush => {
    if (of.class === 'night' && !brush.night) return;
    const { context } = brush;
    context.save();
    if (of.class === 'sunward') context.scale(brush.lit, 1);
    if (clip) context.clip(clip.path, clip.rule);
    if (of.style?.includes('mix-blend-mode:screen')) context.globalCompositeOperation = 'screen';
    if (blur > 0) context.filter = `blur(${Math.max(0.3, blur * Math.abs(context.getTransform().a))}px)`;
    for (const paint of [...motions, ...parts]) paint(brush);
    if (blur > 0) context.filter = 'none';
    context.restore();
  };
}

function shape(of: Attributes, gradients: ReadonlyMap<string, Ink>): Painter {
  const { path, rule } = outlineOf(of);
  const ink = (paint: string | undefined): Ink | undefined =>
    paint === undefined || paint === 'none'
      ? undefined
      : (gradients.get(nameIn(paint) ?? '') ?? plain(readPaint(paint)));
  const [fill, stroke] = [ink(of.fill), ink(of.stroke)];
  const draw: Painter = brush => {
    const { context } = brush;
    if (fill) {
      context.fillStyle = fill(brush, Number(of['fill-opacity'] ?? 1));
      context.fill(path, rule);
    }
    if (stroke) {
      context.strokeStyle = stroke(brush, Number(of['stroke-opacity'] ?? 1));
      context.lineWidth = Number(of['stroke-width'] ?? 1);
      context.lineCap = of['stroke-linecap'] === 'round' ? 'round' : 'butt';
      context.stroke(path);
    }
  };
  if (of.transform === undefined) return draw;
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers(of.transform);
  return brush => {
    brush.context.save();
    brush.context.transform(a, b, c, d, e, f);
    draw(brush);
    brush.context.restore();
  };
}

const plain =
  (paint: Paint): Ink =>
  ({ slots }, alpha) =>
    css(paint(slots), alpha);

/** Turned towards the light where it is `sunward`: a line from its other end, a circle in the other half. */
function gradient(of: Attributes, stops: readonly Stop[]): Ink {
  const at = (name: string, otherwise = 0) => Number(of[name] ?? otherwise);
  return ({ context, slots, lit }, alpha) => {
    const way = of.class === 'sunward' ? lit : 1;
    const [from, to] = way === 1 ? ['1', '2'] : ['2', '1'];
    const made =
      of.r === undefined
        ? context.createLinearGradient(at(`x${from}`), at(`y${from}`), at(`x${to}`), at(`y${to}`))
        : context.createRadialGradient(
            ...([way * at('fx', at('cx')), at('fy', at('cy')), at('fr'), way * at('cx'), at('cy'), at('r')] as const),
          );
    for (const stop of stops) made.addColorStop(stop.at, css(stop.paint(slots), stop.alpha * alpha));
    return made;
  };
}

/** Values gone through in `dur` seconds, again and again. */
function motion(of: Attributes): Painter {
  const values = (of.values?.split(';') ?? [of.from ?? '', of.to ?? '']).map(numbers);
  const type = of.type ?? of.attributeName;
  return ({ context, seconds }) => {
    const at = ((seconds / Number.parseFloat(of.dur ?? '1')) % 1) * (values.length - 1);
    const [from = [], to = []] = [values[Math.floor(at)], values[Math.ceil(at)]];
    const [x = 0, y = 0, z = 0] = from.map((value, i) => value + ((to[i] ?? value) - value) * (at % 1));
    switch (type) {
      case 'opacity':
        context.globalAlpha *= x;
        break;
      case 'rotate':
        context.translate(y, z);
        context.rotate((x * Math.PI) / 180);
        context.translate(-y, -z);
        break;
      case 'scale':
        context.scale(x, y);
        break;
      case 'translate':
        context.translate(x, y);
        break;
      default:
        throw new Error(`a prop cannot move by "${type}"`);
    }
  };
}
