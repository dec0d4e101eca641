/** Workers that do different things: who holds the key leads, who runs commands holds none; and what a run of a team ends with. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReadyStudio, readyStudio, untilCancelled } from '../support/ready-studio.ts';
import { urlOf } from '../team/test-database.ts';
import { ends } from './ended.ts';
import { TeamStage } from './team-world.ts';

const FILM = `shotlist: 1
name: duties
budget: { usd: 1 }
steps:
  still: { model: I-GEN-A, with: { prompt: a red fox } }
  told: { run: "echo key=$SHOTLIST_API_KEY >told.txt; cat \\"$SHOTLIST_PROJECT/scripts/words.txt\\" >>told.txt", needs: still, creates: { text: told.txt } }
outputs:
  told: { from: "\${{ steps.told.files.text }}", to: out/told.txt }
`;
const LONG = `shotlist: 1
name: long
steps:
  shot: { takes: 2, model: V-T2V-A, with: { prompt: a blue heron, duration: 10 } }
`;

let team: TeamStage;
let studio: ReadyStudio;
beforeAll(async () => {
  team = await TeamStage.open();
  // A run is cancelled while herons are made.
  studio = await readyStudio({
    before: (job, signal) => (job.request.prompt === 'a blue heron' ? untilCancelled(job, signal) : undefined),
  });
  team.write('duties.yaml', FILM);
  team.write('scripts/words.txt', 'words\n');
  team.write('long.yaml', LONG);
  team.write('dear.yaml', LONG.replace('name: long', 'name: dear\nbudget: { usd: 1 }').replace('blue', 'grey'));
});
afterAll(async () => {
  await team.close();
  await studio.close();
});

describe('two kinds of workers', () => {
  test('make a film together; whoever does not know the service leaves it to others', async () => {
    const hands = await team.worker('--leads', '0', '--hands', '1');
    const stranger = await team.worker('--hands', '0');
    team.trust(studio);
    const run = await team.submit('duties.yaml');
    await stranger.line(new RegExp(`${run}: left to others: --service: there is no service`));
    const leads = await team.worker('--hands', '0');
    await ends(team.ask('team', 'watch', run, '--ui', 'plain'), 0, /told +done/);
    expect(leads.stderr).toContain(`${run}: led here`);
    expect(hands.stderr).not.toContain('led here');
    expect((await team.ask('team', 'fetch', run)).exit).toBe(0);
    expect(team.read('out/told.txt')).toBe('key=\nwords\n');
  });

  test('a run that is cancelled is ended at the service as well', async () => {
    const run = await team.submit('long.yaml');
    const watching = team.start('team', 'watch', run, '--on', 'house', '--ui', 'plain');
    await watching.line(/shot\[take=\d+\] +submitted/);
    expect((await team.ask('team', 'cancel', run)).stderr).toContain(`${run} is being ended by its worker`);
    const watched = await watching.ended;
    expect([watched.exit, watched.stderr]).toEqual([130, expect.stringContaining(`${run} was cancelled`)]);
    const open = await fetch(`${studio.url}/api/ai/queue`, { headers: { authorization: `Bearer ${studio.key}` } });
    expect(((await open.json()) as { count: number }).count).toBe(0);
  });
});

describe('submit', () => {
  test('tells a mistake, a budget and a secret before anything is handed in', async () => {
    const before = (await team.ask('team', 'list')).stdout;
    const dear = await team.ask('team', 'submit', 'dear.yaml');
    expect([dear.exit, dear.stdout]).toEqual([4, '']);
    team.write('wrong.yaml', LONG.replace('V-T2V-A', 'V-T2V-Z'));
    expect((await team.ask('team', 'submit', 'wrong.yaml')).exit).toBe(2);
    team.write(
      'secret.yaml',
      LONG.replace('steps:', 'params: { token: { type: string, secret: true } }\nsteps:').replace('takes: 2, ', ''),
    );
    await ends(team.ask('team', 'submit', 'secret.yaml', '--param', 'token=s3cret-and-long'), 2, 'token is secret');
    expect((await team.ask('team', 'list')).stdout).toBe(before);
  });

  test('says which team there is, and what a database says that does not know us', async () => {
    await ends(team.run('team', 'list', '--on', 'hause'), 2, 'there is no team `hause`; known: `house`');
    await ends(team.run('team', 'list'), 0);
    await ends(
      team.run('team', 'list', '--on', urlOf(team.database.url, 'nothing')),
      2,
      'database "nothing" does not exist',
    );
    await ends(
      team.run('team', 'submit', 'duties.yaml', '--on', 'postgres://me@127.0.0.1:1/films'),
      6,
      'cannot be reached (connect ECONNREFUSED',
    );
    await ends(team.ask('team', 'watch', 'fox-222222'), 2, 'there is no run fox-222222 on house');
  });
});

test('who does what is told; a worker that has let go of its last run says so when it gives its next sign', async () => {
  await expect
    .poll(async () => (await team.ask('team', 'status')).stdout)
    .toMatch(/worker worker-1 .*: does up to 1 commands\nworker worker-2 .*: leads 0 runs\n/);
});
