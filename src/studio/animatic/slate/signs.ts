/** Small signs drawn as paths: fonts have no glyph for a camera move, and a missing glyph is a box. */
import { Path2D, type SKRSContext2D } from '@napi-rs/canvas';
import type { CameraMove } from '../../shared/vocabulary.ts';

interface Place {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly colour: string;
}

/** An arrow for a pan, corners closing for a push-in, a squiggle for a hand-held camera. */
export function cameraSign(context: SKRSContext2D, move: CameraMove, { x, y, radius, colour }: Place): void {
  const { path, turn = 0, rails = false } = SIGNS[move];
  context.save();
  context.translate(x, y);
  context.scale(radius, radius);
  context.strokeStyle = colour;
  context.lineWidth = 0.17;
  context.lineCap = 'round';
  context.lineJoin = 'round';
  context.save();
  context.rotate(turn);
  for (const stroke of path) context.stroke(stroke);
  context.restore();
  if (rails) context.stroke(new Path2D('M-0.9 0.72L0.9 0.72'));
  context.restore();
}

interface Sign {
  /** About 1 to each side. */
  readonly path: readonly Path2D[];
  /** Radians. */
  readonly turn?: number;
  readonly rails?: boolean;
}

const ARROW = [new Path2D('M-0.9 0L0.9 0M0.48 -0.42L0.9 0L0.48 0.42')];
const FRAME = new Path2D('M-0.85 -0.6L0.85 -0.6L0.85 0.6L-0.85 0.6Z');
const SHORT_ARROW = new Path2D('M-0.34 0L0.34 0M0.102 -0.238L0.34 0L0.102 0.238');
const INWARDS = corners(0.9, 0.28, 0.34);
const OUTWARDS = corners(0.32, 0.9, -0.34);
const [LEFT, UP, DOWN] = [Math.PI, -Math.PI / 2, Math.PI / 2];

const SIGNS: { readonly [move in CameraMove]: Sign } = {
  locked: { path: [FRAME] },
  drift: { path: [FRAME, SHORT_ARROW] },
  'pan-left': { path: ARROW, turn: LEFT },
  'pan-right': { path: ARROW },
  'tilt-up': { path: ARROW, turn: UP },
  'tilt-down': { path: ARROW, turn: DOWN },
  'truck-left': { path: ARROW, turn: LEFT, rails: true },
  tracking: { path: ARROW, rails: true },
  'crane-up': { path: ARROW, turn: UP },
  'crane-down': { path: ARROW, turn: DOWN },
  'push-in': { path: INWARDS },
  'zoom-in': { path: INWARDS },
  aerial: { path: INWARDS },
  'pull-out': { path: OUTWARDS },
  'zoom-out': { path: OUTWARDS },
  orbit: { path: [turning()] },
  roll: { path: [turning()] },
  handheld: { path: [squiggle()] },
};

/** Four arrows along the diagonals, from `tail` to `tip`. */
function corners(tail: number, tip: number, barb: number): Path2D[] {
  return [-1, 1].flatMap(x =>
    [-1, 1].map(side => {
      const y = side * 0.8;
      const head = `M${x * tip} ${y * tip + side * barb}L${x * tip} ${y * tip}L${x * (tip + barb)} ${y * tip}`;
      return new Path2D(`M${x * tail} ${y * tail}L${x * tip} ${y * tip}${head}`);
    }),
  );
}

function turning(): Path2D {
  const path = new Path2D();
  path.arc(0, 0, 0.75, -0.4, 4.4);
  path.addPath(new Path2D('M0.36 -0.42L0.7 -0.3L0.86 -0.66'));
  return path;
}

function squiggle(): Path2D {
  const path = new Path2D();
  for (let i = 0; i <= 16; i++) path.lineTo(-1 + i / 8, Math.sin(i * 1.9) * 0.5 * Math.sin(i * 0.8 + 1));
  return path;
}

export function spark(context: SKRSContext2D, x: number, y: number, radius: number): void {
  context.beginPath();
  for (let i = 0; i < 8; i++) {
    const r = i % 2 === 1 ? radius * 0.36 : radius;
    context.lineTo(x + Math.sin((i * Math.PI) / 4) * r, y - Math.cos((i * Math.PI) / 4) * r);
  }
  context.fill();
}
