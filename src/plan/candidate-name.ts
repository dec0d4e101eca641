/**
 * How a person names one of the candidates of a pick: by its number in the list, `2`; by the coordinates that tell it from the others,
 * `take=2`; or by its whole name, `shot[beat=3,take=2]`.
 */
import type { Asking } from '../domain/choice.ts';
import { nearest } from '../domain/nearest.ts';
import { parseSelector, selects } from '../domain/selector.ts';
import { messages } from './selector-messages.ts';

export type NamedCandidate =
  /** From 0. */
  { readonly is: 'found'; readonly place: number } | { readonly is: 'mistaken'; readonly message: string };

export function candidateNamed(word: string, { key, called }: Pick<Asking, 'key' | 'called'>): NamedCandidate {
  const places = placesOf(word.trim(), called);
  const [place, ...more] = places;
  if (place === undefined)
    return { is: 'mistaken', message: messages.noCandidate(word, key, nearName(word, called), called) };
  if (more.length === 0) return { is: 'found', place };
  return {
    is: 'mistaken',
    message: messages.several(
      word,
      places.flatMap(one => called[one] ?? []),
    ),
  };
}

/** Whether it could be one of these, so that it is not another question. */
export const namesCandidate = (word: string, called: Asking['called']): boolean =>
  placesOf(word.trim(), called).length > 0 || isCoordinates(word);

/** `take=2`, and no `best[beat=3]`. */
const isCoordinates = (word: string): boolean => /^[^[\]=]+=/.test(word);

function placesOf(word: string, called: Asking['called']): readonly number[] {
  const exact = (called as readonly string[]).indexOf(word);
  if (exact >= 0) return [exact];
  if (/^\d+$/.test(word)) return Number(word) >= 1 && Number(word) <= called.length ? [Number(word) - 1] : [];
  const wanted = isCoordinates(word) ? parseSelector(`candidate[${word}]`)?.coordinates[0] : undefined;
  const selector = wanted ? undefined : parseSelector(word);
  return called.flatMap((key, place) => {
    if (selector) return selects(selector, key) ? [place] : [];
    const own = parseSelector(key)?.coordinates.at(-1);
    return wanted && wanted.size > 0 && [...wanted].every(([name, value]) => own?.get(name) === value) ? [place] : [];
  });
}

function nearName(word: string, called: Asking['called']): string | undefined {
  const isOwn = !isCoordinates(word);
  const names = called.flatMap(key => {
    if (isOwn) return [key as string];
    return [...(parseSelector(key)?.coordinates.at(-1) ?? [])].map(([name, value]) => `${name}=${value}`);
  });
  return nearest(word, new Set(names));
}
