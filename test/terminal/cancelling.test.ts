/** What the screen says while a custom model comes up, and while Ctrl-C ends what is open. */
import { expect, test } from 'vitest';
import type { GenerationId } from '../../src/model/run/key.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView } from '../../src/records/views/run-view.ts';
import { placesTaken } from '../../src/show/text/step-tally.ts';
import {
  accepted,
  type Beat,
  finished,
  intended,
  key,
  planned,
  progress,
  stamped,
  started,
} from '../text/recordings.ts';
import { seen } from './seen.ts';

const FILM = [
  planned('shot', 'fox-look', [], null),
  planned('framed', 'V-RF', ['shot'], 0.48),
  planned('wide', 'V-T2V-A', [], 0.6),
];
const begun = (onInterrupt: 'detach' | 'cancel'): Beat => {
  const event = started('fox', FILM, { service: 'hosted', usd: 1.08 });
  return [0, event.type === 'run_started' && onInterrupt === 'cancel' ? { ...event, on_interrupt: 'cancel' } : event];
};
const up: readonly Beat[] = [
  [0.1, { type: 'stream_changed', up: true, reason: '' }],
  [0.2, { type: 'deployment_changed', model: 'fox-look', status: 'inactive', ours: false }],
  [0.2, { type: 'activation_intended', model: 'fox-look' }],
  [0.3, { type: 'deployment_changed', model: 'fox-look', status: 'deploying', ours: true }],
  [0.4, intended('wide', 'V-T2V-A', 0.6)],
  [0.5, accepted('wide')],
  [0.6, progress('wide', 'processing', null, 0.1)],
];
const gen = (name: string) => `gen_${name}` as GenerationId;

test('a shot waits for the model it is made with', () => {
  expect(seen(stamped([begun('cancel'), ...up]), 4, 80)).toMatchInlineSnapshot(`
    "
      fox: 3 instances on hosted, about $1.08

      ── fox · hosted ─────────────────────────────────────────────────────── 4s ──

      ⠼ wide    V-T2V-A   ━───────── 10%  processing                   3s    ~$0.60
      › shot    fox-look  waits for fox-look: deploying
      · framed  V-RF      waits for shot                                     ~$0.48

      0 of 3 done · 1 under way · 2 waiting  $0.00 of ~$1.08  live · Ctrl-C cancels"
  `);
});

const cancelling: readonly Beat[] = [
  begun('cancel'),
  ...up,
  [8, { type: 'deployment_changed', model: 'fox-look', status: 'active', ours: true }],
  [8.1, intended('shot', 'fox-look', 0)],
  [8.2, accepted('shot')],
  [9, { type: 'run_detached', running: [key('shot'), key('wide')], resume: 'shotlist run fox.yaml' }],
  [9, { type: 'cancel_asked', key: key('shot'), generation_id: gen('shot') }],
  [9, { type: 'cancel_asked', key: key('wide'), generation_id: gen('wide') }],
];

test('Ctrl-C asks the service to end what is open', () => {
  expect(seen(stamped(cancelling), 9.1, 80)).toMatchInlineSnapshot(`
    "
      fox: 3 instances on hosted, about $1.08

      ── fox · hosted ─────────────────────────────────────────────────────── 9s ──

      ⠏ shot    fox-look  cancelling                                   1s
      ⠏ wide    V-T2V-A   cancelling                                   8s    ~$0.60
      · framed  V-RF      waits for shot                                     ~$0.48

      0 of 3 done · 2 under way · 1 waiting  spent $0.00 of ~$1.08  ending fox-look"
  `);
});

test('the last words say what is cancelled, what goes on, and what bills', () => {
  const ended: readonly Beat[] = [
    ...cancelling,
    [
      10,
      {
        ...{ type: 'failed', key: key('shot') },
        failure: { code: 'generation_cancelled', generation_id: gen('shot'), message: 'cancelled on request' },
      },
    ],
    [
      10,
      {
        ...{ type: 'cancel_failed', key: key('wide'), generation_id: gen('wide'), why: 'not_offered' },
        message: 'not found (404)',
      },
    ],
    [12, { type: 'still_billing', model: 'fox-look', reason: 'it is still deploying' }],
    [12, { type: 'run_detached', running: [key('wide')], resume: 'shotlist run fox.yaml' }],
    [12, finished('interrupted', { failed: 1, unfinished: 2 }, 0)],
  ];
  expect(seen(stamped(ended), 99, 80)).toMatchInlineSnapshot(`
    "
      fox: 3 instances on hosted, about $1.08

      ✗ shot    fox-look  cancelled: cancelled on request            1.9s

      fox was interrupted after 12.0s: 1 cancelled, 2 not finished, nothing known
      to be spent so far

      ✗ shot
        cancelled at hosted: cancelled on request (generation gen_shot); whether it
        cost anything is not known

      wide (generation gen_wide) goes on at hosted, which offers no cancelling, and
      is billed; the next run takes it up
      fox-look is still active and bills on (it is still deploying): \`shotlist
      models deactivate fox-look\` ends it, and so does the next run of this film
      more: \`shotlist explain still-billing\`
      to go on (what is done is kept, and not paid for again):
      shotlist run fox.yaml"
  `);
});

test('a sum that the service has not told is called about right', () => {
  const { usd: _usd, ...end } = finished('done', { succeeded: 3 }, 0) as Extract<
    ReturnType<typeof finished>,
    { readonly type: 'run_finished' }
  >;
  const last = (more: { readonly usd: number; readonly estimated?: number; readonly unpriced?: number }) =>
    seen(stamped([begun('detach'), [5, { ...end, ...more }]]), 99, 80)
      .split('\n')
      .at(-1);
  expect(last({ usd: 1.08 })).toBe('  fox is finished in 5.0s: 3 made, $1.08 spent');
  expect(last({ usd: 1.08, estimated: 0.6 })).toBe('  fox is finished in 5.0s: 3 made, about $1.08 spent');
  expect(last({ usd: 0.48, unpriced: 1 })).toBe(
    '  fox is finished in 5.0s: 3 made, $0.48 spent, the cost of 1 unknown',
  );
  expect(last({ usd: 0, unpriced: 3 })).toBe('  fox is finished in 5.0s: 3 made, cost unknown');
});

test('a film that is cut on this machine is nothing that the service goes on with: Ctrl-C stops, and a command takes its place', () => {
  const cut = stamped([
    [0, started('fox', [planned('film', 'cut', [], null)], { service: 'hosted', usd: 1.08 })],
    [1, { type: 'command_started', key: key('film'), fingerprint: 'f_film' }],
    [2, progress('film', 'cutting', null, 0.1)],
  ]);
  expect(seen(cut, 4, 80)).toContain('Ctrl-C stops');
  expect(placesTaken(cut.reduce(reduce, emptyRunView()))).toMatchObject({ requests: 0, commands: 1 });
});
