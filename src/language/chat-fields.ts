/** What an author writes under `with:` of a chat step in the place of its `messages`, as the fields that the reference and editors show. */
import { imagesField } from '../domain/chat-images.ts';
import type { FieldSchema, Model } from '../domain/model.ts';

export function chatFields(model: Model): { readonly [name: string]: FieldSchema } {
  const images = imagesField(model);
  return { ...WORDS, ...(images && { images: { ...images, description: IMAGES } }) };
}

const WORDS: { readonly [name: string]: FieldSchema } = {
  system: { type: 'string', description: 'What the model is told beforehand: the first of its `messages`.' },
  prompt: { type: 'string', description: 'What it is asked: the last of its `messages`.' },
};

const IMAGES = 'What it is shown with the `prompt`: results of steps, paths and addresses of images.';
