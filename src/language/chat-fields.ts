/** What an author writes under `with:` of a chat step in the place of its `messages`, as the fields that the reference and editors show. */
import type { FieldSchema } from '../domain/model.ts';

export const CHAT_FIELDS: { readonly [name: string]: FieldSchema } = {
  system: { type: 'string', description: 'What the model is told beforehand: the first of its `messages`.' },
  prompt: { type: 'string', description: 'What it is asked: the last of its `messages`.' },
};
