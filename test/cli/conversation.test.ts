import { describe, expect, test } from 'vitest';
import type { ChatRequest } from '../../src/api/chat-completions.ts';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { ChatAnswer } from '../../src/api/service.ts';
import { ask, type Chat, converse, usageLine } from '../../src/cli/chat/conversation.ts';
import { jsonText } from '../../src/cli/outlets.ts';
import { safeLines } from '../../src/model/text/clean.ts';

const USAGE = { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 };
const answer = (text: string, more: Partial<ChatAnswer> = {}): ChatAnswer =>
  ({ is: 'answered', text, finish_reason: 'stop', usage: USAGE, ...more }) as ChatAnswer;

/** A service that answers as it is told to, in two pieces, and keeps what it was asked. */
function fakeChat(answers: readonly ChatAnswer[], more: Partial<Chat> = {}) {
  const asked: ChatRequest[] = [];
  const out: string[] = [];
  const told: string[] = [];
  const chat: Chat = {
    service: {
      name: 'hub',
      chat: async (request, signal, written) => {
        asked.push(request);
        const next = answers[asked.length - 1] ?? answer('?');
        const text = next.is === 'answered' ? next.text : 'half an ans';
        if (next.is === 'answered' || next.is === 'unknown') {
          written?.(text.slice(0, 3));
          if (!signal.aborted) written?.(text.slice(3));
        }
        return next;
      },
    },
    name: 'C-D',
    model: modelLibrary.get('C-D')!,
    pricing: { method: 'token', input_cost_per_token: 1e-6, output_cost_per_token: 4e-6 },
    bills: true,
    fields: { temperature: 0.2 },
    system: undefined,
    write: text => void out.push(text),
    notice: line => void told.push(line),
    ...more,
  };
  return { chat, asked, out, told };
}

const typing = (...lines: readonly string[]) => {
  const left = [...lines];
  return { nextLine: async () => left.shift(), answerSignal: () => new AbortController().signal };
};
const never = new AbortController().signal;

test('a conversation is kept: every question goes with all that was said before', async () => {
  const { chat, asked, out, told } = fakeChat([answer('A fox.'), answer('At dawn.')], { system: 'Be brief.' });
  await converse(chat, typing('who?', '', '  when?  ', '/bye', 'never asked'), never);
  expect(asked).toEqual([
    {
      stream: true,
      temperature: 0.2,
      model: 'C-D',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'who?' },
      ],
    },
    {
      stream: true,
      temperature: 0.2,
      model: 'C-D',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'who?' },
        { role: 'assistant', content: 'A fox.' },
        { role: 'user', content: 'when?' },
      ],
    },
  ]);
  expect(out).toEqual(['A f', 'ox.', '\n', 'At ', 'dawn.', '\n']);
  expect(told).toEqual(['C-D at hub; /bye or Ctrl-D ends', 'C-D: 2,000 + 1,000 tokens, $0.006']);
});

test('an answer that fails ends itself, not the conversation, and what was seen of it is remembered', async () => {
  const { chat, asked, told } = fakeChat([
    { is: 'refused', status: 400, message: 'too long' },
    { is: 'unreached', message: 'hub: nothing answers there' },
    { is: 'unknown', message: 'hub: stopped, after 11 characters of the answer had come' },
    answer('Yes.', { finish_reason: 'length', usage: null } as Partial<ChatAnswer>),
  ]);
  await converse(chat, typing('one', 'two', 'three', 'go on', '/again'), never);
  expect(asked.at(-1)?.messages).toEqual([
    { role: 'user', content: 'three' },
    { role: 'assistant', content: 'half an ans' },
    { role: 'user', content: 'go on' },
  ]);
  expect(told.slice(1)).toEqual([
    'too long (400): nothing was paid',
    'hub: nothing answers there: nothing was sent',
    'hub: stopped, after 11 characters of the answer had come; it may have been billed as far as it went',
    'cut off: the answer is as long as max_tokens allows',
    'there is no /again; /bye ends',
  ]);
});

test('patience that runs out stops one answer; the end of everything asks for no more', async () => {
  const { chat, asked, out } = fakeChat([answer('A fox.'), answer('At dawn.')]);
  const over = new AbortController();
  const lines = ['who?', 'when?'];
  const impatient = new AbortController();
  impatient.abort();
  await converse(
    chat,
    {
      nextLine: async () => {
        if (lines.length === 1) over.abort();
        return lines.shift();
      },
      answerSignal: () => impatient.signal,
    },
    over.signal,
  );
  expect(out.join('')).toBe('A f\nAt \n');
  expect(asked.length).toBe(2);
});

describe('what it cost', () => {
  const spent = (more: Partial<Chat>, usage: typeof USAGE | null = USAGE, cost: number | null = 0.003) =>
    usageLine(fakeChat([], more).chat, { usage, cost });
  test('is told as far as it is known', () => {
    expect(spent({})).toBe('C-D: 1,000 + 500 tokens, $0.003');
    expect(spent({ bills: false })).toBe('C-D: 1,000 + 500 tokens, free ($0.003 at list price)');
    expect(spent({}, USAGE, null)).toBe('C-D: 1,000 + 500 tokens');
    expect(spent({}, null, null)).toBe('C-D: the service did not tell what it used');
  });

  test('knows the step in the price of a long prompt', async () => {
    const long = { prompt_tokens: 300_000, completion_tokens: 1_000, total_tokens: 301_000 };
    const pricing = { method: 'token', input_cost_per_token: 2.5e-6, output_cost_per_token: 1.5e-5 } as const;
    const model = modelLibrary.get('V-context-E')!;
    const { chat } = fakeChat([answer('x', { usage: long } as Partial<ChatAnswer>)], { model, pricing });
    expect(await ask(chat, [{ role: 'user', content: 'x' }], never)).toMatchObject({ cost: 1.5225 });
  });
});

test('a field of the request may have it come whole', async () => {
  const { chat, asked } = fakeChat([answer('A fox.')], { fields: { stream: false, max_tokens: 9 } });
  await ask(chat, [{ role: 'user', content: 'who?' }], never);
  expect(asked[0]).toEqual({
    stream: false,
    max_tokens: 9,
    model: 'C-D',
    messages: [{ role: 'user', content: 'who?' }],
  });
});

test('a terminal is shown text and no orders, whole or in pieces', () => {
  const hostile = 'a\u001b]52;c;ZXZpbA==\u0007b\u001b[2Jc\u009b31md\u202ee\tf\r\ng 狐狸 👩‍🚀';
  expect(safeLines(hostile)).toBe('a]52;c;ZXZpbA==b[2Jc31mde\tf\ng 狐狸 👩‍🚀');
  expect([...hostile].map(safeLines).join('')).toBe(safeLines(hostile));
  expect(jsonText({ text: 'a\u001b[2J\u009b31m\u202e' })).toBe('{\n  "text": "a\\u001b[2J\\u009b31m\\u202e"\n}\n');
});
