/** What an author writes under `with:` of a chat step in the place of its `messages`, as the fields that the reference and editors show. */
import { imagesField } from '../domain/chat-images.ts';
import type { FieldSchema, Model } from '../domain/model.ts';

/** None for a model that is no chat model. */
export function chatFields(model: Model): { readonly [name: string]: FieldSchema } {
  if (model.kind !== 'chat') return {};
  const images = imagesField(model);
  return images ? { ...TEXTS, images: { ...images, description: 'What it is shown beside its prompt.' } } : TEXTS;
}

const TEXTS: { readonly [name: string]: FieldSchema } = {
  system: { type: 'string', description: 'What the model is told beforehand: the first of its `messages`.' },
  prompt: {
    type: 'string',
    description: 'What it is asked: the last of its `messages`, which may be written instead.',
  },
};
