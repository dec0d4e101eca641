/** What a medium is: `1920×1080, 20.0 s, 24 fps, h264, 23.4 MB`. */

import type { MediaFacts } from '../../../model/media/media.ts';
import type { ReportedMedia } from '../../../model/run/run-report.ts';
import { formatBytes } from '../../../model/text/format.ts';

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
