/** The journal's rows of what was decided for one film, in the order in which it was. */

import { DatabaseRefused } from '../../machine/files/database-error.ts';
import { CHOSEN_BY, type Choice } from '../../model/run/choice.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { isObject, type Json, type JsonObject, recordObjectIn } from '../../model/text/json.ts';
import type { Rows } from './journal-row.ts';
import { JOURNAL } from './journal-tables.ts';

/** `id` counts up. `withdrawn`: whatever was decided under this key before holds no more. */
type ChoiceRow = { readonly id: number } & Decided;

type Decided = { readonly choice: Choice } | { readonly withdrawn: InstanceKey };

export interface ChoiceRows {
  /** Those of this film that came later. @throws DatabaseRefused where one of them is damaged. */
  after(id: number): readonly ChoiceRow[];
  /** Of any film of the project. @throws DatabaseRefused where one of them is damaged. */
  of(film: string): readonly ChoiceRow[];
  /** The id of the film's newest row that this process knows; 0 where there is none. */
  newest(): number;
  /** Within a decision. */
  add(choice: Choice): void;
  /** Within a decision. */
  withdraw(key: InstanceKey): void;
}

export function choiceRows({ sql, film, path }: Rows, login: string | undefined): ChoiceRows {
  const rowIn = (text: string): Decided => {
    const row = choiceRowIn(text);
    if (row) return row;
    throw new DatabaseRefused(`${path} cannot be read (a row in it is damaged); ${JOURNAL.words.damaged}`);
  };
  const rows = (of: string, after: number) =>
    sql('SELECT id, body FROM choice WHERE film = ? AND id > ? ORDER BY id')
      .all(of, after)
      .map(row => ({ id: Number(row.id), ...rowIn(String(row.body)) }));
  const insert = (key: InstanceKey, body: object) =>
    void sql('INSERT INTO choice (film, key, body) VALUES (?, ?, ?)').run(film, key, JSON.stringify(body));
  return {
    after: id => rows(film, id),
    of: other => rows(other, 0),
    newest: () => Number(sql('SELECT max(id) AS id FROM choice WHERE film = ?').get(film)?.id ?? 0),
    // As the team's database writes it (`checked-rows.ts`).
    add: choice => insert(choice.key, login !== undefined && choice.by === 'person' ? { ...choice, login } : choice),
    withdraw: key => insert(key, { withdrawn: key }),
  };
}

/** What a row holds; undefined where it cannot be read. The team's database refuses the same (`readable_choice`). */
export function choiceRowIn(text: string): Decided | undefined {
  const json = recordObjectIn(text);
  if (json && typeof json.withdrawn === 'string') return { withdrawn: json.withdrawn as InstanceKey };
  return json && isChoice(json) ? { choice: json as unknown as Choice } : undefined;
}

const isChoice = ({ key, from, called, chosen, by, who, login, at, note, asked, scores = [] }: JsonObject): boolean =>
  [key, who].every(one => typeof one === 'string') &&
  [login, note, asked].every(one => one === undefined || typeof one === 'string') &&
  [from, called, chosen].every(areTexts) &&
  (CHOSEN_BY as readonly unknown[]).includes(by) &&
  typeof at === 'number' &&
  Math.abs(at) <= MAX_DATE_MS &&
  Array.isArray(scores) &&
  (scores as readonly Json[]).every(isScore);

/** The furthest time that a date can have, in milliseconds from 1970 (ECMA-262, 21.4.1.1). */
const MAX_DATE_MS = 8.64e15;

const isScore = (one: Json): boolean =>
  isObject(one) && typeof one.score === 'number' && (one.words === undefined || typeof one.words === 'string');

const areTexts = (list: Json | undefined): boolean =>
  Array.isArray(list) && (list as readonly Json[]).every(one => typeof one === 'string');
