/**
 * How many pixels an edit has. Every label names an area: `2 MP`, and `1K`, `2K`, `4K` for that many pixels across at 16:9. The picture
 * is the largest of exactly the asked shape that has no more pixels than that; `1600x900` is exactly that. An edit that asks for neither
 * size nor shape keeps what it is given, in a draft too: each link of a chain would be smaller than the one before it otherwise.
 */
import { still } from '../../../../media/encode/open-still.ts';
import { type LocalInput, type RenderJob, RenderRefusal } from '../../job.ts';
import type { FrameSize } from '../../request/frame-size.ts';
import { text } from '../../request/request-fields.ts';

const DRAFT = 4;
/** Where nothing is asked and nothing is given. */
const DEFAULT_PIXELS = 1024 * 1024;
/** "custom dimensions up to 3840x2160": no image of the document is longer or has more pixels. */
const LONGEST = 3840;
const UHD = 3840 * 2160;
/** "up to 4 megapixels" */
const MOST: { readonly [label: string]: { readonly pixels: number; readonly shown: string } } = {
  'I-EDIT-A': { pixels: 4e6, shown: '4 MP' },
};

/** @throws {RenderRefusal} for a resolution or ratio that cannot be read or is larger than the model draws. */
export async function editSize(job: RenderJob, input: LocalInput | undefined): Promise<FrameSize> {
  const own = input ? await sizeOfFile(input.cleanPlate ?? input.path) : null;
  const full = fullSize(job, own);
  if (job.speed === 'full' || full === own) return full;
  const smaller = (pixels: number) => Math.max(2, Math.round(pixels / DRAFT));
  return { width: smaller(full.width), height: smaller(full.height) };
}

function fullSize({ request, label }: RenderJob, own: FrameSize | null): FrameSize {
  const most = MOST[label] ?? { pixels: UHD, shown: '3840x2160' };
  const asked = wanted(text(request, 'resolution'));
  const ratio = ratioOf(text(request, 'aspect_ratio'));
  const tooLarge = () =>
    new RenderRefusal(
      `resolution "${text(request, 'resolution')}" is more than the ${most.shown} that ${label} draws: ask for less`,
    );
  if (typeof asked === 'object') {
    const { width, height } = asked;
    if (width * height > most.pixels || Math.max(width, height) > LONGEST) throw tooLarge();
    return asked;
  }
  if (asked !== undefined && asked > most.pixels) throw tooLarge();
  const isAsIs = own !== null && asked === undefined && ratio === undefined;
  const fits = isAsIs && own.width * own.height <= most.pixels && Math.max(own.width, own.height) <= LONGEST;
  if (fits) return own;
  return shaped(ratio ?? own ?? { width: 1, height: 1 }, asked ?? (isAsIs ? most.pixels : DEFAULT_PIXELS));
}

/** An area in pixels, or width and height; undefined where it is left to the model. */
function wanted(resolution: string | undefined): number | FrameSize | undefined {
  if (resolution === undefined || /^(auto|match[\w ]*)$/i.test(resolution)) return undefined;
  const [, megapixels] = /^\s*(\d*\.?\d+)\s*MP\s*$/i.exec(resolution) ?? [];
  if (megapixels !== undefined && Number(megapixels) >= 0.01) return Math.round(Number(megapixels) * 1e6);
  const [, across, down] = /^\s*(\d{2,5})\s*[x×*]\s*(\d{2,5})\s*$/i.exec(resolution) ?? [];
  if (across !== undefined) return { width: Number(across), height: Number(down) };
  switch (resolution.trim().toUpperCase()) {
    case '1K':
      return 1024 * 1024;
    case '2K':
      return 2048 * 1152;
    case '4K':
      return UHD;
    default:
      throw new RenderRefusal(
        `resolution "${resolution}" is no size of an image: write 2 MP, 1K, 2K, 4K or dimensions such as 1600x900`,
      );
  }
}

function ratioOf(ratio: string | undefined): FrameSize | undefined {
  if (ratio === undefined || /^(auto|match[\w ]*)$/i.test(ratio)) return undefined;
  const [, across = '0', down = '0'] = /^\s*(\d*\.?\d+)\s*:\s*(\d*\.?\d+)\s*$/.exec(ratio) ?? [];
  const [width, height] = [Number(across), Number(down)];
  if (!(width > 0 && height > 0 && Math.max(width / height, height / width) <= 8))
    throw new RenderRefusal(`aspect_ratio "${ratio}" is no shape of an image: write two numbers, such as 16:9`);
  return { width, height };
}

/** 16:9 comes in multiples of 16×9 alone; a shape of large odd numbers, as cropped photographs have, is met to the nearest pixel. */
function shaped(shape: FrameSize, area: number): FrameSize {
  const { width, height } = lowest(shape);
  const times = Math.floor(Math.min(Math.sqrt(area / (width * height)), LONGEST / Math.max(width, height)));
  if (times >= 8) return { width: width * times, height: height * times };
  const across = Math.min(Math.sqrt((area * width) / height), LONGEST, (LONGEST * width) / height);
  return { width: Math.floor(across), height: Math.max(1, Math.floor((across * height) / width)) };
}

function lowest({ width, height }: FrameSize): FrameSize {
  // `2.39:1` is 239:100.
  const [across, down] = [Math.round(width * 100), Math.round(height * 100)];
  const divisor = common(across, down);
  return { width: across / divisor, height: down / divisor };
}

const common = (a: number, b: number): number => (b === 0 ? a : common(b, a % b));

async function sizeOfFile(file: string): Promise<FrameSize> {
  const { autoOrient } = await still(file).metadata();
  return { width: autoOrient.width, height: autoOrient.height };
}
