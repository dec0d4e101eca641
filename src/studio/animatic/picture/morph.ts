/**
 * From the first picture to the last. Four things make it more than a dissolve: the new picture comes in by its light, bright
 * places first, and from where the camera goes; along its front the air glows; one camera moves through both, so that the cut
 * is hidden in a move that goes on; and while they change, what is busiest in each is brought to the same place. The film
 * starts as the one picture and ends as the other, with nothing over it.
 */
import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { pixelsOf, release } from '../../../media/encode/canvas-pixels.ts';
import { clamp, Noise, smooth } from '../../shared/random.ts';
import type { CameraMove } from '../../shared/vocabulary.ts';
import { type Colour, palette, rgb } from '../prompt/palette.ts';
import type { Shot } from '../prompt/read-prompt.ts';
import { cameraAt } from '../scene/camera.ts';
import { type View, viewOf } from './camera-view.ts';
import { atmosphere, drawings, ENTRANCE, type Filming, FPS, place } from './moving-picture.ts';
import { type Photograph, widened } from './photograph.ts';

/** The part of the film in which one becomes the other. */
const FROM = 0.2;
const TO = 0.86;
/** How wide the front between the two is, as a part of all there is to change. */
const FRONT = 0.62;
/** How bright the front itself is. */
const GLOW = 0.34;
/** The longest way that the busiest places go to meet, as a part of the frame. */
const MEETING = 0.05;
/** The long side of the map of what changes when. */
const SMALL = 72;

export function* morph(
  shot: Shot,
  [first, last]: readonly [Photograph, Photograph],
  { size, length, seed, speed }: Filming,
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
  const front = frontOf(before, after, { seed, from: sideOf(shot.camera), light: palette(shot.time, seed).light });
  const meeting = { x: limited(after.x - before.x), y: limited(after.y - before.y) };
  const wide = { first: widened(first), last: widened(last) };
  for (const { frame, shown } of drawings({ speed }, 0, length)) {
    const camera = cameraOf(frame);
    const change = clamp((frame / (length - 1) - FROM) / (TO - FROM));
    const blend = smooth(change);
    if (change < 1) {
      const view = viewOf(camera, start, size);
      place(context, view.scale < 1 ? wide.first : first, shifted(view, meeting, blend, size), size);
    }
    if (change > 0) {
      const view = viewOf(camera, end, size);
      place(over, view.scale < 1 ? wide.last : last, shifted(view, meeting, blend - 1, size), size);
      const passing = change < 1 ? front(change) : null;
      if (passing) {
        over.globalCompositeOperation = 'destination-in';
        over.drawImage(passing.seen, 0, 0, width, height);
        over.globalCompositeOperation = 'source-over';
      }
      context.drawImage(coming, 0, 0);
      over.clearRect(0, 0, width, height);
      if (passing) {
        context.globalCompositeOperation = 'screen';
        context.drawImage(passing.glow, 0, 0, width, height);
        context.globalCompositeOperation = 'source-over';
      }
    }
    const there = smooth(Math.min(frame, length - 1 - frame) / ENTRANCE);
    if (there > 0) air?.(context, frame, there);
    const pixels = pixelsOf(canvas);
    for (let n = 0; n < shown; n++) yield pixels;
    release(pixels);
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

/** Where the new picture comes from: a side the camera turns to, or the middle it goes towards (0, 0). */
function sideOf(camera: CameraMove): { readonly x: number; readonly y: number } {
  switch (camera) {
    case 'pan-right':
    case 'tracking':
      return { x: 1, y: 0 };
    case 'pan-left':
    case 'truck-left':
      return { x: -1, y: 0 };
    case 'tilt-up':
    case 'crane-up':
      return { x: 0, y: -1 };
    case 'tilt-down':
    case 'crane-down':
      return { x: 0, y: 1 };
    default:
      return { x: 0, y: 0 };
  }
}

interface Passing {
  /** What of the new picture is seen. */
  readonly seen: Canvas;
  /** The light along the front. */
  readonly glow: Canvas;
}

/** Asked how far the change is, 0 to 1, gives what it shows. Each moment uncovers as much as any other. */
function frontOf(
  before: Seen,
  after: Seen,
  {
    seed,
    from,
    light,
  }: { readonly seed: string; readonly from: { readonly x: number; readonly y: number }; readonly light: Colour },
): (change: number) => Passing {
  const { columns, rows } = after;
  const noise = new Noise(`morph|${seed}`);
  const bright = blurred(after);
  const dark = blurred(before);
  const central = from.x === 0 && from.y === 0;
  const late = Float32Array.from({ length: columns * rows }, (_, i) => {
    const [u, v] = [((i % columns) / columns) * 2 - 1, (Math.floor(i / columns) / rows) * 2 - 1];
    const away = central
      ? Math.hypot(u - (after.x * 2 - 1), v - (after.y * 2 - 1)) / 1.5
      : (1 - u * from.x - v * from.y) / 2;
    const grain = noise.cloud(u * 1.6 + 5, v * 1.6 + 5, 2);
    return 0.42 * away + 0.2 * grain + 0.5 * (1 - bright[i]!) - 0.15 * Math.abs(bright[i]! - dark[i]!);
  });
  const inOrder = Uint32Array.from(late, (_, i) => i).sort((a, b) => late[a]! - late[b]! || a - b);
  const order = new Float32Array(late.length);
  for (const [rank, i] of inOrder.entries()) order[i] = rank / (late.length - 1);
  const [seen, glow] = [createCanvas(columns, rows), createCanvas(columns, rows)];
  const [mask, shine] = [seen.getContext('2d'), glow.getContext('2d')];
  const [pixels, lights] = [mask.createImageData(columns, rows), shine.createImageData(columns, rows)];
  const colour = rgb(light);
  return change => {
    const reached = change * (1 + FRONT);
    // It comes up and goes down: neither end of the film has a glow.
    const strength = 255 * GLOW * Math.sin(Math.PI * change);
    for (let i = 0; i < order.length; i++) {
      const shown = smooth((reached - order[i]!) / FRONT);
      pixels.data[i * 4 + 3] = 255 * shown;
      lights.data.set([...colour, strength * 4 * shown * (1 - shown)], i * 4);
    }
    mask.putImageData(pixels, 0, 0);
    shine.putImageData(lights, 0, 0);
    return { seen, glow };
  };
}

/** Light without detail: a front should follow a face's side, not its lashes. */
function blurred({ columns, rows, light }: Seen): Float32Array {
  let from = light;
  for (const [step, length] of [
    [1, columns],
    [columns, rows],
    [1, columns],
    [columns, rows],
  ] as const) {
    const source = from;
    from = source.map((_, i) => {
      const at = step === 1 ? i % columns : Math.floor(i / columns);
      let [sum, count] = [0, 0];
      for (let k = -3; k <= 3; k++) {
        if (at + k < 0 || at + k >= length) continue;
        sum += source[i + k * step]!;
        count++;
      }
      return sum / count;
    });
  }
  return from;
}
