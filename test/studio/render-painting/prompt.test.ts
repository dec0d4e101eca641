import { describe, expect, test } from 'vitest';
import { expandPrompt } from '../../../src/studio/animatic/kinds/text-to-video.ts';
import { readPrompt } from '../../../src/studio/animatic/prompt/read-prompt.ts';

/** What sixty prompts are read as is in `readings.test.ts`. */
describe('a prompt', () => {
  test('a shot that goes on from another is where that one was', () => {
    const [shot] = readPrompt('it stops and looks at us, dusk', {
      duration: 2,
      seed: '1',
      after: 'A red fox crossing a frozen river at dawn, snow falling',
    });
    expect(shot).toMatchObject({
      place: 'river',
      winter: true,
      time: 'dusk',
      weather: ['snow'],
      subject: { kind: 'fox', action: 'stands' },
      words: 'It stops and looks at us, dusk',
    });
  });

  test('words that say nothing still make a scene, an abstract one, the same each time', () => {
    for (const seed of '123456789')
      expect(readPrompt('lorem ipsum dolor', { duration: 3, seed })[0]).toMatchObject({
        place: 'abstract',
        subject: null,
      });
    const once = readPrompt('xyzzy', { duration: 3, seed: '9' });
    expect(once).toHaveLength(1);
    expect(once).toEqual(readPrompt('xyzzy', { duration: 3, seed: '9' }));
    expect(readPrompt('', { duration: 3, seed: '9' })).toHaveLength(1);
  });

  test('a megabyte of it is read too, as far as anybody would', () => {
    for (const page of ['1', ' ', '[0-', 'multi-shot ', '没有', 'no a and '])
      expect(
        readPrompt(`a fox ${page.repeat(1_000_000 / page.length)} b`, { duration: 3, seed: '9' }).length,
      ).toBeGreaterThan(0);
  });

  test('how somebody is dressed', () => {
    const [shot] = readPrompt('portrait of an old lighthouse keeper in a yellow raincoat', { duration: 1, seed: '1' });
    expect(shot?.subject?.person).toEqual({
      woman: false,
      child: false,
      old: true,
      beard: true,
      headwear: 'souwester',
      garment: 'raincoat',
      colour: [0.82, 0.165, 88],
    });
  });

  test('the slate shows size and camera as signs, so the caption leaves them out', () => {
    expect(readPrompt('wide shot, slow pan: a red fox', { duration: 2, seed: '1' })[0]?.words).toBe('A red fox');
    expect(readPrompt('a man says: hello', { duration: 2, seed: '1' })[0]?.words).toBe('A man says: hello');
  });
});

describe('cuts', () => {
  test.each([
    ['[0-2s] a [2-4s] b', 4, '0–2 2–4'],
    ['0:00–0:02 a fox. 0:02–0:05 a wolf', 5, '0–2 2–5'],
    ['(0:00 - 0:01) a (0:01 - 0:03) b', 3, '0–1 1–3'],
    ['0-1.5s: a; 1.5-3s: b', 3, '0–1.5 1.5–3'],
    ['第0-2秒：狐狸。第2-4秒：狼', 4, '0–2 2–4'],
    ['[0s] a fox [1s] a wolf', 3, '0–1 1–3'],
    ['[0-2s] a [2-9s] b', 4, '0–2 2–4'],
    ['[0-2s] a [6-9s] never reached', 4, '0–4'],
    ['Shot 1: a fox. Shot 2: a wolf. Shot 3: a bear', 6, '0–2 2–4 4–6'],
    ['镜头1：狐狸。镜头2：狼', 4, '0–2 2–4'],
    ['A man walks 2-3 dogs. Cut to: the dogs run', 4, '0–2 2–4'],
    ['狐狸走过，切到 狼', 4, '0–2 2–4'],
    ['Multi-shot: a chef cooks in a kitchen', 6, '0–2 2–4 4–6'],
    ['A single shot of a chef. Then the dish.', 6, '0–6'],
    ['A family of 2-3 people', 5, '0–5'],
  ])('%s', (prompt, duration, expected) => {
    expect(
      readPrompt(prompt, { duration, seed: '1' })
        .map(({ start, end }) => `${start}–${end}`)
        .join(' '),
    ).toBe(expected);
  });

  test('fall on a frame: a third of seven seconds is rounded, and the shots still meet', () => {
    const shots = readPrompt('a cut to b cut to c', { duration: 7, seed: '1' });
    expect(shots.map(shot => [shot.start * 24, shot.end * 24])).toEqual([
      [0, 56],
      [56, 112],
      [112, 168],
    ]);
  });
});

describe('prompt_extend', () => {
  test('adds the light, the air and the camera that a short prompt leaves open', () => {
    expect(expandPrompt('a fox', '1')).toEqual({
      prompt: expect.stringMatching(/^a fox, .*(golden hour|dawn|dusk).*, .*(mist|dust).*, slow push in$/),
      added: expect.any(String),
    });
  });
  test('leaves a prompt alone that says it all, is long, or is a shot list', () => {
    for (const prompt of ['a fox at night in the rain, static', '[0-2s] a fox [2-4s] a wolf', 'a fox '.repeat(30)])
      expect(expandPrompt(prompt, '1')).toEqual({ prompt, added: '' });
  });
});
