/**
 * A four-legged animal from the side, walking, trotting, standing or asleep. The body is tubes along curves (spine, neck, tail, limbs), so it
 * bends where an animal bends; legs are solved from where the paws are, so paws stay put on the ground while the body goes on.
 * The breed gives the measures, `data/drawings/quadruped.json` the shapes.
 */
import { clamp, hash } from '../../../../shared/random.ts';
import { type Colour, css, lch, lighter, mix } from '../../../prompt/palette.ts';
import type { Subject } from '../../../prompt/read-prompt.ts';
import { type Context, type Joint, type Point, tube } from '../../brush.ts';
import type { Figure, Pose } from '../../lighting.ts';
import rows from '../data/drawings/quadruped.json' with { type: 'json' };
import { draw } from '../drawing.ts';
import type { Breed } from './breeds.ts';
import { type Gait, joint, pawAt, strideOf } from './gait.ts';

interface Leg {
  /** Fraction of a turn this leg is ahead. */
  readonly walk: number;
  readonly trot: number;
  readonly end: 'fore' | 'hind';
  readonly near: boolean;
}
const LEGS: readonly Leg[] = [
  { end: 'hind', near: false, walk: 0.5, trot: 0 },
  { end: 'fore', near: false, walk: 0.75, trot: 0.5 },
  { end: 'hind', near: true, walk: 0, trot: 0.5 },
  { end: 'fore', near: true, walk: 0.25, trot: 0 },
];
/** Where the paws are put in a stance that has weight. */
const STANDING = { hind: { near: -0.03, far: 0.06 }, fore: { near: 0.03, far: -0.03 } } as const;

export function quadruped(breed: Breed, action: Subject['action']): Figure {
  const gait: Gait = {
    step: breed.leg * (action === 'runs' ? 0.5 : 0.38),
    lift: breed.leg * (action === 'runs' ? 0.24 : 0.14),
    stance: action === 'runs' ? 0.5 : 0.62,
  };
  const height =
    breed.leg +
    breed.torso +
    Math.max(0, -breed.neck[1]) +
    breed.head[1] +
    breed.ears.size +
    (breed.antlers ? 0.4 : breed.hump ? 0.16 : 0.06);
  return {
    box: {
      left: -breed.length - 0.9 - (breed.tail.at(-1)?.[0] ?? 0) * -0.6,
      top: -height - 0.1,
      right: breed.length + breed.neck[0] + breed.head[0] + (breed.trunk ? 0.5 : 0.22),
      bottom: 0.08,
    },
    stride: action === 'stands' ? 0 : strideOf(gait),
    draw: (context, pose) => drawAnimal(context, breed, action, gait, pose),
  };
}

/** Lying on its belly, its head on its paws, its tail around it; it breathes. */
export function resting(breed: Breed): Figure {
  const { length, torso, limb, nap, coat, legs } = breed;
  const low: Breed = { ...breed, neck: [breed.neck[0] + torso * 0.62, torso * 0.2, breed.neck[2] * 0.9] };
  const back = -torso * 1.02;
  const tail = breed.tail.map(([, , r], i): Joint => {
    const t = i / (breed.tail.length - 1);
    const x = -length - torso * 0.55 - Math.sin(t * 2.6) * torso * 0.95 + t * length * 0.9;
    return [x, -torso * 0.55 + t * torso * 0.42, r];
  });
  return {
    box: { left: -length - torso * 2.6, top: -torso * 3 - breed.ears.size, right: length + 0.75, bottom: 0.08 },
    stride: 0,
    draw(context, { seconds }) {
      const breath = Math.sin(seconds * 1.5) * torso * 0.035;
      const body: Joint[] = [
        [-length * 0.95, back + torso * 0.2, torso * 0.84],
        [-length * 0.4, back + torso * 0.02 - breath, torso * 0.98 + breath],
        [length * 0.2, back + torso * 0.16 - breath, torso * 0.86 + breath],
        [length * 0.78, back + torso * 0.18, torso * 0.8],
      ];
      const measures = { length, torso, limb, nap, body, tail };
      draw(context, rows.lying, { coat, legs }, measures);
      pattern(context, breed, body);
      fur(context, breed, body, back);
      draw(context, rows.haunch, { coat, legs }, measures);
      headAndNeck(context, low, [length * 0.86, back - torso * 0.1], { nod: breath, seconds, asleep: true });
      draw(context, rows.nearPaw, { legs }, measures);
    },
  };
}

/** How tall the animal stands, ears included, in its units. */
export const heightOf = (breed: Breed): number =>
  breed.leg + breed.torso * 0.6 - breed.neck[1] + (breed.trunk ? breed.torso : breed.ears.size);

function drawAnimal(
  context: Context,
  breed: Breed,
  action: Subject['action'],
  gait: Gait,
  { seconds, turns }: Pose,
): void {
  const moving = action !== 'stands';
  const bob = moving ? Math.sin(turns * 4 * Math.PI) * breed.leg * 0.022 : Math.sin(seconds * 1.9) * 0.004;
  const nod = moving ? Math.sin(turns * 4 * Math.PI + 0.8) * 0.05 : Math.sin(seconds * 0.8) * 0.06;
  const sway = moving ? Math.sin(turns * 2 * Math.PI) * 0.09 : Math.sin(seconds * 1.1) * 0.07;
  const back = -breed.leg - breed.torso * 0.28 + bob;
  const { length, torso } = breed;
  const paw = ({ end, near, walk, trot }: Leg): Point =>
    moving
      ? pawAt(turns + (action === 'runs' ? trot : walk), gait)
      : [STANDING[end][near ? 'near' : 'far'] * breed.leg * 3, 0];
  const body: Joint[] = [
    [-length - torso * 0.22, back + torso * 0.1, torso * 0.88],
    [-length * 0.45, back + torso * 0.02, torso * 0.98],
    [length * 0.15, back + torso * 0.08, torso * 0.98],
    [length * 0.72, back + torso * 0.04, torso * 1.13],
    [length + torso * 0.08, back - torso * 0.1, torso * 0.74],
  ];
  tail(context, breed, [-length - torso * 0.55, back - torso * 0.25], sway);
  for (const leg of LEGS) if (!leg.near) drawLeg(context, breed, leg, paw(leg), back);
  draw(context, [{ tube: 'body', nap: 'nap', fill: 'var(--coat)' }], { coat: breed.coat }, { body, nap: breed.nap });
  if (breed.hump) hump(context, breed, body);
  belly(context, breed, body);
  pattern(context, breed, body);
  fur(context, breed, body, back);
  for (const leg of LEGS) if (leg.near) drawLeg(context, breed, leg, paw(leg), back);
  headAndNeck(context, breed, [length * 0.86, back - torso * 0.38], { nod, seconds });
}

function drawLeg(context: Context, breed: Breed, { end, near }: Leg, paw: Point, back: number): void {
  const { leg, limb, length, torso, nap, coat, legs, dark, hooves } = breed;
  const fore = end === 'fore';
  const hip: Point = [fore ? length * 0.86 : -length * 0.98, back + torso * (fore ? 0.32 : 0.2)];
  const foot: Point = [hip[0] + paw[0] + (fore ? 0.015 : 0.0), paw[1] - 0.012];
  const raised = clamp(-paw[1] / (leg * 0.24));
  const hock: Point = [foot[0] - leg * (0.16 + 0.12 * raised), foot[1] - leg * (0.34 - 0.1 * raised)];
  const knee = fore ? joint(hip, foot, leg * 0.5, leg * 0.6, -1) : joint(hip, hock, leg * 0.44, leg * 0.42, 1);
  const shaded = (colour: Colour) => (near ? colour : lighter(colour, -0.09));
  const paints = {
    upper: shaded(fore ? mix(coat, legs, 0.12) : coat),
    lower: shaded(legs),
    foot: shaded(hooves ? dark : lighter(legs, -0.03)),
  };
  const measures = { hip, knee, hock, foot, raised, limb, torso, nap, far: near ? 0 : -0.02, wide: hooves ? 0.75 : 1 };
  draw(context, [...(fore ? rows.foreleg : rows.hindleg), ...rows.foot], paints, measures);
}

function tail(context: Context, { tail, coat, tailTip, nap }: Breed, root: Point, sway: number): void {
  const joints = tail.map(
    ([x, y, r], i): Joint => [root[0] + x, root[1] + y + sway * (i / tail.length) ** 1.4 * 0.9, r],
  );
  const tip = joints.slice(-3).map(([x, y, r]): Joint => [x, y, r * 0.985]);
  draw(context, rows.tail, { coat, tailTip }, { tail: joints, tip, tipped: tail.length > 4 ? 1 : 0, nap });
}

/** Where the body begins and ends along the ground. */
const endsOf = (body: readonly Joint[]): Point => [body[0]?.[0] ?? 0, body.at(-1)?.[0] ?? 0];

/** Paler below, with a soft edge. */
function belly(context: Context, { under, dark, nap, hump }: Breed, body: readonly Joint[]): void {
  context.save();
  context.clip(tube(body));
  const [rump, chest] = endsOf(body);
  for (const [drop, alpha] of [
    [0.72, 0.16],
    [0.8, 0.22],
    [0.88, 0.3],
  ] as const) {
    context.fillStyle = css(under, alpha);
    // Deeper under the chest, gone before the haunch.
    const line = body.slice(1).map(([x, y, r]): Joint => {
      const on = (x - rump) / (chest - rump);
      return [x, y + r * (0.8 + drop - 0.14 * on ** 3 + 0.55 * (1 - on) ** 2), r];
    });
    context.fill(tube(line, { nap }));
  }
  context.fillStyle = css(dark, 0.13);
  const back = body.map(([x, y, r]): Joint => [x, y - r * 1.55, r]);
  if (!hump) context.fill(tube(back, { nap }));
  context.restore();
}

/** Hairs that lie along the body, a little darker and lighter than the coat. */
function fur(context: Context, { nap, coat }: Breed, body: readonly Joint[], back: number): void {
  if (nap < 0.005) return;
  context.lineCap = 'round';
  context.lineWidth = nap * 0.26;
  for (let i = 0; i < 90; i++) {
    const a = (hash(`hair${i}`) % 1000) / 1000;
    const b = (hash(`lock${i}`) % 1000) / 1000;
    const [x, , r] = body[Math.floor(a * body.length)] ?? [0, 0, 0.1];
    const px = x + (b - 0.5) * 0.16;
    const py = back + (((a * 7.3) % 1) - 0.5) * r * 1.5;
    context.strokeStyle = css(lighter(coat, i % 2 === 0 ? 0.06 : -0.07), 0.5);
    context.beginPath();
    context.moveTo(px, py);
    context.quadraticCurveTo(px - nap * 2, py + nap * 0.2, px - nap * 3.6, py + nap * 0.9);
    context.stroke();
  }
}

/** Humps stand on the back behind the withers, shaggy on top. */
function hump(context: Context, { hump, torso, coat, dark }: Breed, body: readonly Joint[]): void {
  const [rump, chest] = endsOf(body);
  const back = (body[1]?.[1] ?? 0) - (body[1]?.[2] ?? 0);
  const half = torso * (hump === 2 ? 0.9 : 1.35);
  for (const at of hump === 2 ? [0.3, 0.66] : [0.46]) {
    const x = rump + (chest - rump) * at;
    draw(context, rows.hump, { coat, dark }, { x, half, back, torso, rise: torso * 1.05 });
  }
}

/** Stripes, spots, patches or a panda's shoulders, where the breed has them. */
function pattern(context: Context, breed: Breed, body: readonly Joint[]): void {
  const { pattern, torso, nap, coat, dark } = breed;
  if (pattern === undefined || pattern === 'blaze') return;
  const [rump, chest] = [endsOf(body)[0] - torso, endsOf(body)[1] + torso];
  const back = body[2]?.[1] ?? 0;
  const [x, y, wide] = body.at(-2) ?? [0.2, -0.5, 0.2];
  const measures = {
    stripes: {
      ...{ torso, top: back - torso * 1.2, low: back + torso * 1.15 },
      // Each stripe hangs from the spine, widest in its middle, and leans back the way a tiger's do.
      x: (i: number) => rump + ((chest - rump) * (i + 0.5)) / 15,
      deep: (i: number) => torso * (1.25 + 0.5 * Math.sin(i * 2.4)),
      lean: (i: number) => torso * 0.22 * Math.sin(i * 1.7),
      odd: (i: number) => i % 2,
    },
    spots: rosettes(torso, back, rump, chest),
    patches: { back },
    panda: { shoulder: [x, y] as const, wide, nap },
  };
  context.save();
  context.clip(tube(body));
  draw(context, rows[pattern], { coat, dark }, measures[pattern]);
  context.restore();
}

/** Broken rings in rows, smaller towards the belly, each pushed out of line: thrown at random they would clump. */
function rosettes(torso: number, back: number, rump: number, chest: number) {
  const columns = 17;
  const push = (i: number) => (hash(`spot${i}`) % 100) / 100;
  const row = (i: number) => Math.floor(i / columns);
  const low = (i: number) => (row(i) + push(i) * 0.7) / 4;
  return {
    x: (i: number) => rump + ((chest - rump) * ((i % columns) + (row(i) % 2) * 0.5 + push(i) * 0.6)) / columns,
    y: (i: number) => back - torso * (1.05 - 1.75 * low(i)),
    size: (i: number) => torso * (0.15 - 0.07 * low(i)),
  };
}

interface Carriage {
  /** Up or down, in the figure's units. */
  readonly nod: number;
  readonly seconds: number;
  readonly asleep?: boolean;
}

function headAndNeck(context: Context, breed: Breed, withers: Point, carriage: Carriage): void {
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
