import { type IPty, spawn } from '@lydell/node-pty';
import sharp from 'sharp';
import { decode, fromRGBA8888 } from 'sixel';
import { afterEach, expect, test } from 'vitest';
import { buffer, openTerminal, write } from '../terminal/terminal.ts';
import { ends, openStage } from './ended.ts';

const stage = openStage();
stage.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
stage.write('slow.yaml', 'shotlist: 1\nname: slow\nsteps:\n  wait: { run: "echo begun; touch begun; sleep 300" }\n');
stage.write('quick.yaml', 'shotlist: 1\nname: quick\nsteps:\n  wait: { run: "sleep 1; echo done" }\n');
stage.write(
  'many.yaml',
  'shotlist: 1\nname: many\nsteps:\n  one: { matrix: { n: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, env: { n: "${{ matrix.n }}" }, run: "sleep 200; echo $n" }\n  two: { each: "${{ steps.one }}", run: "echo two" }\n',
);
const ptys: IPty[] = [];
afterEach(() => {
  for (const pty of ptys.splice(0)) pty.kill('SIGKILL');
});

/** A shell at a terminal: what a person has around a run. */
function shell(columns = 100, rows = 30, more: Readonly<Record<string, string>> = {}) {
  const { CI: _, ...env } = stage.environment;
  const pty = spawn('bash', ['--norc', '--noprofile', '-i'], {
    ...{ cols: columns, rows, cwd: stage.project },
    env: { ...env, TERM: 'xterm-256color', PS1: '$ ', HISTFILE: '/dev/null', ...more },
  });
  ptys.push(pty);
  const terminal = openTerminal(columns, rows);
  let bytes = '';
  let drawn = Promise.resolve();
  const lookers = new Set<() => void>();
  pty.onData(data => {
    bytes += data;
    drawn = drawn
      .then(() => write(terminal, data))
      .then(() => {
        for (const look of [...lookers]) look();
      });
  });
  const [program, ...given] = stage.command([]);
  const shotlist = [program, ...given].map(word => `'${word}'`).join(' ');
  const until = (isSo: () => boolean) =>
    new Promise<void>(resolve => {
      const look = () => {
        if (!isSo()) return;
        lookers.delete(look);
        resolve();
      };
      lookers.add(look);
      look();
    });
  return {
    pty,
    terminal,
    bytes: () => bytes,
    screen: () => buffer(terminal),
    types: (line: string) => pty.write(`${line}\r`),
    /** In the foreground, in a process whose id is written to a file. */
    runs: (args: string) => pty.write(`(echo $BASHPID >pid; exec ${shotlist} ${args}); echo "left with $?"\r`),
    shotlist,
    sees: (pattern: RegExp) => until(() => pattern.test(buffer(terminal))),
    /** In the bytes that it was sent. */
    hears: (pattern: RegExp) => until(() => pattern.test(bytes)),
    /** Another frame is there, whole. */
    async hearsMore(): Promise<void> {
      const from = bytes.length;
      await until(() => bytes.slice(from).includes('\x1b[?2026l'));
    },
    /** The settings of the terminal as it stands now. */
    async settings(): Promise<string> {
      const from = bytes.length;
      pty.write('stty -a; echo th"at is all"\r');
      await until(() => /that is all/.test(bytes.slice(from)));
      return bytes.slice(from);
    },
    pid: () => Number(stage.read('pid')),
  };
}
type Shell = ReturnType<typeof shell>;

async function expectWhole(sitting: Shell): Promise<void> {
  const settings = await sitting.settings();
  expect(settings).toMatch(/[^-]icanon/);
  expect(settings).toMatch(/[^-]echo /);
  expect(settings).toMatch(/[^-]isig/);
  const bytes = sitting.bytes();
  expect(bytes.lastIndexOf('\x1b[?25h')).toBeGreaterThan(bytes.lastIndexOf('\x1b[?25l'));
  expect(bytes.lastIndexOf('\x1b[?2026l')).toBeGreaterThan(bytes.lastIndexOf('\x1b[?2026h'));
  expect(bytes).not.toContain('\x1b[?1049h');
}

test.each([
  ['Ctrl-C', (sitting: Shell) => sitting.pty.write('\x03'), 130],
  ['SIGTERM', (sitting: Shell) => process.kill(sitting.pid(), 'SIGTERM'), 130],
  ['SIGHUP', (sitting: Shell) => process.kill(sitting.pid(), 'SIGHUP'), 130],
])('%s lets go, and the terminal is whole', async (_, end, code) => {
  const sitting = shell();
  sitting.runs('run slow.yaml');
  await sitting.sees(/Ctrl-C stops/);
  end(sitting);
  await sitting.sees(/left with \d/);
  expect(sitting.screen()).toContain(`left with ${code}`);
  await expectWhole(sitting);
  expect(sitting.screen()).not.toMatch(/── slow/);
});

test('a second Ctrl-C ends at once', async () => {
  const sitting = shell();
  stage.write(
    'deaf.yaml',
    'shotlist: 1\nname: deaf\nsteps:\n  wait: { run: "trap \'\' INT TERM HUP; touch $SHOTLIST_PROJECT/deaf; while :; do sleep 1; done" }\n',
  );
  sitting.runs('run deaf.yaml');
  await sitting.sees(/Ctrl-C stops/);
  await expect.poll(() => stage.has('deaf')).toBe(true);
  sitting.pty.write('\x03');
  await sitting.sees(/Ctrl-C again ends at once/);
  sitting.pty.write('\x03');
  await sitting.sees(/left with 130/);
  await expectWhole(sitting);
});

test('an exception is told below the frame', async () => {
  const now = stage.at('now');
  stage.write(
    'throws.cjs',
    `setInterval(() => { if (require('fs').existsSync(${JSON.stringify(now)})) throw new Error('a belief broke'); }, 20).unref();\n`,
  );
  const sitting = shell(100, 30, { NODE_OPTIONS: `--require=${stage.at('throws.cjs')}` });
  sitting.runs('run slow.yaml');
  await sitting.sees(/Ctrl-C stops/);
  stage.write('now', '');
  await sitting.sees(/left with \d/);
  expect(sitting.screen()).toContain('a belief broke');
  await expectWhole(sitting);
});

test('Ctrl-Z takes the frame away and gives the terminal back; fg draws it again', async () => {
  const sitting = shell();
  sitting.types(`${sitting.shotlist} run slow.yaml`);
  await sitting.sees(/Ctrl-C stops/);
  sitting.pty.write('\x1a');
  await sitting.sees(/Stopped/);
  await expectWhole(sitting);
  expect(sitting.screen()).not.toMatch(/── slow/);
  sitting.types('fg; echo "left with $?"');
  await sitting.sees(/── slow/);
  sitting.pty.write('\x03');
  // What is typed before the run has left is the run's.
  await sitting.sees(/left with 130/);
  expect(sitting.screen()).toContain('slow was interrupted');
  await expectWhole(sitting);
});

test('in the background it is not stopped for want of a keyboard', async () => {
  const sitting = shell();
  sitting.types(`${sitting.shotlist} run quick.yaml & wait $!; echo "left with $?"`);
  await sitting.sees(/left with \d/);
  expect(sitting.screen()).toContain('left with 0');
  expect(sitting.screen()).toContain('quick is finished');
  await expectWhole(sitting);
});

test('with NO_COLOR nothing is painted; the last screen holds every instance, the film and what it cost, and no live frame', async () => {
  stage.write('still.yaml', STILL);
  const sitting = shell(80, 24, { NO_COLOR: '1' });
  sitting.runs('run still.yaml');
  await sitting.sees(/left with 0/);
  expect(sitting.bytes()).not.toMatch(/\x1b\[[\d;]+m/);
  const screen = stage.shown(sitting.screen()).replace(/\b\d+(\.\d)?s\b/g, '…s');
  expect(screen.replaceAll(/ +/g, ' ')).toMatch(
    /^ ?still: 1 instance on studio-draft, free.*\s+✓ fox I-GEN-A \d+×\d+, \S+ B …s\s+still is finished in …s: 1 made, free \(.*\)\s+out\/draft\/fox\.webp \d+×\d+, \S+ B\s+left with 0/m,
  );
  for (const line of screen.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  await expectWhole(sitting);
});

/** Three films: the first of what the command gives is not all. */
const THREE =
  'shotlist: 1\nname: NAME\nsteps:\n  fox: { model: I-GEN-A, matrix: { seed: [1, 2, 3] }, with: { prompt: a red fox, seed: "${{ matrix.seed }}" }, save: "out/NAME-{seed}.webp" }\n';

/** How many results a later run would find there. */
const stillsInLock = (name: string): number => stage.read(`${name}.lock.yaml`).match(/^ +is: media$/gm)?.length ?? 0;

test.each([
  ['head -1', 'head'],
  ['true', 'nobody'],
])('| %s takes what it wants, and the film is made to its end', async (reader, name) => {
  stage.write(`${name}.yaml`, THREE.replaceAll('NAME', name));
  const sitting = shell();
  sitting.types(`${sitting.shotlist} run ${name}.yaml | ${reader}; echo "left with \${PIPESTATUS[0]}"`);
  await sitting.sees(/left with \d/);
  expect(sitting.screen()).toContain('left with 0');
  expect(sitting.screen()).toContain(`${name} is finished`);
  await expectWhole(sitting);
  for (const seed of [1, 2, 3]) expect(stage.has(`out/draft/${name}-${seed}.webp`)).toBe(true);
  expect(stillsInLock(name)).toBe(3);
});

test('standard output that is closed in the middle of a live screen: the screen goes on, and so does the film', async () => {
  stage.write(
    'closing.yaml',
    `${THREE.replaceAll('NAME', 'closing')}  wait: { run: "touch $SHOTLIST_PROJECT/closing-begun; until [ -f $SHOTLIST_PROJECT/closed ]; do sleep 0.05; done" }\n`,
  );
  const sitting = shell();
  const reader = '{ until [ -f closing-begun ]; do sleep 0.05; done; exec <&-; touch closed; }';
  sitting.types(`${sitting.shotlist} run closing.yaml | ${reader}; echo "left with \${PIPESTATUS[0]}"`);
  await sitting.sees(/left with \d/);
  expect(sitting.screen()).toContain('left with 0');
  expect(sitting.screen()).toContain('closing is finished');
  await expectWhole(sitting);
  expect(stillsInLock('closing')).toBe(3);
});

test('a terminal that goes away takes the run along, gently', async () => {
  const sitting = shell();
  sitting.runs('run slow.yaml');
  await sitting.sees(/Ctrl-C stops/);
  const pid = sitting.pid();
  sitting.pty.kill('SIGHUP');
  (sitting.pty as IPty & { destroy?: () => void }).destroy?.();
  await expect.poll(() => isAlive(pid)).toBe(false);
  await ends(stage.run('run', 'quick.yaml', '--ui', 'plain'), 0);
});

test('a dumb terminal is told in lines', async () => {
  const sitting = shell(100, 30, { TERM: 'dumb' });
  sitting.runs('run quick.yaml --ui tui');
  await sitting.sees(/quick is finished/);
  expect(sitting.bytes().slice(sitting.bytes().indexOf('quick: 1 instance'))).not.toMatch(/\x1b\[[?\d]*[hlAJK]/);
});

const STILL =
  'shotlist: 1\nname: still\nsteps:\n  fox: { model: I-GEN-A, with: { prompt: a red fox, seed: 1 } }\noutputs:\n  fox: { from: "${{ steps.fox }}", to: out/fox.webp }\n';

test('a picture of the film stands at its end where the terminal can show one, and never by --no-extras', async () => {
  stage.write('still.yaml', STILL);
  const bytesOf = async (args: string, env: Readonly<Record<string, string>>) => {
    const sitting = shell(100, 30, env);
    sitting.runs(`run still.yaml ${args}`);
    await sitting.sees(/left with 0/);
    await expectWhole(sitting);
    return sitting.bytes();
  };
  const kitty = await bytesOf('', { TERM: 'xterm-kitty' });
  const data = [...kitty.matchAll(/\x1b_G[^;]*;([^\x1b]*)\x1b\\/g)].map(([, part]) => part).join('');
  expect(Buffer.from(data, 'base64').subarray(1, 4).toString()).toBe('PNG');
  expect(await bytesOf('--no-extras', { TERM: 'xterm-kitty' })).not.toMatch(/\x1b_G|\x1b\]|\x07/);
  expect(await bytesOf('', {})).not.toMatch(/\x1b_G|\x1b\]1337/);
});

/** What a terminal with sixel says of itself: how large a character is, and that it can. */
const SIXEL = '\x1b[6;20;10t\x1b[?62;4;22c';

/** A terminal that answers when it is asked what it is. */
function answers(sitting: Shell, answer: string): void {
  sitting.pty.onData(data => {
    if (data.includes('\x1b[c')) sitting.pty.write(answer);
  });
}

/** The pictures that were shown, each behind the other. */
const sixels = (bytes: string): readonly string[] =>
  [...bytes.matchAll(/\x1bP[\d;]*q([^\x1b]*)\x1b\\/g)].map(([, data]) => data!);

/** How far a picture is from the file that it shows: 0 the same, 255 its negative. */
async function distance(sixel: string, file: string): Promise<number> {
  const { width, height, data32 } = decode(Buffer.from(sixel));
  const pixels = await sharp(stage.at(file)).resize(width, height).removeAlpha().raw().toBuffer();
  let sum = 0;
  for (const [at, pixel] of new Uint32Array(data32).entries())
    for (const [part, color] of fromRGBA8888(pixel).slice(0, 3).entries())
      sum += Math.abs(color - pixels[at * 3 + part]!);
  return sum / pixels.length;
}

test('a terminal that says that it knows sixel is shown one, and what it said is in no prompt', async () => {
  stage.write('still.yaml', STILL);
  const sitting = shell();
  answers(sitting, SIXEL);
  // The second has nothing to do: it is over before a slow terminal has said a word.
  for (const time of [1, 2]) {
    sitting.runs('run still.yaml');
    await sitting.sees(new RegExp(`(left with 0[\\s\\S]*){${time}}`));
  }
  const shown = sixels(sitting.bytes());
  expect(shown).toHaveLength(2);
  for (const one of shown) expect(await distance(one, 'out/draft/fox.webp')).toBeLessThan(12);
  await expectWhole(sitting);
  expect(sitting.screen()).not.toMatch(/\?62;4|20;10t/);
});

test.each([
  ['one without sixel', '\x1b[?64;1;2;6;22c', '', {}],
  ['one that answers nothing', '', '', {}],
  ['one with sixel, by --no-extras', SIXEL, '--no-extras', {}],
  ['one with sixel, in CI', SIXEL, '--ui tui', { CI: '1' }],
])('%s is shown none', async (_, answer, args, env: Readonly<Record<string, string>>) => {
  stage.write('still.yaml', STILL);
  const sitting = shell(100, 30, env);
  answers(sitting, answer);
  sitting.runs(`run still.yaml ${args}`);
  await sitting.sees(/left with 0/);
  expect(sitting.bytes()).not.toMatch(/\x1bP|\x1b_G|\x1b\]1337/);
  await expectWhole(sitting);
});

test('one instance in full has its picture beside it, which goes with Esc and with the run', async () => {
  stage.write(
    'beside.yaml',
    'shotlist: 1\nname: beside\nsteps:\n  fox: { model: I-GEN-A, with: { prompt: a red fox, seed: 1 }, save: out/beside.webp }\n  wait: { needs: fox, run: "sleep 300" }\n',
  );
  const sitting = shell();
  answers(sitting, SIXEL);
  sitting.runs('run beside.yaml');
  await sitting.sees(/wait .*run[\s\S]*Ctrl-C stops/);
  expect(sitting.bytes()).not.toContain('\x1b[c');
  sitting.pty.write('\x1b[B');
  await sitting.sees(/of 2 · ↑↓ Enter/);
  sitting.pty.write('\x1b[H\r');
  await sitting.sees(/fox +I-GEN-A[\s\S]*prompt: a red fox/);
  await sitting.hears(/\x1bP[^\x1b]*\x1b\\\x1b8/);
  const [shown] = sixels(sitting.bytes());
  expect(await distance(shown!, 'out/draft/beside.webp')).toBeLessThan(12);
  // The words beside it are as they were.
  expect(sitting.screen()).toMatch(/fox +I-GEN-A[\s\S]*prompt: a red fox/);
  sitting.pty.write('\x1b');
  await sitting.sees(/of 2 · ↑↓ Enter/);
  sitting.pty.write('\r');
  await sitting.hears(/(\x1bP[^\x1b]*\x1b\\[\s\S]*){2}/);
  sitting.pty.write('\x03');
  await sitting.sees(/left with 130/);
  expect(sitting.screen()).not.toMatch(/prompt: a red fox/);
  await expectWhole(sitting);
});

test('made narrower and lower, wider and higher, no stale frame is left in the scroll-back', async () => {
  const sitting = shell(120, 30);
  sitting.runs('run many.yaml');
  await sitting.sees(/── many/);
  await sitting.sees(/Ctrl-C stops/);
  for (const [columns, rows] of [
    [90, 30],
    [61, 24],
    [140, 24],
    [44, 18],
    [100, 30],
  ] as const) {
    // Between two frames: one that is on its way while its terminal changes is broken by the terminal, and nobody can know.
    await sitting.hearsMore();
    sitting.terminal.resize(columns, rows);
    sitting.pty.resize(columns, rows);
    await sitting.hearsMore();
    await expect
      .poll(() => [sitting.screen().match(/── many/g)?.length, sitting.screen().match(/Ctrl-C/g)?.length], {
        message: `${columns}×${rows}`,
      })
      .toEqual([1, 1]);
  }
  sitting.pty.write('\x03');
  await sitting.sees(/left with 130/);
  expect(sitting.screen()).not.toMatch(/── many/);
});

test('the keys open what they say', async () => {
  const sitting = shell(100, 30);
  sitting.runs('run many.yaml');
  await sitting.sees(/Ctrl-C stops/);
  sitting.pty.write('?');
  await sitting.sees(/every event in a line/);
  sitting.pty.write('\x1b');
  await sitting.sees(/p pick/);
  sitting.pty.write('\x1b[B');
  await sitting.sees(/1 of 18 · ↑↓ Enter/);
  sitting.pty.write('\x1b[B\r');
  await sitting.sees(/one\[n=2\] +run[\s\S]*why +never run/);
  sitting.pty.write('\x1b[C');
  await sitting.sees(/one\[n=3\] +run/);
  sitting.pty.write('\x1b');
  await sitting.sees(/3 of 18/);
  sitting.pty.write('\x1b');
  await sitting.sees(/p pick/);
  sitting.pty.write('p');
  await sitting.sees(/nothing waits to be picked/);
  sitting.pty.write('r');
  // No browser can be seen from here.
  await sitting.sees(/http:\/\/127\.0\.0\.1:\d+\//);
  sitting.pty.write('s');
  await sitting.sees(/s live view/);
  expect(sitting.screen()).not.toMatch(/── many/);
  sitting.pty.write('s');
  await sitting.sees(/── many/);
  sitting.pty.write('\x03');
  await sitting.sees(/left with 130/);
  await expectWhole(sitting);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
