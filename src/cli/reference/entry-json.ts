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
  of,
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
  ...(of === undefined ? {} : { of }),
  ...Object.fromEntries((facts ?? []).map(([fact, text]) => [fact, text.replaceAll('`', '')])),
  ...(examples === undefined || examples.length === 0 ? {} : { examples }),
  ...(parts === undefined || parts.length === 0 ? {} : { parts: parts.map(entryJson) }),
});

export function referenceJson({ eventFields, exitCodes, ...others }: Reference): object {
  const sections = { ...others, exit_codes: exitCodes };
  const told = Object.entries(sections).map(([name, { entries }]) => [name, entries.map(entryJson)] as const);
  return { ...Object.fromEntries(told), event_fields: eventFields.map(entryJson) };
}
