/** The one line that says what keeps requests from being sent: on the screen for as long as it does, and now and then in plain text. */
import { describe, expect, test } from 'vitest';
import type { RateReached } from '../../src/model/request-rates.ts';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import { plainReporter } from '../../src/show/reporters/plain.ts';
import { heldText } from '../../src/show/text/held-requests-text.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { drawn } from '../terminal/drawn.tsx';
import { runViewAt, seen } from '../terminal/seen.ts';
import { accepted, type Beat, HOSTILE, intended, key, planned, START, stamped, started } from './recordings.ts';

const shots = [1, 2, 3, 4].map(n => planned(`shot[n=${n}]`, 'V-T2V-A', [], 0.5));
const FILM = started('fox', [...shots, planned('up', 'V-UP', ['shot[n=1]'], 0.6), planned('list', 'run', [], 0)], {
  service: 'house',
});
const sent = (seconds: number, n: number): readonly Beat[] => [
  [seconds, intended(`shot[n=${n}]`, 'V-T2V-A', 0.5)],
  [seconds, accepted(`shot[n=${n}]`)],
];
const held = (seconds: number, until: number, more: Partial<RateReached> = {}): Beat => [
  seconds,
  { type: 'held_back', key: key('shot[n=3]'), rate: 'per_minute', limit: 2, until: START + until * 1000, ...more },
];
const slower = (seconds: number, until: number, reason = 'too many requests'): Beat => [
  seconds,
  { type: 'pace_changed', slower: true, until: START + until * 1000, reason },
];
const told = (events: readonly RecordedEvent[], seconds: number) =>
  heldText(runViewAt(events, seconds), START + seconds * 1000);

describe('a rate of the settings', () => {
  const events = stamped([[0, FILM], ...sent(0.1, 1), ...sent(0.2, 2), held(0.3, 60)]);

  test('is told with the service, the limit, when the next goes out and how many wait; free work does not', () => {
    expect(told(events, 0.2)).toBeNull();
    expect(told(events, 19)).toBe('house allows 2 a minute: the next request goes out in 41s, 2 requests wait');
  });

  test('stands above the last line of the screen, and goes when it is over', () => {
    expect(seen(events, 19, 100)).toMatchInlineSnapshot(`
      "
        fox: 6 instances on house, about $2.40

        ── fox · house ─────────────────────────────────────────────────────────────────────────── 19s ──

        ⠏ shot[n=1]  V-T2V-A  queued                                                        18s    ~$0.50
        ⠏ shot[n=2]  V-T2V-A  queued                                                        18s    ~$0.50
        › shot[n=3]  V-T2V-A  waits, 2 a minute: next in 41s                                       ~$0.50
        › shot[n=4]  V-T2V-A  next up                                                              ~$0.50
        › list       run      next up
        · up         V-UP     waits for shot[n=1]                                                  ~$0.60

        house allows 2 a minute: the next request goes out in 41s, 2 requests wait
        0 of 6 done · 2 under way · 4 waiting            spent $0.00 of ~$2.60            Ctrl-C detaches"
    `);
    expect(seen(events, 62, 100)).not.toContain('house allows');
  });

  test('stays while one minute after the other holds, and nobody sees it go in between', () => {
    const again = stamped([[0, FILM], held(0.3, 60), ...sent(60.1, 3), held(60.2, 120)]);
    for (const at of [1, 59.9, 60, 60.1, 60.3, 119]) expect(told(again, at)).toContain('house allows 2 a minute');
  });

  test('of one model counts those that wait for it; with nobody waiting nothing is said', () => {
    const own = { rate: 'per_day', limit: 1, model: 'V-UP' } as const;
    expect(told(stamped([[0, FILM], held(0.3, 7_200, own)]), 1)).toBeNull();
    const first = { ...own, model: 'V-T2V-A' };
    expect(told(stamped([[0, FILM], held(0.3, 7_200, first)]), 1)).toBe(
      'house allows 1 of V-T2V-A a day: the next request goes out in 1h 59m, 4 requests wait',
    );
  });

  test('of what is under way at once is over when one of them has ended', () => {
    expect(told(stamped([[0, FILM], ...sent(0.1, 1), held(0.3, 1.3, { rate: 'in_flight', limit: 1 })]), 1)).toBe(
      'house allows 1 at once: the next request goes out when one of them has ended, 3 requests wait',
    );
  });
});

describe('a service that says it is asked too often', () => {
  const again = (seconds: number, until: number): Beat => [
    seconds,
    {
      ...{ type: 'submit_refused', key: key('shot[n=2]'), nonce: 'n', reason: 'too many requests', busy: true },
      retry_at: START + until * 1000,
    },
  ];
  const events = stamped([[0, FILM], ...sent(0.1, 1), slower(1, 21), again(1, 21), again(22, 52)]);

  test('is told with until when nothing is sent, then that it is slower, for as long as somebody waits', () => {
    expect(told(events, 1)).toBe(
      'house is asked too often: nothing is sent for 20s, 3 requests wait: too many requests',
    );
    expect(told(events, 21.5)).toBe('house is asked more slowly, 3 requests wait: too many requests');
    // It said so again, which is no news of its own.
    expect(told(events, 23)).toBe(
      'house is asked too often: nothing is sent for 29s, 3 requests wait: too many requests',
    );
    const well = stamped([[0, FILM], slower(1, 21), [30, { type: 'pace_changed', slower: false }]]);
    expect(told(well, 31)).toBeNull();
  });

  test('and whose settings have a rate too is told by what lasts longer', () => {
    expect(told(stamped([[0, FILM], slower(1, 21), held(1, 60)]), 2)).toContain('house allows 2 a minute');
    expect(told(stamped([[0, FILM], slower(1, 90), held(1, 60)]), 2)).toContain('nothing is sent for 1m 28s');
  });

  test('is no matter any more when the run stops', () => {
    const stopped = stamped([
      ...[[0, FILM] as const, slower(1, 90), held(1, 60)],
      [2, { type: 'run_detached', running: [], resume: 'shotlist run fox.yaml' }],
    ]);
    expect(told(stopped, 3)).toBeNull();
  });
});

test('the line fits any terminal, and what the service says in it is harmless', () => {
  const events = stamped([[0, FILM], slower(1, 21, HOSTILE), held(1, 60, { model: HOSTILE, rate: 'per_day' })]);
  for (const rows of [1, 2, 3, 4, 5, 9, 10, 11, 24])
    for (const columns of [20, 40, 80]) {
      const { live } = drawn(runViewAt(events, 2), START + 2_000, { rows, columns });
      expect(live.length).toBeLessThanOrEqual(Math.max(1, rows - 1));
    }
  expect(seen(events, 2, 80)).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
});

describe('plain text', () => {
  const begun = () => {
    const clock = new FakeClock(START);
    const lines: string[] = [];
    const reporter = plainReporter(line => lines.push(line.trim()), { clock });
    const report = (beats: readonly Beat[]) => {
      for (const event of stamped(beats)) reporter.report(event);
    };
    return { clock, reporter, report, beats: () => lines.filter(line => /house (allows|is asked more)/.test(line)) };
  };

  test('gives a sign of life while requests are held back: after a minute, and then ever more rarely', async () => {
    const { clock, report, beats } = begun();
    report([[0, FILM], held(0, 24 * 3_600, { rate: 'per_day', limit: 50 })]);
    await clock.advance(59_000);
    expect(beats()).toEqual([]);
    await clock.advance(23 * 3_600_000);
    expect(beats()[0]).toBe(
      '+1m 00s             house allows 50 a day: the next request goes out in 23h 59m, 4 requests wait',
    );
    expect(beats().length).toBe(6 + 21);
    await clock.advance(24 * 3_600_000);
    expect(clock.sleeping).toEqual([]);
    expect(beats().length).toBeLessThan(31);
  });

  test('says no more of it when it is over, and begins anew when it is held back again', async () => {
    const { clock, report, beats } = begun();
    report([[0, FILM], held(0, 30)]);
    await clock.advance(120_000);
    expect(beats()).toEqual([]);
    report([held(120, 300)]);
    await clock.advance(60_000);
    expect(beats().length).toBe(1);
  });

  test('keeps nobody waiting for its end', async () => {
    const { clock, reporter, report, beats } = begun();
    report([[0, FILM], slower(0, 3_600)]);
    await reporter.close();
    await clock.advance(7_200_000);
    expect(beats()).toEqual([]);
  });
});
