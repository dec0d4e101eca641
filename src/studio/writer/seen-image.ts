/** What the writer knows of an image: measures and colours, which is all that can be known without a model that sees. */
export interface SeenImage {
  /** `png`; empty where it is not known. */
  readonly format: string;
  /** Pixels; 0 where it is not known. */
  readonly width: number;
  readonly height: number;
  /** Most of it first. */
  readonly colours: readonly {
    readonly rgb: readonly [red: number, green: number, blue: number];
    /** Of the picture, 0 to 1. */
    readonly share: number;
  }[];
}

/** `Image 1 is a png of 1280×720 pixels (16:9), mostly dark blue (#1a2b4c, 61%), then white (#f0f0f0, 22%).` */
export function describe(image: SeenImage, n: number): string {
  const { format, width, height, colours } = image;
  const kind = format === '' ? 'an image' : `${/^[aeio]/.test(format) ? 'an' : 'a'} ${format}`;
  const [first, ...others] = colours.map(
    ({ rgb, share }) => `${nameOf(rgb)} (${hex(rgb)}, ${Math.round(share * 100)}%)`,
  );
  const coloured =
    first === undefined ? '' : `, mostly ${first}${others.length > 0 ? `, then ${others.join(' and ')}` : ''}`;
  return `Image ${n} is ${kind} of ${width}×${height} pixels (${ratioOf(image)})${coloured}.`;
}

export const coloursOf = ({ colours }: SeenImage): readonly string[] => [
  ...new Set(colours.map(({ rgb }) => nameOf(rgb))),
];

const hex = (rgb: readonly number[]): string => `#${rgb.map(value => value.toString(16).padStart(2, '0')).join('')}`;

const RATIOS = ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9', '9:21', '4:5', '5:4'] as const;

/** The usual ratio that it has within two per cent; otherwise which way it lies. */
export function ratioOf({ width, height }: Pick<SeenImage, 'width' | 'height'>): string {
  const found = RATIOS.find(ratio => {
    const [w = 1, h = 1] = ratio.split(':').map(Number);
    return Math.abs(width / height / (w / h) - 1) < 0.02;
  });
  return found ?? (width > height ? 'landscape' : width < height ? 'portrait' : 'square');
}

const HUES: readonly (readonly [below: number, name: string])[] = [
  [15, 'red'],
  [42, 'orange'],
  [68, 'yellow'],
  [165, 'green'],
  [195, 'teal'],
  [255, 'blue'],
  [290, 'violet'],
  [335, 'pink'],
  [361, 'red'],
];

/** `dark blue`, `pale green`, `grey`: hue, saturation and lightness, as a colourist would name them in passing. */
export function nameOf(rgb: readonly [number, number, number]): string {
  const [red, green, blue] = rgb.map(value => value / 255) as [number, number, number];
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)];
  const light = (most + least) / 2;
  const chroma = most - least;
  if (light < 0.08) return 'black';
  if (light > 0.94) return 'white';
  if (chroma < 0.08) return light < 0.3 ? 'dark grey' : light > 0.75 ? 'pale grey' : 'grey';
  const sector =
    most === red
      ? ((green - blue) / chroma + 6) % 6
      : most === green
        ? (blue - red) / chroma + 2
        : (red - green) / chroma + 4;
  const hue = HUES.find(([below]) => sector * 60 < below)?.[1] ?? 'red';
  if (hue === 'orange' && light < 0.4) return light < 0.2 ? 'dark brown' : 'brown';
  return light < 0.3 ? `dark ${hue}` : light > 0.72 ? `pale ${hue}` : hue;
}
