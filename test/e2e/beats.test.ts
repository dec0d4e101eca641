/** Calls that answer at once, in whole processes: a chat model writes the beats, a still is made by one call, a fine-tune is tokenized. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Stage } from './stage.ts';

let stage: Stage;
beforeAll(() => {
  stage = new Stage();
});
afterAll(() => stage.dispose());

describe('pipelines/beats.yaml', () => {
  test('the beats are written, each becomes a shot, and the text is kept beside the film', async () => {
    const { exit, stderr, stdout } = await stage.run('run', 'pipelines/beats.yaml', '--draft');
    expect(exit, stderr).toBe(0);
    expect(stdout.trim().split('\n').sort()).toEqual(FILMS);
    expect(readdirSync(join(stage.project, 'out')).sort()).toEqual(FILMS.map(path => path.slice(4)));
    const { title, beats } = JSON.parse(stage.read('out/beats.json')) as { title: string; beats: string[] };
    expect({ title, beats }).toMatchSnapshot();
    const lock = stage.read('pipelines/beats.lock.yaml');
    expect(lock).toContain(`"title": "${title}"`);
  });

  test('a second run writes nothing new and spends nothing', async () => {
    const { exit, stderr } = await stage.run('run', 'pipelines/beats.yaml', '--draft');
    expect(exit, stderr).toBe(0);
    expect(stderr).toContain('5 already here, nothing spent');
  });

  test('another idea is another script', async () => {
    const { stderr } = await stage.run(
      'plan',
      'pipelines/beats.yaml',
      '--param',
      'idea=a lighthouse keeper in a storm',
    );
    expect(stderr).toBe('');
    const again = await stage.run('run', 'pipelines/beats.yaml', '--draft', '--param', 'idea=a lighthouse keeper');
    expect(again.exit, again.stderr).toBe(0);
    expect(stage.read('out/beats.json')).toMatch(/keeper/i);
  });
});

const FILMS = ['out/beats-1.mp4', 'out/beats-2.mp4', 'out/beats-3.mp4', 'out/beats.json', 'out/beats.png'];

describe('a chat that nobody answers', () => {
  let asked = 0;
  let answers = false;
  const upstream = createServer((request, response) => {
    request.resume().on('end', () => {
      asked += 1;
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
    const run = stage.start('run', 'title.yaml');
    await vi.waitUntil(() => asked === 1, { timeout: 30_000 });
    run.child.kill('SIGKILL');
    await run.ended;
    const again = await stage.run('run', 'title.yaml');
    expect([again.exit, asked]).toEqual([1, 1]);
    expect(again.stderr).toContain('a call that answers at once leaves nothing to look for');
    answers = true;
    const resubmitted = await stage.run('run', 'title.yaml', '--on-unknown', 'resubmit');
    expect([resubmitted.exit, asked]).toEqual([0, 2]);
    expect(stage.read('title.lock.yaml')).toContain('text: The Fox');
    expect((await stage.run('run', 'title.yaml')).stderr).toContain('1 already here, nothing spent');
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
  const made = await stage.run('run', 'calls.yaml', '--draft', '--ui', 'json');
  expect(made.exit, made.stderr).toBe(0);
  const told = made.stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
    .find(event => event.type === 'succeeded' && event.key === 'told');
  expect(told.result.stdout).toMatchInlineSnapshot(`"ft-harbour is tokenizing; the still is 256 wide"`);
  const again = await stage.run('run', 'calls.yaml', '--draft');
  expect(again.stderr).toContain('3 already here, nothing spent');
});
