import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/model/text/json.ts';
import { fitted, readCues, shifted } from '../../../src/plan/cut/cues.ts';

const cuesOf = (given: Json) => {
  const read = readCues(given);
  return read.is === 'cues' ? read.cues : read.why;
};

describe('words with their times', () => {
  test('the JSON of whisper as it is: segments, each with its words', () => {
    const given = {
      text: ' A fox. It runs.',
      language: 'en',
      segments: [
        {
          ...{ id: 0, start: 0, end: 1.2, text: ' A fox.', temperature: 0 },
          words: [
            { word: ' A', start: 0.1, end: 0.3, probability: 0.9 },
            { word: ' fox.', start: 0.3, end: 1.1, probability: 0.9 },
          ],
        },
        { id: 1, start: 1.5, end: 2.5, text: ' It runs.' },
      ],
    };
    expect(cuesOf(given)).toEqual([
      {
        start: 0,
        end: 1.2,
        text: 'A fox.',
        words: [
          { start: 0.1, end: 0.3, text: 'A' },
          { start: 0.3, end: 1.1, text: 'fox.' },
        ],
      },
      { start: 1.5, end: 2.5, text: 'It runs.' },
    ]);
  });

  test('words that are listed beside the segments fall into them', () => {
    const words = [
      { word: 'A', start: 0, end: 0.4 },
      { word: 'fox', start: 0.4, end: 1 },
      { word: 'runs', start: 2, end: 3 },
    ];
    const segments = [
      { start: 0, end: 1, text: 'A fox' },
      { start: 2, end: 3, text: 'runs' },
    ];
    expect(cuesOf({ segments, words })).toMatchObject([
      { text: 'A fox', words: [{ text: 'A' }, { text: 'fox' }] },
      { text: 'runs', words: [{ text: 'runs' }] },
    ]);
  });

  test('words alone become lines: at a full stop, at a pause, and where a line is full', () => {
    const word = (text: string, start: number) => ({ word: text, start, end: start + 0.2 });
    const words = [word('Snow.', 0), word('A', 0.3), word('fox', 0.5), word('waits', 2), word('for', 2.2)];
    const long = Array.from({ length: 12 }, (_, n) => word('river', 10 + n * 0.2));
    const cues = cuesOf({ words: [...words, ...long] });
    expect(Array.isArray(cues) && cues.map(({ text }) => text)).toEqual([
      'Snow.',
      'A fox',
      'waits for',
      'river river river river river river river',
      'river river river river river',
    ]);
  });

  test('the JSON of whisper.cpp counts milliseconds', () => {
    const transcription = [{ offsets: { from: 0, to: 1_250 }, text: ' A fox.' }];
    expect(cuesOf({ transcription })).toEqual([{ start: 0, end: 1.25, text: 'A fox.' }]);
  });

  test('SRT, with numbers, tags and two lines', () => {
    const srt =
      '\ufeff1\r\n00:00:01,000 --> 00:00:02,500\r\n<i>A fox</i>\r\nin the snow\r\n\r\n2\r\n00:01:00,000 --> 00:01:01,000\r\nIt runs.\r\n';
    expect(cuesOf(srt)).toEqual([
      { start: 1, end: 2.5, text: 'A fox\nin the snow' },
      { start: 60, end: 61, text: 'It runs.' },
    ]);
  });

  test('VTT, with its head, notes and settings', () => {
    const vtt =
      'WEBVTT\n\nNOTE by hand\n\nintro\n00:01.000 --> 00:02.000 align:start\n<v Fox>Snow &amp; ice\n\nSTYLE\n::cue { color: red }\n';
    expect(cuesOf(vtt)).toEqual([{ start: 1, end: 2, text: 'Snow & ice' }]);
  });

  test('a plain list, and JSON that came as text', () => {
    const list = [
      { start: 2, end: 3, text: 'later' },
      { start: '00:00:00.500', end: '1', text: 'first' },
    ];
    const wanted = [
      { start: 0.5, end: 1, text: 'first' },
      { start: 2, end: 3, text: 'later' },
    ];
    expect(cuesOf(list)).toEqual(wanted);
    expect(cuesOf(JSON.stringify({ segments: list }))).toEqual(wanted);
  });

  test('what has no times, or ends before it begins, says which', () => {
    expect(cuesOf({})).toContain('no words with times');
    expect(cuesOf('once upon a time')).toContain('no words with times');
    expect(
      cuesOf([
        { start: 0, end: 1, text: 'a' },
        { start: 3, end: 2, text: 'b' },
      ]),
    ).toContain('entry 2');
    expect(cuesOf([{ start: 0, end: 1 }])).toContain('has no `text`');
    expect(cuesOf({ words: [{ word: 'a' }] })).toContain('entry 1');
  });
});

test('a line makes room for the next one, and for the end of the film', () => {
  const cues = [
    { start: 0, end: 3, text: 'one' },
    { start: 2, end: 9, text: 'two' },
    { start: 12, end: 13, text: 'late' },
  ];
  expect(fitted(cues, 8)).toEqual([
    { start: 0, end: 2, text: 'one' },
    { start: 2, end: 8, text: 'two' },
  ]);
});

test('later by the time at which its voice begins', () => {
  const words = [{ start: 0.1, end: 0.2, text: 'a' }];
  expect(shifted([{ start: 0.1, end: 0.2, text: 'a', words }], 10.2)).toEqual([
    { start: 10.3, end: 10.4, text: 'a', words: [{ start: 10.3, end: 10.4, text: 'a' }] },
  ]);
});
