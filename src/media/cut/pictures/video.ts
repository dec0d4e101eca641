/**
 * A film in the film. One that needs nothing is handed to the encoder as it was decoded; any other goes through one filtergraph, and
 * a picture that is shown again (slowly, or at a higher rate) is not made again.
 */
import type { CutFit, CutSource, Size } from '../../../model/media/cut.ts';
import { defaultColourSpace, formatName, isRgb, type Orientation } from '../../decode/open-input.ts';
import { openTimedFrames, type TimedFrames } from '../../decode/timed-frames.ts';
import { EXACT } from '../../filtergraph.ts';
import { check, type Frame, type Libav, newFrame } from '../../libav.ts';
import { type CutContext, type Opening, type PictureSource, secondsOf, WITH_ALPHA } from '../cut-context.ts';
import { type FrameGraph, frameGraph } from '../frame-graph.ts';
import { blurredMargins, fills, GROUND_LIGHT, type Place, placed } from './blurred-margins.ts';

interface Video {
  readonly source: CutSource;
  readonly in: number;
  readonly speed: number;
  readonly fit: CutFit;
  /** Laid over a film: what is transparent stays so. */
  readonly keepsAlpha?: true;
}

export async function openVideo(kit: CutContext, video: Video, { box, first }: Opening): Promise<PictureSource> {
  const { av } = kit;
  await using release = new AsyncDisposableStack();
  const timeOf = (frame: number) => video.in + secondsOf(frame, kit.rate) * video.speed;
  const frames = release.use(await openTimedFrames(av, kit.pathOf(video.source.sha256), timeOf(first)));
  const known = newFrame(av, release);
  const fitted = release.use(fitter(kit, frames, video, box));
  let shown: { readonly of: Frame; readonly pts: bigint; readonly as: Frame } | undefined;
  const owned = release.move();
  return {
    async at(frame) {
      const decoded = await frames.at(timeOf(frame));
      if (shown?.of === decoded && shown.pts === decoded.pts) return shown.as;
      known.unref();
      check(av, known.ref(decoded), 'holding a picture');
      nameColours(av, known);
      shown = { of: decoded, pts: decoded.pts, as: await fitted.fit(known) };
      return shown.as;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

interface Fitter extends Disposable {
  fit(frame: Frame): Promise<Frame>;
}

/** One graph for as long as the pictures are alike. */
function fitter(
  kit: CutContext,
  { orientation, pixelAspect }: TimedFrames,
  { fit, keepsAlpha }: Video,
  box: Size,
): Fitter {
  let graph: FrameGraph | undefined;
  let made = '';

  const textFor = (frame: Frame): string | undefined => {
    const hasAlpha = isTransparent(kit.av, frame);
    const isHdr = isWideLight(kit.av, frame);
    const wide = frame.width * pixelAspect;
    const shape = orientation.isTurned ? { width: frame.height, height: wide } : { width: wide, height: frame.height };
    const place = placed(shape, box, fit);
    const fitting: Fitting = { kit, box, place, fit, orientation, hasAlpha, keepsAlpha: keepsAlpha === true, isHdr };
    const isReady =
      !hasAlpha && !isHdr && orientation.steps.length === 0 && frame.width === box.width && frame.height === box.height;
    return isReady && pixelAspect === 1 && hasOurColours(kit, frame) && !keepsAlpha ? undefined : fitText(fitting);
  };
  return {
    async fit(frame) {
      const key = [frame.width, frame.height, frame.format, frame.colorSpace, frame.colorRange, frame.colorTrc].join();
      if (key !== made) {
        graph?.[Symbol.dispose]();
        graph = undefined;
        const text = textFor(frame);
        if (text !== undefined) graph = await frameGraph(kit.av, { text, inputs: [frame] });
        made = key;
      }
      return graph === undefined ? frame : await graph.round(frame);
    },
    [Symbol.dispose]: () => graph?.[Symbol.dispose](),
  };
}

/** Says what the file left out. */
function nameColours(av: Libav, frame: Frame): void {
  const { c } = av;
  if (isRgb(av, frame)) {
    frame.colorSpace = c.AVCOL_SPC_RGB;
    frame.colorRange = c.AVCOL_RANGE_JPEG;
    return;
  }
  if (frame.colorSpace === c.AVCOL_SPC_UNSPECIFIED || frame.colorSpace === c.AVCOL_SPC_RGB) {
    frame.colorSpace = defaultColourSpace(av, frame);
  }
  if (frame.colorRange === c.AVCOL_RANGE_UNSPECIFIED) {
    frame.colorRange = formatName(av, frame).startsWith('yuvj') ? c.AVCOL_RANGE_JPEG : c.AVCOL_RANGE_MPEG;
  }
}

function hasOurColours(kit: CutContext, { format, colorSpace, colorRange }: Frame): boolean {
  const { av, format: ours } = kit;
  return (
    format === av.avGetPixFmtFromName(ours) &&
    colorSpace === av.c.AVCOL_SPC_BT709 &&
    colorRange === av.c.AVCOL_RANGE_MPEG
  );
}

const isWideLight = ({ c }: Libav, { colorTrc }: Frame): boolean =>
  colorTrc === c.AVCOL_TRC_SMPTE2084 || colorTrc === c.AVCOL_TRC_ARIB_STD_B67;

const isTransparent = (av: Libav, frame: Frame): boolean =>
  /^(yuva|gbrap|rgba|bgra|argb|abgr|ya8|ya16|pal8|ayuv|vuya)/.test(formatName(av, frame));

/**
 * What happens to a decoded picture on its way into the film, as filtergraph text: made as large as it will be, brought to the range and
 * colours of HD video, turned upright, laid on black where it is transparent, and fitted into its frame.
 */
interface Fitting {
  readonly kit: CutContext;
  readonly box: Size;
  readonly place: Place;
  readonly fit: CutFit;
  readonly orientation: Orientation;
  readonly hasAlpha: boolean;
  /** What is transparent stays so, for what is laid over a film. */
  readonly keepsAlpha: boolean;
  /** Wide light, brought down to what a screen without HDR shows. */
  readonly isHdr: boolean;
}

/** Names the colours of HD video for the next reader of the frame. */
const HD = 'setparams=field_mode=prog:range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709';

/** From `[in0]` to `[out]`. */
function fitText(fitting: Fitting): string {
  const { kit, place, orientation, hasAlpha, keepsAlpha, isHdr } = fitting;
  const format = keepsAlpha ? WITH_ALPHA[kit.format].format : kit.format;
  const [width, height] = orientation.isTurned ? [place.height, place.width] : [place.width, place.height];
  const steps = [
    // Laid on black, before pixels are mixed with their neighbours: a soft edge would take on colours that were never seen.
    ...(hasAlpha && !keepsAlpha ? ['format=gbrap', 'premultiply=inplace=1', 'format=gbrp'] : []),
    isHdr
      ? `scale=${width}:${height}:flags=lanczos+${EXACT}`
      : `scale=${width}:${height}:out_color_matrix=bt709:out_range=tv:flags=lanczos+${EXACT}`,
    ...(isHdr ? TONE_MAPPED : []),
    `format=${format}`,
    ...orientation.steps,
    HD,
  ];
  return `[in0]${steps.join(',')}${framed(fitting, format)}`;
}

/**
 * From PQ or HLG to the light of HD video: 203 cd/m², the white of ITU-R BT.2408, stays as it is, and what is brighter is pressed
 * together above it.
 */
const TONE_MAPPED = [
  'format=yuv420p10le',
  'zscale=t=linear:npl=203',
  'format=gbrpf32le',
  'zscale=p=bt709',
  'tonemap=tonemap=mobius:desat=0',
  'zscale=t=bt709:m=bt709:p=bt709:r=tv',
];

function framed({ kit, box, place, fit, keepsAlpha }: Fitting, format: string): string {
  if (fills(place, box) || keepsAlpha) return '[out]';
  const { x, y } = place;
  switch (fit) {
    case 'crop':
      return `,crop=${box.width}:${box.height}:${-x}:${-y}[out]`;
    case 'pad':
      return `,pad=${box.width}:${box.height}:${x}:${y}:color=black[out]`;
    case 'blur':
      return `,split[ground][picture];[ground]${groundText(place, box, format)}[soft];[soft][picture]overlay=x=${x}:y=${y}:format=${WITH_ALPHA[kit.format].overlay},format=${format}[out]`;
  }
}

/** In sixteen bits: what is so soft would show the steps of eight, which are dithered away on the way back. */
function groundText(place: Place, box: Size, format: string): string {
  const { isHigh, picture, margins, sigma } = blurredMargins(place, box);
  const [flip, stack] = isHigh ? ['vflip', 'vstack'] : ['hflip', 'hstack'];
  const mirrored = margins.map(({ from, to, length }) =>
    isHigh
      ? `crop=${picture.width}:${to - from}:0:${from},${flip},scale=${picture.width}:${length}:flags=bilinear+${EXACT}`
      : `crop=${to - from}:${picture.height}:${from}:0,${flip},scale=${length}:${picture.height}:flags=bilinear+${EXACT}`,
  );
  const light = (zero: string) => `(val-${zero})*${GROUND_LIGHT}+${zero}`;
  const soft = [
    `gblur=sigma=${sigma}:steps=3`,
    `lutyuv=y=${light('minval')}:u=${light('(minval+maxval)/2')}:v=${light('(minval+maxval)/2')}`,
    `scale=${box.width}:${box.height}:flags=bicubic+${EXACT}`,
    `format=${format}`,
    HD,
  ];
  return [
    `scale=${picture.width}:${picture.height}:flags=area+${EXACT},format=yuv444p16le,split=3[near][middle][far]`,
    `[near]${mirrored[0]}[before]`,
    `[far]${mirrored[1]}[after]`,
    `[before][middle][after]${stack}=inputs=3,${soft.join(',')}`,
  ].join(';');
}
