/** An entry for programs: names as in the rest of our JSON, and what is not there left out. */
import type { Reference } from './contents.ts';
import type { Entry } from './entry.ts';

export const entryJson = ({
  topic,
  name,
  about,
  takes,
  isRequired,
  preset,
  facts,
  examples,
  parts,
}: Entry): object => ({
  topic,
  name,
  about,
  ...(takes === undefined ? {} : { takes }),
  ...(isRequired === undefined ? {} : { required: isRequired }),
  ...(preset === undefined ? {} : { default: preset }),
  ...Object.fromEntries(facts ?? []),
  ...(examples === undefined || examples.length === 0 ? {} : { examples }),
  ...(parts === undefined || parts.length === 0 ? {} : { parts: parts.map(entryJson) }),
});

export function referenceJson({ eventFields, ...sections }: Reference): object {
  const told = Object.entries(sections).map(([name, { entries }]) => [name, entries.map(entryJson)] as const);
  return { ...Object.fromEntries(told), eventFields: eventFields.map(entryJson) };
}
