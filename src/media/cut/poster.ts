/** A picture, or one picture of a film, as a small JPEG for a page. */
import type { Sharp } from 'sharp';
import type { Size } from '../../model/media/cut.ts';
import { openTimedFrames } from '../decode/timed-frames.ts';
import { type Libav, libav } from '../libav.ts';
import { type CutContext, even } from './cut-context.ts';
import { frameGraph } from './frame-graph.ts';
import { openVideo } from './pictures/video.ts';
import type { FilmJob } from './render-film.ts';

interface PosterJob {
  /** `file`: a film; `still`: a picture. */
  readonly of: 'file' | 'still';
  readonly path: string;
  /** Seconds of the film; past its end, its last picture. */
  readonly at: number;
  /** The JPEG. */
  readonly out: string;
  /** Pixels that it is wide at most. */
  readonly within: number;
}

export async function makePoster({ of, path, at, out, within }: PosterJob): Promise<void> {
  const whole = of === 'still' ? (await import('../encode/open-still.ts')).upright(path) : await pictureAt(path, at);
  await whole
    .resize({ width: within, withoutEnlargement: true })
    .flatten({ background: '#000' })
    .jpeg({ quality: 74, mozjpeg: true })
    .toFile(out);
}

/** As it is shown: upright, its pixels square. */
async function pictureAt(path: string, at: number): Promise<Sharp> {
  const [av, { default: sharp }] = await Promise.all([libav(), import('sharp')]);
  const size = await shapeOf(av, path);
  const kit: CutContext = { av, size, rate: { frames: 24, seconds: 1 }, format: 'yuv420p', pathOf: () => path };
  const source = { sha256: path, path, facts: { kind: 'video' } } as const;
  const film = { source, in: at, speed: 1, fit: 'crop' } as const;
  await using pictures = await openVideo(kit, film, { box: size, frames: 1, first: 0 });
  const frame = await pictures.at(0);
  const text =
    '[in0]scale=in_color_matrix=bt709:in_range=tv:out_range=pc:flags=bicubic+accurate_rnd+full_chroma_int+full_chroma_inp,format=rgb24[out]';
  using graph = await frameGraph(av, { text, inputs: [frame] });
  const rgb = await graph.round(frame);
  return sharp(new Uint8Array(rgb.toBuffer()), { raw: { width: frame.width, height: frame.height, channels: 3 } });
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
