import { expect, test } from 'vitest';
import type { Event, WaitsFor } from '../../src/model/run/event.ts';
import {
  accepted,
  type Beat,
  beats,
  bulk,
  commands,
  crowd,
  detached,
  failing,
  fetching,
  generated,
  intended,
  key,
  planned,
  resumed,
  START,
  stamped,
  started,
  teaser,
  unchanged,
  unknown,
} from '../text/recordings.ts';
import { drawn } from './drawn.tsx';
import { runViewAt, seen } from './seen.ts';

test('a film half made: what is over, what is under way, what it waits for', () => {
  expect(seen(teaser, 9.1, 80)).toMatchInlineSnapshot(`
    "
      teaser: 4 instances on studio, free ($2.40 at list price)

      ✓ shot    V-T2V-A  1280×720, 6.0s, 4.1 MB                                6.0s

      ── teaser · studio ──────────────────────────────────────────────────── 9s ──

      ⠏ framed  V-RF     ━━━━━━━━━━━━──────── 62%  processing                    2s
      · mended  V-RT     waits for framed
      · final   V-UP     waits for mended

      1 of 4 done · 1 under way · 2 waiting        free         live · Ctrl-C stops"
  `);
});

test('the same on a wide terminal is not stretched', () => {
  expect(seen(teaser, 9.1, 200)).toMatchInlineSnapshot(`
    "
      teaser: 4 instances on studio, free ($2.40 at list price)

      ✓ shot    V-T2V-A  1280×720, 6.0s, 4.1 MB                                           6.0s

      ── teaser · studio ─────────────────────────────────────────────────────────────── 9s ──

      ⠏ framed  V-RF     ━━━━━━━━━━━━──────── 62%  processing                               2s
      · mended  V-RT     waits for framed
      · final   V-UP     waits for mended

      1 of 4 done · 1 under way · 2 waiting   free ($2.40 at list price)   live · Ctrl-C stops"
  `);
});

test('a film that is finished ends with where it is and what it cost', () => {
  expect(seen(teaser, 99, 80)).toMatchInlineSnapshot(`
    "
      teaser: 4 instances on studio, free ($2.40 at list price)

      ✓ shot    V-T2V-A  1280×720, 6.0s, 4.1 MB                                6.0s
      ✓ framed  V-RF     720×1280, 6.0s, 3.8 MB                                4.0s
      ✓ mended  V-RT     720×1280, 6.0s, 3.9 MB                                5.0s
      ✓ final   V-UP     1080×1920, 6.0s, 9.8 MB                               8.0s

      teaser is finished in 23.8s: 4 made, free ($2.40 at list price)

      out/teaser-wide.mp4  1280×720, 6.0s, 4.1 MB
      out/teaser.mp4  1080×1920, 6.0s, 9.8 MB"
  `);
});

test('a run that had nothing to do says so', () => {
  expect(seen(unchanged, 99, 80)).toMatchInlineSnapshot(`
    "
      teaser: 4 instances on studio, free

      ✓ shot    V-T2V-A  already here
      ✓ framed  V-RF     already here
      ✓ mended  V-RT     already here
      ✓ final   V-UP     already here

      teaser is finished in 0.0s: 4 already here, nothing spent

      out/teaser.mp4  1080×1920, 6.0s, 9.8 MB"
  `);
});

test('a failure blocks what depends on it, and says how to go on', () => {
  expect(seen(failing, 99, 80)).toMatchInlineSnapshot(`
    "
      teaser: 4 instances on hosted, about $2.40

      ✓ shot    V-T2V-A  1280×720, 6.0s, 4.1 MB                      6.0s     $0.60
      ✗ framed  V-RF     input video is 40.0 s long, at most 30…     2.6s
      – mended  V-RT     blocked by framed
      – final   V-UP     blocked by framed

      teaser is not finished after 9.1s: 1 failed, 2 blocked, 1 made, $0.60 spent

      out/teaser-wide.mp4  1280×720, 6.0s, 4.1 MB

      ✗ framed
        hosted could not make it: input video is 40.0 s long, at most 30 s are
        taken (generation gen_framed); it may have cost $0.48
        first: mend step framed in pipelines/teaser.yaml

      to go on (what is done is kept, and not paid for again):
      shotlist run pipelines/teaser.yaml"
  `);
});

test('the same failure on a wide terminal is told whole in its row', () => {
  expect(seen(failing, 99, 200)).toContain('failed: input video is 40.0 s long, at most 30 s are taken       2.6s\n');
});

test('a busy service: when it is tried again', () => {
  expect(seen(unknown, 3, 80)).toMatchInlineSnapshot(`
    "
      teaser: 4 instances on hosted, about $2.40

      ── teaser · hosted ──────────────────────────────────────────────────── 3s ──

      › shot    V-T2V-A  not taken, again in 3s: rate limit rea…             ~$0.60
      · framed  V-RF     waits for shot                                      ~$0.48
      · mended  V-RT     waits for framed                                    ~$0.72
      · final   V-UP     waits for mended                                    ~$0.60

      0 of 4 done · 4 waiting   spent $0.00 · to come ~$2.40    live · Ctrl-C stops"
  `);
});

test('a request without an answer, while the service is away', () => {
  expect(seen(unknown, 36, 80)).toMatchInlineSnapshot(`
    "
      teaser: 4 instances on hosted, about $2.40

      ── teaser · hosted ─────────────────────────────────────────────────── 36s ──

      ⠦ shot    V-T2V-A  no answer, looking for it: connection …      30s    ~$0.60
      · framed  V-RF     waits for shot                                      ~$0.48
      · mended  V-RT     waits for framed                                    ~$0.72
      · final   V-UP     waits for mended                                    ~$0.60

      0 of 4 done · 1 under way · 3 waiting              hosted unreachable, trying"
  `);
});

const waits = (name: string, what: WaitsFor, reason: string): Event => ({
  ...{ type: 'still_waiting', key: key(name), what, reason, since: START },
});

test('every wait that is reported is shown with its reason until it is over', () => {
  const names = ['sent', 'fetched', 'turn', 'frames', 'model', 'here'];
  const recording = stamped([
    [
      0,
      started(
        'film',
        [...names, 'over'].map(name => planned(name, 'V-T2V-A', [], 0.1)),
        { usd: 0.7 },
      ),
    ],
    ...[intended('sent', 'V-T2V-A', 0.1), intended('fetched', 'V-T2V-A', 0.1), accepted('fetched')].map(
      (event): Beat => [1, event],
    ),
    [2, generated('fetched', 0.1)],
    [2, fetching('fetched', null)],
    [2, { type: 'skipped', key: key('over'), why: 'its condition is false' }],
    [11, waits('sent', 'answer', 'house has not answered the request yet')],
    [11, waits('fetched', 'result', 'nothing has come yet from house.test')],
    [11, waits('turn', 'admission', 'owl waits for the same request')],
    [11, waits('frames', 'frames', 'last_frame of shot is being taken')],
    [11, waits('model', 'deployment', 'fox-look is inactive')],
    [11, waits('here', 'record', 'house has not answered whether it has it')],
    [11, waits('over', 'cost', 'house has not answered what it really cost')],
  ]);
  expect(seen(recording, 20, 80)).toMatchInlineSnapshot(`
    "
      film: 7 instances on studio, free ($0.70 at list price)

      – over     V-T2V-A  skipped: its condition is false

      ── film · studio ───────────────────────────────────────────────────── 20s ──

      ⠋ sent     V-T2V-A  sending: house has not answered the request yet       19s
      ⠋ fetched  V-T2V-A  downloading: nothing has come yet from house.te…      19s
      › turn     V-T2V-A  waits: owl waits for the same request
      › frames   V-T2V-A  waits: last_frame of shot is being taken
      › model    V-T2V-A  waits: fox-look is inactive
      › here     V-T2V-A  waits: house has not answered whether it has it

      over waits for its real cost: house has not answered what it really cost
      1 of 7 done · 2 under way · 4 waiting            free            Ctrl-C stops"
  `);
  const later = seen(recording, 80, 80);
  expect(later).not.toContain('waits:');
  expect(later).toMatch(/sent {5}V-T2V-A {2}sending +1m 19s\n[\s\S]*turn {5}V-T2V-A {2}next up\n/);
});

test('a step of many instances names the first wait that is reported', () => {
  const waiting = waits('clip[seed=220,ratio=16:9]', 'admission', 'owl waits for the same request');
  const recording = [...crowd, ...stamped([[15, waiting]])];
  expect(seen(recording, 16, 80)).toContain('clip[seed=220,ratio=16:9] waits: owl waits for the same request');
});

test('found again, queued, asking instead of listening', () => {
  expect(seen(unknown, 63, 80)).toMatchInlineSnapshot(`
    "
      teaser: 4 instances on hosted, about $2.40

      ── teaser · hosted ──────────────────────────────────────────────── 1m 03s ──

      ⠸ shot    V-T2V-A  queued, place 3                              57s    ~$0.60
      · framed  V-RF     waits for shot                                      ~$0.48
      · mended  V-RT     waits for framed                                    ~$0.72
      · final   V-UP     waits for mended                                    ~$0.60

      0 of 4 done · 1 under way · 3 waiting      spent $0.00 of ~$2.40      polling"
  `);
});

test('after Ctrl-C: what goes on, and how to take it up', () => {
  expect(seen(detached, 99, 80)).toMatchInlineSnapshot(`
    "
      teaser: 4 instances on studio, free ($2.40 at list price)

      ✓ shot    V-T2V-A  1280×720, 6.0s, 4.1 MB                                6.0s

      teaser was interrupted after 9.6s: 3 not finished, 1 made, free ($0.60 at
      list price)

      out/teaser-wide.mp4  1280×720, 6.0s, 4.1 MB

      framed is resumed by the next run
      to go on (what is done is kept, and not paid for again):
      shotlist run pipelines/teaser.yaml"
  `);
});

test('stopping, before the last word', () => {
  expect(seen(detached, 9.55, 80)).toMatchInlineSnapshot(`
    "
      teaser: 4 instances on studio, free ($2.40 at list price)

      ✓ shot    V-T2V-A  1280×720, 6.0s, 4.1 MB                                6.0s

      ── teaser · studio ──────────────────────────────────────────────────── 9s ──

      ⠏ framed  V-RF     ━━━━━━────────────── 30%  processing                    3s
      · mended  V-RT     waits for framed
      · final   V-UP     waits for mended

      1 of 4 done · 1 under way · 2 waiting   free ($2.40 at list price)   stopping"
  `);
});

test('resumed', () => {
  expect(seen(resumed, 0.5, 80)).toMatchInlineSnapshot(`
    "
      teaser: resumed, 4 instances on studio, free ($1.32 at list price)

      ✓ shot    V-T2V-A  already here

      ── teaser · studio ──────────────────────────────────────────────────── 0s ──

      ⠋ framed  V-RF     ━━━━━━━━━━━━━━━━──── 80%  processing                    0s
      · mended  V-RT     waits for framed
      · final   V-UP     waits for mended

      1 of 4 done · 1 under way · 2 waiting            free            Ctrl-C stops"
  `);
});

test('sixty clips in twenty-four rows', () => {
  expect(seen(crowd, 10, 80)).toMatchInlineSnapshot(`
    "
      crowd: 120 instances on studio, free ($45.00 at list price)

      ✓ clip[seed=11,ratio=16:9]    V-T2V-A  1280×720, 5.0s, 2.2 MB            9.0s

      ── crowd · studio ──────────────────────────────────────────────────── 10s ──

      ⠋ clip   60 made by 20 × 3  ╸─────────────  1 done · 3 at work · 12 queued
      › final  60 made by 20 × 3  ──────────────  1 next · 59 not yet

      1 of 120 done · 15 under way · 104 waiting         free          Ctrl-C stops"
  `);
});

test('sixty clips in twenty-four rows, wide', () => {
  expect(seen(crowd, 10, 200)).toMatchInlineSnapshot(`
    "
      crowd: 120 instances on studio, free ($45.00 at list price)

      ✓ clip[seed=11,ratio=16:9]    V-T2V-A  1280×720, 5.0s, 2.2 MB                                           9.0s

      ── crowd · studio ─────────────────────────────────────────────────────────────────────────────────── 10s ──

      ⠋ clip   60 made by 20 × 3  ╸─────────────────────────  1 done · 3 at work · 12 queued · 44 next
      › final  60 made by 20 × 3  ──────────────────────────  1 next · 59 not yet

      1 of 120 done · 15 under way · 104 waiting         free ($0.50 of $45.00 at list price)         Ctrl-C stops"
  `);
});

test('more under way than there are rows', () => {
  expect(seen(crowd, 4.9, 80, 12)).toMatchInlineSnapshot(`
    "
      crowd: 120 instances on studio, free ($45.00 at list price)

      ── crowd · studio ───────────────────────────────────────────────────── 4s ──

      ⠼ clip   60 made by 20 × 3  ╸─────────────  4 at work · 12 queued · 44 next
      · final  60 made by 20 × 3  waits for 60 of clip

      0 of 120 done · 16 under way · 104 waiting         free          Ctrl-C stops"
  `);
});

test('a low and narrow terminal', () => {
  expect(seen(teaser, 9.1, 40, 8)).toMatchInlineSnapshot(`
    "
      teaser: 4 instances on studio, free
      ($2.40 at list price)

      ✓ shot    1280×720, 6.0s, 4…     6.0s
      ── teaser · studio ──────────── 9s ──
      ⠏ framed  ━━━━──── 62%             2s
      · mended  waits for framed
      · final   waits for mended
      1/4  free                      Ctrl-C"
  `);
});

test('a terminal of three rows shows the counts alone', () => {
  expect(seen(teaser, 9.1, 80, 3)).toMatchInlineSnapshot(`
    "
      teaser: 4 instances on studio, free ($2.40 at list price)

      ✓ shot    V-T2V-A  1280×720, 6.0s, 4.1 MB                                6.0s
      1 of 4 done · 1 under way · 2 waiting        free         live · Ctrl-C stops"
  `);
});

test('a hundred results that were already here are one line', () => {
  expect(seen(bulk, 2, 80)).toMatchInlineSnapshot(`
    "
      bulk: 101 instances on studio, free ($2.40 at list price)

      ✓ clip ×100   V-T2V-A  already here

      ── bulk · studio ────────────────────────────────────────────────────── 2s ──

      ⠹ cut         run      running                                             1s

      100 of 101 done · 1 under way                free                Ctrl-C stops"
  `);
});

test('a text is read while it is written, as far as there is room', () => {
  expect(seen(beats, 0.7, 80)).toMatchInlineSnapshot(`
    "
      beats: 2 instances on studio, free ($0.50 at list price)

      ── beats · studio ───────────────────────────────────────────────────── 0s ──

      ⠋ script  C-D      writing, 4 words                                        0s
          Here are your beats!
      · shot    V-T2V-A  waits for script

      0 of 2 done · 1 under way · 1 waiting            free            Ctrl-C stops"
  `);
  expect(seen(beats, 1.05, 80)).toMatchInlineSnapshot(`
    "
      beats: 2 instances on studio, free ($0.50 at list price)

      ── beats · studio ───────────────────────────────────────────────────── 1s ──

      ⠙ script  C-D      asked to mend its answer: it is no JSON                 0s
      · shot    V-T2V-A  waits for script

      0 of 2 done · 1 under way · 1 waiting            free            Ctrl-C stops"
  `);
  expect(seen(beats, 4.5, 80)).toMatchInlineSnapshot(`
    "
      beats: 2 instances on studio, free ($0.50 at list price)

      ── beats · studio ───────────────────────────────────────────────────── 4s ──

      ⠼ script  C-D      writing, 45 words                                       4s
          ice, breath hanging in the blue light of dawn. Medium shot, tracking: it
          runs, and every crack overtakes it. Close-up, handheld: the far bank,
          snow, one paw in black water.
      · shot    V-T2V-A  waits for script

      0 of 2 done · 1 under way · 1 waiting            free            Ctrl-C stops"
  `);
  expect(seen(beats, 6.2, 80)).toMatchInlineSnapshot(`
    "
      beats: 2 instances on studio, free ($0.50 at list price)

      ✓ script  C-D      45 words                                              5.9s

      ── beats · studio ───────────────────────────────────────────────────── 6s ──

      ⠦ shot    V-T2V-A  sending                                                 0s

      1 of 2 done · 1 under way  free ($0.003 of $0.50 at list price)  Ctrl-C stops"
  `);
});

test('what acts outside is let end, and like failures are told once', () => {
  expect(seen(commands, 2.5, 80)).toMatchInlineSnapshot(`
    "
      posted: 6 instances on studio, free ($2.40 at list price)

      ✗ cut[n=1]  run  exit code 1: cut 1: no space left on the device         0.8s
      ✗ cut[n=2]  run  exit code 1: cut 2: no space left on the device         0.8s
      ✗ cut[n=3]  run  exit code 1: cut 3: no space left on the device         0.8s
      ✗ cut[n=4]  run  exit code 1: cut 4: no space left on the device         0.8s
      ✗ cut[n=5]  run  the command ended with exit code 1: out of memory       0.8s

      ── posted · studio ──────────────────────────────────────────────────── 2s ──

      ⠹ post      run  acts outside, is let end                                  2s

      0 of 6 done · 1 under way · 5 failed              free               stopping"
  `);
  expect(seen(commands, 99, 80)).toMatchInlineSnapshot(`
    "
      posted: 6 instances on studio, free ($2.40 at list price)

      ✗ cut[n=1]  run  exit code 1: cut 1: no space left on the device         0.8s
      ✗ cut[n=2]  run  exit code 1: cut 2: no space left on the device         0.8s
      ✗ cut[n=3]  run  exit code 1: cut 3: no space left on the device         0.8s
      ✗ cut[n=4]  run  exit code 1: cut 4: no space left on the device         0.8s
      ✗ cut[n=5]  run  the command ended with exit code 1: out of memory       0.8s

      posted was interrupted after 3.0s: 5 failed, 1 not finished, nothing spent

      ✗ cut ×4
        cut[n=1], cut[n=2], cut[n=3], cut[n=4]
        the command ended with exit code 1; it cost nothing
            at frame 7
          cut 1: no space left on the device
        the output of cut[n=1]:
        .shotlist/runs/posted/logs/2026-11-22T08-20-11/cut[n=1].log
        first: mend step cut in pipelines/posted.yaml

      ✗ cut[n=5]
        the command ended with exit code 1; it cost nothing
            at frame 7
          out of memory
        its output: .shotlist/runs/posted/logs/2026-11-22T08-20-11/cut[n=5].log
        first: mend step cut in pipelines/posted.yaml

      nothing is left running at the service
      to go on (what is done is kept, and not paid for again):
      shotlist run posted.yaml"
  `);
});

test('a film that is made elsewhere goes on when nobody looks, and says so', () => {
  const { live } = drawn(runViewAt(teaser, 9.1), START + 9_100, { columns: 80, rows: 24 }, { elsewhere: true });
  const last = live.at(-1);
  expect(last).toBe('  1 of 4 done · 1 under way · 2 waiting        free        live · Ctrl-C leaves');
});
