/** Words of libav's filtergraph language that more than one graph needs. */

/** Colours of HD video, computed the same way on every processor. */
export const EXACT = 'accurate_rnd+full_chroma_int+bitexact';

/** How colours are averaged over the pixels that share them. */
export const KERNEL = 'bicubic';

/** Drawn pictures (RGBA) → what an encoder eats. Ten bits for HEVC. */
export const toYuv = (pixelFormat: 'yuv420p' | 'yuv420p10le' = 'yuv420p'): string =>
  `scale=out_color_matrix=bt709:out_range=tv:flags=${KERNEL}+${EXACT},format=${pixelFormat}`;

/** A clean resize, sharp and without ringing surprises between processors. */
export const resize = (width: number, height: number, kernel: 'lanczos' | 'bicubic' | 'area' = 'lanczos'): string =>
  `scale=${width}:${height}:out_color_matrix=bt709:out_range=tv:flags=${kernel}+${EXACT}`;

/** The graph of a job that only encodes what was drawn, and the sound beside it. */
export const DRAWN = `[raw]${toYuv()}[v]`;
export const DRAWN_WITH_SOUND = `${DRAWN};[pcm]anull[a]`;

/**
 * What libav may take a file for: containers that hold their own media. Playlists (`hls`, `concat`, `dash`, …) are left out: a
 * stranger's few lines of text would have it open any other file of this machine.
 */
export const DEMUXERS = [
  ...['mov', 'matroska', 'avi', 'mpeg', 'mpegts', 'flv', 'asf', 'mxf', 'ogg', 'ivf', 'nut', 'rm', 'dv', 'yuv4mpegpipe'],
  ...[
    'h264',
    'hevc',
    'm4v',
    'mpegvideo',
    'av1',
    'obu',
    'wav',
    'w64',
    'aiff',
    'caf',
    'au',
    'amr',
    'mp3',
    'aac',
    'ac3',
    'eac3',
  ],
  ...['dts', 'flac', 'wv', 'ape', 'tta', 'gif', 'apng', 'png_pipe', 'jpeg_pipe', 'webp_pipe', 'bmp_pipe', 'tiff_pipe'],
] as const;

/** The graph's own reader of a foreign file. Text up to, and without, the next comma. */
export const reader = (filter: 'movie' | 'amovie', path: string): string =>
  `${filter}=${escapePath(path)}:format_opts=format_whitelist=${DEMUXERS.join('\\,')}`;

/**
 * A path as an argument of a filter. The text is read twice (once as a graph, once as an option), so what is special to the
 * inner reader is escaped, and the escapes are escaped again for the outer one. Windows paths are given forward slashes.
 */
export function escapePath(path: string): string {
  const inner = path.replace(/\\/g, '/').replace(/([':])/g, '\\$1');
  return inner.replace(/([\\'[\],;])/g, '\\$1');
}
