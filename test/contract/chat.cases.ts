/** Rules for every service's chat endpoint, asked by the client that films are made with. */
import { expect } from 'vitest';
import type { ChatRequest } from '../../src/api/chat-completions.ts';
import type { ChatAnswer, Service } from '../../src/api/service.ts';
import type { Json } from '../../src/model/text/json.ts';
import { now, type OpenCases } from './service-fixture.ts';

/** 3 × 1 pixels. */
const IMAGE: Json = {
  type: 'image_url',
  image_url: { url: 'data:image/webp;base64,UklGRhwAAABXRUJQVlA4TA8AAAAvAgAAAAcQ/Y/+ByKi/wEA' },
};

const ASK: ChatRequest = {
  model: 'C-D',
  messages: [{ role: 'user', content: 'Three beats about a fox who crosses a frozen river.' }],
};
const refused = (status: number, message: string): ChatAnswer => ({ is: 'refused', status, message });

async function answered(service: Service, request: ChatRequest) {
  const pieces: string[] = [];
  const answer = await service.chat(request, now(), text => pieces.push(text));
  expect(answer).toMatchObject({ is: 'answered' });
  if (answer.is !== 'answered') throw new Error('it was not answered');
  expect(pieces.join('')).toBe(answer.text);
  return { ...answer, pieces };
}

export const CHAT_CASES: OpenCases = {
  'an answer comes whole, with its end and what it used': async ({ service }) => {
    const { text, finish_reason, usage, pieces } = await answered(service, ASK);
    expect(text).toMatch(/\S/);
    expect([finish_reason, pieces.length]).toEqual(['stop', 1]);
    expect(usage?.prompt_tokens).toBeGreaterThan(0);
    expect(usage?.completion_tokens).toBeGreaterThan(0);
    expect(usage?.total_tokens).toBe((usage?.prompt_tokens ?? 0) + (usage?.completion_tokens ?? 0));
  },

  'the same answer comes in pieces where a stream is asked for': async ({ service }) => {
    const whole = await answered(service, { ...ASK, temperature: 0 });
    const streamed = await answered(service, { ...ASK, temperature: 0, stream: true });
    expect([streamed.text, streamed.finish_reason]).toEqual([whole.text, 'stop']);
    expect(streamed.pieces.length).toBeGreaterThan(3);
  },

  'a stream tells what it used when that is asked for': async ({ service }) => {
    const whole = await answered(service, { ...ASK, temperature: 0 });
    const told = { ...ASK, temperature: 0, stream: true, stream_options: { include_usage: true } };
    expect((await answered(service, told)).usage).toEqual(whole.usage);
  },

  'an answer is cut off at `max_tokens`, whole and streamed': async ({ service }) => {
    for (const stream of [false, true]) {
      const more = { stream, stream_options: { include_usage: true } };
      const { finish_reason, usage } = await answered(service, { ...ASK, max_tokens: 7, ...(stream ? more : {}) });
      expect([finish_reason, usage?.completion_tokens]).toEqual(['length', 7]);
    }
  },

  'an answer is the JSON that its schema says': async ({ service }) => {
    const schema = {
      type: 'object',
      required: ['beats'],
      properties: { beats: { type: 'array', minItems: 3, maxItems: 3, items: { type: 'string' } } },
      additionalProperties: false,
    };
    const format = { type: 'json_schema', json_schema: { name: 'beats', strict: true, schema } };
    const { text } = await answered(service, { ...ASK, response_format: format });
    const { beats } = JSON.parse(text) as { beats: string[] };
    expect(beats.map(beat => typeof beat)).toEqual(['string', 'string', 'string']);
    const any = await answered(service, { ...ASK, response_format: { type: 'json_object' } });
    expect(JSON.parse(any.text)).toEqual(expect.any(Object));
  },

  'an image is looked at where the model takes them, and counted': async ({ service }) => {
    const words = [{ type: 'text', text: 'What is shown here?' }];
    const asked = (content: Json) => ({ model: 'C-B', messages: [{ role: 'user', content }] });
    const plain = await answered(service, asked(words));
    const shown = await answered(service, asked([...words, IMAGE]));
    expect(shown.text).toMatch(/\S/);
    expect(shown.usage?.prompt_tokens).toBeGreaterThan(plain.usage?.prompt_tokens ?? 0);
  },

  'an image is refused by a model that reads words alone, and so is what is none': async ({ service }) => {
    const asked = (model: string, part: Json) =>
      service.chat({ model, messages: [{ role: 'user', content: [part] }] }, now());
    expect(await asked('C-D', IMAGE)).toMatchObject({ is: 'refused', status: 400 });
    const none = { type: 'image_url', image_url: { url: 'data:image/png;base64,bm9uZQ==' } };
    expect(await asked('C-B', none)).toMatchObject({ is: 'refused', status: 400 });
  },

  'what a model does not take is refused with every reason': async ({ service }) => {
    const answer = await service.chat(
      { model: 'C-F', messages: [{ role: 'user' } as never], temperature: 'hot', max_tokens: 200_000 },
      now(),
    );
    expect(answer).toMatchObject({ is: 'refused', status: 400 });
    if (answer.is !== 'refused') return;
    expect(answer.message).toContain('messages[0].content is required by C-F');
    expect(answer.message).toContain('temperature must be a number, not "hot"');
    expect(answer.message).toContain('max_tokens must be at most 128000, not 200000');
  },

  'no messages at all, and more than the context holds, are refused': async ({ service }) => {
    expect(await service.chat({ ...ASK, messages: [] }, now())).toEqual(
      refused(400, 'messages must have at least one message'),
    );
    const answer = await service.chat(
      { model: 'C-C', messages: [{ role: 'user', content: 'a fox '.repeat(50_000) }] },
      now(),
    );
    expect(answer).toMatchObject({ is: 'refused', status: 400, message: expect.stringContaining('64,000 tokens') });
  },

  'a model that makes media is refused here, and a chat model on the queue': async ({ service }) => {
    const media = await service.chat({ ...ASK, model: 'V-T2V-A', prompt: 'a fox' }, now());
    expect(media).toMatchObject({ is: 'refused', status: 400 });
    expect(await service.chat({ model: 'I-GEN-A', prompt: 'a fox' } as never, now())).toEqual(
      refused(400, 'I-GEN-A is not a chat model: send it to /api/ai/images/generate, or to the queue'),
    );
    expect(await service.enqueue(ASK, now())).toEqual(
      refused(400, 'C-D is a chat model: send it to /api/ai/chat/completions, not to the queue'),
    );
  },

  'a model that nobody has is not found, in the document’s words': async ({ service }) => {
    for (const stream of [false, true]) {
      expect(await service.chat({ ...ASK, model: 'C-NEW', stream }, now())).toEqual(
        refused(404, 'Model not found: C-NEW'),
      );
    }
  },

  'a key that is not its own is refused': async ({ stranger }) => {
    expect(await stranger.chat(ASK, now())).toEqual(refused(401, 'unauthenticated'));
  },

  'an answer that is called off is unknown': async ({ service }) => {
    const stop = new AbortController();
    const long = [{ role: 'user', content: 'Write a hundred beats about a fox who crosses a frozen river.' }];
    const answer = await service.chat({ ...ASK, messages: long, stream: true }, stop.signal, () => stop.abort());
    expect(answer).toMatchObject({ is: 'unknown', message: expect.stringContaining(': stopped, after ') });
  },
};
