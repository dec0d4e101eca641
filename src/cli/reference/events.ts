/** The events of a run, and the ways in which a step fails, from `schema/events.schema.json`. */
import eventsSchema from '../../../schema/events.schema.json' with { type: 'json' };
import type { Entry } from './entry.ts';
import { resolved, type Schema, type SchemaFile, takesOf } from './schema-words.ts';

const file = eventsSchema as SchemaFile;

export const eventsAbout = file.description ?? '';

/** What every line has beside the fields of its event. */
export const eventFields = (): readonly Entry[] => fieldsOf(file, 'type');

export const eventEntries = (): readonly Entry[] =>
  (file.oneOf ?? []).map(event => ({
    topic: 'event',
    name: String(event.properties?.type?.const),
    about: event.description ?? '',
    parts: fieldsOf(event, 'type'),
  }));

export const failureEntries = (): readonly Entry[] =>
  (file.$defs?.failure?.oneOf ?? []).map(failure => ({
    topic: 'failure',
    name: String(failure.properties?.code?.const),
    about: failure.description ?? '',
    parts: fieldsOf(failure, 'code'),
  }));

/** @param told the field that the entry itself is named by. */
function fieldsOf({ properties = {}, required = [] }: Schema, told: string): readonly Entry[] {
  return Object.entries(properties)
    .filter(([name]) => name !== told)
    .map(([name, field]) => ({
      topic: 'event',
      name,
      about: resolved(field, file).description ?? '',
      takes: takesOf(field, file),
      isRequired: required.includes(name),
    }));
}
