/** Which file draws which kind of model. Each is loaded when it is first asked for: one needs fonts, another does not. */
import type { ModelKind } from '../../domain/model.ts';
import { type RenderKind, RenderRefusal } from './job.ts';
import { withPlates } from './picture/plates.ts';
import { withoutMedia } from './request/request-fields.ts';

const KINDS: { readonly [kind in ModelKind]?: RenderKind } = {
  text_to_video: async (job, hooks) => (await import('./kinds/text-to-video.ts')).renderTextToVideo(job, hooks),
  image_to_video: async (job, hooks) => (await import('./kinds/image-to-video.ts')).renderImageToVideo(job, hooks),
  video_to_video: async (job, hooks) => (await import('./kinds/video-to-video.ts')).renderVideoToVideo(job, hooks),
  reference_to_video: async (job, hooks) =>
    (await import('./kinds/reference-to-video.ts')).renderReferenceToVideo(job, hooks),
  reframe: async (job, hooks) => (await import('./kinds/reframe.ts')).renderReframe(job, hooks),
  retake: async (job, hooks) => (await import('./kinds/retake.ts')).renderRetake(job, hooks),
  upscale: async (job, hooks) => (await import('./kinds/upscale.ts')).renderUpscale(job, hooks),
  image_generate: async (job, hooks) => (await import('./kinds/image-generate.ts')).renderImageGenerate(job, hooks),
  image_edit: async (job, hooks) => (await import('./kinds/image-edit.ts')).renderImageEdit(job, hooks),
};

/** The document's labels name their kind: `V-I2V-A` is an image-to-video model. */
const FAMILIES: readonly (readonly [start: string, kind: ModelKind])[] = [
  ['V-T2V', 'text_to_video'],
  ['V-I2V', 'image_to_video'],
  ['V-V2V', 'video_to_video'],
  ['V-REF', 'reference_to_video'],
  ['V-RF', 'reframe'],
  ['V-RT', 'retake'],
  ['V-UP', 'upscale'],
  ['I-GEN', 'image_generate'],
  ['I-EDIT', 'image_edit'],
];

/** @throws {RenderRefusal} for a kind that this studio does not draw. */
export function rendererFor(label: string): RenderKind {
  const kind = FAMILIES.find(([start]) => label === start || label.startsWith(`${start}-`))?.[1];
  const renderer = kind && KINDS[kind];
  if (!renderer)
    throw new RenderRefusal(`the built-in studio cannot draw ${label} yet: use a hosted service for this step`);
  return async (asked, hooks) => {
    await using taken = await withPlates({ ...asked, request: withoutMedia(asked) });
    return await renderer(taken.job, hooks);
  };
}
