/** A choice in a few words. */
import type { Choice } from '../../domain/choice.ts';
import { cleanText } from '../../domain/clean.ts';
import type { InstanceKey } from '../../domain/key.ts';
import type { FilmQuestion } from '../../session/questions.ts';
import { approvedBy, decidedBy } from '../../telling/result-text.ts';

type Named = Pick<FilmQuestion['asking'], 'from' | 'called'>;

/** `shot[beat=3,take=2], chosen by Ada: it breathes`, `approved by Ada` */
export const told = ({ asking }: Pick<FilmQuestion, 'asking'>, choice: Choice): string =>
  asking.is === 'approve'
    ? approvedBy(choice.chosen.length > 0, choice)
    : `${listed(namesOf(asking, choice.chosen))}, ${decidedBy(choice)}`;

/** What ids are called. */
export const namesOf = ({ from, called }: Named, chosen: readonly string[]): readonly InstanceKey[] =>
  chosen.flatMap(one => called[from.indexOf(one)] ?? []);

const MOST = 6;

/** `a, b and c` */
export function listed(keys: readonly string[]): string {
  const names = keys.slice(0, MOST).map(cleanText);
  if (keys.length > MOST) return `${names.join(', ')} and ${keys.length - MOST} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}
