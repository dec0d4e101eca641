/** One picture of a film as a still: of a cut before it is rendered, or of any film that lies here. */
import type { Sharp } from 'sharp';
import type { Cut, Size } from '../../model/media/cut.ts';
import { openTimedFrames } from '../decode/timed-frames.ts';
import { type Frame, type Libav, libav } from '../libav.ts';
import { renderedSize } from './codecs.ts';
import { filmPictures } from './film-pictures.ts';
import { frameGraph } from './frame-graph.ts';
import { even, type Kit, secondsOf } from './kit.ts';
import { openVideo } from './pictures/video.ts';
import { type FilmJob, kitOf } from './render-film.ts';

type PosterJob = {
  /** Seconds of the film; past its end, its last picture. */
  readonly at: number;
  /** Its ending is the format: `.png`, or `.jpg`. */
  readonly out: string;
  /** Pixels that it is wide at most, for a page: fewer bytes for a smaller picture. Absent: as large as the film, as good as it can be. */
  readonly within?: number;
} & (
  | { readonly of: 'cut'; readonly cut: Cut; readonly paths: Readonly<Record<string, string>> }
  | { readonly of: 'file'; readonly path: string }
  /** Of a picture that is none of a film. */
  | { readonly of: 'still'; readonly path: string }
);

interface Picture {
  readonly width: number;
  readonly height: number;
  /** RGB, three bytes a pixel. */
  readonly pixels: Uint8Array;
}

export async function makePoster(job: PosterJob): Promise<void> {
  const whole = await pictureOf(job);
  const picture = job.within === undefined ? whole : whole.resize({ width: job.within, withoutEnlargement: true });
  if (!/\.jpe?g$/i.test(job.out)) await picture.png({ compressionLevel: 8 }).toFile(job.out);
  else if (job.within === undefined) await picture.jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toFile(job.out);
  else await picture.flatten({ background: '#000' }).jpeg({ quality: 74, mozjpeg: true }).toFile(job.out);
}

async function pictureOf(job: PosterJob): Promise<Sharp> {
  if (job.of === 'still') {
    const { upright } = await import('../encode/still.ts');
    return upright(job.path);
  }
  const { default: sharp } = await import('sharp');
  const { width, height, pixels } = job.of === 'cut' ? await ofCut(job) : await ofFile(job);
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

async function ofCut({ cut: asked, paths, at }: Extract<PosterJob, { of: 'cut' }>): Promise<Picture> {
  const cut = { ...asked, size: renderedSize(asked) };
  const kit = await kitOf(cut, paths);
  await using pictures = filmPictures(kit, cut);
  const frame = Math.floor(at / secondsOf(1, cut.rate) + 1e-6);
  return await inRgb(kit, await pictures.at(Math.max(0, Math.min(cut.frames - 1, frame))));
}

async function inRgb({ av }: Kit, frame: Frame): Promise<Picture> {
  const text =
    '[in0]scale=in_color_matrix=bt709:in_range=tv:out_range=pc:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp,format=rgb24[out]';
  using graph = await frameGraph(av, { text, inputs: [frame] });
  const { width, height } = frame;
  const rgb = await graph.round(frame);
  return { width, height, pixels: new Uint8Array(rgb.toBuffer()) };
}

/** As it is shown: upright, its pixels square. */
async function ofFile({ path, at }: Extract<PosterJob, { of: 'file' }>): Promise<Picture> {
  const av = await libav();
  const size = await shapeOf(av, path);
  const kit: Kit = { av, size, rate: { frames: 24, seconds: 1 }, format: 'yuv420p', pathOf: () => path };
  const source = { sha256: path, path, facts: { kind: 'video' } } as const;
  const film = { source, in: at, speed: 1, fit: 'crop' } as const;
  await using pictures = await openVideo(kit, film, { box: size, frames: 1, first: 0 });
  return await inRgb(kit, await pictures.at(0));
}

async function shapeOf(av: Libav, path: string): Promise<Size> {
  await using frames = await openTimedFrames(av, path, 0);
  const { width, height } = await frames.at(0);
  const wide = even(width * frames.pixelAspect);
  return frames.orientation.isTurned ? { width: even(height), height: wide } : { width: wide, height: even(height) };
}

/** What the process that cuts is given. All of it is data. */
export type CutTask =
  | { readonly type: 'film'; readonly job: FilmJob }
  | { readonly type: 'poster'; readonly job: PosterJob };
