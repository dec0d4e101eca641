/** What must hold for any run, any order of events, any size of terminal. */
import { expect, test } from 'vitest';
import { cellWidth } from '../../src/domain/cells.ts';
import { cleanText } from '../../src/domain/clean.ts';
import type { Event, RecordedEvent } from '../../src/domain/event.ts';
import type { InstanceKey } from '../../src/domain/key.ts';
import { plainReporter } from '../../src/reporters/plain.ts';
import { quietReporter } from '../../src/reporters/quiet.ts';
import { reduce } from '../../src/telling/reduce.ts';
import { emptyRunView, type InstanceView } from '../../src/telling/run-view.ts';
import type { Over } from '../../src/ui/browsing.ts';
import { type Beside, frameOf } from '../../src/ui/frame.ts';
import { painted } from '../../src/ui/line.ts';
import { HOSTILE, hostile, key, media, planned, START, started } from '../telling/recordings.ts';
import { SAMPLES } from '../telling/samples.ts';

const SIZES = [1, 2, 3, 4, 7, 10, 24, 60].flatMap(rows => [20, 40, 80, 200].map(columns => ({ rows, columns })));
const NAMES = [
  'shot',
  'clip[seed=22,ratio=9:16]',
  '東京[季=冬]',
  `a${'b'.repeat(90)}`,
  'final[beat="two words"]',
  '👨‍👩‍👧[n=1]',
];

const FRAMES = 10_000;

test('ten thousand frames, of any run, size, view and question, are never taller than the terminal less one row, and never wider', () => {
  let frames = 0;
  for (let seed = 1; frames < FRAMES; seed += 1) {
    const random = randomFrom(seed);
    const run = emptyRunView();
    for (const event of randomRun(random)) {
      reduce(run, event);
      const size =
        seed % 10 === 0 ? random.of(SIZES) : { rows: 5 + random.below(196), columns: 20 + random.below(281) };
      const beside = randomView(random, [...run.instances.keys()]);
      const { live } = frameOf(run, event.at + random.below(5000), size, beside);
      frames += 1;
      const where = `seed ${seed}, ${size.columns}×${size.rows}, ${JSON.stringify(beside.browsing)}`;
      if (live.length > Math.max(1, size.rows - 1)) expect(live.length, where).toBeLessThanOrEqual(size.rows - 1);
      for (const line of live) {
        const words = painted(line, false);
        if (cellWidth(words) > size.columns)
          expect(cellWidth(words), `${where}: ${words}`).toBeLessThanOrEqual(size.columns);
      }
    }
  }
  expect(frames).toBeGreaterThanOrEqual(FRAMES);
});

test('an instance that is not over is in a row of its own, in the row of its step, or counted in the last row', () => {
  for (let seed = 1; seed <= 200; seed += 1) {
    const random = randomFrom(seed);
    const run = emptyRunView();
    for (const event of randomRun(random)) reduce(run, event);
    if (run.finished !== null) continue;
    const rows = 6 + random.below(40);
    const { live } = frameOf(run, run.lastEventAt, { columns: 200, rows });
    const lines = live.map(line => painted(line, false));
    const hidden = /… (?:(\d+) more under way)?(?:, )?(?:(\d+) more waiting)?$/.exec(
      lines.find(line => line.includes('    … ')) ?? '',
    );
    const rest = Number(hidden?.[1] ?? 0) + Number(hidden?.[2] ?? 0);
    const steps = [...Map.groupBy(run.instances.values(), ({ step }) => step)];
    const openOf = (instances: readonly InstanceView[]) => instances.filter(({ state }) => !OVER.has(state.is)).length;
    let told = rest;
    for (const line of lines.filter(line => /^ {2}[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏›·?] /u.test(line))) {
      const folded = /^(.+?)…? {2,}(\d+)(?: made by [\d ×]+)? {2,}(?:[━─╸]|waits for)/u.exec(line.slice(4));
      const step = steps.find(([name, all]) => folded && name.startsWith(folded[1]!) && `${all.length}` === folded[2]);
      told += step ? openOf(step[1]) : 1;
    }
    expect(told, `seed ${seed}\n${lines.join('\n')}`).toBe(openOf([...run.instances.values()]));
  }
});

test('hostile text never reaches a terminal, whoever tells it', () => {
  const written: string[] = [];
  const reporters = [plainReporter(line => written.push(line)), quietReporter(line => written.push(line))];
  const run = emptyRunView();
  for (const event of hostile) {
    for (const reporter of reporters) reporter.report(event);
    reduce(run, event);
    const { past, live } = frameOf(run, event.at, { columns: 80, rows: 24 });
    written.push(...[...past, ...live].map(line => painted(line, false)));
  }
  expect(written.join('\n')).toContain('red gpj.exe second line');
  expect(written.filter(line => /[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/.test(line))).toEqual([]);
});

test('without colour not one escape sequence is written, and with it only those of the palette', () => {
  const run = emptyRunView();
  for (const event of hostile) reduce(run, event);
  const { past } = frameOf(run, START + 1000, { columns: 80, rows: 24 });
  const colored = past.map(line => painted(line, true)).join('\n');
  expect(new Set(colored.match(/\x1b[^m]*m/g))).toEqual(
    new Set(['\x1b[0m', '\x1b[1m', '\x1b[2m', '\x1b[31m', '\x1b[36m']),
  );
  expect(past.map(line => painted(line, false)).join('\n')).not.toContain('\x1b');
});

const OVER: ReadonlySet<string> = new Set(['succeeded', 'reused', 'skipped', 'left_out', 'blocked', 'failed']);

interface Random {
  below(n: number): number;
  of<T>(list: readonly T[]): T;
}

/** A small linear congruential generator: the same seed is the same run. */
function randomFrom(seed: number): Random {
  let state = seed;
  const below = (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  return { below, of: list => list[below(list.length)]! };
}

/** Where a person may be, with all that there is to say about an instance. */
function randomView(random: Random, keys: readonly InstanceKey[]): Beside {
  const at = random.of(keys);
  const over = random.of<Over | undefined>([
    undefined,
    undefined,
    { is: 'help' },
    { is: 'list', at },
    { is: 'one', at, from: random.below(30) },
  ]);
  const browsing = {
    mode: random.of(['live', 'live', 'stream'] as const),
    over,
    told: random.of(['', 'nothing waits to be picked', HOSTILE]),
  };
  const about = {
    planned: () => ({
      why: `never run ${'again '.repeat(40)}`,
      request: { prompt: HOSTILE, seed: 7 },
      priceBasis: '5 s × $0.10',
    }),
    fileOf: () => 'out/film.mp4',
    happened: () => [{ at: START, words: 'submitted' }],
    hide: (words: string) => words,
  };
  return {
    ...(random.below(5) > 0 && { browsing: { ...browsing, told: cleanText(browsing.told) } }),
    ...{ about, limits: { in_flight: random.below(9), per_model: random.below(5), commands: random.below(3) } },
    deciding: 'shotlist pick a-film-with-a-long-name.yaml',
  };
}

/** Events in no sensible order, about known and unknown instances, some of them hostile. */
function randomRun(random: Random): readonly RecordedEvent[] {
  const many = random.of([1, 3, 12, 60]);
  const names = [...Array(many).keys()].map(n => `${random.of(NAMES)}${n}`);
  const instances = names.map((name, n) =>
    planned(
      name,
      random.of(['V-T2V-A', 'run', HOSTILE]),
      n > 0 ? [names[random.below(n)]!] : [],
      random.of([null, 0, 0.5, 1234.5]),
    ),
  );
  const first: Event = started(random.of(['teaser', HOSTILE]), instances, { usd: random.of([null, 2.4]) });
  const kinds = Object.values(SAMPLES).filter(({ type }) => type !== 'run_started' && type !== 'run_finished');
  const rest = [...Array(80).keys()].map((): Event => {
    const event = random.of(kinds);
    const about = random.below(10) === 0 ? key(`unplanned${random.below(3)}`) : key(random.of(names));
    if (event.type === 'succeeded') return { ...event, key: about, result: media('x', random.of([0, 0.3]), {}, 10) };
    return 'key' in event ? { ...event, key: about } : event;
  });
  return [first, ...rest].map((event, seq): RecordedEvent => ({ ...event, seq, at: START + seq * 700 }));
}
