import { describe, expect, test } from 'vitest';
import { ends, openStage } from './ended.ts';

const FILM = `shotlist: 1
name: spot
params: { look: { type: string, default: fine } }
models: { still: I-GEN-A }
profiles:
  draft: { description: to choose from, params: { look: rough } }
steps:
  title: { model: I-GEN-A, with: { prompt: a title } }
  shot: { model: still, matrix: { beat: [a, b] }, takes: 2, with: { prompt: "a fox, \${{ params.look }}, \${{ matrix.beat }}" } }
  best: { each: "\${{ steps.shot }}", pick: takes, rule: "\${{ -candidate.bytes }}", save: "out/{beat}.webp" }
`;

const stage = openStage();
stage.write('spot.yaml', FILM);
stage.write('asked.yaml', FILM.replace(/, rule: "[^"]*"/, '').replace('out/{beat}', 'out/asked-{beat}'));
const run = (...args: readonly string[]) => stage.run(...args);

const isThere = (path: string) => stage.has(path);

describe('a draft', () => {
  test('is planned with its own price and that of the real film', async () => {
    const { stdout } = await ends(run('plan', 'spot.yaml', '--profile', 'draft'), 0);
    expect(stdout).toMatch(/^spot {2}7 instances on studio, profile draft, free: prices are list prices$/m);
    expect(stdout).toMatch(/^in final +free \(up to \$/m);
    expect(stdout).toContain('out/draft/{beat}.webp'.replace('{beat}', 'a'));
    const json = JSON.parse((await run('plan', 'spot.yaml', '--profile', 'draft', '--json')).stdout);
    expect([json.profile, json.final.totals.instances]).toEqual(['draft', 7]);
    expect(JSON.parse((await run('plan', 'spot.yaml', '--json')).stdout)).toMatchObject({ profile: 'final' });
  });

  test('that no film has is named with the nearest one, from a flag, a variable or the settings', async () => {
    const flag = await run('run', 'spot.yaml', '--profile', 'drat');
    expect([flag.exit, flag.stderr]).toEqual([2, 'shotlist: this film has no profile `drat`; did you mean `draft`?\n']);
    stage.env = { SHOTLIST_PROFILE: 'cheap' };
    const variable = await run('plan', 'spot.yaml');
    expect([variable.exit, variable.stderr]).toEqual([
      2,
      'shotlist: this film has no profile `cheap`; it has `draft`, `final`\n',
    ]);
    stage.env = { SHOTLIST_PROFILE: 'draft' };
    expect((await run('plan', 'spot.yaml')).stdout).toContain('profile draft');
    expect((await run('plan', 'spot.yaml', '--profile', 'final')).stdout).toContain('profile final');
    stage.env = {};
    expect((await run('check', 'spot.yaml', '--profile', 'drft')).stderr).toContain('did you mean `draft`?');
    expect((await run('plan', 'spot.yaml', '--profile', '../x')).stderr).toContain('can be no profile');
  });

  test('is made into its own folder and section', async () => {
    const { stderr } = await ends(run('run', 'spot.yaml', '--profile', 'draft', '--ui', 'plain'), 0);
    expect(stderr).toMatch(/^spot: 7 instances on studio, profile draft/m);
    expect([isThere('out/draft/a.webp'), isThere('out/a.webp')]).toEqual([true, false]);
    expect(stage.read('spot.lock.yaml')).toMatch(/^ {2}choices of studio in draft:\n[\s\S]*^ {2}studio in draft:\n/m);
    expect((await run('why', 'spot.yaml', 'title')).stdout).toContain('spot (draft)');
  });
});

describe('promote', () => {
  test('shows what it comes to, and makes nothing where nobody says yes', async () => {
    const { stderr } = await ends(run('promote', 'spot.yaml', '--profile', 'final'), 2);
    expect(stderr).toMatch(/^spot: what was picked in draft is made in final, on studio$/m);
    expect(stderr).toMatch(/^ {2}picked +best\[beat=a\]: shot\[beat=a,take=\d\]$/m);
    const usd = (label: string) =>
      Number(new RegExp(`^ {2}${label} +(?:free \\()?(?:up to )?\\$([\\d.]+)`, 'm').exec(stderr)?.[1]);
    expect(usd('draft came to')).toBeGreaterThan(0);
    expect(usd('with all takes')).toBeCloseTo(2 * usd('final comes to'));
    expect(stderr).toContain('add --yes');
    expect(isThere('out/a.webp')).toBe(false);
  });

  test('asks at a terminal, and takes no for an answer', async () => {
    const terminal = stage.startAtTerminal('promote', 'spot.yaml');
    await terminal.shows(/make it in final\? \[y\/N\] /);
    terminal.type('n\r');
    expect(await terminal.exit).toBe(130);
    expect(terminal.text).toContain('nothing was made');
    expect(stage.read('spot.lock.yaml')).not.toContain('promoted');
  });

  test('makes what was picked and nothing else; a plain run afterwards finds all of it', async () => {
    const { stderr } = await ends(stage.run('promote', 'spot.yaml', '--yes', '--ui', 'plain'), 0);
    expect(stderr.match(/left out: lost the pick/g)).toHaveLength(2);
    expect(stderr.match(/submitted {2}I-GEN-A/g)).toHaveLength(2);
    expect([isThere('out/a.webp'), isThere('out/b.webp')]).toEqual([true, true]);
    expect(stage.read('spot.lock.yaml')).toMatch(
      /^ {2}choices of studio:\n {4}best\[beat=a\]:\n {6}chosen: .*\n {6}by: promoted\n/m,
    );
    await ends(run('run', 'spot.yaml', '--frozen'), 0);
  });

  test('of what nobody has picked names it, and the commands that go on', async () => {
    await ends(run('run', 'asked.yaml', '--profile', 'draft'), 5);
    const { exit, stderr } = await run('promote', 'asked.yaml', '--yes');
    expect([exit, stderr]).toEqual([
      5,
      [
        'shotlist: in draft it is not decided yet: best[beat=a], best[beat=b]; and takes that were not picked are not made',
        '  make it there:    shotlist run asked.yaml --profile draft',
        "  decide it:        shotlist pick asked.yaml 'best[beat=a]' take=… --profile draft",
        "                    shotlist pick asked.yaml 'best[beat=b]' take=… --profile draft",
        "  or leave it out:  shotlist promote asked.yaml --exclude 'shot[beat=a],shot[beat=b]'",
        '',
      ].join('\n'),
    ]);
    const small = await run('promote', 'asked.yaml', '--draft', '--param', 'look=plain');
    expect(small.stderr).toMatch(/ shotlist run asked\.yaml --profile draft --param look=plain --draft$/m);
    expect(small.stderr).toMatch(/ shotlist promote asked\.yaml --exclude '.*' --param look=plain --draft$/m);
    expect((await run('promote', 'asked.yaml', '--from', 'final')).stderr).toContain('name two profiles');
    expect((await run('promote', 'asked.yaml', '--from', 'drft')).stderr).toContain('did you mean `draft`?');
  });
});
