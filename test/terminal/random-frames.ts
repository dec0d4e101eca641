/** Frames of runs that go on in no sensible order, at sizes that no terminal has, with a person anywhere in them: always the same ones. */

import type { Event, RecordedEvent } from '../../src/model/run/event.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { cleanText } from '../../src/model/text/clean.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView } from '../../src/records/views/run-view.ts';
import type { Over } from '../../src/show/terminal/browsing.ts';
import { PICTURE_ROW, pictureRoom } from '../../src/show/terminal/instance-in-full.ts';
import type { Size } from '../../src/show/terminal/live-layout.ts';
import type { PictureRoom } from '../../src/show/terminal/pictures/side-picture.ts';
import { HOSTILE, key, media, planned, START, started } from '../text/recordings.ts';
import { SAMPLES } from '../text/samples.ts';
import { type Beside, drawn } from './drawn.tsx';

const SIZES = [1, 2, 3, 4, 7, 10, 24, 60].flatMap(rows => [20, 40, 80, 200].map(columns => ({ rows, columns })));
const NAMES = [
  'shot',
  'clip[seed=22,ratio=9:16]',
  '東京[季=冬]',
  `a${'b'.repeat(90)}`,
  'final[beat="two words"]',
  '👨‍👩‍👧[n=1]',
];

export interface RandomFrame {
  readonly live: readonly string[];
  readonly size: Size;
  /** The cells of the picture that lies over it. */
  readonly picture?: { readonly row: number; readonly rows: number; readonly column: number };
  /** How it is made again. */
  readonly where: string;
}

/** At least so many. */
export function* randomFrames(count: number): Generator<RandomFrame> {
  let frames = 0;
  for (let seed = 1; frames < count; seed += 1) {
    const random = randomFrom(seed);
    const run = emptyRunView();
    for (const event of randomRun(random)) {
      reduce(run, event);
      const size =
        seed % 10 === 0 ? random.of(SIZES) : { rows: 5 + random.below(196), columns: 20 + random.below(281) };
      const beside = randomView(random, [...run.instances.keys()], size);
      const { live } = drawn(run, event.at + random.below(5000), size, beside);
      frames += 1;
      const isBeside = beside.browsing?.over?.is === 'one' && beside.picture && live.length > 0;
      const lies = isBeside && beside.picture && placeOf(beside.picture, size);
      yield {
        ...{ live, size, ...(lies && { picture: lies }) },
        where: `seed ${seed}, ${size.columns}×${size.rows}, ${JSON.stringify(beside.browsing)}`,
      };
    }
  }
}

const placeOf = ({ columns, rows }: PictureRoom, size: Size) => ({
  ...{ row: PICTURE_ROW, rows, column: size.columns - 1 - columns },
});

export interface Random {
  below(n: number): number;
  of<T>(list: readonly T[]): T;
}

/** A small linear congruential generator: the same seed is the same run. */
export function randomFrom(seed: number): Random {
  let state = seed;
  const below = (n: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
  return { below, of: list => list[below(list.length)]! };
}

/** Where a person may be, with all that there is to say about an instance. */
function randomView(random: Random, keys: readonly InstanceKey[], size: Size): Beside {
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
    notice: random.of(['', 'nothing waits to be picked', HOSTILE]),
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
    ...(random.below(5) > 0 && { browsing: { ...browsing, notice: cleanText(browsing.notice) } }),
    // As much of a picture as there may be room for.
    ...(random.below(3) === 0 && { picture: pictureRoom({ columns: size.columns, lines: size.rows - 1 }) }),
    ...{ about, limits: { in_flight: random.below(9), per_model: random.below(5), commands: random.below(3) } },
    deciding: 'shotlist pick a-film-with-a-long-name.yaml',
  };
}

/** Events in no sensible order, about known and unknown instances, some of them hostile. */
export function randomRun(random: Random): readonly RecordedEvent[] {
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
