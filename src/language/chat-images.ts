/** Images that a chat step shows to its model: `images`, or parts of messages that the author writes. The model must see, and they must be images. */
import { imageOf, imagesField } from '../domain/chat-images.ts';
import type { Model, ModelLibrary } from '../domain/model.ts';
import type { MapValue, Value } from '../domain/pipeline.ts';
import { type CheckContext, checkExpressions, checkField } from './field-check.ts';
import { messages } from './messages/index.ts';

/** Checks all that is shown, and gives what is left of the request to be checked as any other. */
export function checkImages(request: MapValue, model: Model, library: ModelLibrary, context: CheckContext): MapValue {
  const images = request.entries.find(({ name }) => name === 'images');
  const field = imagesField(model);
  if (field) {
    if (images) checkField(images.value, field, { ...context, called: `\`images\` of ${model.label}` });
    return without(request, images);
  }
  const cannot = messages.cannotSee(model.label, seeing(library));
  if (images) {
    context.findings.add(cannot, images.nameAt);
    checkExpressions(images.value, context);
  }
  return mapMessages(without(request, images), content => {
    const shown = content.is === 'list' ? content.items.filter(isImage) : [];
    for (const { at } of shown) context.findings.add(cannot, at);
    if (shown.length === 0) return content;
    checkExpressions(content, context);
    // The rest of it has no other mistake than to stand beside an image.
    return { is: 'literal', value: '', at: content.at };
  });
}

const without = (request: MapValue, entry: MapValue['entries'][number] | undefined): MapValue =>
  entry ? { ...request, entries: request.entries.filter(other => other !== entry) } : request;

/** Labels of the chat models that can be shown an image. */
export const seeing = (library: ModelLibrary): readonly string[] =>
  library.labels.filter(label => {
    const model = library.get(label);
    return model?.produces === 'text' && imageOf(model) !== undefined;
  });

const isImage = (part: Value): boolean => part.is === 'map' && part.entries.some(({ name }) => name === 'image_url');

function mapMessages(request: MapValue, change: (content: Value) => Value): MapValue {
  const inside = (value: Value, name: string, changed: (inner: Value) => Value): Value => {
    if (value.is !== 'map') return value;
    return {
      ...value,
      entries: value.entries.map(entry => (entry.name === name ? { ...entry, value: changed(entry.value) } : entry)),
    };
  };
  const ofMessages = (said: Value): Value =>
    said.is === 'list' ? { ...said, items: said.items.map(message => inside(message, 'content', change)) } : said;
  return inside(request, 'messages', ofMessages) as MapValue;
}
