/** Images that a chat is shown: really fetched and looked at, as far as a writer without a neural network can. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/model/text/json.ts';
import { nameOf } from '../../src/studio/writer/seen-image.ts';
import { json, stubServer } from '../support/stub-server.ts';
import { type Answer, type TestStudio, testStudio } from './fake-studio.ts';

const PATH = '/api/ai/chat/completions';
const textOf = ({ body }: Answer): string =>
  (body as { choices: { message: { content: string } }[] }).choices[0]?.message.content ?? '';
const refusalOf = ({ status, body }: Answer) => [
  status,
  ...((body as { error: { details: JsonObject[] } }).error.details ?? []).map(
    ({ path, message }) => `${path}: ${message}`,
  ),
];

/** A user's turn with these addresses after its words. */
const shown = (words: string, urls: readonly string[], more: JsonObject = {}): JsonObject => ({
  model: 'C-B',
  messages: [
    {
      role: 'user',
      content: [{ type: 'text', text: words }, ...urls.map(url => ({ type: 'image_url', image_url: { url } }))],
    },
  ],
  ...more,
});

let folder: string;
const file = (name: string) => pathToFileURL(join(folder, name)).href;
const ask = (studio: TestStudio, words: string, urls: readonly string[], more?: JsonObject) =>
  studio.post(PATH, shown(words, urls, more));

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'shown-')));
  const navy = { create: { width: 320, height: 180, channels: 3, background: '#102a60' } } as const;
  const snow = await sharp({ create: { width: 320, height: 60, channels: 3, background: '#f8f8f8' } })
    .png()
    .toBuffer();
  await sharp(navy)
    .composite([{ input: snow, gravity: 'south' }])
    .png()
    .toFile(join(folder, 'sea.png'));
  await sharp({ create: { width: 90, height: 160, channels: 3, background: '#c81e1e' } })
    .jpeg()
    .toFile(join(folder, 'red.jpg'));
  writeFileSync(join(folder, 'notes.txt'), 'no image at all');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the writer says what it measured of each image, and that it knows no more', async () => {
  await using studio = await testStudio({ localFiles: [folder] });
  expect(textOf(await ask(studio, 'What is shown here?', [file('sea.png'), file('red.jpg')]))).toBe(
    'Image 1 is a png of 320×180 pixels (16:9), mostly dark blue (#102a60, 67%), then white (#f8f8f8, 33%). ' +
      'Image 2 is a jpg of 90×160 pixels (9:16), mostly red (#c81e1e, 100%). ' +
      'That is all I can say of it: I measure, and know nothing of what is shown. Set SHOTLIST_CHAT_UPSTREAM to pass chat on to a model that sees.',
  );
});

test('what it is asked to write takes the image’s colours, and each image counts', async () => {
  await using studio = await testStudio({ localFiles: [folder] });
  const words = 'a prompt for a fox who crosses a frozen river';
  const plain = await studio.post(PATH, { model: 'C-B', messages: [{ role: 'user', content: words }] });
  const answer = await ask(studio, words, [file('sea.png')]);
  expect(textOf(answer)).toContain('colours of dark blue and white');
  const tokens = ({ body }: Answer) => (body as { usage: { prompt_tokens: number } }).usage.prompt_tokens;
  expect(tokens(answer) - tokens(plain)).toBe(1_000);
});

test('an answer by a schema holds what was measured', async () => {
  await using studio = await testStudio({ localFiles: [folder] });
  const schema = {
    type: 'object',
    required: ['width', 'height', 'aspect_ratio', 'palette', 'description'],
    properties: {
      width: { type: 'integer' },
      height: { type: 'integer' },
      aspect_ratio: { type: 'string' },
      palette: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'string' } },
      description: { type: 'string' },
    },
  };
  const more = { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } };
  expect(JSON.parse(textOf(await ask(studio, 'What is it?', [file('sea.png')], more)))).toEqual({
    width: 320,
    height: 180,
    aspect_ratio: '16:9',
    palette: ['dark blue', 'white'],
    description:
      'Image 1 is a png of 320×180 pixels (16:9), mostly dark blue (#102a60, 67%), then white (#f8f8f8, 33%).',
  });
});

test('an image may stand in the request itself, or be a result of this studio', async () => {
  await using studio = await testStudio();
  const red = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#c81e1e' } })
    .png()
    .toBuffer();
  const inline = `data:image/png;base64,${red.toString('base64')}`;
  expect(textOf(await ask(studio, 'What is it?', [inline]))).toMatch(
    /^Image 1 is a png of 8×8 pixels \(1:1\), mostly red/,
  );
  const id = await studio.enqueue({ model: 'I-GEN-A', prompt: 'a fox' });
  await (await studio.renderer.next()).finish();
  const { result_url } = await studio.until(id, 'succeeded');
  expect(textOf(await ask(studio, 'What is it?', [String(result_url)]))).toMatch(/^Image 1 is a webp of 3×1 pixels/);
});

test('what is no image, is not there, or lies in a private network is refused, and called by its place', async () => {
  await using studio = await testStudio({ localFiles: [folder] });
  const refused = async (url: string) => refusalOf(await ask(studio, 'What is it?', [url]));
  const at = 'messages[0].content[1].image_url.url';
  expect(await refused(file('notes.txt'))).toEqual([
    400,
    expect.stringMatching(
      /^messages\[0\]\.content\[1\]\.image_url\.url: messages\[0\]\.content\[1\]\.image_url\.url cannot be used: the file is text/,
    ),
  ]);
  expect(await refused(file('gone.png'))).toEqual([
    400,
    `${at}: ${at}: no such file in a folder this studio may read: ${file('gone.png')}`,
  ]);
  expect(await refused('http://127.0.0.1:9/x.png')).toEqual([
    400,
    expect.stringContaining('http: addresses are not fetched'),
  ]);
  expect(await refused('data:image/png;base64,bm9uZQ==')).toEqual([400, expect.stringContaining('cannot be used')]);
  expect(await refused('fox.png')).toEqual([400, `${at}: ${at} is not an address: fox.png`]);
});

test('a model that reads words alone is shown none, and a part that is wrong is named', async () => {
  await using studio = await testStudio({ localFiles: [folder] });
  expect(refusalOf(await ask(studio, 'What is it?', [file('sea.png')], { model: 'C-D' }))[0]).toBe(400);
  const part = { type: 'image_url', image_url: file('sea.png') };
  const answer = await studio.post(PATH, { model: 'C-B', messages: [{ role: 'user', content: [part] }] });
  expect(refusalOf(answer)).toEqual([
    400,
    expect.stringMatching(/^messages\[0\]\.content\[0\]\.image_url: .* must be a mapping, not "file:/),
  ]);
});

describe('chat that is passed on', () => {
  const WHOLE = { id: 'x', object: 'chat.completion', created: 1, model: 'm', choices: [] };

  test('shows what lies here in the request itself, and passes public addresses as they are', async () => {
    const upstream = await stubServer(json(200, WHOLE));
    await using studio = await testStudio({ localFiles: [folder], chatUpstream: { url: `${upstream.url}/v1` } });
    await ask(studio, 'What is it?', ['https://films.test/a.png', file('red.jpg')]);
    const sent = JSON.parse(upstream.seen[0]?.body ?? '{}') as { messages: { content: Json[] }[] };
    expect(sent.messages[0]?.content).toEqual([
      { type: 'text', text: 'What is it?' },
      { type: 'image_url', image_url: { url: 'https://films.test/a.png' } },
      { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/jpeg;base64,\/9j\//) } },
    ]);
  });

  test('a file that is none is refused before anything is passed on', async () => {
    const upstream = await stubServer(json(200, WHOLE));
    await using studio = await testStudio({ localFiles: [folder], chatUpstream: { url: `${upstream.url}/v1` } });
    expect(refusalOf(await ask(studio, 'What is it?', ['https://films.test/a.png', file('notes.txt')]))).toEqual([
      400,
      expect.stringContaining('messages[0].content[2].image_url.url cannot be used'),
    ]);
    expect(upstream.seen).toEqual([]);
  });
});

test.each([
  [[0, 0, 0], 'black'],
  [[250, 250, 250], 'white'],
  [[128, 128, 128], 'grey'],
  [[16, 42, 96], 'dark blue'],
  [[170, 210, 240], 'pale blue'],
  [[92, 58, 30], 'brown'],
  [[230, 120, 30], 'orange'],
  [[60, 140, 60], 'green'],
] as const)('%j is called %s', (rgb, name) => {
  expect(nameOf(rgb)).toBe(name);
});
