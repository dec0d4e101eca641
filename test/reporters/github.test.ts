import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import type { StepName } from '../../src/model/run/key.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView } from '../../src/records/views/run-view.ts';
import { githubReporter } from '../../src/show/reporters/github.ts';
import { annotation, fitting, stopCommands } from '../../src/show/reporters/github-commands.ts';
import { linesWithin, MAX_SUMMARY_BYTES, runSummary } from '../../src/show/reporters/github-summary.ts';
import { Runner } from '../support/github-runner.ts';
import { bulk, failing, failingEach, teaser } from '../text/recordings.ts';

async function told(events: readonly RecordedEvent[]): Promise<{ readonly lines: string[]; readonly summary: string }> {
  const lines: string[] = [];
  let summary = '';
  let token = 0;
  const reporter = githubReporter({
    write: line => lines.push(line),
    summarise: async markdown => {
      summary += markdown;
    },
    placeOf: step => ({ file: 'pipelines/teaser.yaml', line: 3 + step.length, column: 3 }),
    newToken: () => `t${++token}`,
    command: 'shotlist run pipelines/teaser.yaml',
  });
  for (const event of events) reporter.report(event);
  await reporter.close();
  return { lines, summary };
}

test('a failure: groups of what is over, an annotation on its line, and a summary', async () => {
  const { lines, summary } = await told(failing);
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "::stop-commands::t1
    ::t1::
    ::group::shot: 1 made, $0.60
    ::stop-commands::t2
    shot  V-T2V-A  1280×720, 6.0s, 4.1 MB  6.0s  $0.60
    ::t2::
    ::endgroup::
    ::stop-commands::t3
    ::t3::
    ::group::framed: 1 failed
    ::stop-commands::t4
    framed  V-RF  failed: input video is 40.0 s long, at most 30 s are taken  2.6s
    ::t4::
    ::endgroup::
    ::stop-commands::t5
    ::t5::
    ::group::mended: 1 blocked
    ::stop-commands::t6
    mended  V-RT  blocked by framed
    ::t6::
    ::endgroup::
    ::stop-commands::t7
    ::t7::
    ::group::final: 1 blocked
    ::stop-commands::t8
    final  V-UP  blocked by framed
    ::t8::
    ::endgroup::
    ::stop-commands::t9
    ::t9::
    ::error file=pipelines/teaser.yaml,line=9,col=3,title=framed failed::hosted could not make it: input video is 40.0 s long, at most 30 s are taken (generation gen_framed); it may have cost $0.48%0Afirst: mend step framed in pipelines/teaser.yaml
    ::stop-commands::t10
    ::t10::"
  `);
  expect(summary).toMatchInlineSnapshot(`
    "### ❌ teaser is not finished after 9.1s: 1 failed, 2 blocked, 1 made, &#36;0.60 spent

    teaser: 4 instances on hosted, about &#36;2.40

    | step | made with | instances | made | already here | failed | not made | took | spent |
    | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
    | <code>shot</code> | V-T2V-A | 1 | 1 |  |  |  | 6.0s | &#36;0.60 |
    | <code>framed</code> | V-RF | 1 |  |  | 1 |  | 2.6s |  |
    | <code>mended</code> | V-RT | 1 |  |  |  | 1 |  |  |
    | <code>final</code> | V-UP | 1 |  |  |  | 1 |  |  |

    #### What failed
    - <code>framed</code>: hosted could not make it: input video is 40.0 s long, at most 30 s are taken (generation gen&#95;framed); it may have cost &#36;0.48<br>first: mend step framed in pipelines/teaser.yaml

    #### Films
    - <code>out/teaser-wide.mp4 1280×720, 6.0s, 4.1 MB</code>

    - to go on (what is done is kept, and not paid for again):
    - <code>shotlist run pipelines/teaser.yaml</code>

    "
  `);
});

test('a runner reads our orders and nothing else', async () => {
  const runner = new Runner();
  for (const line of (await told(failing)).lines) runner.read(line);
  expect(runner.orders).toEqual([...Array.from({ length: 4 }, () => ['group', 'endgroup']).flat(), 'error']);
  expect(runner.isStopped).toBe(false);
});

test('a film that is made is one notice', async () => {
  const { lines } = await told(teaser);
  expect(lines.filter(line => /^::(error|warning|notice)/.test(line))).toEqual([
    '::notice title=pipelines/teaser.yaml::teaser is finished in 23.8s: 4 made, free ($2.40 at list price)%0A2 outputs',
  ]);
});

test('sixty failures of their own are ten annotations, the last of which tells how many more', async () => {
  const names = Array.from({ length: 60 }, (_, n) => `s${String.fromCharCode(97 + (n % 26))}${Math.floor(n / 26)}`);
  const events = failingEach(names, name => `no ${name}`);
  const { lines } = await told(events);
  const errors = lines.filter(line => line.startsWith('::error'));
  expect(errors).toHaveLength(10);
  expect(errors[9]).toMatch(/^::error title=51 more::/);
});

test('what is written into an order stays in its field', () => {
  expect(
    annotation({
      kind: 'error',
      title: 'a,line=9::b%\n::x',
      message: 'one\r\n::error::two 100%',
      place: { file: 'a,b:c.yaml', line: 1, column: 2 },
    }),
  ).toBe('::error file=a%2Cb%3Ac.yaml,line=1,col=2,title=a%2Cline=9%3A%3Ab%25%0A%3A%3Ax::one%0A::error::two 100%25');
  expect(stopCommands('abc')).toBe('::stop-commands::abc');
  expect(fitting([], '')).toEqual([]);
});

test('a summary of ten thousand instances and long words stays below 900 KiB, and whole lines are cut', () => {
  const names = Array.from({ length: 3_000 }, (_, n) => `step_${n}_${'x'.repeat(20)}`);
  const run = emptyRunView();
  for (const event of failingEach(names, name => `${name} ${'ä'.repeat(9_000)}`)) reduce(run, event);
  const markdown = runSummary(run, 'shotlist run x.yaml');
  expect(Buffer.byteLength(markdown)).toBeLessThan(MAX_SUMMARY_BYTES);
  expect(markdown).toContain('and 2700 more');
  expect(linesWithin(['aaaa', 'bbbb', 'cccc'], 40)).toBe('aaaa\nbbbb\n\n… and more, in the log.\n');
});

test('a group of many is capped, and says so', async () => {
  const { lines } = await told(bulk);
  expect(lines.length).toBeLessThan(400);
  expect(new Set(lines.map(line => line as StepName)).size).toBeGreaterThan(3);
});
