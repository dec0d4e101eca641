/** The pictures of the film: its shots, one giving way to the next, and what lies over them. */
import type { Cut, CutShot } from '../domain/cut.ts';
import type { Frame } from '../media/libav.ts';
import { named } from './broken-source.ts';
import type { Kit } from './kit.ts';
import { openLayers } from './layers/layers.ts';
import { mixer } from './mixer.ts';
import { openPicture } from './pictures/open-picture.ts';
import type { PictureSource } from './pictures/picture-source.ts';
import { showingAt } from './timeline.ts';

interface FilmPictures extends AsyncDisposable {
  /** Frames never go back. The answer is whole until the next call, and must not be changed. @throws {CutFailure} */
  at(frame: number): Promise<Frame>;
}

/** Only what is on the screen is open, so a film may have any number of shots. */
export function filmPictures(kit: Kit, cut: Cut): FilmPictures {
  const open = new Map<number, PictureSource>();
  const mix = mixer(kit);
  const layers = openLayers(kit, cut);
  const sourceOf = async (index: number, shot: CutShot, first: number): Promise<PictureSource> => {
    const there = open.get(index);
    if (there) return there;
    const source = await openPicture(kit, shot.picture, { box: kit.size, frames: shot.frames, first });
    open.set(index, source);
    return source;
  };

  return {
    async at(n) {
      const showing = showingAt(cut.shots, n);
      for (const [index, source] of open) {
        if (showing.some(it => it.index === index)) continue;
        open.delete(index);
        await source[Symbol.asyncDispose]();
      }
      mix.begin();
      let film: Frame | undefined;
      for (const { index, shot, frame, share, light } of showing) {
        const picture = await named(shot.name, async () => (await sourceOf(index, shot, frame)).at(frame));
        const lit = await mix.faded(picture, light);
        film = film === undefined || share >= 1 ? lit : await mix.mixed(film, lit, share);
      }
      return await layers.over(film ?? (await mix.black()), n);
    },
    async [Symbol.asyncDispose]() {
      for (const source of open.values()) await source[Symbol.asyncDispose]();
      await layers[Symbol.asyncDispose]();
      await mix[Symbol.asyncDispose]();
    },
  };
}
