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

/** A prober that gave up says nothing, zero, or no number at all: none of them is a length. */
export const isMeasured = (seconds: number | undefined): seconds is number =>
  seconds !== undefined && Number.isFinite(seconds) && seconds > 0;
