/** Words on a plain ground: painted once, however long they stand. */
import type { CutPicture } from '../../domain/cut.ts';
import type { Kit } from '../kit.ts';
import { opaqueFrame, pixelsOfCanvas } from '../painted-frame.ts';
import type { Opening, PictureSource } from './picture-source.ts';
import { paintTitle } from './title-canvas.ts';

type Title = Extract<CutPicture, { readonly is: 'title' }>;

export async function openTitle(kit: Kit, { text }: Title, { box }: Opening): Promise<PictureSource> {
  const frame = await opaqueFrame(kit, pixelsOfCanvas(paintTitle(text, box)));
  return { at: async () => frame, [Symbol.asyncDispose]: async () => frame.free() };
}
