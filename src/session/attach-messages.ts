/** What is said where a generation is taken for an instance's own, and where it cannot be. */
import { cleanText } from '../domain/clean.ts';
import { moreAt } from '../domain/decision-page.ts';
import type { Json } from '../domain/json.ts';

export const messages = {
  noRequest: (key: string) =>
    `${key} asks a service for nothing that a generation could be; attach one to a step with a \`model\``,
  noQueue: (key: string) =>
    `${key} is answered at once, and leaves no generation to attach; leave out \`via: sync\`, or use \`shotlist adopt\` with its file`,
  notKnown: (key: string, why: string) =>
    `what ${key} asks for is not known yet: it ${why}; make that first, so that the two can be compared`,
  claimed: (id: string) => `${cleanText(id)} is the generation of another request of this project already`,
  sentAlready: (key: string, id: string) =>
    `${key} was sent already, as ${cleanText(id)}: the next run brings that home; to give it up first, \`shotlist cancel FILE KEY --forget\``,
  notThere: (id: string, service: string) => `${service} knows no generation ${cleanText(id)} of this key's`,
  ended: (id: string, status: string, why: string) =>
    `${cleanText(id)} has ${status === 'failed' ? 'failed' : 'been cancelled'}${why === '' ? '' : `: ${why}`}; there is no result to take`,
  otherField: (field: string, theirs: Json, ours: Json) =>
    `${cleanText(field)} is ${shown(theirs)} there, and ${shown(ours)} here`,
  notListed: (id: string) => `the service does not tell what ${cleanText(id)} was asked`,
  notTold: (fields: readonly string[]) =>
    `not compared, for the service does not show it: ${fields.map(cleanText).join(', ')}`,
  notTheSame: (id: string, key: string, reasons: readonly string[]) =>
    [
      `${cleanText(id)} is not known to be what ${key} asks for:`,
      ...reasons.map(reason => `  ${reason}`),
      'with --force it is taken all the same',
      moreAt('attach-differs'),
    ].join('\n'),
  underWay: (id: string, status: string) => `${cleanText(id)} is ${cleanText(status)}: it is waited for`,
} as const;

const shown = (value: Json): string => {
  const text = cleanText(typeof value === 'string' ? `"${value}"` : JSON.stringify(value));
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
};
