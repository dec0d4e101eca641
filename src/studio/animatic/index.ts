/** The engine's one door: a job in, media out, in processes of its own. The drawing code is loaded over there. */
export { CachedRenderer } from './cache/cached-renderer.ts';
export { type LocalInput, type RenderJob, RenderRefusal, type RenderResult } from './job.ts';
export { FIRST_FRAME } from './picture/first-frame.ts';
export { type RenderWorkersOptions, renderWorkers } from './process/render-workers.ts';
export type { Renderer, RenderHooks, Swatch } from './renderer.ts';
