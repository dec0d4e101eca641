/** Enough of English verbs to find what somebody does in a logline, and to say it in the present: `crossing` → `crosses`. */
import { first, SUBJECTS } from '../vocabulary.ts';
import rows from './data/verbs.json' with { type: 'json' };

const third = (base: string): string => {
  if (/(?:s|sh|ch|x|z|o)$/.test(base)) return `${base}es`;
  return /[^aeiou]y$/.test(base) ? `${base.slice(0, -1)}ies` : `${base}s`;
};
const doubling = new Set(rows.doubling);
const ing = (base: string): string => {
  if (doubling.has(base)) return `${base + base.at(-1)}ing`;
  if (base === 'die' || base === 'lie') return `${base[0]}ying`;
  return /[^eo]e$/.test(base) ? `${base.slice(0, -1)}ing` : `${base}ing`;
};

const thirds = new Set(rows.bases.map(third));
const bases = new Set(rows.bases);
const ings = new Map(rows.bases.map(base => [ing(base), third(base)]));

/** Words that may stand right after a verb. */
const AFTER = new RegExp(`^(?:${rows.after.join('|')})$`, 'i');

const IRREGULAR = new RegExp(`^(?:${rows.irregular.join('|')})$`);

/** Whether a word in its place is what somebody does. An unknown word must at least look and stand like one. */
export function isVerb(word: string, before: string | undefined, after: string | undefined): boolean {
  const plain = word.toLowerCase().replace(/[^a-z-]/g, '');
  if (before !== undefined && /^(?:a|an|the|his|her|its|their|of|very|my|our)$/i.test(before)) return false;
  if (thirds.has(plain) || IRREGULAR.test(plain)) return true;
  const leadsOn = after === undefined || AFTER.test(after);
  // `a fishing boat` does not fish.
  if (ings.has(plain)) return leadsOn;
  if (bases.has(plain)) return /s$|^(?:children|people|men|women)$/i.test(before ?? '') && leadsOn;
  // `an astronaut watering plants`
  if (
    before !== undefined &&
    /^[a-z]{3,}(?:er|en|ow|ll|sh|ck|nt|st)ing$/.test(plain) &&
    first(SUBJECTS, before) !== undefined
  )
    return true;
  const looksLikeOne = /[a-z]{2}(?:es|[^s\W]s)$/.test(plain) || /[a-z]{3}ing$/.test(plain);
  return looksLikeOne && after !== undefined && leadsOn && !/^(?:and|of|who|that)$/i.test(after);
}

/** Whether it is what several do: `Maria and her robot repair …`. */
export const isBase = (word: string): boolean => bases.has(word.toLowerCase());

/** As it is said of one, now: `crossing` → `crosses`; one that is not known is `is crossing`. */
export function finite(word: string): string {
  const plain = word.toLowerCase();
  const known = ings.get(plain) ?? (bases.has(plain) ? third(plain) : undefined);
  if (known) return known;
  const stem = /^([a-z]{2,}(?:er|en|ow|ll|sh|ck|ng|nd|nt|st|rd|rt|lt|mp|nk|lk|rk|rn|rm|ld|ft|int|eam|oat))ing$/.exec(
    plain,
  )?.[1];
  if (stem !== undefined) return third(stem);
  return /[a-z]{3}ing$/.test(plain) ? `is ${plain}` : plain;
}

const baseOf = new Map(rows.bases.map(base => [third(base), base]));

/** As it is said of several: `crosses` → `cross`. */
export function plural(word: string): string {
  if (/^(?:is|has|goes|does)$/.test(word)) return { is: 'are', has: 'have', goes: 'go', does: 'do' }[word] ?? word;
  return baseOf.get(word) ?? (/[^s]s$/.test(word) ? word.slice(0, -1) : word);
}

/** `crosses the river` → `crossing the river`; undefined for a verb that is not known. */
export function going(act: string): string | undefined {
  const [verb = '', ...rest] = act.split(' ');
  const base = baseOf.get(verb.toLowerCase());
  return base && [ing(base), ...rest].join(' ');
}
