/** What a plan says of its service's rates, where they bound it, and of what retries may add. */
import { describe, expect, test } from 'vitest';
import { RATE_WINDOWS, type RateInUse, sendingTime } from '../../src/model/request-rates.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { formatPlan, planJson } from '../../src/show/plan/plan-text.ts';
import { planOf, type World } from './support.ts';

const shots = (n: number, more = '') =>
  `steps:\n  shot: { model: V-T2V-A, matrix: { part: 1..${n} }, with: { prompt: "part \${{ matrix.part }}", duration: 5 } }\n${more}`;
const UP = `  up: { each: "\${{ steps.shot }}", if: "\${{ each.sha256 > '8' }}", model: V-UP, with: { input_video: "\${{ each.result_url }}", resolution: 1080p } }\n`;
const allows = (rate: RateInUse['rate'], limit: number, more: Partial<RateInUse> = {}): RateInUse => ({
  ...{ rate, limit, sentAgo: [] },
  ...more,
});

/** The lines of the closing part under this label, as one. */
function told(label: string, film: string, rates: readonly RateInUse[] = [], world: World = {}): string | undefined {
  const lines = formatPlan(planOf(film, world), { width: 120, rates }).split('\n');
  const at = lines.findIndex(line => line.startsWith(label.padEnd(14)));
  if (at < 0) return undefined;
  const more = lines.slice(at + 1).findIndex(line => !line.startsWith(' '.repeat(14)));
  const end = more < 0 ? lines.length : at + 1 + more;
  return lines
    .slice(at, end)
    .map(line => line.slice(14).trim())
    .join(' ');
}
const json = (film: string, rates: readonly RateInUse[] = []) => planJson(planOf(film), { rates }) as JsonObject;

describe('rates', () => {
  test('are told where more is to be sent than one window holds: how long that takes', () => {
    expect(told('rates', shots(38), [allows('per_minute', 2)])).toBe(
      'at 2 a minute about 18 min of sending: 38 requests',
    );
    expect(told('rates', shots(160), [allows('per_day', 50)])).toBe(
      'at 50 a day about 3 days of sending: 160 requests',
    );
  });

  test('are not told where all fits', () => {
    expect(told('rates', shots(2), [allows('per_minute', 2), allows('in_flight', 2)])).toBeUndefined();
    expect(json(shots(2), [allows('per_minute', 2)]).rates).toBeUndefined();
    expect(told('rates', 'steps: { list: { run: [ls] } }', [allows('per_day', 1)])).toBeUndefined();
  });

  test('count what was sent already within their time, by any film', () => {
    const hours = (n: number) => n * 3_600_000;
    const sentAgo = [...Array(50).keys()].map(n => hours(19) - n);
    expect(told('rates', shots(10), [allows('per_day', 50, { sentAgo })])).toBe(
      'at 50 a day about 5 hours of sending: 10 requests, behind 50 of the last day',
    );
    expect(told('rates', shots(10), [allows('per_day', 50, { sentAgo: sentAgo.slice(0, 40) })])).toBeUndefined();
  });

  test('that take longest are told, and all that bind are in the JSON', () => {
    const rates = [allows('per_second', 1), allows('per_minute', 2), allows('per_day', 50)];
    expect(told('rates', shots(60), rates)).toBe('at 50 a day about 24 hours of sending: 60 requests');
    expect(told('rates', shots(40), rates)).toBe('at 2 a minute about 19 min of sending: 40 requests');
    expect(json(shots(4), rates).rates).toEqual([
      {
        rate: 'per_minute',
        limit: 2,
        requests: 4,
        requests_at_most: 4,
        open_steps: 0,
        sent: 0,
        seconds: 60,
        seconds_at_most: 60,
      },
      {
        rate: 'per_second',
        limit: 1,
        requests: 4,
        requests_at_most: 4,
        open_steps: 0,
        sent: 0,
        seconds: 3,
        seconds_at_most: 3,
      },
    ]);
  });

  test('of one model count its own requests; what perhaps is sent is told as "up to"', () => {
    const rates = [allows('per_hour', 1, { model: 'V-UP' })];
    expect(told('rates', shots(4, UP), rates)).toBe(
      'at 1 of V-UP an hour up to about 3 hours of sending: up to 4 requests',
    );
    expect(told('rates', shots(4), rates)).toBeUndefined();
  });

  test('of how much is under way at once tell the work that is behind one another', () => {
    const world = { expected: () => 60 };
    expect(told('rates', shots(6), [allows('in_flight', 2)], world)).toBe(
      'with 2 at once about 3 min of work: 6 requests',
    );
  });

  test('bound what an open step may come to', () => {
    const open = `steps:
  script: { model: C-D, with: { prompt: beats }, schema: { type: object, required: [beats], properties: { beats: { type: array, maxItems: 5, items: { type: string } } } } }
  shot: { model: V-T2V-A, matrix: { beat: "\${{ steps.script.json.beats }}" }, max: 5, with: { prompt: "\${{ matrix.beat }}" } }
`;
    expect(told('rates', open, [allows('per_minute', 2)])).toBe(
      'at 2 a minute up to about 2 min of sending: up to 6 requests',
    );
  });
});

test.each(['per_second', 'per_minute', 'per_hour', 'per_day'] as const)(
  'the last of many is sent when each goes as soon as it may: %s',
  rate => {
    for (const limit of [1, 2, 3, 7])
      for (const sent of [0, 1, 2, 3, 6, 7].filter(n => n <= limit))
        for (const requests of [0, 1, 2, 6, 7, 8, 15]) {
          const sentAgo = [...Array(sent).keys()].map(n => Math.round((RATE_WINDOWS[rate] * (9 - n)) / 10));
          expect(sendingTime(requests, rate, { limit, sentAgo })).toBe(byHand(requests, rate, limit, sentAgo));
        }
  },
);

/** One after the other. */
function byHand(requests: number, rate: keyof typeof RATE_WINDOWS, limit: number, sentAgo: readonly number[]): number {
  const at = sentAgo.map(ago => -ago);
  let last = 0;
  for (let n = 0; n < requests; n++) {
    const before = at[at.length - limit];
    last = Math.max(last, before === undefined ? 0 : before + RATE_WINDOWS[rate]);
    at.push(last);
  }
  return last;
}

describe('retries', () => {
  const shot = (retry: string, more = '') =>
    `steps:\n  shot: { model: V-T2V-A, matrix: { n: [1, 2] }, retry: ${retry}, with: { prompt: "take \${{ matrix.n }}", duration: 4 }${more} }\n`;

  test('are told by what they add at most', () => {
    expect(told('retries', shot('{ attempts: 3 }'))).toBe('up to $2.40 more, for 4 requests that may be made again');
    expect(json(shot('{ attempts: 3 }')).retries).toEqual({ requests: 4, usd: 2.4, unpriced: 0, open_steps: 0 });
  });

  test('that cost nothing are not told: downloads, what was refused, commands, and none', () => {
    for (const on of ['[download]', '[download, refused]'])
      expect(told('retries', shot(`{ attempts: 3, on: ${on} }`))).toBeUndefined();
    expect(told('retries', shot('{ attempts: 1 }'))).toBeUndefined();
    expect(told('retries', 'steps: { list: { run: [ls], retry: { attempts: 3 } } }')).toBeUndefined();
    expect(json('steps: { list: { run: [ls], retry: { attempts: 3 } } }').retries).toBeUndefined();
  });

  test('of a chat are answers that are sent back: a longer conversation, whose price nobody can tell', () => {
    const ask = (more: string) =>
      `steps:\n  script: { model: C-D, retry: { attempts: 4 }, with: { prompt: beats }${more} }\n`;
    const schema = ', schema: { type: object, properties: { title: { type: string } } }';
    expect(told('retries', ask(schema))).toBe('up to 3 requests without a known price');
    expect(told('retries', ask(''))).toBeUndefined();
  });

  test('of an open step count as many as it can have', () => {
    const open = `steps:
  script: { model: C-D, with: { prompt: beats }, schema: { type: object, required: [beats], properties: { beats: { type: array, items: { type: string } } } } }
  shot: { model: V-T2V-A, retry: { attempts: 2 }, matrix: { beat: "\${{ steps.script.json.beats }}" }, max: 5, with: { prompt: "\${{ matrix.beat }}", duration: 4 } }
`;
    expect(told('retries', open)).toBe('up to $3.00 more, for 5 requests that may be made again');
  });
});
