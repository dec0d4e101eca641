/** A team's run that failed or waits: each command that is shown about it does what the words beside it say. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReadyStudio, readyStudio } from '../support/ready-studio.ts';
import { ends } from './ended.ts';
import { TeamStage } from './team-world.ts';

let team: TeamStage;
let service: ReadyStudio;
beforeAll(async () => {
  service = await readyStudio();
  team = await TeamStage.open(
    'shared',
    `services: { farm: { url: "${service.url}", key_env: FARM_KEY } }\nservice: farm\nhistory: trusted\n`,
  );
  team.env = { FARM_KEY: service.key };
});
afterAll(async () => {
  await team.close();
  await service.close();
});

const film = (name: string, command: string) => `shotlist: 1
name: ${name}
steps:
  still: { takes: 2, model: I-GEN-A, with: { prompt: a ${name} } }
  best: { pick: "\${{ steps.still }}" }
  voice: { run: ${command} }
`;

test('a run that was cancelled, and is not ended yet, is told as such wherever it is asked for', async () => {
  team.write('owl.yaml', film('owl', 'echo ok'));
  const run = await team.submit('owl.yaml');
  expect((await team.ask('team', 'cancel', run)).exit).toBe(0);
  expect((await team.ask('team', 'status', run)).stdout).toContain(
    '  it was cancelled: a worker ends what it has at the service\n  nothing begun; nothing spent\n',
  );
  expect((await team.ask('team', 'resume', run)).stderr).toBe(
    `${run} is being ended; resume it once it is cancelled: shotlist team watch ${run} --on house tells when\n`,
  );
  await team.worker();
  expect(await team.ask('team', 'watch', run)).toMatchObject({
    ...{ exit: 130, stderr: expect.stringContaining(`${run} was cancelled`) },
  });
});

describe('a run of which a command failed', () => {
  test('is shown with the way to have a mended film made, and costs what all of its turns did', async () => {
    team.write('hare.yaml', film('hare', 'echo here > "$SHOTLIST_PROJECT/carried-out"; exit 3'));
    const run = await failed('hare.yaml');
    const submit = 'shotlist team submit hare.yaml --on house --service farm';
    const watched = await team.ask('team', 'watch', run);
    expect(watched.stderr).toContain(`first: mend step voice in hare.yaml`);
    expect(watched.stderr).toContain(`once the film is mended: ${submit}\n`);
    expect(watched.stderr).toContain(`\n  shotlist review ${run} --on house\n`);
    expect(await listed(run)).toMatch(/ \$0\.02$/);

    team.write('hare.yaml', film('hare', 'echo ok'));
    const resumed = await team.ask('team', 'resume', run);
    expect(resumed.stderr).toContain(
      `${run} goes on with what was handed in. To have it made as it is now: ${submit}\n`,
    );
    expect((await team.ask('team', 'watch', run)).exit).toBe(1);
    expect(await listed(run)).toMatch(/ \$0\.02$/);

    // The command failed at a worker, and is not carried out here for being looked at.
    const fetched = await team.ask('team', 'fetch', run);
    expect(fetched.stderr).toContain('the command ended with exit code 3');
    expect(team.has('carried-out')).toBe(false);
    expect(fetched.stderr).toMatch(new RegExp(`to go on .*:\n  shotlist team resume ${run} --on house\n`));

    // The command that was shown, as it was shown.
    const made = await team.run(...submit.split(' ').slice(1), '--watch');
    expect(made).toMatchObject({
      exit: 5,
      stderr: expect.stringMatching(/best waits for a person: which one is best\?\n/),
    });
  });
});

async function failed(file: string): Promise<string> {
  const { stdout } = await ends(team.ask('team', 'submit', file, '--watch'), 1);
  return stdout.trim();
}

async function listed(run: string): Promise<string> {
  const { stdout } = await team.ask('team', 'list');
  return stdout.split('\n').find(line => line.startsWith(run)) ?? '';
}
