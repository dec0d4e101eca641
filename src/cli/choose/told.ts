/** Names, as a sentence has them. */
import { cleanText } from '../../domain/clean.ts';
import type { InstanceKey } from '../../domain/key.ts';
import { listed } from '../../domain/listed.ts';
import type { FilmQuestion } from '../../session/questions.ts';

type Named = Pick<FilmQuestion['asking'], 'from' | 'called'>;

/** What ids are called. */
export const namesOf = ({ from, called }: Named, chosen: readonly string[]): readonly InstanceKey[] =>
  chosen.flatMap(one => called[from.indexOf(one)] ?? []);

const MOST = 6;

/** `a, b and c` */
export function someOf(keys: readonly string[]): string {
  const names = keys.slice(0, MOST).map(cleanText);
  if (keys.length > MOST) return `${names.join(', ')} and ${keys.length - MOST} more`;
  return listed(names);
}
