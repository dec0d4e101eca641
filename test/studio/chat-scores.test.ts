/** How the writer scores: several candidates apart, one by its words, on whichever scale the schema has. */
import { describe, expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { Json, JsonObject } from '../../src/model/text/json.ts';
import { scoresSchema } from '../../src/plan/graph/gathered-candidates.ts';
import { parseChatRequest } from '../../src/studio/writer/chat-request.ts';
import type { SeenImage } from '../../src/studio/writer/seen-image.ts';
import { write } from '../../src/studio/writer/writer.ts';

function answer(schema: JsonObject, prompt: string, system = '', images: readonly SeenImage[] = []): Json {
  const request = {
    messages: [...(system === '' ? [] : [{ role: 'system', content: system }]), { role: 'user', content: prompt }],
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } },
  };
  return JSON.parse(write({ ...parseChatRequest(modelLibrary.get('C-B')!, request), images })) as Json;
}

interface Scored {
  readonly candidate: number;
  readonly score: number;
  readonly words: string;
}

/** As the judge of a pick asks (`plan/kinds/judge.ts`). */
const TASK = 'You judge candidates for one place in a film. Give each candidate, by its number, one score.';
const judged = (prompt: string, tellings: readonly string[], images: readonly SeenImage[] = []): readonly Scored[] => {
  const lines = tellings.map((telling, at) => `Candidate ${at + 1}: ${telling}`).join('\n');
  const given = answer(scoresSchema(tellings.length), `${prompt}\n\n${lines}`, TASK, images);
  return (given as unknown as { readonly scores: readonly Scored[] }).scores;
};
const winner = (scores: readonly Scored[]): number =>
  scores.reduce((best, one) => (one.score > best.score ? one : best)).candidate;
const FRAMES = ['images 1 to 4', 'images 5 to 8', 'images 9 to 12'];
const BEATS = ['a fox by a river', 'an owl at dusk', 'a boat in fog', 'two boxers', 'a train', 'a lamp', 'a hare'];

describe('candidates of which pictures are shown', () => {
  test('each has a score of its own, within the bounds, and its number', () => {
    for (const beat of BEATS) {
      const scores = judged(`Which take tells this best: ${beat}`, FRAMES);
      expect(scores.map(({ candidate }) => candidate)).toEqual([1, 2, 3]);
      expect(new Set(scores.map(({ score }) => score)).size).toBe(3);
      for (const { score } of scores) expect(score).toSatisfy((value: number) => value >= 0 && value <= 10);
    }
  });

  test('no take wins everywhere, and the same is answered the same', () => {
    const winners = BEATS.map(beat => winner(judged(`Which take tells this best: ${beat}`, FRAMES)));
    expect(new Set(winners)).toEqual(new Set([1, 2, 3]));
    expect(BEATS.map(beat => winner(judged(`Which take tells this best: ${beat}`, FRAMES)))).toEqual(winners);
  });

  test('a hundred of them are told apart as well', () => {
    const scores = judged(
      'Which?',
      Array.from({ length: 60 }, (_, at) => `image ${at + 1}`),
    );
    expect(scores).toHaveLength(60);
    expect(new Set(scores.map(({ score }) => score)).size).toBeGreaterThan(40);
    expect(Math.min(...scores.map(({ score }) => score))).toBeGreaterThanOrEqual(0);
  });

  test('what is said of each names its own colours, behind what they are held against', () => {
    const image = (rgb: SeenImage['colours'][number]['rgb']): SeenImage => ({
      ...{ format: 'png', width: 64, height: 64 },
      colours: [{ rgb, share: 1 }],
    });
    const tellings = ['image 1 of the candidates', 'image 2 of the candidates'];
    const [red, blue] = judged('Which?', tellings, [
      image([255, 255, 255]),
      image([220, 20, 20]),
      image([20, 20, 220]),
    ]);
    const drawn = 'The score is drawn by the words of the request: I see nothing of what is shown.';
    expect([red?.words, blue?.words]).toEqual([`Mostly red. ${drawn}`, `Mostly blue. ${drawn}`]);
  });
});

test('candidates of words are judged by their words', () => {
  const full = 'Wide shot, crane up: a red fox crosses a frozen river at dusk, snow falling';
  const scores = judged('Which prompt is ready to be shot?', ['a red fox runs', full, 'a red fox at dusk']);
  expect(winner(scores)).toBe(2);
  expect(scores[0]?.words).toMatch(/^It names the subject, and says nothing of /);
  // Equal words are told apart, by little.
  const [one, other] = judged('Which?', [full, full]);
  expect(one?.score).not.toBe(other?.score);
  expect(Math.abs((one?.score ?? 0) - (other?.score ?? 0))).toBeLessThan(0.5);
});

describe('one score', () => {
  const scored = (type: 'integer' | 'number', minimum: number, maximum: number): JsonObject => ({
    type: 'object',
    required: ['score', 'notes'],
    additionalProperties: false,
    properties: { score: { type, minimum, maximum }, notes: { type: 'string' } },
  });
  const scoreOf = (schema: JsonObject, prompt: string) =>
    (answer(schema, prompt) as unknown as { readonly score: number; readonly notes: string }).score;
  const PROMPT = 'Score this prompt: a red fox crosses a frozen river at dusk';

  test('is on the scale of the schema', () => {
    expect(scoreOf(scored('integer', 0, 10), PROMPT)).toBe(6);
    expect(scoreOf(scored('integer', 0, 100), PROMPT)).toBe(60);
    expect(scoreOf(scored('number', 0, 1), PROMPT)).toBe(0.6);
  });

  test.each([
    'an old lighthouse keeper with a lantern at dusk',
    'a red fox crosses a frozen river',
    'a perfume bottle on black glass',
    'two boxers before the bell',
    'a girl with a kite',
    'a wedding in a barn',
  ])('of an idea that is written again with the criticism is 8 in the second round: %s', idea => {
    const schema = scored('integer', 0, 10);
    const criticised = (text: string) =>
      answer(
        schema,
        `Score this prompt and the picture made of it: ${text}`,
        'You are a director of photography. Score from 0 to 10 how ready this is to be shot, and say what is missing.',
      ) as unknown as { readonly score: number; readonly notes: string };
    const first = criticised(idea);
    expect(first.score).toBeLessThan(8);
    const again = write(
      parseChatRequest(modelLibrary.get('C-D')!, {
        messages: [
          { role: 'system', content: `You write prompts. Of the last one it was said: ${first.notes}` },
          { role: 'user', content: `Rewrite this prompt: ${idea}` },
        ],
      }),
    );
    expect(criticised(again).score).toBeGreaterThanOrEqual(8);
  });

  test('what was said of the last round is not what the next is about', () => {
    const said = (content: string) =>
      write(parseChatRequest(modelLibrary.get('C-D')!, { messages: [{ role: 'user', content }] }));
    const plain = said('Write one prompt about a girl with a kite.');
    expect(plain).toContain('girl');
    for (const criticism of ['Last time: ', 'Of the last one it was said: ', 'Criticism: ', 'Feedback so far: '])
      expect(said(`Write one prompt about a girl with a kite. ${criticism}It says nothing of the light.`)).toBe(plain);
  });
});
