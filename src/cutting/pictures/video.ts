/**
 * A film in the film. One that needs nothing is handed to the encoder as it was decoded; any other goes through one filtergraph, and
 * a picture that is shown again (slowly, or at a higher rate) is not made again.
 */
import type { CutFit, CutSource, Size } from '../../domain/cut.ts';
import { check, type Frame, type Libav } from '../../media/libav.ts';
import { openTimedFrames, type TimedFrames } from '../../media/timed-frames.ts';
import { unsaidColourSpace } from '../../media/unsaid-colours.ts';
import { type FrameGraph, frameGraph } from '../frame-graph.ts';
import { type Kit, secondsOf } from '../kit.ts';
import { placed } from './fit.ts';
import { type Fitting, fitText } from './fit-graph.ts';
import type { Opening, PictureSource } from './picture-source.ts';

interface Video {
  readonly source: CutSource;
  readonly in: number;
  readonly speed: number;
  readonly fit: CutFit;
  /** Laid over a film: what is transparent stays so. */
  readonly keepsAlpha?: true;
}

export async function openVideo(kit: Kit, video: Video, { box, first }: Opening): Promise<PictureSource> {
  const { av } = kit;
  await using release = new AsyncDisposableStack();
  const timeOf = (frame: number) => video.in + secondsOf(frame, kit.rate) * video.speed;
  const frames = release.use(await openTimedFrames(av, kit.pathOf(video.source.sha256), timeOf(first)));
  const known = release.adopt(new av.Frame(), it => it.free());
  known.alloc();
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
function fitter(kit: Kit, { orientation, pixelAspect }: TimedFrames, { fit, keepsAlpha }: Video, box: Size): Fitter {
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
  const name = av.avGetPixFmtName(frame.format as Parameters<typeof av.avGetPixFmtName>[0]) ?? '';
  const isRgb = /^(rgb|bgr|gbr|argb|abgr|0rgb|0bgr|pal8|x2)/.test(name);
  if (isRgb) {
    frame.colorSpace = c.AVCOL_SPC_RGB;
    frame.colorRange = c.AVCOL_RANGE_JPEG;
    return;
  }
  if (frame.colorSpace === c.AVCOL_SPC_UNSPECIFIED || frame.colorSpace === c.AVCOL_SPC_RGB) {
    frame.colorSpace = unsaidColourSpace(av, frame);
  }
  if (frame.colorRange === c.AVCOL_RANGE_UNSPECIFIED) {
    frame.colorRange = name.startsWith('yuvj') ? c.AVCOL_RANGE_JPEG : c.AVCOL_RANGE_MPEG;
  }
}

function hasOurColours(kit: Kit, { format, colorSpace, colorRange }: Frame): boolean {
  const { av, format: ours } = kit;
  return (
    format === av.avGetPixFmtFromName(ours) &&
    colorSpace === av.c.AVCOL_SPC_BT709 &&
    colorRange === av.c.AVCOL_RANGE_MPEG
  );
}

const isWideLight = ({ c }: Libav, { colorTrc }: Frame): boolean =>
  colorTrc === c.AVCOL_TRC_SMPTE2084 || colorTrc === c.AVCOL_TRC_ARIB_STD_B67;

function isTransparent(av: Libav, { format }: Frame): boolean {
  const name = av.avGetPixFmtName(format as Parameters<typeof av.avGetPixFmtName>[0]) ?? '';
  return /^(yuva|gbrap|rgba|bgra|argb|abgr|ya8|ya16|pal8|ayuv|vuya)/.test(name);
}
