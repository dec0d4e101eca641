/**
 * Drawings of what bends and breathes (`data/drawings/`): rows of shapes in a prop's paints, whose points are sums of measures,
 * `back+torso*0.2`. The table holds the shapes; the painter gives the measures: of a breed, of a pose, of a moment.
 */
import { Path2D } from '@napi-rs/canvas';
import { css } from '../../prompt/palette.ts';
import { type Context, ellipse, type Joint, type Point, spline, tube } from '../brush.ts';
import { type Paint, type Paints, readPaint, Slots } from '../prop-paint.ts';
import { soft } from './portrait-brush.ts';

/** A point's parts are named `skull.x` and `skull.y`, a function's value `wave(0.3)`; joints make a whole tube. */
export interface Measures {
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
  readonly each?: readonly { readonly [name: string]: number | string | undefined }[] | number;
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

export type Drawing = readonly (Shape | Group)[];

/** Draws the rows in the context's units. */
export function draw(context: Context, rows: Drawing, paints: Paints, measures: Measures = {}): void {
  new Painter(context, new Slots(paints, new Map()), measures).draw(rows);
}

class Painter {
  readonly #context: Context;
  readonly #slots: Slots;
  readonly #measures: Measures;
  readonly #along: readonly number[] | undefined;

  constructor(context: Context, slots: Slots, measures: Measures, along?: readonly number[]) {
    this.#context = context;
    this.#slots = slots;
    this.#measures = measures;
    this.#along = along;
  }

  draw(rows: Drawing): void {
    for (const row of rows) 'draw' in row ? this.#group(row) : this.#shape(row);
  }

  #group({ draw, when, each, ...place }: Group): void {
    if (when !== undefined && (this.#number(when.replace('!', '')) === 0) !== when.startsWith('!')) return;
    const rounds = typeof each === 'number' ? Array.from({ length: each }, (_, i) => ({ i })) : (each ?? [{}]);
    for (const round of rounds) new Painter(this.#context, ...this.#during(round), this.#along).#turn(draw, place);
  }

  /** The paints and measures of one round. */
  #during(round: { readonly [name: string]: number | string | undefined }): [Slots, Measures] {
    const given = Object.entries(round);
    const numbers = given.filter((entry): entry is [string, number] => typeof entry[1] === 'number');
    const inks = given.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return [
      inks.length === 0 ? this.#slots : this.#slots.with(inks.map(([name, paint]) => [name, paintOf(paint)])),
      numbers.length === 0 ? this.#measures : { ...this.#measures, ...Object.fromEntries(numbers) },
    ];
  }

  #turn(rows: Drawing, { along, ...place }: Omit<Group, 'draw'>): void {
    const painter =
      along === undefined ? this : new Painter(this.#context, this.#slots, this.#measures, this.#numbers(along));
    if (Object.values(place).some(value => value !== undefined)) painter.#placed(rows, place);
    else painter.draw(rows);
  }

  #placed(rows: Drawing, { within, blur, at, turn, scale }: Omit<Group, 'draw'>): void {
    const context = this.#context;
    if (within?.fill !== undefined) this.#shape(within);
    if (blur !== undefined) {
      soft(context, this.#number(blur), () => this.draw(rows));
      return;
    }
    context.save();
    const [x = 0, y = 0] = at === undefined ? [] : this.#numbers(at);
    if (at !== undefined) context.translate(x, y);
    if (turn !== undefined) context.rotate(this.#number(turn));
    const [wide = 1, tall = wide] = scale === undefined ? [] : this.#numbers(scale);
    if (scale !== undefined) context.scale(wide, tall);
    if (within) context.clip(this.#outline(within));
    this.draw(rows);
    context.restore();
  }

  #shape(row: Shape): void {
    const context = this.#context;
    const { fill, stroke } = row;
    if (fill !== undefined)
      context.fillStyle =
        typeof fill === 'string' ? this.#ink(fill, this.#number(row['fill-opacity'] ?? '1')) : this.#gradient(fill);
    if (stroke !== undefined) {
      context.strokeStyle = this.#ink(stroke, this.#number(row['stroke-opacity'] ?? '1'));
      context.lineWidth = this.#number(row['stroke-width'] ?? '1');
      if (row.round) context.lineCap = 'round';
    }
    if (row.rect !== undefined) {
      const [x = 0, y = 0, width = 0, height = 0] = this.#numbers(row.rect);
      context.fillRect(x, y, width, height);
    } else if (row.ellipse !== undefined)
      for (const [x = 0, y = 0, rx = 0, ry = 0, turn] of this.#points(row.ellipse))
        ellipse(context, x, y, rx, ry, turn);
    else {
      const outline = this.#outline(row);
      if (fill !== undefined) context.fill(outline);
      if (stroke !== undefined) context.stroke(outline);
    }
  }

  #ink(paint: string, alpha: number): string {
    return paint.startsWith('rgb') ? paint : css(paintOf(paint)(this.#slots), alpha);
  }

  #gradient({ gradient, stops }: Gradient) {
    const [a = 0, b = 0, c = 0, d = 0, e, f = 0] = this.#numbers(gradient);
    const shade =
      e === undefined
        ? this.#context.createLinearGradient(a, b, c, d)
        : this.#context.createRadialGradient(a, b, c, d, e, f);
    for (const [at, paint, alpha = 1] of stops)
      shade.addColorStop(Number(at), this.#ink(String(paint), this.#number(String(alpha))));
    return shade;
  }

  #outline({ tube: joints, nap, steps, spline: closed, line, path = '' }: Outline): Path2D {
    if (joints !== undefined)
      return tube(this.#points(joints) as unknown as Joint[], {
        ...(nap === undefined ? {} : { nap: this.#number(nap) }),
        ...(steps === undefined ? {} : { steps }),
      });
    const points = closed ?? line;
    if (points !== undefined) return spline(this.#points(points) as unknown as Point[], { closed: line === undefined });
    const drawn = new Path2D();
    for (const [, command = '', written = ''] of path.matchAll(/([MLQCARZ])([^MLQCARZ]*)/g)) {
      const at = this.#pairs(this.#numbers(written));
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = at;
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

  #points(text: string): readonly (readonly number[])[] {
    const joints = this.#measures[text];
    if (Array.isArray(joints)) return joints;
    return parsed(text).map(point => {
      const [x = 0, y = 0, ...rest] = point.map(sum => this.#sum(sum));
      return [...this.#turned(x, y), ...rest];
    });
  }

  #pairs(numbers: readonly number[]): number[] {
    const pairs: number[] = [];
    for (let i = 0; i < numbers.length; i += 2) pairs.push(...this.#turned(numbers[i] ?? 0, numbers[i + 1] ?? 0));
    return pairs;
  }

  #turned(x: number, y: number): Point {
    if (!this.#along) return [x, y];
    const [left = 0, top = 0, turn = 0] = this.#along;
    return [left + Math.cos(turn) * x - Math.sin(turn) * y, top + Math.sin(turn) * x + Math.cos(turn) * y];
  }

  #numbers(text: string): number[] {
    return (parsed(text)[0] ?? []).map(sum => this.#sum(sum));
  }

  #number(text: string): number {
    return this.#numbers(text)[0] ?? 0;
  }

  #sum(sum: Sum): number {
    return sum.reduce(
      (total, { sign, factors }) =>
        total + factors.reduce<number>((product, factor) => product * this.#measure(factor), sign),
      0,
    );
  }

  #measure(factor: Factor): number {
    if (typeof factor === 'number') return factor;
    const { name, part, of } = factor;
    if (name === '') return this.#sum(of ?? []);
    const measure = this.#measures[name];
    const value =
      typeof measure === 'function'
        ? measure(this.#sum(of ?? []))
        : typeof measure === 'object'
          ? Number(measure[part])
          : measure;
    if (value === undefined) throw new Error(`a drawing lacks the measure ${name}`);
    return value;
  }
}

/** Terms of a sum: each is a product of numbers, measures and sums in brackets. */
type Sum = readonly { readonly sign: 1 | -1; readonly factors: readonly Factor[] }[];
type Factor = number | { readonly name: string; readonly part: 0 | 1; readonly of?: Sum };

const texts = new Map<string, readonly (readonly Sum[])[]>();

/** `x y, x y`: every number a sum of products, `-0.1+back*2`. Read once, however often it is drawn. */
function parsed(text: string): readonly (readonly Sum[])[] {
  const known = texts.get(text);
  if (known) return known;
  const points = text.split(',').map(point => point.trim().split(/\s+/).map(sumOf));
  texts.set(text, points);
  return points;
}

const sumOf = (text: string): Sum => readSum(text.match(/[\w.]+|[()*+-]/g) ?? []);

/** Takes the sum's words off the list, up to its closing bracket. */
function readSum(words: string[]): Sum {
  const terms: Sum[number][] = [];
  while (words.length > 0 && words[0] !== ')') {
    const sign = words[0] === '-' ? -1 : 1;
    if (words[0] === '-' || words[0] === '+') words.shift();
    const factors = [readFactor(words)];
    while (words[0] === '*') {
      words.shift();
      factors.push(readFactor(words));
    }
    terms.push({ sign, factors });
  }
  return terms;
}

function readFactor(words: string[]): Factor {
  const word = words.shift() ?? '';
  if (/^[\d.]+$/.test(word)) return Number(word);
  const [name = '', part] = word === '(' ? [] : word.split('.');
  const factor = { name, part: part === 'y' ? 1 : 0 } as const;
  if (word !== '(' && words[0] !== '(') return factor;
  if (word !== '(') words.shift();
  const of = readSum(words);
  words.shift();
  return { ...factor, of };
}

const paints = new Map<string, Paint>();

function paintOf(text: string): Paint {
  const known = paints.get(text) ?? readPaint(text);
  paints.set(text, known);
  return known;
}
