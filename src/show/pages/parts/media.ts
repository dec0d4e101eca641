/** What a medium is, in words, and what this browser can show of it: its file, an H.264 copy, or nothing but a still. */
import type { MediaFacts } from '../../../model/media/media.ts';
import type { ReportedMedia } from '../../../model/run/run-report.ts';
import { formatBytes } from '../../../model/text/format.ts';
import type { MediaPlace } from '../page-data.ts';

export type Playable =
  | { readonly is: 'plays'; readonly src: string }
  /** `codec` as people call it; `file`: to be downloaded. */
  | { readonly is: 'lacks_codec'; readonly codec: string; readonly file: string }
  /** It does not lie beside the page. */
  | { readonly is: 'absent' };

/** By the name that probing gives a codec. */
const TYPES: Readonly<Record<string, { readonly name: string; readonly type: string }>> = {
  h264: { name: 'H.264', type: 'video/mp4; codecs="avc1.640028"' },
  hevc: { name: 'HEVC', type: 'video/mp4; codecs="hvc1.1.6.L120.B0"' },
  prores: { name: 'ProRes', type: 'video/quicktime; codecs="apch"' },
  av1: { name: 'AV1', type: 'video/mp4; codecs="av01.0.08M.08"' },
  vp9: { name: 'VP9', type: 'video/webm; codecs="vp9"' },
};

const screen = document.createElement('video');

export function playable(media: ReportedMedia, place: MediaPlace | undefined): Playable {
  if (!place?.file) return place?.proxy ? { is: 'plays', src: place.proxy } : { is: 'absent' };
  if (plays(media.facts, media)) return { is: 'plays', src: place.file };
  if (place.proxy) return { is: 'plays', src: place.proxy };
  return { is: 'lacks_codec', codec: codecName(media), file: place.file };
}

export const codecName = ({ facts }: Pick<ReportedMedia, 'facts'>): string =>
  TYPES[facts.video_codec ?? '']?.name ?? facts.video_codec ?? facts.format ?? 'codec';

/** An unknown codec is tried: a player that cannot play it reports that. */
export function plays({ kind, video_codec }: MediaFacts, { needsProxy }: { readonly needsProxy: boolean }): boolean {
  if (kind !== 'video') return true;
  const known = TYPES[video_codec ?? ''];
  return known ? screen.canPlayType(known.type) !== '' : !needsProxy;
}

/** `1920×1080, 20.0 s, 24 fps, h264, 23.4 MB` */
export const mediaText = ({ facts, bytes: size }: ReportedMedia): string =>
  [factsText(facts), size === null ? null : formatBytes(size)].filter(Boolean).join(', ');

export function factsText({
  width,
  height,
  duration,
  fps,
  video_codec,
  audio_codec,
  kind,
  format,
}: MediaFacts): string {
  return [
    width && height ? `${width}×${height}` : null,
    duration ? `${duration.toFixed(1)} s` : null,
    fps ? `${Number(fps.toFixed(2))} fps` : null,
    (kind === 'audio' ? audio_codec : video_codec) ?? format,
  ]
    .filter(Boolean)
    .join(', ');
}
