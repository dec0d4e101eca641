/** Images that a chat model is shown: which models see them, and how they stand in the common chat-completions body. */

import type { FieldSchema, Model } from '../model.ts';
import { shapeFor } from '../model.ts';
import { isObject, type Json, type JsonObject } from '../text/json.ts';

/** Of a model without more in its schema. */
const ANY_IMAGE: FieldSchema = { type: 'string', media: { kind: 'image', inline: true } };

/** What each image that a chat model is shown must be; undefined for a model that reads words alone. */
export function imageOf({ request }: Pick<Model, 'request'>): FieldSchema | undefined {
  const { content } = request.properties.messages?.items?.properties ?? {};
  // A catalog's own schema may say nothing of it, or say it in a way that is not read here.
  if (!content || !('type' in content || 'anyOf' in content)) return ANY_IMAGE;
  const parts = shapeFor([], content);
  if (parts?.type !== 'array') return undefined;
  const part = parts.items?.properties?.image_url;
  const url = part && 'properties' in part ? part.properties?.url : undefined;
  return url && 'type' in url ? url : ANY_IMAGE;
}

/** The field `images` of a chat step: parts of its user message. */
export const imagesField = (model: Model): FieldSchema | undefined => {
  const image = model.produces === 'text' ? imageOf(model) : undefined;
  return image && { type: 'array', items: image };
};

/** The request with its `images` where the service reads them: after the words of the last message of the user. */
export function withImagesInMessages({ images, ...request }: JsonObject): JsonObject {
  const { messages } = request;
  if (!Array.isArray(images) || !Array.isArray(messages))
    return images === undefined ? request : { ...request, images };
  if (images.length === 0) return request;
  const list = messages as readonly Json[];
  const last = list.findLastIndex(message => isObject(message) && message.role === 'user');
  const parts = (images as readonly Json[]).map(url => ({ type: 'image_url', image_url: { url } }));
  const shown = list.map((message, index) => {
    if (index !== last || !isObject(message)) return message;
    return { ...message, content: [{ type: 'text', text: message.content ?? '' }, ...parts] };
  });
  return { ...request, messages: shown };
}

/** How many images a request shows, as far as it is known. */
export function imagesIn({ messages, images }: JsonObject): number {
  const given = Array.isArray(images) ? images.length : images === undefined ? 0 : 1;
  return given + imageParts(messages).length;
}

/** Addresses of the images in the messages of a request. */
export const imagesShown = ({ messages }: JsonObject): readonly Json[] => imageParts(messages).map(imageIn);

/** The address in a part of a message; null where it shows none. */
const imageIn = ({ image_url: image = null }: JsonObject): Json => (isObject(image) ? (image.url ?? null) : image);

function imageParts(messages: Json | undefined): readonly JsonObject[] {
  const list = Array.isArray(messages) ? (messages as readonly Json[]) : [];
  const parts = list.flatMap((message): readonly Json[] =>
    isObject(message) && Array.isArray(message.content) ? message.content : [],
  );
  return parts.filter(isObject).filter(part => part.image_url !== undefined);
}
