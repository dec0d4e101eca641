export type MediaKind = 'video' | 'image' | 'audio';

/** Known facts about a piece of media. Before it exists, some are known and others are absent; absent is never an error. */
export interface MediaFacts {
  readonly kind: MediaKind;
  /** Container or image format: `mp4`, `webp`, `wav`, … */
  readonly format?: string;
  /** Pixels, after rotation. */
  readonly width?: number;
  readonly height?: number;
  /** Seconds. */
  readonly duration?: number;
  /** Frames per second. */
  readonly fps?: number;
  /** `h264`, `hevc`, … */
  readonly video_codec?: string;
  /** `aac`, `mp3`, …; null means "has no sound", absent means "not known". */
  readonly audio_codec?: string | null;
  /** IPTC's digital source type that its XMP names: `digitalCapture`; absent: none. */
  readonly source_type?: string;
  /** It carries Content Credentials (C2PA): signed words about where it comes from. Absent: none. */
  readonly c2pa?: true;
}

/** A prober that gave up returns nothing, zero, or no number at all: none of them is a length. */
export const isMeasured = (seconds: number | undefined): seconds is number =>
  seconds !== undefined && Number.isFinite(seconds) && seconds > 0;

// The shape of a picture, as it was meant.

/** Long side over short side, of what cameras, screens and services make. */
const USUAL = [1, 5 / 4, 4 / 3, 3 / 2, 16 / 9, 21 / 9];

/** Pixels by which an even size may lie beside its shape: 16:9 of 480 lines is 853.3 wide, and made as 854. */
const ROUNDED = 1;
/** Lines below which a pixel is a shape of its own. */
const FEWEST = 60;

/** Width over height: 854×480 is 16:9, so that a larger one of it is 1920×1080 and not two pixels wider. */
export function shapeOf({ width, height }: { readonly width: number; readonly height: number }): number {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const meant = USUAL.find(ratio => Math.abs(short * ratio - long) <= ROUNDED);
  if (meant === undefined || short < FEWEST) return width / height;
  return width >= height ? meant : 1 / meant;
}

// File formats of media: what people call them, and the extensions that their files may have.

/** A file format as people call it, and the extensions that its files may have: the usual one first. */
export interface Format {
  readonly name: string;
  readonly ends: readonly string[];
}

/** Undefined for an unknown format: any name fits it. */
export function formatOf({ kind, format }: Pick<MediaFacts, 'format'> & Partial<MediaFacts>): Format | undefined {
  if (format === undefined) return undefined;
  if (kind === 'audio' && format === 'mp4') return FORMATS.get('m4a');
  return FORMATS.get(format);
}

/** By the format names that probing and file types use. */
const FORMATS: ReadonlyMap<string, Format> = new Map(
  Object.entries({
    mp4: { name: 'MP4', ends: ['.mp4', '.m4v'] },
    m4v: { name: 'MP4', ends: ['.m4v', '.mp4'] },
    m4a: { name: 'MP4 sound', ends: ['.m4a', '.mp4', '.m4b'] },
    mov: { name: 'QuickTime', ends: ['.mov', '.qt'] },
    webm: { name: 'WebM', ends: ['.webm', '.mkv', '.weba'] },
    mkv: { name: 'Matroska', ends: ['.mkv', '.mka'] },
    avi: { name: 'AVI', ends: ['.avi'] },
    mpg: { name: 'MPEG', ends: ['.mpg', '.mpeg'] },
    mp3: { name: 'MP3', ends: ['.mp3'] },
    wav: { name: 'WAV', ends: ['.wav', '.wave'] },
    ogg: { name: 'Ogg', ends: ['.ogg', '.oga', '.ogv', '.opus'] },
    ogv: { name: 'Ogg', ends: ['.ogv', '.ogg'] },
    opus: { name: 'Opus', ends: ['.opus', '.ogg', '.oga'] },
    flac: { name: 'FLAC', ends: ['.flac'] },
    aac: { name: 'AAC', ends: ['.aac'] },
    aif: { name: 'AIFF', ends: ['.aif', '.aiff'] },
    png: { name: 'PNG', ends: ['.png'] },
    apng: { name: 'PNG', ends: ['.png', '.apng'] },
    jpg: { name: 'JPEG', ends: ['.jpg', '.jpeg'] },
    webp: { name: 'WebP', ends: ['.webp'] },
    gif: { name: 'GIF', ends: ['.gif'] },
    avif: { name: 'AVIF', ends: ['.avif'] },
    heic: { name: 'HEIC', ends: ['.heic', '.heif'] },
    tif: { name: 'TIFF', ends: ['.tif', '.tiff'] },
    bmp: { name: 'BMP', ends: ['.bmp'] },
  }),
);

/** Extensions of all formats of media. */
export const MEDIA_EXTENSIONS: ReadonlySet<string> = new Set([...FORMATS.values()].flatMap(({ ends }) => ends));
