/**
 * What a person has said against single candidates of a pick. It decides nothing, and so it is no part of the lock: it is kept in the
 * journal's notes, by what was asked for, and holds as long as that does.
 */
import { deciderName } from '../../domain/choice.ts';
import { cleanText } from '../../domain/clean.ts';
import { isObject, type Json, type JsonObject, recordObjectIn } from '../../domain/json.ts';
import type { Rejection } from '../../pages/review/review-state.ts';
import { REJECTED_NOTE as NOTE } from '../../run/ports/choices.ts';
import { JournalFailed } from '../../run/ports/journal.ts';
import type { Film } from '../film/open-film.ts';

/** The oldest are let go of. */
const MOST = 2_000;

type Kept = Pick<Film['journal'], 'notes' | 'login'>;

/** As it is kept: `who` is the name that the person gave. */
interface KeptRejection extends Rejection {
  /** The person's login at the team's database. Absent: said outside of a team. */
  readonly login?: string;
}

/** For a reader: `who` names the login too. */
export const shownRejection = ({ at, note, ...by }: KeptRejection): Rejection => ({
  ...{ who: cleanText(deciderName(by)), at, note },
});

/** By id of the candidate. */
export function rejections(journal: Kept): ReadonlyMap<string, KeptRejection> {
  const text = journal.notes.get(NOTE);
  const kept = text === undefined ? {} : parsed(text);
  return new Map(
    Object.entries(kept).flatMap(([id, one]) => (isRejection(one) ? [[id, one as unknown as KeptRejection]] : [])),
  );
}

/** @param rejection undefined: it is taken back. @returns false where the journal cannot be written. */
export async function keepRejection(journal: Kept, id: string, rejection: Rejection | undefined): Promise<boolean> {
  const all = new Map(rejections(journal));
  all.delete(id);
  const { login } = journal;
  if (rejection) all.set(id, { ...rejection, ...(login !== undefined && { login }) });
  try {
    await journal.notes.set(NOTE, JSON.stringify(Object.fromEntries([...all].slice(-MOST))));
    return true;
  } catch (error) {
    if (error instanceof JournalFailed) return false;
    throw error;
  }
}

const parsed = (text: string): JsonObject => recordObjectIn(text) ?? {};

function isRejection(one: Json): boolean {
  if (!isObject(one)) return false;
  const { who, login = '', at, note } = one;
  return (
    typeof who === 'string' &&
    typeof login === 'string' &&
    typeof at === 'number' &&
    (note === null || typeof note === 'string')
  );
}
