/**
 * Drawings of what bends and breathes (`data/drawings/`): rows of shapes in a prop's paints, whose points are sums of measures,
 * `back+torso*0.2`. The table holds the shapes; the painter gives the measures: of a breed, of a pose, of a moment.
 */
import { Path2D } from '@napi-rs/canvas';
import { css } from '../../prompt/palette.ts';
import { type Context, ellipse, type Joint, type Point, spline, tube } from '../brush.ts';
import { type Paint, type Paints, readPaint, Slots } from '../prop-paint.ts';
import { soft } from './people/portrait-brush.ts';

/** A point's parts are named `skull.x` and `skull.y`, a function's value `wave(0.3)`; joints make a whole tube. */
interface Measures {
  readonly [name: string]: number | Point | readonly Joint[] | ((at: number) => number);
}

/** Points are separated by commas, their numbers by blanks. */
interface Outline {
  /** Joints, `x y radius`. */
  readonly tube?: string;
  /** Tufts of a tube's fur. */
  readonly nap?: string;
  readonly steps?: number;
  /** A smooth closed outline. */
  readonly spline?: string;
  /** A smooth open line. */
  readonly line?: string;
  /** `M x y L x y Q x y x y C x y x y x y Z`; `A x y radius from to` is an arc, `R x y width height radius` a box. */
  readonly path?: string;
}

/** `x y radius x y radius`, or `x y x y` for a line; stops as place, paint, opacity. */
interface Gradient {
  readonly gradient: string;
  readonly stops: readonly (readonly (number | string)[])[];
}

interface Shape extends Outline {
  /** `x y rx ry turn`; several may follow one another. */
  readonly ellipse?: string;
  /** `x y width height`. */
  readonly rect?: string;
  readonly fill?: string | Gradient;
  readonly 'fill-opacity'?: string;
  readonly stroke?: string;
  readonly 'stroke-opacity'?: string;
  readonly 'stroke-width'?: string;
  /** Rounded ends, for this stroke and those after it. */
  readonly round?: boolean;
}

interface Group {
  readonly draw: Drawing;
  /** The measure without which nothing of the group is drawn; `!` turns it round. */
  readonly when?: string;
  /** Once for each row of measures and paints, or so many times with `i` from 0. */
  readonly each?: readonly Round[] | number;
  /** Only inside this outline, which is filled before. */
  readonly within?: Outline & Pick<Shape, 'fill' | 'fill-opacity'>;
  /** Out of focus by so many units. */
  readonly blur?: string;
  readonly at?: string;
  readonly turn?: string;
  readonly scale?: string;
  /** A point and an angle: the group's points are counted from there, along that direction. */
  readonly along?: string;
}

/** Measures, and paints by name. */
interface Round {
  readonly [name: string]: number | string | undefined;
}

type Drawing = readonly (Shape | Group)[];

/** Draws the rows in the context's units. */
export function draw(context: Context, rows: Drawing, paints: Paints, measures: Measures = {}): void {
  drawRows({ context, slots: new Slots(paints, new Map()), measures }, rows);
}

interface Brush {
  readonly context: Context;
  readonly slots: Slots;
  readonly measures: Measures;
  /** Left, top and angle that points are counted from. */
  readonly along?: readonly number[];
}

function drawRows(brush: Brush, rows: Drawing): void {
  for (const row of rows) 'draw' in row ? drawGroup(brush, row) : drawShape(brush, row);
}

function drawGroup(brush: Brush, { draw: rows, when, each, along, ...place }: Group): void {
  if (when !== undefined && (number(brush, when.replace('!', '')) === 0) !== when.startsWith('!')) return;
  const rounds = typeof each === 'number' ? Array.from({ length: each }, (_, i) => ({ i })) : (each ?? [{}]);
  for (const round of rounds) {
    const inner = { ...brush, ...during(brush, round) };
    const turned = along === undefined ? inner : { ...inner, along: numbers(inner, along) };
    if (Object.keys(place).length === 0) drawRows(turned, rows);
    else drawPlaced(turned, rows, place);
  }
}

/** The paints and measures of one round. */
function during({ slots, measures }: Brush, round: Round): Pick<Brush, 'slots' | 'measures'> {
  const given = Object.entries(round);
  const lengths = given.filter((entry): entry is [string, number] => typeof entry[1] === 'number');
  const inks = given.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return {
    slots: inks.length === 0 ? slots : slots.with(inks.map(([name, paint]) => [name, paintOf(paint)])),
    measures: lengths.length === 0 ? measures : { ...measures, ...Object.fromEntries(lengths) },
  };
}

function drawPlaced(brush: Brush, rows: Drawing, place: Omit<Group, 'draw' | 'when' | 'each' | 'along'>): void {
  const { context } = brush;
  const { within, blur, at, turn, scale } = place;
  if (within?.fill !== undefined) drawShape(brush, within);
  if (blur !== undefined) {
    soft(context, number(brush, blur), () => drawRows(brush, rows));
    return;
  }
  context.save();
  const [x = 0, y = 0] = numbers(brush, at ?? '0 0');
  if (at !== undefined) context.translate(x, y);
  if (turn !== undefined) context.rotate(number(brush, turn));
  const [wide = 1, tall = wide] = numbers(brush, scale ?? '1');
  if (scale !== undefined) context.scale(wide, tall);
  if (within) context.clip(pathOf(brush, within));
  drawRows(brush, rows);
  context.restore();
}

function drawShape(brush: Brush, row: Shape): void {
  const { context } = brush;
  const { fill, stroke } = row;
  if (fill !== undefined)
    context.fillStyle = typeof fill === 'string' ? ink(brush, fill, row['fill-opacity']) : gradientOf(brush, fill);
  if (stroke !== undefined) {
    context.strokeStyle = ink(brush, stroke, row['stroke-opacity']);
    context.lineWidth = number(brush, row['stroke-width'] ?? '1');
    if (row.round) context.lineCap = 'round';
  }
  if (row.rect !== undefined) {
    const [x = 0, y = 0, width = 0, height = 0] = numbers(brush, row.rect);
    context.fillRect(x, y, width, height);
  } else if (row.ellipse !== undefined)
    for (const [x = 0, y = 0, rx = 0, ry = 0, turn] of points(brush, row.ellipse)) ellipse(context, x, y, rx, ry, turn);
  else {
    const path = pathOf(brush, row);
    if (fill !== undefined) context.fill(path);
    if (stroke !== undefined) context.stroke(path);
  }
}

/** A paint in its opacity; `rgb(…)` is taken as it is. */
const ink = (brush: Brush, paint: string, opacity: string | number = '1'): string =>
  paint.startsWith('rgb') ? paint : css(paintOf(paint)(brush.slots), number(brush, String(opacity)));

function gradientOf(brush: Brush, { gradient, stops }: Gradient) {
  const [a = 0, b = 0, c = 0, d = 0, e, f = 0] = numbers(brush, gradient);
  const { context } = brush;
  const shade =
    e === undefined ? context.createLinearGradient(a, b, c, d) : context.createRadialGradient(a, b, c, d, e, f);
  for (const [at, paint, opacity] of stops) shade.addColorStop(Number(at), ink(brush, String(paint), opacity));
  return shade;
}

function pathOf(
  brush: Brush,
  { tube: joints, nap = '0', steps = 8, spline: closed, line, path = '' }: Outline,
): Path2D {
  if (joints !== undefined) return tube(points(brush, joints) as Joint[], { nap: number(brush, nap), steps });
  const through = closed ?? line;
  if (through !== undefined)
    return spline(points(brush, through) as unknown as Point[], { closed: line === undefined });
  const drawn = new Path2D();
  for (const [, command = '', written = ''] of path.matchAll(/([MLQCARZ])([^MLQCARZ]*)/g)) {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = pairs(brush, numbers(brush, written));
    if (command === 'M') drawn.moveTo(a, b);
    else if (command === 'L') drawn.lineTo(a, b);
    else if (command === 'Q') drawn.quadraticCurveTo(a, b, c, d);
    else if (command === 'C') drawn.bezierCurveTo(a, b, c, d, e, f);
    else if (command === 'A') drawn.arc(a, b, c, d, e);
    else if (command === 'R') drawn.roundRect(a, b, c, d, e);
    else drawn.closePath();
  }
  return drawn;
}

function points(brush: Brush, text: string): readonly (readonly number[])[] {
  const joints = brush.measures[text];
  if (Array.isArray(joints)) return joints;
  return parsed(text).map(point => {
    const [x = 0, y = 0, ...rest] = point.map(sum => sum(brush.measures));
    return [...placed(brush, x, y), ...rest];
  });
}

function pairs(brush: Brush, flat: readonly number[]): readonly number[] {
  if (!brush.along) return flat;
  return flat.flatMap((x, i) => (i % 2 === 0 ? placed(brush, x, flat[i + 1] ?? 0) : []));
}

function placed({ along }: Brush, x: number, y: number): Point {
  if (!along) return [x, y];
  const [left = 0, top = 0, turn = 0] = along;
  return [left + Math.cos(turn) * x - Math.sin(turn) * y, top + Math.sin(turn) * x + Math.cos(turn) * y];
}

const numbers = (brush: Brush, text: string): number[] => (parsed(text)[0] ?? []).map(sum => sum(brush.measures));
const number = (brush: Brush, text: string): number => numbers(brush, text)[0] ?? 0;

type Sum = (measures: Measures) => number;

const texts = new Map<string, readonly (readonly Sum[])[]>();

/** `x y, x y`: every number a sum of products, `-0.1+back*2`. Read once, however often it is drawn. */
function parsed(text: string): readonly (readonly Sum[])[] {
  const known = texts.get(text);
  if (known) return known;
  const sumOf = (text: string): Sum => readSum(text.match(/[\w.]+|[()*+-]/g) ?? []);
  const points = text.split(',').map(point => point.trim().split(/\s+/).map(sumOf));
  texts.set(text, points);
  return points;
}

/** Takes the sum's words off the list, up to its closing bracket. */
function readSum(words: string[]): Sum {
  const terms: Sum[] = [];
  while (words.length > 0 && words[0] !== ')') {
    const sign = words[0] === '-' ? -1 : 1;
    if (words[0] === '-' || words[0] === '+') words.shift();
    const factors = [readFactor(words)];
    while (words[0] === '*') {
      words.shift();
      factors.push(readFactor(words));
    }
    terms.push(measures => factors.reduce((product, factor) => product * factor(measures), sign));
  }
  return measures => terms.reduce((total, term) => total + term(measures), 0);
}

/** A number, a measure or a part of one, a function of a sum, or a sum in brackets. */
function readFactor(words: string[]): Sum {
  const word = words.shift() ?? '';
  if (/^[\d.]+$/.test(word)) return () => Number(word);
  const [name = '', part] = word.split('.');
  const isFunction = words[0] === '(';
  if (isFunction) words.shift();
  const of = word === '(' || isFunction ? readSum(words) : () => 0;
  if (word === '(' || isFunction) words.shift();
  if (word === '(') return of;
  return measures => {
    const measure = measures[name];
    if (measure === undefined) throw new Error(`a drawing lacks the measure ${name}`);
    if (typeof measure === 'function') return measure(of(measures));
    return typeof measure === 'number' ? measure : Number(measure[part === 'y' ? 1 : 0]);
  };
}

const paints = new Map<string, Paint>();

function paintOf(text: string): Paint {
  const known = paints.get(text) ?? readPaint(text);
  paints.set(text, known);
  return known;
}
