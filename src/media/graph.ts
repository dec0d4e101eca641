/** Words of libav's filtergraph language that more than one graph needs. */

/** Colours of HD video, computed the same way on every processor. */
const EXACT = 'accurate_rnd+full_chroma_int+bitexact';

/** Drawn pictures (RGBA) → what an encoder eats. Ten bits for HEVC. */
export const toYuv = (pixelFormat: 'yuv420p' | 'yuv420p10le' = 'yuv420p'): string =>
  `scale=out_color_matrix=bt709:out_range=tv:flags=bicubic+${EXACT},format=${pixelFormat}`;

/** A clean resize, sharp and without ringing surprises between processors. */
export const resize = (width: number, height: number, kernel: 'lanczos' | 'bicubic' | 'area' = 'lanczos'): string =>
  `scale=${width}:${height}:out_color_matrix=bt709:out_range=tv:flags=${kernel}+${EXACT}`;

/** The graph of a job that only encodes what was drawn, and the sound beside it. */
export const DRAWN = `[raw]${toYuv()}[v]`;
export const DRAWN_WITH_SOUND = `${DRAWN};[pcm]anull[a]`;

/**
 * A path as an argument of a filter. The text is read twice (once as a graph, once as an option), so what is special to the
 * inner reader is escaped, and the escapes are escaped again for the outer one. Windows paths are given forward slashes.
 */
export function escapePath(path: string): string {
  const inner = path.replace(/\\/g, '/').replace(/([':])/g, '\\$1');
  return inner.replace(/([\\'[\],;])/g, '\\$1');
}
