/**
 * From the first picture to the last. Three things make it more than a dissolve: the new picture comes in by its light, bright
 * places first and along the grain of a noise; one camera moves through both, so that the cut is hidden in a move that goes on;
 * and while they change, what is busiest in each is brought to the same place. The film starts as the one picture and ends as
 * the other, with nothing over it.
 */
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { atmosphere, ENTRANCE, type Filming, FPS, place } from './moving-picture.ts';
import { type Photograph, widened } from './photograph.ts';
import type { Shot } from './prompt.ts';
import { clamp, Noise, smooth } from './random.ts';
import { cameraAt } from './scene/camera.ts';
import { type View, viewOf } from './view.ts';

/** The part of the film in which one becomes the other. */
const FROM = 0.2;
const TO = 0.86;
/** How wide the front between the two is, as a part of all there is to change. */
const FRONT = 0.85;
/** The longest way that the busiest places go to meet, as a part of the frame. */
const MEETING = 0.05;
/** The long side of the map of what changes when. */
const SMALL = 72;

export function* morph(
  shot: Shot,
  [first, last]: readonly [Photograph, Photograph],
  { size, length, seed }: Filming,
): Generator<Uint8Array> {
  const { width, height } = size;
  const canvas = createCanvas(width, height);
  const coming = createCanvas(width, height);
  const [context, over] = [canvas.getContext('2d'), coming.getContext('2d')];
  for (const each of [context, over]) each.imageSmoothingQuality = 'medium';
  const noise = new Noise(`hand|${seed}`);
  const cameraOf = (frame: number) =>
    cameraAt(shot.camera, { progress: frame / (length - 1), seconds: frame / FPS, pace: shot.pace }, noise);
  const [start, end] = [cameraOf(0), cameraOf(length - 1)];
  const air = atmosphere(shot, { size, length, loop: false, seed });
  const [before, after] = [seenIn(first.canvas), seenIn(last.canvas)];
  const front = frontOf(before, after, seed);
  const meeting = { x: limited(after.x - before.x), y: limited(after.y - before.y) };
  const wide = { first: widened(first), last: widened(last) };
  for (let frame = 0; frame < length; frame++) {
    const camera = cameraOf(frame);
    const change = clamp((frame / (length - 1) - FROM) / (TO - FROM));
    const met = smooth(change);
    if (change < 1) {
      const view = viewOf(camera, start, size);
      place(context, view.scale < 1 ? wide.first : first, shifted(view, meeting, met, size), size);
    }
    if (change > 0) {
      const view = viewOf(camera, end, size);
      place(over, view.scale < 1 ? wide.last : last, shifted(view, meeting, met - 1, size), size);
      if (change < 1) {
        over.globalCompositeOperation = 'destination-in';
        over.drawImage(front(change), 0, 0, width, height);
        over.globalCompositeOperation = 'source-over';
      }
      context.drawImage(coming, 0, 0);
      over.clearRect(0, 0, width, height);
    }
    const there = smooth(Math.min(frame, length - 1 - frame) / ENTRANCE);
    if (there > 0) air?.(context, frame, there);
    yield canvas.data();
  }
}

const limited = (way: number): number => clamp(way, -MEETING, MEETING);

/** Sliding needs room, so it also comes closer. */
function shifted(
  view: View,
  way: { readonly x: number; readonly y: number },
  share: number,
  { width, height }: Filming['size'],
): View {
  const [x, y] = [way.x * share, way.y * share];
  const closer = 2 * Math.max(Math.abs(x), Math.abs(y));
  return { ...view, x: view.x + x * width, y: view.y + y * height, scale: view.scale + closer };
}

interface Seen {
  readonly columns: number;
  readonly rows: number;
  /** 0 to 1, row by row. */
  readonly light: Float32Array;
  /** Where it is busiest, in parts of the frame. */
  readonly x: number;
  readonly y: number;
}

function seenIn(picture: Canvas): Seen {
  const scale = SMALL / Math.max(picture.width, picture.height);
  const columns = Math.max(2, Math.round(picture.width * scale));
  const rows = Math.max(2, Math.round(picture.height * scale));
  const small = createCanvas(columns, rows);
  const context = small.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, columns, rows);
  const { data } = context.getImageData(0, 0, columns, rows);
  const light = Float32Array.from(
    { length: columns * rows },
    (_, i) => (0.2126 * data[i * 4]! + 0.7152 * data[i * 4 + 1]! + 0.0722 * data[i * 4 + 2]!) / 255,
  );
  let [x, y, all] = [0, 0, 1e-6];
  for (let row = 1; row < rows; row++) {
    for (let column = 1; column < columns; column++) {
      const i = row * columns + column;
      const busy = (light[i]! - light[i - 1]!) ** 2 + (light[i]! - light[i - columns]!) ** 2;
      all += busy;
      x += (busy * column) / columns;
      y += (busy * row) / rows;
    }
  }
  return { columns, rows, light, x: x / all, y: y / all };
}

/** Asked how far the change is, 0 to 1, gives what of the new picture is seen. Each moment uncovers as much as any other. */
function frontOf(before: Seen, after: Seen, seed: string): (change: number) => Canvas {
  const { columns, rows } = after;
  const noise = new Noise(`morph|${seed}`);
  const late = Float32Array.from({ length: columns * rows }, (_, i) => {
    const grain = noise.cloud((i % columns) / 16, Math.floor(i / columns) / 16, 2);
    return 0.5 * grain + 0.5 * (1 - after.light[i]!) - 0.15 * Math.abs(after.light[i]! - before.light[i]!);
  });
  const inOrder = Uint32Array.from(late, (_, i) => i).sort((a, b) => late[a]! - late[b]! || a - b);
  const order = new Float32Array(late.length);
  for (const [rank, i] of inOrder.entries()) order[i] = rank / (late.length - 1);
  const mask = createCanvas(columns, rows);
  const context = mask.getContext('2d');
  const pixels = context.createImageData(columns, rows);
  return change => {
    const reached = change * (1 + FRONT);
    for (let i = 0; i < order.length; i++) pixels.data[i * 4 + 3] = 255 * smooth((reached - order[i]!) / FRONT);
    context.putImageData(pixels, 0, 0);
    return mask;
  };
}
