/** A logo, a still or a film laid over the film, as wide as it is asked to be; what is transparent in it stays so. */
import type { CutOverlay, Size } from '../../domain/cut.ts';
import { UndecodablePicture } from '../../media/timed-frames.ts';
import { even, type Kit } from '../kit.ts';
import { frameWithAlpha } from '../painted-frame.ts';
import { openVideo } from '../pictures/video.ts';
import type { Layer } from './layer.ts';
import { cornerOf } from './places.ts';

type PictureOverlay = Extract<CutOverlay, { readonly is: 'picture' }>;

export async function openOverlayPicture(
  kit: Kit,
  overlay: PictureOverlay,
  { name, beyond }: { readonly name: string; readonly beyond: number },
): Promise<Layer> {
  const { source, at, frames, place } = overlay;
  if (source.facts.kind === 'image') return await stillLayer(kit, overlay, { name, beyond });
  const box = boxOf(kit.size, overlay, source.facts);
  const film = { source, in: 0, speed: 1, fit: 'crop', keepsAlpha: true } as const;
  const video = await openVideo(kit, film, { box, frames, first: 0 });
  const corner = cornerOf(place, kit.size, box, beyond);
  return {
    plateAt: async n => ({ name, frame: await video.at(n - at), moves: true, ...corner }),
    [Symbol.asyncDispose]: () => video[Symbol.asyncDispose](),
  };
}

async function stillLayer(
  kit: Kit,
  overlay: PictureOverlay,
  { name, beyond }: { readonly name: string; readonly beyond: number },
): Promise<Layer> {
  const { upright, workPicture } = await import('../../media/still.ts');
  const path = kit.pathOf(overlay.source.sha256);
  const read = async () => {
    const picture = await workPicture(path);
    const { width, height, autoOrient } = await upright(picture).metadata();
    const box = boxOf(kit.size, overlay, autoOrient ?? { width, height });
    const { data } = await upright(picture)
      .resize({ ...box, fit: 'fill' })
      .toColourspace('srgb')
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { box, bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
  };
  const { box, bytes } = await read().catch(error => {
    throw new UndecodablePicture('it is no picture that can be decoded', { cause: error });
  });
  const frame = await frameWithAlpha(kit, { ...box, bytes });
  const corner = cornerOf(overlay.place, kit.size, box, beyond);
  return {
    plateAt: async () => ({ name, frame, moves: false, ...corner }),
    [Symbol.asyncDispose]: async () => frame.free(),
  };
}

/** As wide as asked, in its own shape, and never higher than the frame. */
function boxOf(frame: Size, { size }: PictureOverlay, { width = 16, height = 9 }: Partial<Size>): Size {
  const scale = Math.min((frame.width * size) / width, frame.height / height);
  return { width: Math.max(2, even(width * scale)), height: Math.max(2, even(height * scale)) };
}
