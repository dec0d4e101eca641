/**
 * What happens to a decoded picture on its way into the film, as filtergraph text: made as large as it will be, brought to the range and
 * colours of HD video, turned upright, laid on black where it is transparent, and fitted into its frame.
 */
import type { CutFit, Size } from '../../domain/cut.ts';
import { EXACT } from '../../media/filtergraph.ts';
import type { Orientation } from '../../media/orientation.ts';
import { type Kit, WITH_ALPHA } from '../kit.ts';
import { fills, type Place } from './fit.ts';
import { GROUND_LIGHT, softGround } from './soft-ground.ts';

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
  const { isHigh, picture, margins, sigma } = softGround(place, box);
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
