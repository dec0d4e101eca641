/** Which file draws which kind of model, as the model's JSON names it. Each is loaded on first use: one needs fonts, another does not. */
import type { ModelKind } from '../../model/model.ts';
import { type RenderJob, type RenderKind, RenderRefusal } from './job.ts';
import { withPlates } from './picture/plates.ts';
import { withoutMedia } from './request/request-fields.ts';

const KINDS: { readonly [kind in ModelKind]?: RenderKind } = {
  text_to_video: async (job, hooks) => (await import('./kinds/text-to-video.ts')).renderTextToVideo(job, hooks),
  image_to_video: async (job, hooks) => (await import('./kinds/image-to-video.ts')).renderImageToVideo(job, hooks),
  video_to_video: async (job, hooks) => (await import('./kinds/video-to-video.ts')).renderVideoToVideo(job, hooks),
  reference_to_video: async (job, hooks) =>
    (await import('./kinds/reference-to-video.ts')).renderReferenceToVideo(job, hooks),
  reframe: async (job, hooks) => (await import('./kinds/reframe.ts')).renderReframe(job, hooks),
  retake: async (job, hooks) => (await import('./kinds/retake/retake.ts')).renderRetake(job, hooks),
  upscale: async (job, hooks) => (await import('./kinds/upscale.ts')).renderUpscale(job, hooks),
  image_generate: async (job, hooks) => (await import('./kinds/image-generate.ts')).renderImageGenerate(job, hooks),
  image_edit: async (job, hooks) => (await import('./kinds/edit/image-edit.ts')).renderImageEdit(job, hooks),
};

/** @throws {RenderRefusal} for a kind that this studio does not draw. */
export function rendererFor({ kind, label }: Pick<RenderJob, 'kind' | 'label'>): RenderKind {
  const renderer = KINDS[kind];
  if (!renderer)
    throw new RenderRefusal(`the built-in studio cannot draw ${label} yet: use a hosted service for this step`);
  return async (asked, hooks) => {
    await using taken = await withPlates({ ...asked, request: withoutMedia(asked) });
    return await renderer(taken.job, hooks);
  };
}
