/** Other people's clients get along with the studio. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import OpenAI, { AuthenticationError, BadRequestError, NotFoundError, RateLimitError } from 'openai';
import { expect, test } from 'vitest';
import { routes } from '../../src/api/routes.ts';
import type { StudioParts } from '../../src/studio/service/serve.ts';
import type { StudioOptions } from '../../src/studio/service/studio-options.ts';
import { KEY, testStudio } from '../studio/fake-studio.ts';

const ASK = {
  model: 'C-D',
  messages: [{ role: 'user', content: 'Three beats about a fox who crosses a frozen river.' }],
} satisfies OpenAI.ChatCompletionCreateParams;
const SCHEMA = {
  type: 'object',
  required: ['title', 'beats'],
  properties: {
    title: { type: 'string' },
    beats: { type: 'array', items: { type: 'string' }, minItems: 3, maxItems: 3 },
  },
  additionalProperties: false,
} as const;

describeClient('the openai package', { strict: false });
describeClient('the openai package, with the strict studio', { strict: true });

function describeClient(name: string, options: Partial<StudioOptions & StudioParts>): void {
  const fixture = async (more: Partial<StudioOptions & StudioParts> = {}, apiKey = KEY) => {
    const studio = await testStudio({ ...options, ...more });
    return { studio, client: new OpenAI({ apiKey, baseURL: `${studio.url}/api/ai`, maxRetries: 0 }) };
  };

  test(`${name}: lists the models, and gets one`, async () => {
    const { studio, client } = await fixture();
    await using _ = studio;
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    expect(ids).toContain('C-D');
    expect(ids).toContain('V-context-E');
    expect(await client.models.retrieve('C-D')).toMatchObject({ id: 'C-D', object: 'model', owned_by: 'studio' });
  });

  test(`${name}: chats, whole and streamed, and both say the same`, async () => {
    const { studio, client } = await fixture();
    await using _ = studio;
    const whole = await client.chat.completions.create(ASK);
    expect(whole.choices[0]?.finish_reason).toBe('stop');
    expect(whole.choices[0]?.message.content).toMatch(/^1\. .+\n2\. .+\n3\. .+$/);
    let said = '';
    let usage: OpenAI.CompletionUsage | null | undefined;
    const stream = await client.chat.completions.create({
      ...ASK,
      stream: true,
      stream_options: { include_usage: true },
    });
    for await (const chunk of stream) {
      said += chunk.choices[0]?.delta.content ?? '';
      usage = chunk.usage ?? usage;
    }
    expect([said, usage]).toEqual([whole.choices[0]?.message.content, whole.usage]);
  });

  test(`${name}: its own gatherer of streams is content`, async () => {
    const { studio, client } = await fixture();
    await using _ = studio;
    const runner = client.chat.completions.stream({ ...ASK, stream_options: { include_usage: true } });
    const { choices, usage } = await runner.finalChatCompletion();
    expect([choices[0]?.finish_reason, choices[0]?.message.role]).toEqual(['stop', 'assistant']);
    expect(usage?.completion_tokens).toBeGreaterThan(0);
  });

  test(`${name}: gets JSON by a schema, and a text cut off where it asked`, async () => {
    const { studio, client } = await fixture();
    await using _ = studio;
    const fitted = await client.chat.completions.parse({
      ...ASK,
      response_format: { type: 'json_schema', json_schema: { name: 'script', strict: true, schema: SCHEMA } },
    });
    expect(fitted.choices[0]?.message.parsed).toEqual({
      title: expect.any(String),
      beats: [expect.any(String), expect.any(String), expect.any(String)],
    });
    const cut = await client.chat.completions.create({ ...ASK, max_tokens: 5 });
    expect([cut.choices[0]?.finish_reason, cut.usage?.completion_tokens]).toEqual(['length', 5]);
  });

  test(`${name}: throws its own typed errors`, async () => {
    const { studio, client } = await fixture({ rate: { perSecond: 3 } });
    await using _ = studio;
    const thrown = (model: string, asking = client) =>
      asking.chat.completions.create({ ...ASK, model }).then(
        () => undefined,
        (error: unknown) => error,
      );
    const missing = await thrown('C-NEW');
    expect(missing).toBeInstanceOf(NotFoundError);
    expect(missing).toMatchObject({ status: 404, message: '404 Model not found: C-NEW', type: 'model_not_found' });
    const media = await thrown('I-GEN-A');
    expect(media).toBeInstanceOf(BadRequestError);
    expect(media).toMatchObject({ status: 400, type: 'invalid_request' });
    const stranger = new OpenAI({ apiKey: 'another', baseURL: `${studio.url}/api/ai`, maxRetries: 0 });
    const unknown = await thrown('C-D', stranger);
    expect(unknown).toBeInstanceOf(AuthenticationError);
    expect(unknown).toMatchObject({ status: 401, message: '401 unauthenticated' });
    await client.models.list();
    const fast = await thrown('C-D');
    expect(fast).toBeInstanceOf(RateLimitError);
    expect(fast).toMatchObject({ status: 429 });
  });
}

test('plain curl streams a chat to its last word', async ({ skip }) => {
  skip(spawnSync('curl', ['--version']).status !== 0, 'there is no curl');
  await using studio = await testStudio();
  const curl = spawn('curl', [
    '-sN',
    ...['-H', `Authorization: Bearer ${KEY}`, '-H', 'Content-Type: application/json'],
    ...['-d', JSON.stringify({ ...ASK, stream: true })],
    studio.url + routes.chat,
  ]);
  const [said] = await Promise.all([text(curl.stdout), once(curl, 'close')]);
  const events = said.split('\n\n').filter(event => event !== '');
  expect(events.every(event => event.startsWith('data: '))).toBe(true);
  expect(events.at(-1)).toBe('data: [DONE]');
  expect(JSON.parse(events[0]?.slice(6) ?? '')).toMatchObject({
    object: 'chat.completion.chunk',
    model: 'C-D',
    choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }],
  });
});
