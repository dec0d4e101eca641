/** What the simulated chat model writes: the same for the same words, and now and then something that does not fit at first. */
import { isObject, type Json, type JsonObject } from '../../src/domain/json.ts';

export function writtenFor(request: JsonObject, content: string): string {
  if (request.response_format === undefined) return `a text ${content.slice(0, 16)}`;
  const { messages } = request;
  const isMended =
    Array.isArray(messages) &&
    messages.some(said => isObject(said as Json) && (said as JsonObject).role === 'assistant');
  // Decided by the words alone, so that any way through the film meets the same.
  if (!isMended && Number.parseInt(content.slice(0, 2), 16) < 40) return 'no JSON at all';
  return JSON.stringify({ beats: [1, 2].map(n => `beat ${n} of ${content.slice(0, 12)}`) });
}
