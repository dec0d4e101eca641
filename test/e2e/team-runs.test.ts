import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ends } from './ended.ts';
import { Stage, type Started } from './stage.ts';
import { TeamStage } from './team-world.ts';

const SMALL = `shotlist: 1
name: small
steps:
  still: { model: I-GEN-A, with: { prompt: a red fox, seed: 4 } }
  words: { run: "echo a fox >words.txt", creates: { text: words.txt } }
  film: { cut: { clips: [{ from: "\${{ steps.still }}", for: 0.2s }], size: 64x64 } }
outputs:
  film: { from: "\${{ steps.film }}", to: out/small.mp4 }
  still: { from: "\${{ steps.still }}", to: out/small.webp }
  words: { from: "\${{ steps.words.files.text }}", to: out/words.txt }
`;
const OUTPUTS = ['out/draft/small.mp4', 'out/draft/small.webp', 'out/draft/words.txt'];
const PICKED = `shotlist: 1
name: picked
data: { beats: beats.csv }
steps:
  still: { model: I-GEN-A, takes: 2, with: { prompt: "\${{ data.beats[0].prompt }}" } }
  best: { pick: "\${{ steps.still }}", save: out/best.webp }
  told: { run: "cat \\"$SHOTLIST_PROJECT/words.txt\\" >told.txt; echo $SHA >>told.txt", env: { SHA: "\${{ steps.best.sha256 }}" }, creates: { text: told.txt } }
outputs:
  told: { from: "\${{ steps.told.files.text }}", to: out/told.txt }
`;

let team: TeamStage;
let workers: Started[];
beforeAll(async () => {
  team = await TeamStage.open();
  team.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
  team.write('small.yaml', SMALL);
  team.write('picked.yaml', PICKED);
  team.write('beats.csv', 'beat,prompt\n1,a red fox on a frozen river\n');
  team.write('words.txt', 'chosen:\n');
  workers = [await team.worker(), await team.worker()];
});
afterAll(() => team.close());

/** But for what differs between any two runs. */
const lockOf = (stage: Stage, path: string) =>
  stage
    .read(path)
    .replace(/generation: .*/g, 'generation: …')
    .replace(/(at|who): .*/g, '$1: …');

async function plain(stage: Stage, ...args: readonly string[]) {
  const ended = await stage.run(...args);
  return { ...ended, all: ended.stdout + ended.stderr };
}

describe('a film without questions', () => {
  test('is made by workers, with the bytes and the lock of `run`', async () => {
    const alone = new Stage();
    alone.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
    try {
      alone.write('small.yaml', SMALL);
      const run = await team.submit('small.yaml');
      expect(run).toMatch(/^small-[2-9a-z]{6}$/);
      const watched = await plain(team, 'team', 'watch', run, '--on', 'house');
      expect([watched.exit, watched.all]).toEqual([0, expect.stringMatching(/small is finished in .*3 made/)]);
      const fetched = await plain(team, 'team', 'fetch', run, '--on', 'house', '--ui', 'quiet');
      expect([fetched.exit, fetched.stdout]).toEqual([0, OUTPUTS.map(path => `${path}\n`).join('')]);
      await ends(alone.run('run', 'small.yaml', '--ui', 'quiet'), 0);
      for (const output of OUTPUTS) expect([output, team.digest(output)]).toEqual([output, alone.digest(output)]);
      expect(lockOf(team, 'small.lock.yaml')).toBe(lockOf(alone, 'small.lock.yaml'));
    } finally {
      alone.dispose();
    }
  });

  test('handed in once more, it costs nothing: all of it is owned', async () => {
    const run = await team.submit('small.yaml');
    const watched = await plain(team, 'team', 'watch', run, '--on', 'house', '--ui', 'plain');
    expect([watched.exit, watched.all]).toEqual([0, expect.stringMatching(/nothing spent/)]);
    expect(watched.all).not.toContain('submitted');
  });
});

describe('a film that waits for a person', () => {
  test('holds no job, and goes on at the choice', async () => {
    const run = await team.submit('picked.yaml', '--watch').catch((error: Error) => error.message);
    expect(run).toMatch(/^5: picked-[2-9a-z]{6}\n/);
    const [, id = ''] = /^5: (\S+)/.exec(run) ?? [];
    expect(await team.leadJobs()).toBe(0);
    // The same again is not handed in a second time.
    const again = await plain(team, 'team', 'submit', 'picked.yaml', '--on', 'house');
    expect([again.stdout.trim(), again.stderr]).toEqual([id, expect.stringContaining('is being made already')]);

    const open = await plain(team, 'pick', 'picked.yaml', '--on', 'house');
    expect([open.exit, open.stdout]).toEqual([0, expect.stringContaining('best')]);
    const picked = await plain(team, 'pick', 'picked.yaml', 'best', 'take=2', '--on', 'house', '--as', 'Anna');
    expect([picked.exit, picked.stderr]).toEqual([0, expect.stringContaining(`${id} goes on`)]);
    const decidedAt = await team.choiceAt(id);
    const watched = await plain(team, 'team', 'watch', id, '--on', 'house', '--ui', 'json');
    expect(watched.exit, watched.all).toBe(0);
    const began = watched.stdout
      .split('\n')
      .flatMap(line => (line.includes('"run_started"') ? [JSON.parse(line)] : []));
    // It was woken: runs that nobody woke are looked for once a minute.
    expect(began.at(-1).at - decidedAt).toBeLessThan(60_000);

    const fetched = await plain(team, 'team', 'fetch', id, '--on', 'house');
    expect(fetched.exit, fetched.all).toBe(0);
    const [, chosen = ''] = /^chosen:\n([0-9a-f]{64})\n$/.exec(team.read('out/draft/told.txt')) ?? [];
    expect(team.read('picked.lock.yaml')).toMatch(new RegExp(`still\\[take=2\\][\\s\\S]*${chosen}`));
    expect(team.read('picked.lock.yaml')).toMatch(/chosen: still\[take=2\]\n.*by: person\n.*who: Anna/s);
  });

  test('a choice that is forgotten is asked again', async () => {
    await ends(plain(team, 'pick', 'picked.yaml', 'best', '--undo', '--on', 'house'), 0, 'best is open again');
    const run = await team.submit('picked.yaml', '--watch').catch((error: Error) => error.message);
    expect(run).toMatch(/^5: /);
    const [, id = ''] = /^5: (\S+)/.exec(run) ?? [];
    expect((await plain(team, 'team', 'cancel', id, '--on', 'house')).exit).toBe(0);
    await expect
      .poll(async () => (await plain(team, 'team', 'list', '--on', 'house')).stdout)
      .toMatch(new RegExp(`^${id}  cancelled`, 'm'));
    await ends(plain(team, 'team', 'resume', id, '--on', 'house'), 0, `${id} goes on`);
    expect((await plain(team, 'team', 'watch', id, '--on', 'house')).exit).toBe(5);
  });
});

describe('a draft that nobody has decided yet', () => {
  const film = 'pipelines/draft-to-final.yaml';

  test('is not promoted, and what to say to the team instead is told', async () => {
    const { exit, stderr } = await plain(team, 'promote', film, '--on', 'house', '--yes');
    expect([exit, stderr]).toEqual([5, expect.stringContaining('it is not decided yet: best[scene=walk]')]);
    expect(stderr).toContain(`make it there:    shotlist team submit ${film} --profile draft --on house\n`);
    expect(stderr).toContain(`shotlist pick ${film} 'best[scene=walk]' take=… --profile draft --on house\n`);
  });

  test('what is of a film made here is refused before anything is looked at', async () => {
    await ends(
      plain(team, 'promote', film, '--on', 'house', '--yes', '--frozen', '--report', 'junit=j.xml'),
      2,
      /--\w+ and --\w+ are of a film that is made here; leave them out, or --on/,
    );
    await ends(plain(team, 'promote', film, '--yes', '--watch'), 2, '--watch shows what a team makes');
  });
});

describe('workers that end', () => {
  test('let go of nothing that is not theirs, and say so', async () => {
    for (const worker of workers) worker.child.kill('SIGTERM');
    for (const { exit, stderr } of await Promise.all(workers.map(({ ended }) => ended)))
      expect([exit, stderr]).toEqual([0, expect.stringMatching(/\nleaving\ngone\n$/)]);
    const status = await plain(team, 'team', 'status', '--on', 'house', '--json');
    expect(status.exit, status.all).toBe(0);
    expect(JSON.parse(status.stdout)).toMatchObject({ workers: [], runs: { led: 0, queued: 0 }, debts: 0 });
  });
});
