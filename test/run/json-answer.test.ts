/** JSON as models write it: what can be read without a guess is read, and told; what would be a guess is not. */
import { describe, expect, test } from 'vitest';
import { jsonAnswersIn } from '../../src/run/requests/answer-check.ts';
import { processorTime } from '../support/processor-time.ts';
import { chatAnswer } from './fake-service.ts';
import { eventLines, rig, withRig } from './rig.ts';

const only = (answer: string) => {
  const found = jsonAnswersIn(answer);
  return found.length === 1 ? [found[0]!.json, ...found[0]!.leftOut] : found.map(({ json }) => json);
};

describe('what is read past', () => {
  test.each([
    ['nothing', '{"a": 1}', [{ a: 1 }]],
    ['white space', '\n\n  [1, 2]\n', [[1, 2]]],
    ['a fence', '```json\n{"a": 1}\n```', [{ a: 1 }, 'fence']],
    ['a fence that is never closed', '```\n{"a": 1}\n', [{ a: 1 }, 'fence']],
    ['words before', 'Here you go:\n{"a": 1}', [{ a: 1 }, 'words']],
    [
      'words behind, and a fence',
      'Sure!\n```json\n{"a": 1}\n```\nTell me if {you} need more.',
      [{ a: 1 }, 'fence', 'words'],
    ],
    ['a comma too many', '{"a": [1, 2,\n ], }', [{ a: [1, 2] }, 'trailing_commas']],
    ['brackets in words', 'See [the brief]: {"a": "x"}', [{ a: 'x' }, 'words']],
  ])('%s', (_, answer, read) => {
    expect(only(answer)).toEqual(read);
  });

  test('commas and brackets inside texts stay what they are', () => {
    expect(only('{"a": "one,]", "b": "\\"}{,}", }')).toEqual([{ a: 'one,]', b: '"}{,}' }, 'trailing_commas']);
  });

  test.each([
    ['a fence inside a text of the JSON', '{"code": "```js\\n1\\n```"}'],
    ['numbers as they are', '{"a": 1e3, "b": -0.5}'],
  ])('%s is nothing to read past', (_, answer) => {
    expect(jsonAnswersIn(answer)).toMatchObject([{ text: answer, leftOut: [] }]);
  });
});

describe('what would be a guess', () => {
  test.each([
    ['cut off within', '{"beats": [{"a": 1}, {"a": '],
    ['cut off within a text', '{"beats": [{"a": 1}], "b": "two'],
    ['cut off in a fence', '```json\n{"a": [1, 2'],
    ['single quotes', "{'a': 1}"],
    ['names without quotes', '{a: 1}'],
    ['a comment', '{"a": 1 // one\n}'],
    ['Python', '{"a": None}'],
    ['words alone', 'I cannot do that.'],
    ['nothing', ''],
  ])('%s', (_, answer) => {
    expect(jsonAnswersIn(answer)).toEqual([]);
  });

  test('of two answers none is chosen here: the schema may know', () => {
    expect(only('First [1], then {"a": 1}')).toEqual([[1], { a: 1 }]);
  });

  test('a megabyte of brackets is read in no time', () => {
    const worked = processorTime();
    jsonAnswersIn('[{'.repeat(250_000));
    jsonAnswersIn('[] '.repeat(200_000));
    jsonAnswersIn(`{"a": "${',   ]'.repeat(100_000)}",}`);
    expect(worked()).toBeLessThan(1_500);
  });
});

const SCRIPT = (more = '') => `
steps:
  script:
    model: C-D
    with: { prompt: three beats about a fox${more} }
    schema: { type: object, required: [beats], properties: { beats: { type: array, items: { type: string } } } }
`;
const BEATS = '{"beats":["a fox at dawn"]}';
/** 10 tokens in at $0.001, 5 out at $0.002. */
const ONE_CALL = 0.02;

withRig();

async function answered(...answers: Parameters<typeof chatAnswer>[]) {
  rig.service.chatAnswers.push(...answers.map(answer => chatAnswer(...answer)));
  const film = await rig.start(SCRIPT());
  const outcome = await film.done;
  const failed = film.events.find(event => event.type === 'failed');
  return { film, outcome, failure: failed?.type === 'failed' ? failed.failure : undefined };
}

describe('a chat step with a schema', () => {
  test('pays one call for JSON with something around it, says what it left out, and keeps the JSON alone', async () => {
    const { film, outcome } = await answered([`Here:\n\`\`\`json\n{"beats": ["a fox at dawn",],}\n\`\`\``]);
    expect(eventLines(film.events)).toEqual([
      'script submit_intended',
      'script text_written',
      'script answer_cleaned',
      'script succeeded',
      'run_finished',
    ]);
    expect(film.events.find(({ type }) => type === 'answer_cleaned')).toMatchObject({
      left_out: ['fence', 'words', 'trailing_commas'],
    });
    expect(outcome.usd).toBe(ONE_CALL);
    expect([...outcome.results.values()].map(({ result }) => result)).toMatchObject([
      { text: '{"beats": ["a fox at dawn"]}', json: { beats: ['a fox at dawn'] } },
    ]);
    expect(rig.service.calls).toHaveLength(1);
  });

  test('takes the one of several that fits', async () => {
    const { outcome } = await answered([`As in [1]:\n${BEATS}`]);
    expect([...outcome.results.values()].map(({ result }) => result)).toMatchObject([{ text: BEATS }]);
  });

  test('asks which of two is meant', async () => {
    await answered([`${BEATS}\nor\n${BEATS}`], [BEATS]);
    expect(rig.service.calls[1]).toMatchObject({
      messages: [{}, {}, { content: expect.stringContaining('it holds 2 answers; one is wanted') }],
    });
  });

  test('a slip is named, so that it can be mended', async () => {
    await answered(["{'beats': []}"], [BEATS]);
    expect(rig.service.calls[1]).toMatchObject({
      messages: [{}, {}, { content: expect.stringMatching(/it is no JSON \(Expected property name .* at position 1/) }],
    });
  });

  test('an empty answer is sent back without an empty turn', async () => {
    const { outcome } = await answered([''], [BEATS]);
    expect(outcome.is).toBe('done');
    expect(rig.service.calls[1]).toMatchObject({
      messages: [{ role: 'user' }, { role: 'user', content: expect.stringContaining('it is empty') }],
    });
    expect((rig.service.calls[1] as unknown as { messages: unknown[] }).messages).toHaveLength(2);
  });

  test.each(['length', 'max_tokens'])('one that is cut off (%s) is told as that, with how to go on', async reason => {
    const { failure } = await answered(['{"beats":["a fo', reason]);
    expect(failure?.message).toBe(
      'it was cut off at a limit of tokens that the service sets; give a higher `max_tokens` under `with`, or ask for less at once',
    );
    expect(rig.service.calls).toHaveLength(1);
  });

  test('one whose words are cut off behind whole JSON is whole', async () => {
    const { outcome } = await answered([`${BEATS}\nI hope th`, 'length']);
    expect(outcome.is).toBe('done');
  });

  test('cut off when it was mended, it is told as that too', async () => {
    const { failure } = await answered(['no'], ['{"beats":["a fo', 'length']);
    expect(failure?.message).toContain('it was cut off');
  });
});
