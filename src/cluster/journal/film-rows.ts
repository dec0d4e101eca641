/** Rows of a film that a reader asks for one by one, without a journal of it. */
import type { Choice } from '../../domain/choice.ts';
import type { InstanceKey } from '../../domain/key.ts';
import type { Submission } from '../../records/views/ledger.ts';
import { choiceRowIn } from '../../run/local/choice-rows.ts';
import type { Queries, TeamDatabase } from '../database/team-database.ts';
import type { Row } from './replica.ts';
import { submissionIn } from './team-rows.ts';

/** What the film has sent and does not own yet, oldest first. @throws DatabaseRefused where a row cannot be read. */
export async function openSubmissions({ query }: Queries, film: string): Promise<readonly Submission[]> {
  const rows = await query<Row>("SELECT body FROM submission WHERE film = $1 AND state <> 'closed' ORDER BY n", [film]);
  return rows.map(submissionIn);
}

/** The newest choice of each instance that has one. Choices that were withdrawn, or cannot be read, are left out. */
export async function choicesOf(team: TeamDatabase, film: string): Promise<ReadonlyMap<InstanceKey, Choice>> {
  const rows = await team.query<Row>('SELECT id, body FROM choice WHERE film = $1 ORDER BY id', [film]);
  const choices = new Map<InstanceKey, Choice>();
  for (const { body } of readable(rows, team)) {
    const row = choiceRowIn(String(body));
    if (row && 'choice' in row) choices.set(row.choice.key, row.choice);
    else if (row) choices.delete(row.withdrawn);
  }
  return choices;
}

/** Skips choices that cannot be read, and warns of each once: a login may have written them without Shotlist, before the database checked rows. */
export const readable = (choices: readonly Row[], team: Pick<TeamDatabase, 'warnUnreadable'>): readonly Row[] =>
  choices.filter(
    ({ id, body }) =>
      choiceRowIn(String(body)) !== undefined ||
      team.warnUnreadable(`choice ${id}`, `\`shotlist team drop ${id}\` deletes it`),
  );
