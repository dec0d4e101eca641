/**
 * What a run spends on its screen: a run of many short instances on the screen and with `--ui plain`, in processes of their own; how tall
 * its frames are, and how soon a key is answered at a real terminal.
 */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawn } from '@lydell/node-pty';
import { bundled } from '../terminal/bundle.ts';
import { type Bench, type Case, type Measured, run } from './measure.ts';

export const screenCases: readonly Case[] = [
  { name: 'screen of a run', isFigure: true, measure: screen },
  { name: 'screen: random frames', isFigure: true, measure: frames },
  { name: 'screen: from a key to its frame', isFigure: true, measure: keys },
];

interface Told {
  readonly cpuMs: number;
  /** Of it: to import the reporter, and begin. */
  readonly importMs: number;
  readonly wallMs: number;
  readonly peakMb: number;
  readonly bytes: number;
}

async function screen({ scratch, quick }: Bench): Promise<readonly Measured[]> {
  const folder = await mkdtemp(join(scratch, 'screen-'));
  const program = await bundled(join(import.meta.dirname, 'screen-alone.ts'), folder);
  const told = async (how: 'screen' | 'plain', instances: number, seconds: number): Promise<Told> => {
    const argv = [process.execPath, program, how, `${instances}`, `${seconds}`];
    return JSON.parse((await run({ argv, cwd: folder })).stdout) as Told;
  };
  const seconds = quick ? 6 : 30;
  const [plain, thousand] = [await told('plain', 1_000, seconds), await told('screen', 1_000, seconds)];
  const forty = await told('screen', 40, seconds);
  const share = (100 * (thousand.cpuMs - plain.cpuMs)) / thousand.wallMs;
  const note = `${seconds} s, beyond \`--ui plain\`: ${plain.cpuMs.toFixed(0)} ms of processor and ${plain.peakMb.toFixed(0)} MB`;
  return [
    { name: 'screen of 1,000 short instances, of a core', ours: [share], unit: '%', aim: 5, note },
    { name: 'screen of 1,000 short instances, memory', ours: [thousand.peakMb - plain.peakMb], unit: 'MB', aim: 40 },
    {
      name: 'screen: processor to import it',
      ours: [thousand.importMs - plain.importMs, forty.importMs - plain.importMs],
      ...{ unit: 'ms', aim: 80 },
    },
    {
      name: 'screen of 40 instances, repaint in a second',
      ours: [forty.bytes / 1_000 / (forty.wallMs / 1_000)],
      unit: 'kB',
      aim: 8,
    },
  ];
}

async function frames({ scratch, quick }: Bench): Promise<readonly Measured[]> {
  const count = quick ? 1_000 : 10_000;
  const folder = await mkdtemp(join(scratch, 'frames-'));
  const program = await bundled(join(import.meta.dirname, 'frames-alone.ts'), folder);
  const { stdout } = await run({ argv: [process.execPath, program, `${count}`], cwd: folder });
  return [
    {
      name: `tallest of ${count.toLocaleString('en')} random frames, over rows − 1`,
      ...{ ours: [Number(stdout)], unit: 'lines', aim: 0 },
    },
  ];
}

const DOWN = '\x1b[B';
const UP = '\x1b[A';

/** Forty commands that go on, at a pseudo-terminal; a key, and the bytes that come of it. */
async function keys({ shotlist, scratch, quick }: Bench): Promise<readonly Measured[]> {
  const cwd = await mkdtemp(join(scratch, 'keys-'));
  const numbers = Array.from({ length: 40 }, (_, n) => n + 1).join(', ');
  const film = `shotlist: 1\nname: keys\nsteps:\n  one: { matrix: { n: [${numbers}] }, run: "sleep 600" }\n`;
  await writeFile(join(cwd, 'keys.yaml'), film);
  const { CI: _, ...env } = process.env;
  const pty = spawn(process.execPath, [shotlist, 'run', 'keys.yaml'], {
    ...{ cols: 120, rows: 40, cwd },
    env: { ...(env as Record<string, string>), TERM: 'xterm-256color' },
  });
  const ended = new Promise<void>(resolve => pty.onExit(() => resolve()));
  try {
    let bytes = '';
    let heard: () => void = () => {};
    pty.onData(text => {
      bytes += text;
      heard();
    });
    const until = (pattern: RegExp) =>
      new Promise<void>(resolve => {
        heard = () => pattern.test(bytes) && resolve();
        heard();
      });
    await until(/Ctrl-C stops/);
    pty.write(DOWN);
    await until(/of 40 · /);
    const times: number[] = [];
    for (let turn = 0; turn < (quick ? 10 : 100); turn += 1) {
      // Apart from the frame that comes each second all the same.
      await new Promise(resolve => setTimeout(resolve, 70));
      bytes = '';
      const began = performance.now();
      pty.write(turn % 2 === 0 ? DOWN : UP);
      await until(/\d+ of 40 · /);
      times.push(performance.now() - began);
    }
    return [{ name: 'from a key to its frame, 40 instances', ours: times, unit: 'ms', aim: 33 }];
  } finally {
    pty.kill('SIGKILL');
    await ended;
  }
}
