/** Calls that answer at once, in whole processes: a chat model writes the beats, a still is made by one call, a fine-tune is tokenized. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readyStudio } from '../support/ready-studio.ts';
import { ends, openStage } from './ended.ts';

const stage = openStage();
const run = (...args: readonly string[]) => stage.run(...args);

const BEATS = `shotlist: 1
name: beats
description: A chat model writes three beats and a title; each beat becomes a shot, the title a poster.

params:
  idea: { type: string, default: a fox who crosses a frozen river before the ice breaks }

steps:
  script:
    model: C-D
    with:
      system: You write shot lists. Every beat is one shot of five seconds; say its size, its camera and its light.
      prompt: "A title and three beats about \${{ params.idea }}"
      max_tokens: 700
    schema:
      type: object
      additionalProperties: false
      required: [title, beats]
      properties:
        title: { type: string, maxLength: 48 }
        beats:
          type: array
          minItems: 3
          maxItems: 3
          items: { type: string }
    save: out/beats.json

  shot:
    model: V-T2V-A
    matrix: { beat: [1, 2, 3] }
    with:
      prompt: \${{ steps.script.json.beats[matrix.beat - 1] }}
      resolution: 720P
      duration: 2

  poster:
    model: I-GEN-A
    with:
      prompt: 'film poster, "\${{ steps.script.json.title }}", \${{ steps.script.json.beats[0] }}'
      output_format: png

outputs:
  shots:
    from: \${{ steps.shot }}
    to: out/beats-{beat}.mp4
  poster:
    from: \${{ steps.poster }}
    to: out/beats.png
`;

describe('a film whose shots a chat model writes', () => {
  beforeAll(() => stage.write('beats.yaml', BEATS));

  test('the beats are written, each becomes a shot, and the text is kept beside the film', async () => {
    const { stdout } = await ends(stage.run('run', 'beats.yaml', '--draft'), 0);
    expect(stdout.trim().split('\n').sort()).toEqual(FILMS);
    expect(readdirSync(stage.at('out/draft')).sort()).toEqual(FILMS.map(path => path.slice(10)));
    const { title, beats } = JSON.parse(stage.read('out/draft/beats.json')) as { title: string; beats: string[] };
    expect({ title, beats }).toMatchSnapshot();
    const lock = stage.read('beats.lock.yaml');
    expect(lock).toContain(`"title": "${title}"`);
  });

  test('a second run writes nothing new and spends nothing', async () => {
    const { stderr } = await ends(run('run', 'beats.yaml', '--draft'), 0);
    expect(stderr).toContain('5 already here, nothing spent');
  });

  test('another idea is another script', async () => {
    const { stderr } = await run('plan', 'beats.yaml', '--param', 'idea=a lighthouse keeper in a storm');
    expect(stderr).toBe('');
    await ends(run('run', 'beats.yaml', 'script', '--draft', '--param', 'idea=a lighthouse keeper'), 0);
    expect(stage.read('out/draft/beats.json')).toMatch(/keeper/i);
  });
});

const FILMS = [
  'out/draft/beats-1.mp4',
  'out/draft/beats-2.mp4',
  'out/draft/beats-3.mp4',
  'out/draft/beats.json',
  'out/draft/beats.png',
];

describe('a chat that nobody answers', () => {
  let asked = 0;
  let answers = false;
  const isAsked = Promise.withResolvers<void>();
  const upstream = createServer((request, response) => {
    request.resume().on('end', () => {
      asked += 1;
      isAsked.resolve();
      if (!answers) return;
      const message = { role: 'assistant', content: 'The Fox' };
      const choices = [{ index: 0, message, finish_reason: 'stop' }];
      const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 0, model: 'm', choices, usage }));
    });
  });
  beforeAll(async () => {
    await once(upstream.listen(0, '127.0.0.1'), 'listening');
    const { port } = upstream.address() as AddressInfo;
    stage.env = { SHOTLIST_CHAT_UPSTREAM: `http://127.0.0.1:${port}/v1` };
    stage.write('title.yaml', 'shotlist: 1\nname: title\nsteps:\n  title: { model: C-D, with: { prompt: a title } }\n');
  });
  afterAll(() => {
    stage.env = {};
    upstream.closeAllConnections();
    upstream.close();
  });

  test('is never asked again after a kill, until its author says so', async () => {
    const killed = stage.start('run', 'title.yaml');
    await isAsked.promise;
    killed.child.kill('SIGKILL');
    await killed.ended;
    const again = await run('run', 'title.yaml');
    expect([again.exit, asked]).toEqual([1, 1]);
    expect(again.stderr).toContain('a call that answers at once leaves nothing to look for');
    answers = true;
    const resubmitted = await run('run', 'title.yaml', '--on-unknown', 'resubmit');
    expect([resubmitted.exit, asked]).toEqual([0, 2]);
    expect(stage.read('title.lock.yaml')).toContain('text: The Fox');
    expect((await run('run', 'title.yaml')).stderr).toContain('1 already here, nothing spent');
    expect(asked).toBe(2);
  });
});

test('one call for a still, one for a fine-tune, and the command that reads both', async () => {
  stage.write(
    'calls.yaml',
    `shotlist: 1
name: calls
steps:
  still: { model: I-GEN-A, via: sync, with: { prompt: a fox in the snow } }
  tuned: { tokenize: { repository: film-house/looks, fine_tune: ft-harbour } }
  told:
    run: [echo, "\${{ steps.tuned.id }} is \${{ steps.tuned.status }}; the still is \${{ steps.still.media.width }} wide"]
outputs:
  still: { from: "\${{ steps.still }}", to: out/still.webp }
`,
  );
  const made = await ends(run('run', 'calls.yaml', '--draft', '--ui', 'json'), 0);
  const told = made.stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
    .find(event => event.type === 'succeeded' && event.key === 'told');
  expect(told.result.stdout).toMatchInlineSnapshot(`"ft-harbour is tokenized; the still is 256 wide"`);
  const again = await run('run', 'calls.yaml', '--draft');
  expect(again.stderr).toContain('3 already here, nothing spent');
});

const tuned = (id: string) => `shotlist: 1
name: tuned
steps:
  tuned: { tokenize: { repository: film-house/looks, fine_tune: ${id} } }
  told: { if: "\${{ steps.tuned.status == 'tokenized' }}", run: [echo, "\${{ steps.tuned.id }} is ready"] }
`;

test('a fine-tune is waited for until it is ready: what follows is done, not skipped; Ctrl-C and a kill only interrupt the wait', async () => {
  // It is not ready before both have been cut off, however long that takes here.
  const stalled = await stage.studio('tuning', 0, ['--vice', 'tunes-stall']);
  stage.trust(stalled);
  stage.write('tuned.yaml', tuned('ft-night-train'));
  const interrupted = stage.start('run', 'tuned.yaml', '--ui', 'json');
  await interrupted.line(/"status":"tokenizing"/);
  interrupted.interrupt();
  expect((await interrupted.ended).exit).toBe(130);
  const killed = stage.start('run', 'tuned.yaml', '--ui', 'json');
  await killed.line(/"status":"tokenizing"/);
  killed.kill();
  await killed.ended;
  stalled.process.kill();
  await stalled.process.ended;
  stage.trust(await stage.studio('tuning', Number(new URL(stalled.url).port)));
  const { stderr } = await ends(run('run', 'tuned.yaml', '--ui', 'plain'), 0);
  expect(stderr).toContain('the fine-tune is tokenized');
  expect(stage.read('tuned.lock.yaml')).toContain('status: tokenized');
  expect(stage.read('tuned.lock.yaml')).toContain('ft-night-train is ready');
  stage.env = {};
});

test('one whose tokenization fails fails the step, in the words of the service', async () => {
  stage.write('static.yaml', tuned('ft-static'));
  const { stderr } = await ends(run('run', 'static.yaml', '--draft'), 1);
  expect(stderr).toContain('the fine-tune is failed: the third of its pictures cannot be read');
});

test('a service that keeps to the document does not tell: the run says so', async () => {
  const studio = await readyStudio({ strict: true });
  onTestFinished(() => studio.close());
  stage.trust(studio);
  stage.write('untold.yaml', tuned('ft-harbour').replace(/ {2}told:.*\n/, ''));
  const { stderr } = await ends(run('run', 'untold.yaml'), 0);
  expect(stderr).toContain('tokenization has begun; this service does not tell when it is ready');
  stage.env = {};
});
