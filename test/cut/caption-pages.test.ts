import { describe, expect, test } from 'vitest';
import { captionPages } from '../../src/media/cut/layers/caption-pages.ts';
import type { CutCaptions, CutCue } from '../../src/model/media/cut.ts';

const pages = (cues: readonly CutCue[], style: CutCaptions['style'] = 'line', most = 20) =>
  captionPages(
    { style, place: 'bottom', track: false, cues },
    { rate: { frames: 10, seconds: 1 }, fits: text => text.length <= most },
  );

describe('pages of captions', () => {
  test('a cue that fits is one page', () => {
    expect(pages([{ start: 1, end: 2.04, text: ' Nobody waits ' }])).toEqual([
      { from: 10, to: 20, text: 'Nobody waits', words: [] },
    ]);
  });

  test('a cue that does not is shared out, by the length of what is said', () => {
    expect(pages([{ start: 0, end: 4, text: 'one two three four five six seven' }])).toEqual([
      { from: 0, to: 22, text: 'one two three four', words: [] },
      { from: 22, to: 40, text: 'five six seven', words: [] },
    ]);
  });

  test('where words have times, a page begins with its first word', () => {
    const words = ['one', 'two', 'three', 'four', 'five'].map((text, i) => ({
      start: i,
      end: i + 0.9,
      text: ` ${text}`,
    }));
    const [first, second, ...more] = pages([{ start: 0, end: 5, text: 'one two three four five', words }], 'word', 14);
    expect(more).toEqual([]);
    expect([first, second].map(page => [page?.from, page?.to, page?.text])).toEqual([
      [0, 30, 'one two three'],
      [30, 50, 'four five'],
    ]);
    // A breath between two words does not take the mark away.
    expect(second?.words).toEqual([
      { from: 30, to: 40, text: 'four' },
      { from: 40, to: 49, text: 'five' },
    ]);
  });

  test('Chinese is shared out by its characters, and a mark stays with the one before it', () => {
    expect(pages([{ start: 0, end: 2, text: '河流不等人，你也不例外。' }], 'line', 8).map(page => page.text)).toEqual([
      '河流不等人，',
      '你也不例外。',
    ]);
  });

  test('nothing is shown of a cue that says nothing, or lasts no frame', () => {
    expect(
      pages([
        { start: 0, end: 1, text: '  ' },
        { start: 1, end: 1.01, text: 'x' },
      ]),
    ).toEqual([]);
  });
});
