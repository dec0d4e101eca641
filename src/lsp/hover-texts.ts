/** Words of the language server for keys and fields. */
import type { Pricing } from '../api/catalog.ts';
import type { Model } from '../model/model.ts';
import type { Taken } from './complete/expected.ts';

/** What commands say in the same words. */
export interface SharedWords {
  /** `whole number, 2 to 15, default 5. Seconds.` */
  readonly fieldSentence: (field: Taken) => string;
  /** `$0.05 to $0.14 a second` */
  readonly priceRange: (pricing: Pricing) => string;
}

/** Markdown. */
export function keyText(name: string, taken: readonly Taken[], words: SharedWords): string | undefined {
  const [first] = taken;
  if (!first) return undefined;
  if (first.model) return fieldText(first, words);
  const described = taken.find(({ description }) => description !== undefined);
  const parts = [described?.description, ...(described?.examples ?? []).slice(0, 2).map(one => exampleText(name, one))];
  return parts.filter(part => part !== undefined).join('\n\n') || undefined;
}

export const fieldText = (field: Taken, { fieldSentence }: SharedWords): string =>
  `${field.isRequired ? 'Required: ' : ''}${fieldSentence(field)}`;

const exampleText = (name: string, example: unknown): string =>
  `\`\`\`yaml\n${name}: ${typeof example === 'string' ? example : JSON.stringify(example)}\n\`\`\``;

export const modelText = (model: Model, words: SharedWords): string =>
  [
    `\`${model.label}\`: ${model.summary}`,
    `${words.priceRange(model.pricing as unknown as Pricing)}, at the prices of the built-in studio's catalog`,
    ...(model.request.required.length > 0 && model.kind !== 'chat'
      ? [`needs ${model.request.required.map(name => `\`${name}\``).join(', ')}`]
      : []),
  ].join('\n\n');

export const renamed = {
  notAName: (name: string) =>
    `\`${name}\` cannot name a step; use small letters, digits and underscores, a letter first`,
  taken: (name: string) => `there is a step \`${name}\` already; choose another name`,
  nothingHere: 'only steps are renamed here: put the cursor on the name of one',
  lock: (name: string, to: string, lock: string, keys: readonly string[]) =>
    `${lock} names ${keys.length === 1 ? `\`${keys[0]}\`` : `${keys.length} instances of \`${name}\` (${keys.slice(0, 3).join(', ')}${keys.length > 3 ? ', …' : ''})`}. ` +
    `Results are known by their content, so nothing is paid for twice: the next run writes the lock with \`${to}\`. ` +
    `What was picked, approved or adopted for \`${name}\` is asked for again.`,
};

export const fixTitle = (was: string, text: string): string =>
  was === '' ? `write ${text}` : `replace ${was} with ${text}`;
