/** What the journal of a project knows of content: which films it is of, and whether it may have been paid for. Only reads. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../machine/files/database.ts';
import { isFreeAccount } from '../../model/run/run-money.ts';
import { JOURNAL } from '../../records/journal/journal-tables.ts';

/**
 * `studio`: drawn by the built-in studio; `here`: a cut, or a command's file; `elsewhere`: anything else, which counts as paid for, also where its
 * origin is unknown.
 */
type MadeBy = 'studio' | 'here' | 'elsewhere';

export interface KnownContents {
  /** By digest: the films that have an event with it, `fox`, `fox/@draft`. */
  readonly films: ReadonlyMap<string, ReadonlySet<string>>;
  /** By digest, of results alone. */
  readonly made: ReadonlyMap<string, MadeBy>;
  /** Digests of what each instance gave last, in each film: no lock may be so fresh. */
  readonly newest: ReadonlySet<string>;
  /** Accounts, such as those of built-in studios, where a request is open. */
  readonly openAt: ReadonlySet<string>;
}

const DIGEST = /"sha256":"([\da-f]{64})"/g;

/** @param folder the project's `.shotlist`. @throws {Refusal} where the journal cannot be read. */
export function knownContents(folder: string): KnownContents {
  const path = join(folder, 'journal.db');
  const films = new Map<string, Set<string>>();
  const made = new Map<string, MadeBy>();
  const newest = new Set<string>();
  const openAt = new Set<string>();
  if (!existsSync(path)) return { films, made, newest, openAt };
  const database = openDatabase({ ...JOURNAL, path });
  try {
    const accounts = new Map<string, string[]>();
    for (const row of database.prepare('SELECT account, fingerprint, state FROM submission').iterate()) {
      const [account, fingerprint] = [String(row.account), String(row.fingerprint)];
      accounts.set(fingerprint, [...(accounts.get(fingerprint) ?? []), account]);
      if (row.state !== 'closed') openAt.add(account);
    }
    const events = database.prepare(`SELECT film, type, fingerprint, body FROM event WHERE body LIKE '%"sha256":"%'`);
    for (const row of events.iterate()) {
      const body = String(row.body);
      const by = row.type === 'succeeded' ? madeBy(body, accounts.get(String(row.fingerprint))) : undefined;
      for (const [, digest = ''] of body.matchAll(DIGEST)) {
        films.set(digest, (films.get(digest) ?? new Set()).add(String(row.film)));
        if (by !== undefined) made.set(digest, dearer(made.get(digest), by));
      }
    }
    const last = database.prepare(
      "SELECT body FROM event WHERE id IN (SELECT max(id) FROM event WHERE type = 'succeeded' GROUP BY film, key)",
    );
    for (const { body } of last.iterate())
      for (const [, digest = ''] of String(body).matchAll(DIGEST)) newest.add(digest);
    return { films, made, newest, openAt };
  } finally {
    database.close();
  }
}

function madeBy(body: string, accounts: readonly string[] | undefined): MadeBy {
  if (accounts !== undefined) return accounts.every(isFreeAccount) ? 'studio' : 'elsewhere';
  // Nothing was ever sent for it: a cut has no generation, and a command is none.
  return /"generation_id":null|"is":"command"/.test(body) ? 'here' : 'elsewhere';
}

/** The same bytes may have been made twice: once paid for is paid for. */
function dearer(one: MadeBy | undefined, other: MadeBy): MadeBy {
  if (one === undefined) return other;
  return one === 'elsewhere' || other === 'elsewhere' ? 'elsewhere' : other;
}
