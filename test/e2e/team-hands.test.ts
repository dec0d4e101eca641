/** A worker that holds the key and runs no command, beside one that runs commands and holds no key: whole processes. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TeamDatabase } from '../../src/team/database/team-database.ts';
import { TeamStage } from './team-world.ts';

const FILM = `shotlist: 1
name: cards
steps:
  card:
    matrix: { n: [1, 2, 3, 4] }
    run: 'cat "$words" >card.txt; env | cut -d= -f1 | grep -c -e KEY -e PASSWORD >>card.txt || true; echo written'
    env: { n: "\${{ matrix.n }}" }
    files: { words: words.txt }
    creates: { text: card.txt }
  film: { cut: { clips: [{ title: "\${{ steps.card[0].files.text.bytes }} bytes", for: 0.2s }], size: 64x64 } }
outputs:
  film: { from: "\${{ steps.film }}", to: out/cards.mp4 }
  cards: { from: "\${{ steps.card.files.text }}", to: "out/card-{n}.txt" }
`;

let team: TeamStage;
beforeAll(async () => {
  team = await TeamStage.open();
  team.env = { SHOTLIST_STUDIO_SPEED: 'draft', SHOTLIST_API_KEY: 'never told', PGPASSWORD: 'never told' };
  team.write('cards.yaml', FILM);
  team.write('words.txt', 'a red fox\n');
});
afterAll(() => team.close());

test('the one leads, the other does all commands and the cut', async () => {
  await team.worker('--hands', '0');
  await team.worker('--leads', '0', '--hands', '2');
  const run = await team.submit('cards.yaml');
  const watched = await team.ask('team', 'watch', run);
  expect([watched.exit, watched.stdout + watched.stderr]).toEqual([0, expect.stringContaining('is finished')]);
  const database = new TeamDatabase({ url: team.database.url });
  const rows = await database.query(
    `SELECT worker, count(*) AS logs, (SELECT count(DISTINCT epoch) FROM event) AS leads,
       (SELECT count(*) FROM pgboss.job WHERE name LIKE 'hand%') AS jobs FROM hand GROUP BY worker`,
  );
  await database.close();
  expect(rows).toEqual([{ worker: 'worker-2', logs: 4, leads: 1, jobs: 0 }]);
  expect((await team.ask('team', 'fetch', run)).exit).toBe(0);
  expect(team.read('out/draft/card-3.txt')).toBe('a red fox\n0\n');
});
