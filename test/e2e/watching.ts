/** `run --watch` in a process of its own: what it has said since a moment, and its end. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Stage, Started } from './stage.ts';

/** Waits until the film, `two` unless told, is finished for the first time. */
export async function watchFilm(stage: Stage, file = 'two.yaml', ...more: readonly string[]): Promise<Started> {
  const watching = stage.start('run', '--watch', file, ...more);
  await watching.line(/^ +\+\S+ {2}\S+ is finished|the next save is tried/m);
  expect(watching.stderr).not.toMatch(/the next save is tried/);
  return watching;
}

export interface Since {
  readonly line: (pattern: RegExp) => Promise<RegExpExecArray>;
  readonly said: () => string;
}

/** What it has said since, from this moment on. */
export function since(watching: Started): Since {
  const from = watching.stderr.length;
  const said = () => watching.stderr.slice(from);
  return {
    said,
    line: async pattern => {
      // Everything before `from`, whatever it is, and then what is looked for.
      const all = new RegExp(
        `^[\\s\\S]{${Math.min(from, 60_000)}}[\\s\\S]*?(?:${pattern.source})`,
        pattern.flags.replace('m', ''),
      );
      await watching.line(all);
      return pattern.exec(said()) as RegExpExecArray;
    },
  };
}

/** Writes a file of the project, and waits until the watch answers with this. */
export async function saveIn(
  stage: Stage,
  watching: Started,
  path: string,
  content: string | Buffer,
  answer = /two is finished/,
): Promise<Since> {
  const next = since(watching);
  stage.write(path, content);
  await next.line(answer);
  return next;
}

/** Ctrl-C: all that it has said. */
export async function endWatching(watching: Started): Promise<string> {
  watching.interrupt();
  const { exit, stderr } = await watching.ended;
  expect(exit, stderr).toBe(0);
  expect(stderr).toMatch(/watching has ended; what was made is kept\n$/);
  return stderr;
}

/** Stops the processes that draw for a watch where they are, until it is disposed of: what is being drawn stays so. */
export function pausedRenders({ child }: Started): Disposable {
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').trim().split(' ').map(Number);
  const signal = (name: NodeJS.Signals) => {
    for (const pid of children) {
      try {
        process.kill(pid, name);
      } catch (error) {
        // It was ended meanwhile.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
      }
    }
  };
  signal('SIGSTOP');
  return { [Symbol.dispose]: () => signal('SIGCONT') };
}
