/** `shotlist chat`: the whole command, asked by scripts and talked to by a person at a terminal. */
import { spawn as spawnChild } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { json, stubServer } from '../support/stub-server.ts';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
  stage.env = { SHOTLIST_STUDIO_SPEED: 'draft' };
});
afterEach(() => stage.dispose());

const SEA = { create: { width: 64, height: 36, channels: 3, background: '#102a60' } } as const;
const FOX = 'a title for a film about a fox who crosses a frozen river';

describe('once', () => {
  test('a prompt is answered on standard output, and what it used told beside it', async () => {
    expect(await stage.run('chat', 'C-D', FOX)).toMatchObject({
      exit: 0,
      stdout: 'The Fox and the Frozen River\n',
      stderr: `C-D: 19 + 7 tokens, free ($0.0000047 at list price)\n`,
    });
  });

  test('a prompt may come through a pipe, and the answer go on as JSON', async () => {
    const [program, ...given] = stage.command(['chat', 'C-D', '--json', '--system', 'Be brief.', 'max_tokens=3']);
    const child = spawnChild(program, given, { cwd: stage.project, env: stage.environment });
    child.stdin.end(`${FOX}\n`);
    const [out, err, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    expect([exit, JSON.parse(out)]).toEqual([
      0,
      {
        model: 'C-D',
        text: 'The Fox and ',
        finish_reason: 'length',
        usage: { prompt_tokens: 26, completion_tokens: 3, total_tokens: 29 },
        cost: 0.0000038,
      },
    ]);
    expect(err).toBe(
      `cut off: the answer is as long as max_tokens allows\nC-D: 26 + 3 tokens, free ($0.0000038 at list price)\n`,
    );
  });

  test('a prompt may come with images, files and addresses alike', async () => {
    stage.write('media/sea.png', await sharp(SEA).png().toBuffer());
    const seen = await stage.run('chat', 'C-B', 'what is it?', '--image', 'media/sea.png');
    expect(seen).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('Image 1 is a png of 64×36 pixels (16:9), mostly dark blue (#102a60, 100%).'),
    });
    const wrong = async (...args: string[]) => (await stage.run('chat', ...args)).stderr;
    expect(await wrong('C-D', 'what is it?', '--image', 'media/sea.png')).toBe(
      'shotlist: C-D reads words alone and cannot be shown an image; C-B and C-H can\n',
    );
    expect(await wrong('C-B', 'what is it?', '--image', 'media/gone.png')).toContain(
      '"media/gone.png", which is not there',
    );
  });

  test('what is wrong is said before anything is sent', async () => {
    const wrong = async (...args: string[]) => {
      const { exit, stdout, stderr } = await stage.run('chat', ...args);
      expect(stdout).toBe('');
      return [exit, stderr];
    };
    expect(await wrong()).toEqual([2, 'shotlist: which model? shotlist chat MODEL [PROMPT] [field=value …]\n']);
    expect(await wrong('C-D')).toEqual([2, 'shotlist: nothing was asked: give a prompt, or pipe one in\n']);
    expect(await wrong('V-T2V-A', 'hello')).toEqual([
      2,
      'shotlist: V-T2V-A makes video: shotlist generate V-T2V-A field=value …\n',
    ]);
    expect(await wrong('C-F', 'hello', 'temperature=hot', 'max_tokens=200000')).toEqual([
      2,
      'shotlist: nothing was sent:\n  temperature must be a number, not "hot"\n  max_tokens must be at most 128000, not 200000\n',
    ]);
    expect(await stage.run('generate', 'C-D', 'prompt=a fox')).toMatchObject({
      exit: 2,
      stderr: 'shotlist: C-D is a chat model: talk to it with `shotlist chat C-D`\n',
    });
  });

  test('a model of one’s own answers where the studio is told of it', async () => {
    const upstream = await stubServer(
      json(200, { choices: [{ message: { content: 'Bonjour, \u001b[31mrenard.' }, finish_reason: 'stop' }] }),
    );
    stage.env = {
      ...stage.env,
      SHOTLIST_CHAT_UPSTREAM: `${upstream.url}/v1`,
      SHOTLIST_CHAT_UPSTREAM_KEY: 'up-key',
      SHOTLIST_CHAT_UPSTREAM_MODEL: 'llama',
    };
    expect(await stage.run('chat', 'C-D', 'Translate: a fox')).toMatchObject({
      exit: 0,
      // A pipe carries no more than a terminal would be shown.
      stdout: 'Bonjour, [31mrenard.\n',
      stderr: 'C-D: the service did not tell what it used\n',
    });
    expect(upstream.seen[0]?.headers.authorization).toBe('Bearer up-key');
    expect(JSON.parse(upstream.seen[0]?.body ?? '')).toMatchObject({ model: 'llama' });
  });
});

const PROMPT = /> \x1b\[3G/;

test('at a terminal it is a conversation, and Ctrl-D ends it', async () => {
  const terminal = stage.startAtTerminal('chat', 'C-D');
  await terminal.shows(/C-D at studio-draft; \/bye or Ctrl-D ends\r\n/);
  await terminal.shows(PROMPT);
  terminal.type('three beats about a fox who crosses a frozen river\r');
  await terminal.shows(/1\. Extreme wide shot.*\r\n2\. Medium shot.*\r\n3\. Wide shot.*\r\n/);
  await terminal.shows(PROMPT);
  terminal.type('make the second one a night shot\r');
  await terminal.shows(/Medium shot, tracking: a fox crosses a frozen river.* night/);
  await terminal.shows(PROMPT);
  terminal.type('\x04');
  await terminal.shows(/C-D: \d+ \+ \d+ tokens, free \(\$0\.\d+ at list price\)/);
  expect(await terminal.exit).toBe(0);
});

test('at a terminal Ctrl-C stops an answer, and the conversation goes on', async () => {
  // Its answer begins and does not end: an answer that ends before the key arrives cannot be stopped.
  const begin = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: '1. Extreme wide shot' } }] })}\n\n`;
  const upstream = await stubServer(response => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(begin);
  });
  stage.env = { ...stage.env, SHOTLIST_CHAT_UPSTREAM: `${upstream.url}/v1` };
  const terminal = stage.startAtTerminal('chat', 'C-D');
  await terminal.shows(PROMPT);
  terminal.type('Write fifty beats about a whale\r');
  await terminal.shows(/1\. Extreme wide/);
  terminal.type('\x03');
  await terminal.shows(
    /: stopped, after \d+ characters of the answer had come; it may have been billed as far as it went\r\n/,
  );
  await terminal.shows(PROMPT);
  terminal.type('\x04');
  expect(await terminal.exit).toBe(0);
});
