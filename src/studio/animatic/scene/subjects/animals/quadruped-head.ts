/** The head of a four-legged animal from the side, its neck, and what grows on them: ears, antlers, horns, manes, a trunk. */
import { lch, lighter, mix } from '../../../prompt/palette.ts';
import type { Context, Joint, Point } from '../../brush.ts';
import rows from '../data/drawings/quadruped.json' with { type: 'json' };
import { draw } from '../drawing.ts';
import type { Breed } from './breeds.ts';

interface Carriage {
  /** Up or down, in the figure's units. */
  readonly nod: number;
  readonly seconds: number;
  readonly asleep?: boolean;
}

export function headAndNeck(context: Context, breed: Breed, withers: Point, carriage: Carriage): void {
  const { seconds, asleep = false } = carriage;
  const [long, round] = breed.head;
  const { coat, under, dark, eye } = breed;
  const posture = carried(breed, withers, carriage.nod);
  const { turn, from, tip, head } = posture;
  const paints = { coat, under, dark, eye, mane: breed.collar ?? dark };
  const measures = measured(breed, withers, posture, seconds);
  const at = (point: Point) => ({ x: point[0], y: point[1] });
  const horn = (point: Point, shade: number) => {
    if (breed.horns) draw(context, rows.horn, { horn: mix(lch(0.88, 0.03, 80), dark, shade) }, at(point));
  };
  const shut = asleep || (seconds + 2.1) % 3.7 < 0.13;
  const look = (point: Point, turn: number) => {
    const size = round * 0.2;
    const opened = size * (shut ? 0.25 : 0.85);
    draw(context, rows.eye, paints, { ...at(point), turn, size, opened, shut: Number(shut) });
  };

  if (breed.collar) draw(context, rows.lionsMane, paints, measures);
  if (breed.antlers) draw(context, rows.antlers, paints, at(from(-0.01, -round * 0.8)));
  horn(from(0.02, -round * 0.8), 0.22);
  if (!breed.trunk) ear(context, breed, from(0.035, -round * 0.62), turn, 0.07, seconds);
  draw(context, rows.neck, paints, measures);
  if (breed.trunk) {
    trunk(context, breed, head, tip, from(long * 0.5, round * 0.5), seconds);
    look(from(long * 0.42, -round * 0.1), 0);
    return;
  }
  draw(context, rows.head, paints, measures);
  look(from(long * 0.34, -round * 0.2), turn);
  horn(from(-round * 0.05, -round * 0.82), 0.08);
  ear(context, breed, from(-round * 0.2, -round * 0.6), turn, 0, seconds);
}

type Posture = ReturnType<typeof carried>;

/** Where the skull is, and the joints of the neck and the head; `from` goes along the head from the skull. */
function carried(breed: Breed, withers: Point, nod: number) {
  const [dx, dy, thick] = breed.neck;
  const [long, round, muzzle, hang] = breed.head;
  const skull: Point = [withers[0] + dx, withers[1] + dy + nod * 0.22];
  const turn = hang + nod * 0.5;
  const from = (along: number, aside: number): Point => [
    skull[0] + Math.cos(turn) * along - Math.sin(turn) * aside,
    skull[1] + Math.sin(turn) * along + Math.cos(turn) * aside,
  ];
  const tip = from(long, round * 0.34);
  const bend = breed.hump ? 0.15 : dy < -0.5 ? 0.16 : 0.02;
  const neck: Joint[] = [
    [withers[0] - 0.05, withers[1] + breed.torso * 0.5, thick * 1.25],
    [withers[0] + dx * 0.5, withers[1] + dy * 0.5 + bend, thick * 1.02],
    [skull[0] - 0.01, skull[1] + 0.012, thick * 0.86],
  ];
  const head: Joint[] = [
    [skull[0], skull[1], round],
    [...from(long * 0.32, round * 0.06), round * 0.86],
    [...from(long * 0.68, round * 0.25), (round + muzzle) * 0.44],
    [...tip, muzzle],
  ];
  return { skull, turn, from, tip, neck, head };
}

/** What the rows of the drawings count with. */
function measured(breed: Breed, withers: Point, { skull, turn, neck, head }: Posture, seconds: number) {
  const [dx, dy, thick] = breed.neck;
  const [long, round, muzzle] = breed.head;
  const { coat, under, torso, nap } = breed;
  const pale = under.l > coat.l + 0.1;
  return {
    ...{ withers, skull, turn, dx, dy, thick, long, round, muzzle, torso, nap, neck, head },
    ...jointed('n', neck),
    ...jointed('h', head),
    ...{ odd: (i: number) => i % 2, low: (i: number) => (i === 0 ? 0.05 : 0.25) },
    ...{ noseWide: Math.max(0.014, muzzle * 0.62), noseTall: Math.max(0.012, muzzle * 0.52) },
    ...{ sway: Math.sin(seconds * 1.4) * 0.008, pale: Number(pale), bib: Number(pale && !breed.collar) },
    ...{ mane: Number(breed.mane ?? false), striped: Number(breed.pattern === 'stripes') },
    ...{ patched: Number(breed.pattern === 'patches'), panda: Number(breed.pattern === 'panda') },
  };
}

/** `nx(i)`, `ny(i)`, `nr(i)`: the joints of a tube one by one. */
const jointed = (name: string, joints: readonly Joint[]) => ({
  [`${name}x`]: (i: number) => joints[i]?.[0] ?? 0,
  [`${name}y`]: (i: number) => joints[i]?.[1] ?? 0,
  [`${name}r`]: (i: number) => joints[i]?.[2] ?? 0,
});

/** How far an ear leans back, in radians. */
const LEAN = { pointed: -0.2, round: -0.2, long: -0.95, flop: 1.9, hare: -0.55, fan: 0 } as const;

function ear(context: Context, breed: Breed, at: Point, turn: number, far: number, seconds: number): void {
  const { shape, size } = breed.ears;
  const { coat, under, dark } = breed;
  const twitch = (seconds + far * 9) % 2.9 < 0.16 ? 0.16 : 0;
  const path = shape === 'hare' || shape === 'round' ? rows.ears[shape] : rows.ears.pointed;
  const back = mix(coat, dark, breed.pattern === 'panda' ? 1 : far > 0 ? 0.55 : 0.06);
  const paints = {
    outer: lighter(back, far > 0 ? -0.04 : 0),
    tip: far > 0 ? dark : mix(dark, coat, 0.25),
    inner: mix(under, coat, 0.35),
  };
  const tip = { path: rows.ears.tip, fill: 'var(--tip)', 'fill-opacity': '0.9' };
  const inner = { path, fill: 'var(--inner)', 'fill-opacity': '0.75' };
  const ear = [
    { path, fill: 'var(--outer)' },
    ...(shape === 'pointed' ? [{ within: { path }, draw: [tip] }] : []),
    ...(far === 0 ? [{ at: 'size*0.05 size*0.02', scale: '0.52 0.66', draw: [inner] }] : []),
  ];
  const lean = turn * 0.35 + LEAN[shape] - twitch + far * 3;
  draw(context, [{ at: 'at.x at.y', turn: 'lean', draw: ear }], paints, { at, lean, size });
}

/** A trunk hangs from the brow, curls at its end, and swings; a tusk before it, and ears that flap slowly. */
function trunk(
  context: Context,
  { coat, ears, head: [, round] }: Breed,
  head: readonly Joint[],
  tip: Point,
  jaw: Point,
  seconds: number,
): void {
  const swing = Math.sin(seconds * 0.9) * 0.05;
  const ground = -0.1;
  const line: Joint[] = [
    [tip[0] - 0.06, tip[1] - 0.06, 0.13],
    [tip[0] + 0.05, tip[1] + 0.1, 0.096],
    [tip[0] + 0.07 + swing * 0.4, (tip[1] + ground) / 2 - 0.05, 0.07],
    [tip[0] + 0.07 + swing, ground - 0.13, 0.052],
    [tip[0] + 0.14 + swing * 1.2, ground - 0.05, 0.04],
    [tip[0] + 0.21 + swing * 1.2, ground - 0.1, 0.032],
  ];
  const [[x, y] = [0, 0]] = head;
  const fan: Point = [x - round * 0.3, y + round * 0.08];
  const open = 1 + Math.sin(seconds * 1.1) * 0.06;
  draw(context, rows.trunk, { coat }, { line, ...jointed('l', line.slice(1)), head, jaw, fan, open, size: ears.size });
}
