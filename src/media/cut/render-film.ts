/**
 * One film, from its cut to its file, in this process. Pictures are made while the one before is being encoded, and the sound keeps half a
 * second ahead of them, so that neither has to be held.
 */
import type { Cut } from '../../model/media/cut.ts';
import { libav } from '../libav.ts';
import { filmFormat, renderedSize } from './codecs.ts';
import { openFilmFile } from './film-file.ts';
import { filmPictures } from './film-pictures.ts';
import { type Kit, secondsOf } from './kit.ts';
import { openFilmSound } from './sound/film-sound.ts';

export interface FilmJob {
  readonly cut: Cut;
  /** Where each source lies, by its sha256. */
  readonly paths: Readonly<Record<string, string>>;
  /** Written right here; what is left there when it fails is the caller's to take away. */
  readonly out: string;
}

/** Seconds. */
const AHEAD = 0.5;

/** The part of the work that is listening, before a film is made. */
const LISTENING = 0.04;

/** @throws {CutFailure} for what the author can mend; {@link NoEngine}; what libav and the disk say. */
export async function renderFilm(
  { cut: asked, paths, out }: FilmJob,
  progress: (frames: number) => void,
): Promise<void> {
  const cut = { ...asked, size: renderedSize(asked) };
  const kit = await kitOf(cut, paths);
  await using film = await openFilmFile(kit, cut, out);
  await using pictures = filmPictures(kit, cut);
  const total = secondsOf(cut.frames, cut.rate);
  const listening = cut.sounds.length === 0 ? 0 : LISTENING * cut.frames;
  await using sound = await openFilmSound(kit, cut, seconds => progress((listening * seconds) / total));
  let written = Promise.resolve();
  // Nothing is given back while libav works with it, also when something else fails meanwhile.
  await using _ = { [Symbol.asyncDispose]: () => written.catch(() => {}) };
  for (let frame = 0; frame < cut.frames; frame++) {
    const picture = await pictures.at(frame);
    await written;
    await sound.until(secondsOf(frame, cut.rate) + AHEAD, film.sound);
    written = film.picture(picture).then(() => progress(listening + (1 - listening / cut.frames) * (frame + 1)));
    // The next `await` reports a failure, not the process.
    written.catch(() => {});
  }
  await written;
  await sound.until(total, film.sound);
  await film.finish();
}

export async function kitOf(cut: Cut, paths: FilmJob['paths']): Promise<Kit> {
  return {
    av: await libav(),
    size: cut.size,
    rate: cut.rate,
    format: filmFormat(cut).video.pixelFormat,
    pathOf: sha256 => {
      const path = paths[sha256];
      if (path === undefined) throw new Error(`nobody said where ${sha256} lies`);
      return path;
    },
  };
}
