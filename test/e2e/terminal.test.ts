/** A person at a terminal: the real command in a pseudo-terminal, and what a terminal makes of its bytes. */
import { type IPty, spawn } from '@lydell/node-pty';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buffer, openTerminal, type Terminal, write } from '../terminal/terminal.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeAll(() => {
  stage = new Stage();
  stage.films = 'drawn once';
  stage.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
  stage.write(
    'fox.yaml',
    `shotlist: 1
name: fox
params:
  who: { type: string, default: a red fox }
steps:
  still:
    model: I-GEN-A
    matrix: { seed: [11, 22] }
    with: { prompt: "\${{ params.who }}", seed: "\${{ matrix.seed }}" }
  alive:
    each: \${{ steps.still }}
    model: V-I2V-D
    with: { input_image: "\${{ each.result_url }}", prompt: slow push in, duration: 1 }
  noted:
    run: [echo, "\${{ params.who }}"]
outputs:
  film: { from: "\${{ steps.alive }}", to: "out/fox-{seed}.mp4" }
`,
  );
});
afterAll(() => stage.dispose());

interface Sitting {
  readonly pty: IPty;
  readonly terminal: Terminal;
  readonly bytes: () => string;
  /** Resolves when the screen has shown it. */
  sees(pattern: RegExp): Promise<void>;
  readonly ended: Promise<number>;
}

/** Sits down at a terminal of this size and types `shotlist …args`. */
function sit(columns: number, rows: number, ...args: readonly string[]): Sitting {
  const [program, ...given] = stage.command(args);
  const { CI: _, ...env } = stage.environment;
  const pty = spawn(program, given, {
    ...{ cols: columns, rows, cwd: stage.project },
    env: { ...env, TERM: 'xterm-256color' },
  });
  const terminal = openTerminal(columns, rows);
  let bytes = '';
  let drawn = Promise.resolve();
  const lookers = new Set<() => void>();
  pty.onData(data => {
    bytes += data;
    drawn = drawn
      .then(() => write(terminal, data))
      .then(() => {
        for (const look of lookers) look();
      });
  });
  const ended = new Promise<number>(resolve => pty.onExit(({ exitCode }) => void drawn.then(() => resolve(exitCode))));
  return {
    ...{ pty, terminal, ended },
    bytes: () => bytes,
    sees: pattern =>
      new Promise((seen, failed) => {
        const look = () => {
          if (!pattern.test(buffer(terminal))) return;
          lookers.delete(look);
          seen();
        };
        lookers.add(look);
        void ended.then(() => failed(new Error(`ended before it showed ${pattern}:\n${buffer(terminal)}`)));
        look();
      }),
  };
}

const isCursorShown = (bytes: string): boolean => bytes.lastIndexOf('\x1b[?25h') >= bytes.lastIndexOf('\x1b[?25l');

/** The order in which instances end, and their sizes and times, are not the story's. */
const settledText = (text: string): string[] =>
  stage
    .shown(text)
    .replace(/\b(\d+m )?\d+(\.\d)?s\b/g, '…s')
    .split('\n')
    .map(line => line.replace(/ +/g, ' ').trimEnd());

test('the last screen holds every instance, the films and what they cost', async () => {
  const sitting = sit(80, 24, 'run', 'fox.yaml');
  expect(await sitting.ended, buffer(sitting.terminal)).toBe(0);
  const screen = buffer(sitting.terminal);
  expect(settledText(screen).sort()).toEqual([
    ...['', '', '', ''],
    ' fox is finished in …s: 5 made, free ($0.22 at list price)',
    ' fox: 5 instances on studio-draft, free (up to $0.22 at list price)',
    ' out/draft/fox-11.mp4 180×180, …s, … B',
    ' out/draft/fox-22.mp4 180×180, …s, … B',
    ' ✓ alive[seed=11] V-I2V-D 180×180, …s, … B …s',
    ' ✓ alive[seed=22] V-I2V-D 180×180, …s, … B …s',
    ' ✓ noted run done …s',
    ' ✓ still[seed=11] I-GEN-A 256×256, … B …s',
    ' ✓ still[seed=22] I-GEN-A 256×256, … B …s',
  ]);
  for (const line of screen.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(isCursorShown(sitting.bytes())).toBe(true);
  // Nothing is left of the live frame, and no alternate screen was opened.
  expect(screen).not.toMatch(/Ctrl-C/);
  expect(sitting.bytes()).not.toContain('\x1b[?1049h');
});

test('without colour the screen is drawn without one; a second run ends at once', async () => {
  stage.env = { ...stage.env, NO_COLOR: '1' };
  const sitting = sit(200, 50, 'run', 'fox.yaml');
  expect(await sitting.ended, buffer(sitting.terminal)).toBe(0);
  expect(sitting.bytes().match(/\x1b\[[\d;]+m/g)).toBe(null);
  expect(settledText(buffer(sitting.terminal))).toMatchInlineSnapshot(`
    [
      "",
      " fox: 5 instances on studio-draft, free",
      "",
      " ✓ still[seed=11] I-GEN-A already here",
      " ✓ still[seed=22] I-GEN-A already here",
      " ✓ alive[seed=11] V-I2V-D already here",
      " ✓ alive[seed=22] V-I2V-D already here",
      " ✓ noted run already here",
      "",
      " fox is finished in …s: 5 already here, nothing spent",
      "",
      " out/draft/fox-11.mp4 180×180, …s, … B",
      " out/draft/fox-22.mp4 180×180, …s, … B",
    ]
  `);
});
