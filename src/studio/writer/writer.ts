/** The studio's writer: a conversation in, an answer out. No neural network, no memory, no chance: the same request is answered the same. */
import { isObject, type Json } from '../../domain/json.ts';
import { type Brief, readBrief } from './brief.ts';
import type { ParsedChatRequest } from './chat-request.ts';
import { fillSchema } from './fill-schema.ts';
import { type Material, materialFor } from './material.ts';
import { textAnswer } from './text-answer.ts';
import { schemaIn, usualSchema } from './wanted-schema.ts';

/** @throws {Refusal} 400 for a schema that nothing fits. */
export function write(chat: ParsedChatRequest): string {
  const brief = readBrief(chat);
  const material = materialFor(brief);
  const schema = schemaFor(chat, brief, material);
  if (schema === undefined) return textAnswer(material);
  // A number or a text alone is an answer too, where the schema says so.
  return JSON.stringify(fillSchema(schema, material), null, isObject(schema) ? 2 : 0);
}

function schemaFor({ format, turns, system }: ParsedChatRequest, brief: Brief, material: Material): Json | undefined {
  if (format.is === 'schema') return format.schema;
  if (format.is === 'text' && !brief.json) return undefined;
  // The shape may be told in words: in the instruction, in the system message, or further back.
  const said = [
    ...turns
      .filter(({ by }) => by === 'person')
      .map(({ text }) => text)
      .reverse(),
    system,
  ];
  return said.map(schemaIn).find(shape => shape !== undefined) ?? usualSchema(material);
}
