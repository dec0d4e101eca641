import { expect, test } from 'vitest';
import type { RecordedEvent, Reporter } from '../../src/model/run/event.ts';
import { plainReporter } from '../../src/show/reporters/plain.ts';
import { quietReporter } from '../../src/show/reporters/quiet.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { seen } from '../terminal/seen.ts';
import { bulk, commands, detached, failing, resumed, START, teaser, unchanged, unknown } from '../text/recordings.ts';

test('plain: a film that is made', () => {
  expect(lines(plainReporter, teaser)).toMatchInlineSnapshot(`
    "teaser: 4 instances on studio, free ($2.40 at list price)
       +0.4s  shot    submitted  V-T2V-A  gen_shot
       +6.3s  shot    done in 6.0s: 1280×720, 6.0s, 4.1 MB
       +6.4s  shot    wrote out/teaser-wide.mp4
       +6.5s  framed  submitted  V-RF  gen_framed
      +10.4s  framed  done in 4.0s: 720×1280, 6.0s, 3.8 MB
      +10.6s  mended  submitted  V-RT  gen_mended
      +15.5s  mended  done in 5.0s: 720×1280, 6.0s, 3.9 MB
      +15.8s  final   submitted  V-UP  gen_final
      +23.6s  final   done in 8.0s: 1080×1920, 6.0s, 9.8 MB
      +23.7s  final   wrote out/teaser.mp4

    teaser is finished in 23.8s: 4 made, free ($2.40 at list price)
      out/teaser-wide.mp4  1280×720, 6.0s, 4.1 MB
      out/teaser.mp4  1080×1920, 6.0s, 9.8 MB"
  `);
});

test('plain: a run that had nothing to do', () => {
  expect(lines(plainReporter, unchanged)).toMatchInlineSnapshot(`
    "teaser: 4 instances on studio, free
       +0.0s  shot    already here
       +0.0s  framed  already here
       +0.0s  mended  already here
       +0.0s  final   already here
       +0.0s  final   wrote out/teaser.mp4

    teaser is finished in 0.0s: 4 already here, nothing spent
      out/teaser.mp4  1080×1920, 6.0s, 9.8 MB"
  `);
});

test('plain: a failure, what it blocks, and how to go on', () => {
  expect(lines(plainReporter, failing)).toMatchInlineSnapshot(`
    "teaser: 4 instances on hosted, about $2.40
       +0.4s  shot    submitted  V-T2V-A  ~$0.60  gen_shot
       +6.3s  shot    done in 6.0s: 1280×720, 6.0s, 4.1 MB  $0.60
       +6.4s  shot    wrote out/teaser-wide.mp4
       +6.5s  framed  submitted  V-RF  ~$0.48  gen_framed
       +9.0s  framed  failed: input video is 40.0 s long, at most 30 s are taken
       +9.0s  mended  blocked by framed
       +9.0s  final   blocked by framed

    teaser is not finished after 9.1s: 1 failed, 2 blocked, 1 made, $0.60 spent
      out/teaser-wide.mp4  1280×720, 6.0s, 4.1 MB
    ✗ framed
      hosted could not make it: input video is 40.0 s long, at most 30 s are taken (generation gen_framed); it may have cost $0.48
      first: mend step framed in pipelines/teaser.yaml
    to go on (what is done is kept, and not paid for again):
      shotlist run pipelines/teaser.yaml"
  `);
});

test('plain: a busy service, a request without an answer, a service that goes and comes back', () => {
  expect(lines(plainReporter, unknown)).toMatchInlineSnapshot(`
    "teaser: 4 instances on hosted, about $2.40
       +0.3s  shot    not taken, tried again in 5.0s: rate limit reached
      +20.0s          events stopped, asking instead: silent for 45 s
      +35.3s  shot    no answer, looking for it: connection reset after the request was sent
      +36.0s          the service cannot be reached, trying again: connect ECONNREFUSED
     +1m 00s          the service answers again
     +1m 01s  shot    found at the service, not sent twice  V-T2V-A  ~$0.60  gen_shot"
  `);
});

test('plain: after Ctrl-C', () => {
  expect(lines(plainReporter, detached)).toMatchInlineSnapshot(`
    "teaser: 4 instances on studio, free ($2.40 at list price)
       +0.4s  shot    submitted  V-T2V-A  gen_shot
       +6.3s  shot    done in 6.0s: 1280×720, 6.0s, 4.1 MB
       +6.4s  shot    wrote out/teaser-wide.mp4
       +6.5s  framed  submitted  V-RF  gen_framed
       +9.5s          stopping: nothing new is started

    teaser was interrupted after 9.6s: 3 not finished, 1 made, free ($0.60 at list price)
      out/teaser-wide.mp4  1280×720, 6.0s, 4.1 MB
    framed is resumed by the next run
    to go on (what is done is kept, and not paid for again):
      shotlist run pipelines/teaser.yaml"
  `);
});

test('plain: resumed', () => {
  expect(lines(plainReporter, resumed)).toMatchInlineSnapshot(`
    "teaser: resumed, 4 instances on studio, free ($1.32 at list price)
       +0.1s  shot    already here
       +0.2s  framed  resumed, not sent twice  gen_framed
       +1.6s  framed  done in 1.4s: 720×1280, 6.0s, 3.8 MB
       +1.8s  mended  submitted  V-RT  gen_mended
       +6.7s  mended  done in 5.0s: 720×1280, 6.0s, 3.9 MB"
  `);
});

test('plain: a minute in which nothing was told ends with a sign of life', async () => {
  const clock = new FakeClock(START);
  const told: string[] = [];
  const reporter = plainReporter(line => told.push(line), { clock });
  const until = teaser.findIndex(({ type }) => type === 'progress') + 1;
  for (const event of teaser.slice(0, until)) {
    await clock.advance(event.at - clock.now());
    reporter.report(event);
  }
  await clock.advance(150_000);
  expect(told.slice(-2)).toEqual([
    ' +1m 00s          0 of 4 done; under way: shot queued, place 2',
    ' +2m 00s          0 of 4 done; under way: shot queued, place 2',
  ]);
  await reporter.close();
  expect(await clock.advance(600_000)).toBeUndefined();
  expect([told.length, clock.sleeping]).toEqual([4, []]);
});

test('plain: many results that were already here are one line', () => {
  expect(lines(plainReporter, bulk)).toMatchInlineSnapshot(`
    "bulk: 101 instances on studio, free ($2.40 at list price)
       +0.1s  clip ×100   already here
       +0.2s  cut         started
       +3.4s  cut         done in 3.2s: left 1 file

    bulk is finished in 3.5s: 1 made, 100 already here, nothing spent"
  `);
});

test('plain text and the screen end in the same words', () => {
  for (const recording of [teaser, failing, detached, unchanged]) {
    const plain = words(lines(plainReporter, recording).split('\n\n')[1]!);
    const screen = words(seen(recording, 99, 200));
    expect(screen.endsWith(plain), `${screen}\n${plain}`).toBe(true);
  }
});

test('the command that was really given is the one to go on with', () => {
  const reporter = (write: (line: string) => void) =>
    plainReporter(write, { command: 'shotlist run fox.yaml --param seed=3' });
  expect(lines(reporter, failing).split('\n').at(-1)).toBe('  shotlist run fox.yaml --param seed=3');
});

test('quiet: only what failed, and the last line', () => {
  expect(lines(quietReporter, failing)).toBe(
    'framed failed: input video is 40.0 s long, at most 30 s are taken\n' +
      'teaser is not finished after 9.1s: 1 failed, 2 blocked, 1 made, $0.60 spent',
  );
  expect(lines(quietReporter, teaser)).toBe('teaser is finished in 23.8s: 4 made, free ($2.40 at list price)');
});

function lines(start: (write: (line: string) => void) => Reporter, recording: readonly RecordedEvent[]): string {
  const written: string[] = [];
  const reporter = start(line => written.push(line));
  for (const event of recording) reporter.report(event);
  return written.join('\n');
}

/** Where lines break and how far they are indented is each one's own. */
const words = (text: string): string => text.replace(/\s+/g, ' ').trim();

test('plain: like failures are told where they happen, and once at the end with the last that was said', () => {
  expect(lines(plainReporter, commands)).toMatchInlineSnapshot(`
    "posted: 6 instances on studio, free ($2.40 at list price)
       +0.1s  post      started, acts outside
       +0.2s  cut[n=1]  started
       +1.0s  cut[n=1]  failed: the command ended with exit code 1: cut 1: no space left on the device
       +0.2s  cut[n=2]  started
       +1.0s  cut[n=2]  failed: the command ended with exit code 1: cut 2: no space left on the device
       +0.2s  cut[n=3]  started
       +1.0s  cut[n=3]  failed: the command ended with exit code 1: cut 3: no space left on the device
       +0.2s  cut[n=4]  started
       +1.0s  cut[n=4]  failed: the command ended with exit code 1: cut 4: no space left on the device
       +0.2s  cut[n=5]  started
       +1.0s  cut[n=5]  failed: the command ended with exit code 1: out of memory
       +2.0s            stopping: nothing new is started

    posted was interrupted after 3.0s: 5 failed, 1 not finished, nothing spent
    ✗ cut ×4
      cut[n=1], cut[n=2], cut[n=3], cut[n=4]
      the command ended with exit code 1; it cost nothing
          at frame 7
        cut 1: no space left on the device
      the output of cut[n=1]: .shotlist/runs/posted/logs/2026-11-22T08-20-11/cut[n=1].log
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

test('quiet: a failed command is told with its last word', () => {
  expect(lines(quietReporter, commands).split('\n')[0]).toBe(
    'cut[n=1] failed: the command ended with exit code 1: cut 1: no space left on the device',
  );
});
