/** One picture of a film as a still: of a cut before it is rendered, or of any film that lies here. */
import type { Cut } from '../domain/cut.ts';
import { readFrames } from '../media/decode.ts';
import { openFootage } from '../media/footage.ts';
import { check, type Frame, libav } from '../media/libav.ts';
import { renderedSize } from './codecs.ts';
import { filmPictures } from './film-pictures.ts';
import { frameGraph } from './frame-graph.ts';
import { type Kit, secondsOf } from './kit.ts';
import { kitOf } from './render-film.ts';

export type PosterJob = {
  /** Seconds of the film; past its end, its last picture. */
  readonly at: number;
  /** Its ending says the format: `.png`, or `.jpg`. */
  readonly out: string;
} & (
  | { readonly of: 'cut'; readonly cut: Cut; readonly paths: Readonly<Record<string, string>> }
  | { readonly of: 'file'; readonly path: string }
);

interface Picture {
  readonly width: number;
  readonly height: number;
  /** RGB, three bytes a pixel. */
  readonly pixels: Uint8Array;
}

export async function makePoster(job: PosterJob): Promise<void> {
  const { width, height, pixels } = job.of === 'cut' ? await ofCut(job) : await ofFile(job);
  const { default: sharp } = await import('sharp');
  const picture = sharp(pixels, { raw: { width, height, channels: 3 } });
  if (/\.jpe?g$/i.test(job.out)) await picture.jpeg({ quality: 92, chromaSubsampling: '4:4:4' }).toFile(job.out);
  else await picture.png({ compressionLevel: 8 }).toFile(job.out);
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
  check(av, rgb.width === width ? 0 : -1, 'reading a picture');
  return { width, height, pixels: new Uint8Array(rgb.toBuffer()) };
}

async function ofFile({ path, at }: Extract<PosterJob, { of: 'file' }>): Promise<Picture> {
  await libav();
  const footage = await openFootage(path);
  const frame = Math.min(footage.frames - 1, Math.floor((at * footage.rate.num) / footage.rate.den + 1e-6));
  const through = `trim=start_frame=${frame}:end_frame=${frame + 1}`;
  for await (const picture of readFrames(path, { picture: footage.picture, through, pixelFormat: 'rgb24' }))
    return picture;
  throw new Error('a film without the picture that was counted in it');
}
