/**
 * One film, from its cut to its file, in this process. Pictures are made while the one before is being encoded, and the sound keeps half a
 * second ahead of them, so that neither has to be held.
 */
import type { Cut } from '../domain/cut.ts';
import { libav } from '../media/libav.ts';
import { filmFormat, renderedSize } from './codecs.ts';
import { openFilmFile } from './film-file.ts';
import { filmPictures } from './film-pictures.ts';
import { type Kit, secondsOf } from './kit.ts';

export interface FilmJob {
  readonly cut: Cut;
  /** Where each source lies, by its sha256. */
  readonly paths: Readonly<Record<string, string>>;
  /** Written right here; what is left there when it fails is the caller's to take away. */
  readonly out: string;
}

/** Seconds. */
const AHEAD = 0.5;

/** @throws {CutFailure} for what the author can mend; {@link NoEngine}; what libav and the disk say. */
export async function renderFilm(
  { cut: asked, paths, out }: FilmJob,
  progress: (frames: number) => void,
): Promise<void> {
  const cut = { ...asked, size: renderedSize(asked) };
  const kit = await kitOf(cut, paths);
  await using film = await openFilmFile(kit, cut, out);
  await using pictures = filmPictures(kit, cut);
  await using sound = inTime(silence(cut));
  let written = Promise.resolve();
  // Nothing is given back while libav works with it, also when something else fails meanwhile.
  await using _ = { [Symbol.asyncDispose]: () => written.catch(() => {}) };
  for (let frame = 0; frame < cut.frames; frame++) {
    const picture = await pictures.at(frame);
    await written;
    await sound.until(secondsOf(frame, cut.rate) + AHEAD, film.sound);
    written = film.picture(picture).then(() => progress(frame + 1));
    // A failure is told by the next `await`, and not by the process.
    written.catch(() => {});
  }
  await written;
  await sound.until(Number.POSITIVE_INFINITY, film.sound);
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

interface Sound extends AsyncDisposable {
  /** Gives on all sound before this many seconds. */
  until(seconds: number, give: (samples: Float32Array) => Promise<void>): Promise<void>;
}

const SAMPLE_RATE = 48_000;

/** Sound is mixed as it is needed, and not before. @param samples left and right by turns, in pieces of any length. */
function inTime(samples: AsyncIterator<Float32Array>): Sound {
  let given = 0;
  return {
    async until(seconds, give) {
      while (given < seconds * SAMPLE_RATE) {
        const piece = await samples.next();
        if (piece.done) return;
        given += piece.value.length / 2;
        await give(piece.value);
      }
    },
    async [Symbol.asyncDispose]() {
      await samples.return?.();
    },
  };
}

/** As long as the film is. */
async function* silence(cut: Cut): AsyncGenerator<Float32Array> {
  const total = Math.round(secondsOf(cut.frames, cut.rate) * SAMPLE_RATE);
  for (let given = 0; given < total; given += SAMPLE_RATE) {
    yield new Float32Array(2 * Math.min(SAMPLE_RATE, total - given));
  }
}
