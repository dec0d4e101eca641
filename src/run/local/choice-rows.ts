/** The journal's rows of what was decided for one film, in the order in which it was. */
import type { StatementSync } from 'node:sqlite';
import { CHOSEN_BY, type Choice } from '../../domain/choice.ts';
import { isObject, type Json, type JsonObject, recordObjectIn } from '../../domain/json.ts';
import type { InstanceKey } from '../../domain/key.ts';
import { DatabaseRefused } from '../../host/database-error.ts';
import { JOURNAL } from './journal-tables.ts';

/** `id` counts up. `withdrawn`: whatever was decided under this key before holds no more. */
export type ChoiceRow = { readonly id: number } & Decided;

type Decided = { readonly choice: Choice } | { readonly withdrawn: InstanceKey };

export class ChoiceRows {
  readonly #sql: (text: string) => StatementSync;
  readonly #film: string;
  /** For messages. */
  readonly #path: string;
  readonly #login: string | undefined;

  constructor(
    sql: (text: string) => StatementSync,
    of: { readonly film: string; readonly path: string; readonly login?: string | undefined },
  ) {
    this.#sql = sql;
    this.#film = of.film;
    this.#path = of.path;
    this.#login = of.login;
  }

  /** @throws DatabaseRefused where one of them is damaged. */
  after(id: number): readonly ChoiceRow[] {
    return this.#rows(this.#film, id);
  }

  /** Of any film of the project. @throws DatabaseRefused where one of them is damaged. */
  of(film: string): readonly ChoiceRow[] {
    return this.#rows(film, 0);
  }

  /** The id of the film's newest row; 0 where there is none. */
  newest(): number {
    const row = this.#sql('SELECT max(id) AS id FROM choice WHERE film = ?').get(this.#film);
    return Number(row?.id ?? 0);
  }

  #rows(film: string, after: number): readonly ChoiceRow[] {
    return this.#sql('SELECT id, body FROM choice WHERE film = ? AND id > ? ORDER BY id')
      .all(film, after)
      .map(row => ({ id: Number(row.id), ...this.#rowIn(String(row.body)) }));
  }

  /** Within a transaction of the journal. */
  add(choice: Choice): void {
    const login = this.#login;
    // As the team's database writes it (`checked-rows.ts`).
    this.#insert(choice.key, login !== undefined && choice.by === 'person' ? { ...choice, login } : choice);
  }

  /** Within a transaction of the journal. */
  withdraw(key: InstanceKey): void {
    this.#insert(key, { withdrawn: key });
  }

  #insert(key: InstanceKey, body: object): void {
    this.#sql('INSERT INTO choice (film, key, body) VALUES (?, ?, ?)').run(this.#film, key, JSON.stringify(body));
  }

  #rowIn(text: string): Decided {
    const row = choiceRowIn(text);
    if (row) return row;
    throw new DatabaseRefused(`${this.#path} cannot be read (a row in it is damaged); ${JOURNAL.words.damaged}`);
  }
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
