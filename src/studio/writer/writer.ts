/** The studio's writer: a conversation in, an answer out. No neural network, no memory, no chance: the same request is answered the same. */
import { isObject, type Json } from '../../domain/json.ts';
import { type Brief, readBrief } from './brief.ts';
import type { Ask } from './chat-request.ts';
import { fitting } from './fill-schema.ts';
import { type Matter, matterOf } from './material.ts';
import { tell } from './text-answer.ts';
import { shapeIn, shapeOf } from './wanted-schema.ts';

/** @throws {Refusal} 400 for a schema that nothing fits. */
export function write(ask: Ask): string {
  const brief = readBrief(ask);
  const matter = matterOf(brief);
  const schema = schemaFor(ask, brief, matter);
  if (schema === undefined) return tell(matter);
  // A number or a text alone is an answer too, where the schema says so.
  return JSON.stringify(fitting(schema, matter), null, isObject(schema) ? 2 : 0);
}

function schemaFor({ format, turns, system }: Ask, brief: Brief, matter: Matter): Json | undefined {
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
  return said.map(shapeIn).find(shape => shape !== undefined) ?? shapeOf(matter);
}
