/** What a person waits for who writes a film: a 5-second draft shot, from the save to its plan, its first picture and the whole clip. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import type { Bench, Case, Measured } from './measure.ts';

export const watchCases: readonly Case[] = [
  { name: 'watch: from a save to its picture', isFigure: true, measure: fromSave },
];

const film = (seed: number): string => `shotlist: 1
name: watched
steps:
  shot:
    model: V-T2V-A
    with:
      prompt: a red fox crossing a frozen river in winter, dawn light, snow falling, wide shot, slow pan right
      duration: 5
      seed: ${seed}
`;

/** Milliseconds after the save. */
interface Seen {
  plan: number;
  frame: number;
  clip: number;
}

async function fromSave({ shotlist, scratch, quick }: Bench): Promise<readonly Measured[]> {
  const cwd = await mkdtemp(join(scratch, 'watch-'));
  const file = join(cwd, 'film.yaml');
  await writeFile(file, film(0));
  const watching = spawn(process.execPath, [shotlist, 'run', '--watch', '--ui', 'json', file], {
    cwd,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    const events = eventsOf(watching.stdout);
    const first = await next(events, performance.now());
    const seen: Seen[] = [];
    for (let seed = 1; seed <= (quick ? 2 : 6); seed++) {
      const saved = performance.now();
      await writeFile(file, film(seed));
      seen.push(await next(events, saved));
    }
    // While one is drawn: what a save ends has its renderer ended with it.
    await writeFile(file, film(101));
    for await (const { type } of events) if (type === 'submit_accepted') break;
    await new Promise(resolve => setTimeout(resolve, 300));
    const saved = performance.now();
    await writeFile(file, film(102));
    const over = await next(events, saved);
    const name = 'a 5 s draft shot, after a save';
    const ms = (which: keyof Seen) => ({ ours: seen.map(one => one[which]), unit: 'ms' as const });
    return [
      { name: `${name}: planned`, ...ms('plan'), aim: 300 },
      { name: `${name}: first picture`, ...ms('frame'), aim: 2_000 },
      { name: `${name}: whole clip`, ...ms('clip') },
      { name: 'the same, saved while another is drawn: first picture', ours: [over.frame], unit: 'ms', aim: 2_000 },
      { name: 'the same, from the first start: first picture', ours: [first.frame], unit: 'ms' },
    ];
  } finally {
    watching.kill('SIGINT');
    await once(watching, 'exit');
  }
}

/** Until the run that it begins is finished; a run that was saved over is passed by. */
async function next(events: AsyncIterable<RecordedEvent>, saved: number): Promise<Seen> {
  const seen: Seen = { plan: 0, frame: 0, clip: 0 };
  const now = () => performance.now() - saved;
  for await (const event of events) {
    if (event.type === 'run_started') Object.assign(seen, { plan: now(), frame: 0 });
    if (event.type === 'progress' && event.preview !== undefined) seen.frame ||= now();
    if (event.type === 'succeeded') seen.clip = now();
    // The end of one that was begun before the save is no answer to it.
    if (event.type !== 'run_finished' || event.outcome === 'interrupted' || seen.plan === 0) continue;
    if (event.outcome !== 'done') throw new Error(`the film was ${event.outcome}`);
    return seen;
  }
  throw new Error('it ended before its film was drawn');
}

/** One that may be asked for the next again and again. */
function eventsOf(stream: NodeJS.ReadableStream): AsyncIterable<RecordedEvent> {
  const waiting: RecordedEvent[] = [];
  let wake = () => {};
  let rest = '';
  let isOver = false;
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    waiting.push(...lines.map(line => JSON.parse(line) as RecordedEvent));
    wake();
  });
  stream.on('end', () => {
    isOver = true;
    wake();
  });
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        while (waiting.length === 0 && !isOver)
          await new Promise<void>(resolve => {
            wake = resolve;
          });
        const value = waiting.shift();
        return value ? { value, done: false } : { value: undefined, done: true };
      },
    }),
  };
}
