/** Captions drawn into the film. */
import type { CutCaptions } from '../../domain/cut.ts';
import type { Frame } from '../../media/libav.ts';
import type { Kit } from '../kit.ts';
import { captionPages } from './caption-pages.ts';
import { fitsCaption, paintCaption } from './caption-plate.ts';
import { type Layer, plateOf } from './layer.ts';
import { cornerOf } from './places.ts';

export function openCaptions(kit: Kit, captions: CutCaptions): Layer {
  const pages = captionPages(captions, { rate: kit.rate, fits: fitsCaption(kit.size) });
  let shown: { readonly name: string; readonly frame: Frame; readonly x: number; readonly y: number } | undefined;
  return {
    async plateAt(n) {
      // The latest: where two cues overlap, the new one is what is said now.
      const index = pages.findLastIndex(({ from, to }) => n >= from && n < to);
      const page = pages[index];
      if (page === undefined) return undefined;
      const word = page.words.findIndex(({ from, to }) => n >= from && n < to);
      const name = `caption ${index} ${word}`;
      if (shown?.name !== name) {
        const canvas = paintCaption(page, kit.size, word < 0 ? undefined : word);
        const frame = await plateOf(kit, canvas);
        shown?.frame.free();
        shown = { name, frame, ...cornerOf(captions.place, kit.size, canvas) };
      }
      return { ...shown, moves: false };
    },
    async [Symbol.asyncDispose]() {
      shown?.frame.free();
    },
  };
}
