/** What kind of model something is, in the document's words, also for models that only a catalog knows. */
import type { CatalogModel } from '../api/catalog.ts';
import { modelLibrary } from '../api/model-library.ts';
import type { Model, ModelKind } from '../domain/model.ts';

/** In the order of the document. */
export const KIND_NAMES: Readonly<Record<ModelKind | 'other', string>> = {
  text_to_video: 'text to video',
  image_to_video: 'image to video',
  video_to_video: 'video to video',
  reframe: 'reframe',
  retake: 'retake',
  upscale: 'upscale',
  reference_to_video: 'reference to video',
  image_edit: 'image editing',
  image_generate: 'image generation',
  chat: 'chat',
  other: 'other',
};

/** The document's entry for a label, or for the label that a custom model was made from. */
export const documented = ({ id, source_model }: CatalogModel): Model | undefined =>
  modelLibrary.get(id) ?? (source_model === null ? undefined : modelLibrary.get(source_model));

export function kindOf(model: CatalogModel): ModelKind | 'other' {
  const known = documented(model);
  if (known) return known.kind;
  const takes = (modality: string) => model.capabilities.input.includes(modality);
  if (model.endpoint.endsWith('/chat/completions')) return 'chat';
  if (model.endpoint.endsWith('/images/edit')) return 'image_edit';
  if (model.endpoint.endsWith('/images/generate')) return takes('image') ? 'image_edit' : 'image_generate';
  if (!model.endpoint.endsWith('/videos/generate')) return 'other';
  return takes('video') ? 'video_to_video' : takes('image') ? 'image_to_video' : 'text_to_video';
}
