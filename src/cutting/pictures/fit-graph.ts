/**
 * What happens to a decoded picture on its way into the film, as filtergraph text: made as large as it will be, brought to the range and
 * colours of HD video, turned upright, laid on black where it is transparent, and fitted into its frame.
 */
import type { CutFit, Size } from '../../domain/cut.ts';
import { EXACT } from '../../media/filtergraph.ts';
import type { Orientation } from '../../media/orientation.ts';
import { type Kit, WITH_ALPHA } from '../kit.ts';
import { fills, type Place } from './fit.ts';

export interface Fitting {
  readonly kit: Kit;
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

/** What HD video is, said to whoever reads the frame next. */
const HD = 'setparams=field_mode=prog:range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709';

/** From `[in0]` to `[out]`. */
export function fitText(fitting: Fitting): string {
  const { kit, place, orientation, hasAlpha, keepsAlpha, isHdr } = fitting;
  const format = keepsAlpha ? WITH_ALPHA[kit.format].format : kit.format;
  const [width, height] = orientation.isTurned ? [place.height, place.width] : [place.width, place.height];
  const steps = [
    // Laid on black, before pixels are mixed with their neighbours: a soft edge would take on colours that nobody saw.
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

/** The ground of `blur` is softened at an eighth of its size: nobody sees the difference, and it costs next to nothing. */
const SOFTENED = 8;

function framed({ kit, box, place, fit, keepsAlpha }: Fitting, format: string): string {
  if (fills(place, box) || keepsAlpha) return '[out]';
  const { x, y } = place;
  switch (fit) {
    case 'crop':
      return `,crop=${box.width}:${box.height}:${-x}:${-y}[out]`;
    case 'pad':
      return `,pad=${box.width}:${box.height}:${x}:${y}:color=black[out]`;
    case 'blur': {
      const scale = Math.max(box.width / place.width, box.height / place.height) / SOFTENED;
      const small = { width: side(box.width / SOFTENED), height: side(box.height / SOFTENED) };
      const ground = [
        `scale=${Math.max(small.width, side(place.width * scale))}:${Math.max(small.height, side(place.height * scale))}:flags=bilinear+${EXACT}`,
        `crop=${small.width}:${small.height}`,
        `gblur=sigma=${Math.max(1.5, Math.min(small.width, small.height) / 22)}:steps=2`,
        `scale=${box.width}:${box.height}:flags=bicubic+${EXACT}`,
        // Darker, so that the eye goes to the picture.
        'lutyuv=y=(val-minval)*0.6+minval',
        HD,
      ];
      return `,split[ground][picture];[ground]${ground.join(',')}[soft];[soft][picture]overlay=x=${x}:y=${y}:format=${WITH_ALPHA[kit.format].overlay},format=${format}[out]`;
    }
  }
}

const side = (pixels: number): number => Math.max(2, 2 * Math.ceil(pixels / 2));
