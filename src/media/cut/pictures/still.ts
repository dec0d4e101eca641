/**
 * A still, as it is or with a camera moving over it. A still that does not move is made once. For a move it is made as large as it will
 * be at its closest, and drawn smaller for every frame at places between pixels, so that it glides where whole pixels would step.
 */
import { type Canvas, createCanvas, ImageData } from '@napi-rs/canvas';
import type { CutFit, CutMove, CutPicture, Size } from '../../../model/media/cut.ts';
import { framePool } from '../../decode/frame-pool.ts';
import { UndecodablePicture } from '../../decode/timed-frames.ts';
import { release as giveBack, pixelsOf } from '../../encode/canvas-pixels.ts';
import type { Picture } from '../../encode/open-still.ts';
import type { Frame } from '../../libav.ts';
import { type CutContext, even, type Opening, type PictureSource, secondsOf } from '../cut-context.ts';
import { opaqueFrame, pixelsOfCanvas } from '../painted-frame.ts';
import { blurredMargins, fills, GROUND_LIGHT, type Margin, type Place, placed } from './blurred-margins.ts';

type Still = Extract<CutPicture, { readonly is: 'still' }>;

export async function openStill(kit: CutContext, still: Still, { box, frames }: Opening): Promise<PictureSource> {
  const { workPicture } = await import('../../encode/open-still.ts');
  const path = kit.pathOf(still.source.sha256);
  const file = await readable(() => workPicture(path));
  const shape = await shapeOf(file);
  const camera = cameraOver(still.move, { seconds: secondsOf(frames, kit.rate), ...roomOf(shape, box, still.fit) });
  const place = placed(shape, box, still.fit);
  const ground = still.fit === 'blur' && !fills(place, box) ? await groundOf(file, place, box) : undefined;
  const closest = Math.max(camera(0).scale, camera(1).scale);
  const picture = await canvasOf(file, {
    width: even(place.width * closest),
    height: even(place.height * closest),
  });
  const canvas = createCanvas(box.width, box.height);
  const context = canvas.getContext('2d');
  context.imageSmoothingEnabled = true;
  context.imageSmoothingQuality = 'high';
  const paint = ({ scale, right }: Camera) => {
    context.fillStyle = '#000';
    context.fillRect(0, 0, box.width, box.height);
    if (ground) context.drawImage(ground, 0, 0);
    const [width, height] = [place.width * scale, place.height * scale];
    const x = (box.width - width) / 2 - right * box.width;
    context.drawImage(picture, x, (box.height - height) / 2, width, height);
  };
  if (still.move === 'none') {
    paint(camera(0));
    const frame = await opaqueFrame(kit, pixelsOfCanvas(canvas));
    return { at: async () => frame, [Symbol.asyncDispose]: async () => frame.free() };
  }

  const { frames: num, seconds: den } = kit.rate;
  const pool = framePool(kit.av, { ...box, fps: { num, den }, format: kit.format });
  let given: Frame | undefined;
  return {
    async at(frame) {
      paint(camera(frames > 1 ? frame / (frames - 1) : 0));
      const pixels = pixelsOf(canvas);
      const painted = await pool.fill(pixels);
      giveBack(pixels);
      if (given) pool.release(given);
      given = painted;
      return painted;
    },
    [Symbol.asyncDispose]: async () => pool[Symbol.dispose](),
  };
}

/** How much of the picture lies outside the frame on each side, as shares of the frame's width: a pan has it to itself. */
function roomOf(shape: Size, box: Size, fit: CutFit): { readonly room: number } {
  return { room: fit === 'crop' ? (placed(shape, box, fit).width / box.width - 1) / 2 : 0 };
}

async function shapeOf(file: Picture): Promise<Size> {
  const { still } = await import('../../encode/open-still.ts');
  return await readable(async () => {
    const { width, height, autoOrient } = await still(file).metadata();
    return { width: autoOrient?.width ?? width, height: autoOrient?.height ?? height };
  });
}

async function canvasOf(file: Picture, { width, height }: Size): Promise<Canvas> {
  const { upright } = await import('../../encode/open-still.ts');
  return await readable(async () => {
    const { data, info } = await upright(file)
      .resize({ width, height, fit: 'fill' })
      .toColourspace('srgb')
      .flatten({ background: '#000' })
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return canvasWith(data, info);
  });
}

/** Of `blur`: over all of the frame, what lies beside the picture. */
async function groundOf(file: Picture, place: Place, { width, height }: Size): Promise<Canvas> {
  const { isHigh, picture, margins, sigma } = blurredMargins(place, { width, height });
  const [before, after] = margins;
  const small = await canvasOf(file, picture);
  const added = before.length + after.length;
  const ground = isHigh
    ? createCanvas(picture.width, picture.height + added)
    : createCanvas(picture.width + added, picture.height);
  const context = ground.getContext('2d');
  const lay = ({ from, to, length }: Margin, at: number, flip: 1 | -1) => {
    context.save();
    // Mirrored: drawn backwards from its far end.
    const start = flip === 1 ? at : -(at + length);
    if (isHigh) {
      context.scale(1, flip);
      context.drawImage(small, 0, from, picture.width, to - from, 0, start, picture.width, length);
    } else {
      context.scale(flip, 1);
      context.drawImage(small, from, 0, to - from, picture.height, start, 0, length, picture.height);
    }
    context.restore();
  };
  const long = isHigh ? picture.height : picture.width;
  lay(before, 0, -1);
  lay({ from: 0, to: long, length: long }, before.length, 1);
  lay(after, before.length + long, -1);
  const { data } = context.getImageData(0, 0, ground.width, ground.height);
  const { default: sharp } = await import('sharp');
  const raw = { width: ground.width, height: ground.height, channels: 4 as const };
  const soft = await sharp(Buffer.from(data.buffer), { raw })
    .removeAlpha()
    .blur(sigma)
    .linear(GROUND_LIGHT)
    .raw()
    .toBuffer();
  const grown = await sharp(soft, { raw: { ...raw, channels: 3 } })
    .resize({ width, height, fit: 'fill', kernel: 'cubic' })
    .ensureAlpha()
    .raw()
    .toBuffer();
  return canvasWith(grown, { width, height });
}

function canvasWith(data: Buffer, { width, height }: Size): Canvas {
  const canvas = createCanvas(width, height);
  const bytes = new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength);
  canvas.getContext('2d').putImageData(new ImageData(bytes, width, height), 0, 0);
  return canvas;
}

/** Sharp's words are for programmers. */
async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw new UndecodablePicture('it is no picture that can be decoded', { cause: error });
  }
}

interface Camera {
  /** 1: the picture as it fits. */
  readonly scale: number;
  /** Where it looks, right of the middle, as a share of the frame's width. */
  readonly right: number;
}

interface Travel {
  /** Length of the shot. */
  readonly seconds: number;
  /** What lies outside the frame on each side without coming closer, as a share of the frame's width. */
  readonly room: number;
}

/** Closer by so much each second, and in all at least and at most. */
const PACE = 0.022;
const LEAST = 0.05;
const MOST = 0.2;

/** @returns the camera at 0 (first frame) to 1 (last frame). */
export function cameraOver(move: CutMove, { seconds, room }: Travel): (progress: number) => Camera {
  const closer = Math.min(MOST, Math.max(LEAST, PACE * seconds));
  // Evenly is by the same factor each second, for who looks at it.
  const pushed = (progress: number): Camera => ({ scale: (1 + closer) ** progress, right: 0 });
  // Half of what coming closer gains lies on each side.
  const wide = 1 + 2 * room;
  const scale = room >= closer / 2 ? 1 : (1 + closer) / wide;
  const far = Math.min((wide * scale - 1) / 2, MOST);
  const panned = (progress: number): Camera => ({ scale, right: far * (2 * progress - 1) });
  switch (move) {
    case 'none':
      return () => ({ scale: 1, right: 0 });
    case 'push_in':
      return pushed;
    case 'pull_out':
      return progress => pushed(1 - progress);
    case 'pan_left':
      return progress => panned(1 - progress);
    case 'pan_right':
      return panned;
  }
}
