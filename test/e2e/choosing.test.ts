/**
 * A person chooses, with whole processes: by a key at a terminal, from a second process while the run waits, by a flag; and a rule's, a
 * judge's and a file's choice beside them. Each replays in a fresh clone with no terminal, to the same film, byte for byte.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { execa } from 'execa';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ReadyStudio, readyStudio } from '../support/ready-studio.ts';
import { ends } from './ended.ts';
import { Stage } from './stage.ts';
import type { TerminalProcess } from './terminal-process.ts';

let stage: Stage;
let studio: ReadyStudio;
beforeAll(async () => {
  stage = new Stage();
  studio = await readyStudio();
  // Whoever commits here has a name, and the machine's own settings are not read.
  mkdirSync(join(stage.folder, 'bin'));
  stage.write('../bin/git', '#!/bin/sh\necho Ada Lovelace\n');
  stage.write('../bin/xdg-open', '#!/bin/sh\necho "$1" > "$HOME/opened"\n');
  for (const program of ['git', 'xdg-open']) chmodSync(join(stage.folder, 'bin', program), 0o755);
  stage.trust(studio, { PATH: `${join(stage.folder, 'bin')}:${process.env.PATH}` });
});
afterAll(async () => {
  await studio.close();
  stage.dispose();
});
const run = (...args: readonly string[]) => stage.run(...args);

const film = (name: string, best: string) => `shotlist: 1
name: ${name}
params: { who: { type: string, default: a red fox called ${name} } }
steps:
  still: { model: I-GEN-A, takes: 3, with: { prompt: "\${{ params.who }}" } }
  best: { pick: "\${{ steps.still }}"${best}, save: out/${name}.webp }
  told: { run: [echo, "\${{ steps.best.sha256 }} \${{ steps.best.choice.who }}"] }
`;
const choiceIn = (name: string) => /^ {2}choices of .*:\n(?: {4}.*\n)*/m.exec(stage.read(`${name}.lock.yaml`))?.[0];
const wipe = () => {
  for (const place of ['.shotlist', 'out']) rmSync(stage.at(place), { recursive: true, force: true });
};

/** Milliseconds in which a question that has just come up takes no key: `SETTLE` of the prompter. It shows no sign when they are over. */
const SETTLE = 250;

/** Waits until this is asked and takes keys. They have the time from before it was shown, so it takes them when we have waited as long. */
async function isAsked(terminal: TerminalProcess, question: RegExp): Promise<void> {
  await terminal.shows(question);
  await setTimeout(SETTLE);
}

async function press(terminal: TerminalProcess, key: string, shown: RegExp): Promise<void> {
  terminal.type(key);
  await terminal.shows(shown);
}

/** Ends with the film, however it is chosen. */
const WAYS: Readonly<Record<string, { readonly best: string; choose(name: string): Promise<void> }>> = {
  'by a key at a terminal': {
    best: '',
    async choose(name) {
      const terminal = stage.startAtTerminal('run', `${name}.yaml`);
      await isAsked(terminal, /1–3 chooses.*r review page/);
      await press(terminal, 'o', /opened still/);
      // The question stays while the page is open beside it.
      await press(terminal, 'r', /127\.0\.0\.1:\d+|the review page is open in your browser/);
      await press(terminal, '2', /chosen by Ada Lovelace/);
      expect(await terminal.exit, terminal.text).toBe(0);
      expect(readFileSync(join(stage.folder, 'home/opened'), 'utf8')).toMatch(/\.webp\n$/);
    },
  },
  'by a second process while the run waits': {
    best: '',
    async choose(name) {
      const terminal = stage.startAtTerminal('run', `${name}.yaml`);
      await terminal.shows(/1–3 chooses/);
      const { stderr } = await ends(stage.run('pick', `${name}.yaml`, 'best', 'take=3', '--as', 'Grace'), 0);
      expect(stderr).toContain('best is still[take=3], chosen by Grace (over still[take=1] and still[take=2])');
      expect(stderr).toContain('a run of this film is going on');
      await terminal.shows(/best[^\n]*still\[take=3\], chosen by Grace/);
      expect(await terminal.exit, terminal.text).toBe(0);
      expect(terminal.text.match(/chosen by Grace/g)).toHaveLength(1);
    },
  },
  'by a flag': {
    best: '',
    async choose(name) {
      const { stderr } = await ends(run('run', `${name}.yaml`, '--pick', 'best=take=2', '--ui', 'plain'), 0);
      expect(stderr.match(/submitted/g)).toHaveLength(1);
      expect(choiceIn(name)).toMatch(/by: flag\n {6}who: Ada Lovelace/);
    },
  },
  'by a command, before anything is made': {
    best: '',
    async choose(name) {
      const { stderr } = await ends(run('pick', `${name}.yaml`, 'best', '1', '--note', 'the first, always'), 0);
      expect(stderr).toContain('still[take=1] is not made yet: the next run makes it, and none of those that lost');
      const made = await run('run', `${name}.yaml`, '--ui', 'plain');
      expect([made.exit, made.stderr.match(/submitted/g)?.length], made.stderr).toEqual([0, 1]);
    },
  },
  'by a rule': {
    best: ', rule: "${{ -candidate.bytes }}"',
    async choose(name) {
      const { stderr } = await ends(run('run', `${name}.yaml`, '--ui', 'plain'), 0);
      expect(stderr.match(/best +still\[take=\d\], chosen by its rule/g)).toHaveLength(1);
      expect(choiceIn(name)).toContain('by: rule');
    },
  },
  'by a judge': {
    best: ', judge: { model: C-B, prompt: which keeps the fox in frame? }',
    async choose(name) {
      await ends(run('run', `${name}.yaml`, '--ui', 'plain'), 0);
      expect(choiceIn(name)).toContain('by: judge');
    },
  },
  'by a file that somebody else has committed': {
    best: '',
    async choose(name) {
      await ends(run('run', `${name}.yaml`, '--pick', 'best=1', '--ui', 'plain'), 0);
      const lock = stage.read(`${name}.lock.yaml`);
      stage.write(
        `${name}.lock.yaml`,
        lock.replace('chosen: still[take=1]', 'chosen: still[take=3]').replace('by: flag', 'by: person'),
      );
      await ends(run('run', `${name}.yaml`, '--ui', 'plain'), 0);
    },
  },
};

describe('a choice replays in a fresh clone with no terminal, to the same film', () => {
  test.each(Object.entries(WAYS).map(([how, way], at) => [how, way, `way${at}`] as const))(
    '%s',
    async (_, way, name) => {
      stage.write(`${name}.yaml`, film(name, way.best));
      await way.choose(name);
      const before = [stage.digest(`out/${name}.webp`), choiceIn(name)];
      expect(before[1]).toMatch(/chosen: still\[take=\d\]/);
      wipe();
      await ends(run('run', `${name}.yaml`, '--ui', 'plain'), 0);
      expect([stage.digest(`out/${name}.webp`), choiceIn(name)]).toEqual(before);
    },
  );
});

describe('shotlist pick', () => {
  test('lists what is open with facts, cost, path and the command that decides, which decides it; changed, it tells what follows', async () => {
    stage.write('ask.yaml', film('ask', ''));
    const waiting = await ends(run('run', 'ask.yaml', '--param', 'who=a bear', '--ui', 'quiet'), 5);
    expect(waiting.stderr).toMatch(
      /^best waits for a person: which one is best\?\n {2}shotlist review ask\.yaml --param 'who=a bear'$/m,
    );
    const listed = await run('pick', 'ask.yaml', '--param', 'who=a bear');
    expect(listed.stdout).toMatch(/^ {2}shotlist pick ask\.yaml best NUMBER --param 'who=a bear'$/m);
    const paths = [...listed.stdout.matchAll(/^ +(\.shotlist\/store\/\S+\.webp)$/gm)].map(([, path = '']) => path);
    expect(paths).toHaveLength(3);
    for (const path of paths) expect(stage.has(path)).toBe(true);
    const json = JSON.parse((await run('pick', 'ask.yaml', '--param', 'who=a bear', '--json')).stdout);
    expect(json).toMatchObject({
      version: 1,
      questions: [{ key: 'best', candidates: [{ number: 1, usd: 0.01 }, {}, {}] }],
    });
    const given = ['--param', 'who=a bear'] as const;
    await ends(run('pick', 'ask.yaml', 'best', 'take=3', ...given), 0);
    await ends(run('run', 'ask.yaml', ...given), 0);
    const changed = await run('pick', 'ask.yaml', 'best', '1', ...given);
    expect(changed.stderr).toContain(
      'best is still[take=1], chosen by Ada Lovelace; it was still[take=3], chosen by Ada Lovelace',
    );
    expect(changed.stderr).toContain('made again because of it: told, nothing to pay');
    const same = await run('pick', 'ask.yaml', 'best', '1', ...given);
    expect(same.stderr).toContain('best is still[take=1], chosen by Ada Lovelace, as before');
    const undone = await run('pick', 'ask.yaml', 'best', '--undo', ...given);
    expect([undone.exit, undone.stderr.includes('best is open again: it was still[take=1]')], undone.stderr).toEqual([
      0,
      true,
    ]);
    expect(stage.read('ask.lock.yaml')).not.toContain('chosen:');
    await ends(run('run', 'ask.yaml', ...given), 5);
  });

  test('a take that was not made is chosen instead: the pick is decided, and not asked again', async () => {
    stage.write('early.yaml', film('early', ''));
    await ends(run('pick', 'early.yaml', 'best', 'take=1'), 0);
    await ends(run('run', 'early.yaml'), 0);
    const changed = await run('pick', 'early.yaml', 'best', 'take=2');
    expect(changed.stderr).toContain('still[take=2] is not made yet: the next run makes it');
    expect(changed.stderr).not.toContain('to be decided again');
    const json = await run('pick', 'early.yaml', 'best', 'take=3', '--json');
    expect(JSON.parse(json.stdout)).toMatchObject({ decided: [{ key: 'best' }], asked_again: [] });
    expect((await run('pick', 'early.yaml')).stdout).toBe(
      'nothing of early.yaml is to be chosen by a person at this moment; to go on: shotlist run early.yaml\n',
    );
    // It was chosen, and is done.
    expect(await run('logs', 'early.yaml', 'best')).toMatchObject({
      ...{ exit: 2, stderr: 'shotlist: nothing was run or sent for best so far: there is nothing to show of it\n' },
    });
  });

  test('mistakes are told all at once, and nothing is decided', async () => {
    stage.write('wrong.yaml', film('wrong', ''));
    await run('run', 'wrong.yaml', '--ui', 'quiet');
    const { stderr } = await ends(
      run('pick', 'wrong.yaml', 'best', 'take=7', 'still', 'bset', '1'),
      2,
      'take=7 is none of the candidates of best',
    );
    expect(stderr).toContain('`bset` is no step that says `pick`; did you mean best?');
    expect(stage.has('wrong.lock.yaml') && stage.read('wrong.lock.yaml')).not.toContain('chosen:');
    expect((await run('pick', 'wrong.yaml', 'best', '--undo')).stderr).toContain('nothing is chosen yet of best');
    await ends(
      run('run', 'wrong.yaml', '--pick', 'best=take=7', '--pick', 'nest=1'),
      2,
      'take=7 is none of the candidates',
    );
    expect((await run('pick', 'wrong.yaml', 'best', '1', '--as', ' ')).stderr).toContain('--as takes a name');
  });

  test('a lock in pieces of a merge is told of, and decides nothing', async () => {
    stage.write('merge.yaml', film('merge', ''));
    await run('run', 'merge.yaml', '--ui', 'quiet');
    stage.write('merge.lock.yaml', `<<<<<<< HEAD\n${stage.read('merge.lock.yaml')}=======\n>>>>>>> theirs\n`);
    const { stderr } = await ends(run('pick', 'merge.yaml', 'best', '1'), 2, /merge\.lock\.yaml/);
    expect(stderr).not.toMatch(/\n {4}at /);
  });

  test('coordinates with quotes, brackets and wide characters are named as they are told', async () => {
    stage.write(
      'names.yaml',
      `shotlist: 1
name: names
steps:
  line: { matrix: { said: ["it's, [so]", "雪 \\"冬\\""] }, takes: 2, run: [echo, "\${{ matrix.said }}", "\${{ string(take.number) }}"] }
  best: { each: "\${{ steps.line }}", pick: takes }
`,
    );
    await ends(run('run', 'names.yaml', '--ui', 'plain'), 5);
    const { stdout: listed } = await run('pick', 'names.yaml');
    const commands = [...listed.matchAll(/^ {2}(shotlist pick names\.yaml .*) NUMBER$/gm)].map(
      ([, line]) => `${line} 2`,
    );
    expect(commands).toHaveLength(2);
    stage.write(
      'decide.sh',
      `set -e\nshotlist() { ${stage
        .command([])
        .map(word => `'${word}'`)
        .join(' ')} "$@"; }\n${commands.join('\n')}\n`,
    );
    const told = await execa('sh', ['decide.sh'], {
      ...{ cwd: stage.project, env: stage.environment, extendEnv: false, reject: false },
    });
    expect(told.exitCode, told.stderr).toBe(0);
    await ends(run('run', 'names.yaml', '--ui', 'plain'), 0);
  });
});

describe('at a terminal', () => {
  test('later leaves the run waiting; `pick` alone asks, and Ctrl-C while asked is the usual', async () => {
    stage.write('later.yaml', film('later', ''));
    const atTerminal = stage.startAtTerminal('run', 'later.yaml');
    await isAsked(atTerminal, /1–3 chooses/);
    await press(atTerminal, 'l', /waits for a person after/);
    expect(await atTerminal.exit, atTerminal.text).toBe(5);
    const stopped = stage.startAtTerminal('pick', 'later.yaml');
    await stopped.shows(/1–3 chooses/);
    stopped.type('\x03');
    expect(await stopped.exit, stopped.text).toBe(130);
    const asked = stage.startAtTerminal('pick', 'later.yaml');
    await isAsked(asked, /1–3 chooses/);
    await press(asked, '3', /best is still\[take=3\], chosen by Ada Lovelace/);
    expect(await asked.exit, asked.text).toBe(0);
    const rerun = stage.startAtTerminal('run', 'later.yaml');
    expect(await rerun.exit, rerun.text).toBe(0);
  });

  test('Ctrl-C while asked lets the run go; with --ui plain nobody is asked', async () => {
    stage.write('stop.yaml', film('stop', ''));
    const atTerminal = stage.startAtTerminal('run', 'stop.yaml');
    await atTerminal.shows(/1–3 chooses/);
    atTerminal.type('\x03');
    expect(await atTerminal.exit, atTerminal.text).toBe(130);
    expect(atTerminal.text).toContain('shotlist review stop.yaml');
    const plain = stage.startAtTerminal('run', 'stop.yaml', '--ui', 'plain');
    expect(await plain.exit, plain.text).toBe(5);
  });

  test('an approval: a no asks why, and is told and kept', async () => {
    stage.write(
      'ok.yaml',
      'shotlist: 1\nname: ok\nsteps:\n  film: { run: [echo, film] }\n  ok: { approve: "${{ steps.film }}", ask: "logo untouched?" }\n  post: { needs: [ok], run: [echo, posted] }\n',
    );
    const atTerminal = stage.startAtTerminal('run', 'ok.yaml');
    await isAsked(atTerminal, /y yes · n no, and why/);
    await press(atTerminal, 'n', /why not\?/);
    atTerminal.type('bent\r');
    expect(await atTerminal.exit, atTerminal.text).toBe(0);
    expect(stage.read('ok.lock.yaml')).toMatch(
      /approved: false\n {6}by: person\n {6}who: Ada Lovelace\n[\s\S]*note: (n*)bent\n/,
    );
    await run('approve', 'ok.yaml', 'ok', '--undo');
    const open = await run('approve', 'ok.yaml');
    expect(open.stdout).toBe(
      'ok: logo untouched?\n  ·  film  done\n     film\n\nto look at it: shotlist review ok.yaml\nto say yes or no: shotlist approve ok.yaml STEP, or STEP --no\n',
    );
    await ends(run('approve', 'ok.yaml', 'STEP'), 2);
    await run('approve', 'ok.yaml', 'ok', '--no', '--note', 'bent');
    const listed = await run('approve', 'ok.yaml');
    expect(listed.stdout).toContain('nothing of ok.yaml is to be approved');
    const yes = await run('approve', 'ok.yaml', 'ok', '--note', 'mended', '--as', 'Grace');
    expect(yes.stderr).toContain('ok is approved by Grace: mended; it was not approved by Ada Lovelace');
    const { stderr } = await run('run', 'ok.yaml', '--ui', 'plain');
    expect(stderr).toMatch(/post +done/);
  });
});

test('without git and without a name in the environment somebody is named, and no stack is shown', async () => {
  stage.write('who.yaml', film('who', ''));
  const { PATH, ...env } = stage.env;
  stage.env = { ...env, PATH: '/nowhere' };
  const { exit, stderr } = await run('pick', 'who.yaml', 'best', '1');
  stage.env = { ...env, PATH: PATH ?? '' };
  expect([exit, stderr]).toEqual([0, expect.stringMatching(/^best is still\[take=1\], chosen by \S+ \(over/m)]);
  expect(stderr).not.toMatch(/^ {4}at /m);
});
