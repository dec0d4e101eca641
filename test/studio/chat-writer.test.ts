/** What the writer writes. Loglines in, and whole answers out: what a person would read. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { modelLibrary } from '../../src/api/model-library.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { all, CAMERAS, first, placeIn, SIZES, SUBJECTS, TIMES, WEATHERS } from '../../src/studio/shared/vocabulary.ts';
import { countTokens, parseChatRequest } from '../../src/studio/writer/chat-request.ts';
import { beatsOf, GROUNDS, LIGHTS, readStory } from '../../src/studio/writer/story.ts';
import { write } from '../../src/studio/writer/writer.ts';

/** A conversation, the person's turn first and then by turns; `system:` at the start of one makes it the system's. */
function said(...turns: readonly string[]): string {
  const [system, ...rest] = turns[0]?.startsWith('system: ') ? turns : [undefined, ...turns];
  const messages: JsonObject[] = [
    ...(system === undefined ? [] : [{ role: 'system', content: system.slice(8) }]),
    ...rest.map((content, n) => ({ role: n % 2 === 0 ? 'user' : 'assistant', content: content ?? '' })),
  ];
  return write(parseChatRequest(modelLibrary.get('C-D')!, { messages }));
}

const FOX = 'a fox who crosses a frozen river';
const BEATS = [
  'Extreme wide shot, slow aerial: a fox crosses a frozen river, small against it all, dusk with one warm light far away, dark water moving under clear ice.',
  'Medium shot, tracking: a fox crosses a frozen river, slow and certain, the last blue of dusk, powder blowing in thin lines over the ice.',
  'Wide shot, crane up: a fox crosses a frozen river, the far bank close at last, dusk, deep blue and quiet, a long white crack running through the ice.',
];

describe('what is asked for is written', () => {
  const cases: readonly [string, readonly string[], string][] = [
    ['beats', [`three beats about ${FOX}`], BEATS.map((beat, n) => `${n + 1}. ${beat}`).join('\n')],
    ['in a sentence of its own', [`A story about ${FOX}. Write 3 beats, one per line.`], BEATS.join('\n')],
    [
      'as the system wants it',
      ['system: You write beats. Exactly 3 beats, as bullets.', FOX],
      BEATS.map(beat => `- ${beat}`).join('\n'),
    ],
    ['a title', [`a title for a film about ${FOX}`], 'The Fox and the Frozen River'],
    [
      'several things',
      [`a title and a logline about ${FOX}`],
      'Title: The Fox and the Frozen River\n\nLogline: A fox crosses a frozen river, until the ice cracks with a long low note and there is no easy way on.',
    ],
    [
      'as many words as are allowed, and the look that was asked for',
      ['system: In the style of a nature documentary. At most 20 words.', `a prompt for ${FOX}`],
      'Medium shot, tracking: a fox crosses a frozen river, slow and certain, in the style of a nature documentary.',
    ],
    [
      'a score',
      ['Rate this prompt from 1 to 10: a fox'],
      '3/10: It names the subject, and says nothing of the place, the light or the shot size.',
    ],
    [
      'a score alone',
      [
        'Score this from 0 to 100, only the number: "Wide shot, slow pan: a red fox crosses a frozen river at dawn, snow falling"',
      ],
      '100',
    ],
    [
      'shorter',
      [
        'Shorten to 12 words: "Wide shot: a red fox crosses a frozen river at dawn, snow falling, reeds stiff with frost"',
      ],
      'Wide shot: a red fox crosses a frozen river at dawn',
    ],
    [
      'changed',
      ['Make it a close-up at night: "Wide shot, a red fox crosses a frozen river at dawn"'],
      'close-up shot, a red fox crosses a frozen river at night',
    ],
    [
      'one of a list changed',
      [
        `two beats about ${FOX}`,
        '1. Wide shot: a fox.\n2. Medium shot: the fox crosses.',
        'make the second one a night shot',
      ],
      'Medium shot: the fox crosses, night',
    ],
    [
      'a list changed, line by line',
      [`two beats about ${FOX}`, '1. Wide shot: a fox.\n2. Medium shot: the fox crosses.', 'make them night shots'],
      '1. Wide shot: a fox, night\n2. Medium shot: the fox crosses, night',
    ],
  ];
  test.each(cases)('%s', (_name, turns, expected) => {
    expect(said(...turns)).toBe(expected);
  });
});

test('a word to what was talked of before is understood', () => {
  const talk = [`three beats about ${FOX}`, '1. …'] as const;
  expect(said(...talk, 'now five')).toBe(said(`five beats about ${FOX}`));
  const others = said(...talk, 'another three');
  expect(others.split('\n').length).toBe(3);
  expect(others).toContain('frozen river');
  expect(others).not.toBe(said(talk[0]));
});

test('a logline is taken for one, though it holds words that give orders elsewhere', () => {
  for (const logline of [
    'a robot learns to make tea',
    'a girl who writes letters to the moon',
    'a photographer takes one last shot in the desert',
  ]) {
    expect(said(`three beats about ${logline}`).split('\n').length, logline).toBe(3);
    const [who = ''] = /a (\w+)/.exec(logline)?.slice(1) ?? [];
    for (const text of [logline, `three beats about ${logline}`]) expect(said(text), logline).toContain(who);
  }
});

test('a shape told in words is kept', () => {
  const keys = 'Return a JSON object with the fields "title" (string), "shots" (array of strings, 4 items). Logline: ';
  expect(JSON.parse(said(`${keys}two children build a raft on a lake`))).toEqual({
    title: 'The Two Children and the Lake',
    shots: [expect.any(String), expect.any(String), expect.any(String)],
  });
  expect(
    JSON.parse(said(`Rate from 1 to 10. Reply with JSON {"score": 7, "reason": "…"}.\n\nPrompt: a fox at dawn`)),
  ).toEqual({
    score: 5,
    reason: 'It names the subject and the light, and says nothing of the place, the shot size or the camera.',
  });
});

test.each([
  'Translate into French: a fox',
  'What is the capital of France?',
  '写三个关于狐狸过冰河的镜头',
  'Who are you?',
])('what it cannot do it says: %s', asked => {
  expect(said(asked)).toMatch(
    /^I am the small deterministic writer of the built-in studio, not a language model, .+ Set SHOTLIST_CHAT_UPSTREAM /,
  );
});

const LOGLINES = [
  FOX,
  'a red fox crosses a frozen river at dawn, snow falling',
  'an old lighthouse keeper climbing the stairs in a storm',
  'two friends racing through a neon city at night',
  'Maria and her robot repair a broken clock',
  'a paper boat',
  'a whale under the ice',
  'an eagle over the mountains at sunset',
  'a perfume bottle on a table',
  'a house by the sea in a storm',
  'a crowd waits at the station',
  'a wolf on a snowfield',
  'a diver explores a coral reef',
  'the last train of the night',
  'a girl dancing in a field of flowers',
  'my grandmother bakes bread in her kitchen',
  'a robot learns to paint in an abandoned factory',
  'a tiger waits at the station',
];

test('every beat stands alone, and the studio’s renderer would draw what the logline says', () => {
  for (const logline of LOGLINES) {
    const story = readStory(logline, '');
    for (const count of [1, 2, 3, 5, 8, 10, 12, 40]) {
      const beats = beatsOf(story, { count, style: [], variation: '' });
      expect(new Set(beats.map(({ prompt }) => prompt)).size, `${count} of ${logline}`).toBe(count);
      for (const { prompt, size, camera } of beats) {
        expect(
          {
            place: placeIn(prompt),
            time: first(TIMES, prompt),
            subject: first(SUBJECTS, prompt),
            size: first(SIZES, prompt),
            camera: first(CAMERAS, prompt),
            weather: all(WEATHERS, prompt),
          },
          prompt,
        ).toEqual({
          place: story.place,
          time: story.time,
          subject: first(SUBJECTS, logline),
          size: first(SIZES, size),
          camera: first(CAMERAS, camera),
          weather: all(WEATHERS, logline),
        });
      }
    }
  }
});

test('the words for light and places are those the renderer listens for, and no others', () => {
  for (const [time, phrases] of Object.entries(LIGHTS))
    for (const phrase of phrases) expect([phrase, first(TIMES, phrase)]).toEqual([phrase, time]);
  for (const [place, { name, details, frozen = [], trouble, frozenTrouble = [], far }] of Object.entries(GROUNDS)) {
    expect([name, placeIn(name)]).toEqual([name, place]);
    for (const phrase of [...details, ...frozen, ...trouble, ...frozenTrouble, far]) {
      expect([
        phrase,
        first(TIMES, phrase),
        ...all(WEATHERS, phrase),
        first(SUBJECTS, phrase),
        first(SIZES, phrase),
      ]).toEqual([phrase, undefined, undefined, undefined]);
    }
  }
});

test('a film of a given length is shared out to the second', () => {
  for (const [count, seconds] of [
    [3, 10],
    [5, 30],
    [7, 20],
    [4, 4],
  ] as const) {
    const beats = beatsOf(readStory(FOX, ''), { count, style: [], variation: '', seconds });
    expect(beats.reduce((sum, beat) => sum + beat.seconds, 0)).toBe(seconds);
  }
});

test('what people paste is read in no time, however long and odd', () => {
  const odd =
    'a fox. |a |{|"|\n|write: |, each |three beats about |{"a":|a:b |1 - 2 |in the style of | x|with keys '.split('|');
  for (const piece of odd) expect(said(piece.repeat(200_000 / piece.length)).length).toBeLessThan(30_000);
});

/** The text in its tokens, counted one by one. */
function tokensOf(text: string): string[] {
  const { end } = countTokens(text, 1);
  return text === '' ? [] : [text.slice(0, end), ...tokensOf(text.slice(end))];
}

test('tokens are up to four characters, a Chinese one is one, and none is half a character', () => {
  expect(tokensOf('A red fox 狐狸跑 🦊!')).toEqual(['A re', 'd fo', 'x ', '狐', '狸', '跑', ' ', '🦊', '!']);
  expect(countTokens('A red fox', 2)).toEqual({ tokens: 2, end: 8 });
  expect(countTokens('fox', 9)).toEqual({ tokens: 1, end: 3 });
});

const letter = fc.constantFrom(...[...'a é\u2e7f\u2e80狐\uffff🦊\u{10ffff}'], '\ud800', '\udc00');

test('the count of a text is the number of its tokens', () => {
  fc.assert(
    fc.property(fc.array(letter, { maxLength: 12 }), letters => {
      const text = letters.join('');
      expect(countTokens(text).tokens).toBe(tokensOf(text).length);
    }),
    { numRuns: 500, seed: 7 },
  );
});
