/** Small signs drawn as paths: fonts have no glyph for a camera move, and a missing glyph is a box. */
import type { SKRSContext2D } from '@napi-rs/canvas';
import type { CameraMove } from '../../vocabulary.ts';

interface Place {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly colour: string;
}

/** An arrow for a pan, corners closing for a push-in, a squiggle for a hand-held camera. */
export function cameraSign(context: SKRSContext2D, move: CameraMove, { x, y, radius, colour }: Place): void {
  context.save();
  context.translate(x, y);
  context.scale(radius, radius);
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = 0.17;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  SIGNS[move](context);
  context.restore();
}

const SIGNS: { readonly [move in CameraMove]: (context: SKRSContext2D) => void } = {
  locked: frame,
  drift: context => {
    frame(context);
    arrow(context, 0, 0.34);
  },
  'pan-left': context => arrow(context, Math.PI),
  'pan-right': context => arrow(context, 0),
  'tilt-up': context => arrow(context, -Math.PI / 2),
  'tilt-down': context => arrow(context, Math.PI / 2),
  'truck-left': context => {
    arrow(context, Math.PI);
    rails(context);
  },
  tracking: context => {
    arrow(context, 0);
    rails(context);
  },
  'crane-up': context => arrow(context, -Math.PI / 2),
  'crane-down': context => arrow(context, Math.PI / 2),
  'push-in': context => corners(context, 'inwards'),
  'zoom-in': context => corners(context, 'inwards'),
  aerial: context => corners(context, 'inwards'),
  'pull-out': context => corners(context, 'outwards'),
  'zoom-out': context => corners(context, 'outwards'),
  orbit: turn,
  roll: turn,
  handheld: squiggle,
};

function arrow(context: SKRSContext2D, angle: number, length = 0.9): void {
  const barb = Math.min(0.42, length * 0.7);
  context.save();
  context.rotate(angle);
  context.beginPath();
  context.moveTo(-length, 0);
  context.lineTo(length, 0);
  context.moveTo(length - barb, -barb);
  context.lineTo(length, 0);
  context.lineTo(length - barb, barb);
  context.stroke();
  context.restore();
}

function rails(context: SKRSContext2D): void {
  context.beginPath();
  context.moveTo(-0.9, 0.72);
  context.lineTo(0.9, 0.72);
  context.stroke();
}

function corners(context: SKRSContext2D, towards: 'inwards' | 'outwards'): void {
  const tip = towards === 'inwards' ? 0.28 : 0.9;
  const tail = towards === 'inwards' ? 0.9 : 0.32;
  const barb = towards === 'inwards' ? 0.34 : -0.34;
  for (const sx of [-1, 1]) {
    for (const sy of [-0.8, 0.8]) {
      context.beginPath();
      context.moveTo(sx * tail, sy * tail);
      context.lineTo(sx * tip, sy * tip);
      context.moveTo(sx * tip, sy * tip + Math.sign(sy) * barb);
      context.lineTo(sx * tip, sy * tip);
      context.lineTo(sx * (tip + barb), sy * tip);
      context.stroke();
    }
  }
}

function turn(context: SKRSContext2D): void {
  context.beginPath();
  context.arc(0, 0, 0.75, -0.4, 4.4);
  context.moveTo(0.36, -0.42);
  context.lineTo(0.7, -0.3);
  context.lineTo(0.86, -0.66);
  context.stroke();
}

function frame(context: SKRSContext2D): void {
  context.strokeRect(-0.85, -0.6, 1.7, 1.2);
}

function squiggle(context: SKRSContext2D): void {
  context.beginPath();
  for (let i = 0; i <= 16; i++) context.lineTo(-1 + i / 8, Math.sin(i * 1.9) * 0.5 * Math.sin(i * 0.8 + 1));
  context.stroke();
}

export function spark(context: SKRSContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  for (let i = 0; i < 8; i++) {
    const r = i % 2 === 1 ? radius * 0.36 : radius;
    context.lineTo(x + Math.sin((i * Math.PI) / 4) * r, y - Math.cos((i * Math.PI) / 4) * r);
  }
  context.fill();
}
