/** What the service had from before: told in a run's first line and its last, on the screen and in plain text alike. */
import { expect, test } from 'vitest';
import type { Event, PlannedInstance, RecordedEvent, SumOfRequests } from '../../src/model/run/event.ts';
import { plainReporter } from '../../src/show/reporters/plain.ts';
import { seen } from '../terminal/seen.ts';
import { accepted, key, media, planned, stamped, started } from './recordings.ts';

const at = (instance: PlannedInstance, at_service: NonNullable<PlannedInstance['at_service']>): PlannedInstance => ({
  ...instance,
  at_service,
});
const SHOT = media('shot', 0.6, { width: 1280, height: 720, duration: 6 }, 4_100_000);
const CLIPS = Array.from({ length: 6 }, (_, n) => at(planned(`clip[n=${n}]`, 'V-T2V-A', [], 0), 'made'));

function opening(
  service: string,
  more: { readonly paid: SumOfRequests; readonly perhaps: SumOfRequests },
): readonly RecordedEvent[] {
  const instances = [
    ...CLIPS,
    at(planned('shot', 'V-T2V-A', [], 0), 'under_way'),
    at(planned('lost', 'V-T2V-A', [], 0), 'lost'),
    planned('final', 'V-UP', ['shot'], 0.3),
  ];
  return stamped([
    [0, { ...started('teaser', instances, { usd: 0.3, resumed: true, service }), ...more } as Event],
    ...CLIPS.map(
      one => [0.5, { type: 'reused', key: one.key, fingerprint: 'f', result: SHOT, fetched: true }] as const,
    ),
    [1, { type: 'taken_up', key: key('shot'), nonce: 'n', fingerprint: 'f', generation_id: SHOT.generation_id }],
    [3, { type: 'generated', key: key('shot'), generation_id: SHOT.generation_id, result_url: '', cost: 0.6 }],
    [4, { type: 'succeeded', key: key('shot'), fingerprint: 'f', result: SHOT }],
    [
      5,
      {
        type: 'run_finished',
        outcome: 'interrupted',
        counts: { succeeded: 1, reused: 6, failed: 0, blocked: 0, skipped: 0, unfinished: 2 },
        usd: 0.6,
      },
    ],
  ]);
}

function plain(events: readonly RecordedEvent[]): readonly string[] {
  const lines: string[] = [];
  const reporter = plainReporter(line => lines.push(line));
  for (const event of events) reporter.report(event);
  return lines.flatMap(line => line.split('\n'));
}

test('on a service that bills', () => {
  const lines = plain(opening('hosted', { paid: { requests: 1, usd: 0.6 }, perhaps: { requests: 1, usd: 0.5 } }));
  expect(lines[0]).toBe(
    'teaser: resumed, 9 instances on hosted, about $0.30; 6 made before and to be fetched; 1 under way, already paid ($0.60); 1 answer lost, perhaps paid ($0.50)',
  );
  expect(lines[1]).toBe('   +0.5s  clip ×6    fetched again');
  expect(lines.join('\n')).toContain(
    'teaser was interrupted after 5.0s: 2 not finished, 1 made, 6 fetched again, $0.60 spent, sent by an earlier run',
  );
});

test('in the studio nothing is paid', () => {
  const lines = plain(opening('studio', { paid: { requests: 1, usd: 0.6 }, perhaps: { requests: 1, usd: 0.5 } }));
  expect(lines[0]).toBe(
    'teaser: resumed, 9 instances on studio, free ($0.30 at list price); 6 made before and to be fetched; 1 under way; 1 answer lost',
  );
});

test.each([
  [0.5, '  ~$0.50'],
  [null, '  price unknown'],
])('a request that was found has its list price, $%s', (price, shown) => {
  const lost = at(planned('lost', 'V-T2V-A', [], 0), 'lost');
  const lines = plain(
    stamped([
      [0, started('teaser', [lost], { usd: 0, resumed: true, service: 'hosted' })],
      [1, { ...accepted('lost', true), price } as Event],
    ]),
  );
  expect(lines[1]).toBe(`   +1.0s  lost  found at the service, not sent twice  V-T2V-A${shown}  gen_lost`);
});

test.each([80, 200])('at a terminal of %i columns', columns => {
  const screen = seen(
    opening('hosted', { paid: { requests: 1, usd: 0.6 }, perhaps: { requests: 1, usd: 0.5 } }),
    6,
    columns,
  );
  const text = screen.replace(/\s+/g, ' ');
  expect(text).toContain(
    'about $0.30; 6 made before and to be fetched; 1 under way, already paid ($0.60); 1 answer lost, perhaps paid ($0.50)',
  );
  expect(text).toContain('clip ×6 V-T2V-A fetched again');
  expect(text).toContain('6 fetched again, $0.60 spent, sent by an earlier run');
  expect(screen.split('\n').every(line => line.length <= columns)).toBe(true);
});

test('a run of before this was told opens as it always did', () => {
  const events = stamped([
    [0, started('teaser', [planned('shot', 'V-T2V-A', [], 0.6)], { usd: 0.6, service: 'hosted' })],
  ]);
  expect(plain(events)[0]).toBe('teaser: 1 instance on hosted, about $0.60');
});
