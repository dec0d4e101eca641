/** A question at a terminal: what each key does, what is seen of it, and that no question is answered with a key that was meant for another. */
import { describe, expect, test } from 'vitest';
import type { Option, RecordedEvent } from '../../src/model/run/event.ts';
import type { InstanceKey } from '../../src/model/run/key.ts';
import { cellWidth } from '../../src/model/text/cells.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { emptyRunView } from '../../src/records/views/run-view.ts';
import type { OpenQuestion } from '../../src/run/ports/decider.ts';
import { painted } from '../../src/show/terminal/line.ts';
import { promptLines } from '../../src/show/terminal/prompts/prompt-lines.ts';
import { type Keyboard, Prompter } from '../../src/show/terminal/prompts/prompter.ts';
import { type Prompt, pressed, promptOf, withAsked } from '../../src/show/terminal/prompts/question-prompt.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { planned, START, started } from '../text/recordings.ts';
import { drawn } from './drawn.tsx';

const options = (count: number, name = 'shot'): readonly Option[] =>
  Array.from({ length: count }, (_, at) => ({
    ...{ id: `id-${at + 1}`, key: `${name}[take=${at + 1}]` as InstanceKey, sha256: String(at + 1) },
  }));

const question = (more: Partial<OpenQuestion> = {}): OpenQuestion => ({
  ...{ key: 'best' as InstanceKey, is: 'pick', ask: 'which one is best?', count: 1, options: options(3), awaited: [] },
  ...{ onChange: () => () => {}, ...more },
});

const UP = '\x1b[A';
const DOWN = '\x1b[B';

/** What comes of these keys, one after the other. */
function typing(keys: readonly string[], asked: OpenQuestion = question()) {
  let prompt: Prompt = promptOf(asked);
  for (const key of keys) {
    const { prompt: next, act } = pressed(prompt, key);
    if (act) return { prompt: next, act };
    prompt = next;
  }
  return { prompt, act: undefined };
}

describe('a pick', () => {
  test.each<[string, readonly string[], unknown]>([
    ['a digit chooses', ['2'], { is: 'answer', chosen: ['id-2'], note: '' }],
    ['arrows and Enter choose', [DOWN, DOWN, UP, '\r'], { is: 'answer', chosen: ['id-2'], note: '' }],
    ['an arrow stops at the end', [DOWN, DOWN, DOWN, DOWN, '\r'], { is: 'answer', chosen: ['id-3'], note: '' }],
    ['Enter chooses what is highlighted', ['\r'], { is: 'answer', chosen: ['id-1'], note: '' }],
    ['a note comes first', [...'n1 is 狐', '\r', '3'], { is: 'answer', chosen: ['id-3'], note: '1 is 狐' }],
    ['a note is mended', [...'nab', '\x7f', 'c', '\r', '1'], { is: 'answer', chosen: ['id-1'], note: 'ac' }],
    ['Esc drops the note', [...'nab', '\x1b', '1'], { is: 'answer', chosen: ['id-1'], note: '' }],
    ['later', ['l'], { is: 'later' }],
    ['the review page', ['r'], { is: 'review' }],
    ['in a note it is a letter', [...'nr', '\r', '1'], { is: 'answer', chosen: ['id-1'], note: 'r' }],
    ['the file is opened', [DOWN, 'o'], { is: 'open', option: options(3)[1] }],
    ['any other key is nothing', ['x', '0', '\t', '\x1b', '\x1b[15~', 'y'], undefined],
  ])('%s', (_, keys, act) => {
    expect(typing(keys).act).toEqual(act);
  });

  test('a number that there is not is told', () => {
    expect(typing(['7']).prompt.notice).toBe('there is no number 7');
    expect(typing(['7', 'x']).prompt.notice).toBe('');
  });

  test('of sixty, a number is typed, highlighted, and taken with Enter', () => {
    const many = question({ options: options(60) });
    expect(typing(['4'], many).act).toBe(undefined);
    expect(typing(['4', '2'], many).prompt.at).toBe('id-42');
    expect(typing(['4', '2', '\r'], many).act).toMatchObject({ chosen: ['id-42'] });
    expect(typing(['4', '2', '\x7f', '5', '\r'], many).act).toMatchObject({ chosen: ['id-45'] });
    expect(typing(['9', '9'], many).prompt).toMatchObject({ notice: 'there is no number 99', digits: '' });
  });

  test('of several, each is marked by rank, and taken together', () => {
    const two = question({ count: 2 });
    expect(typing(['3', '1', '\r'], two).act).toMatchObject({ chosen: ['id-3', 'id-1'] });
    expect(typing(['3', '3', '1', '2', '\r'], two).act).toMatchObject({ chosen: ['id-1', 'id-2'] });
    expect(typing(['1', '2', '3'], two).prompt.notice).toMatch(/marked already/);
  });

  test('more to choose from leaves the highlight and the marks; what is gone takes them along', () => {
    const { prompt } = typing(['2', DOWN], question({ count: 2 }));
    const more = withAsked(prompt, question({ count: 2, options: options(5) }));
    expect([more.at, more.marked]).toEqual(['id-3', ['id-2']]);
    const fewer = withAsked(prompt, question({ count: 2, options: options(1) }));
    expect([fewer.at, fewer.marked]).toEqual(['id-1', []]);
  });
});

describe('an approval', () => {
  const ok = question({ is: 'approve', key: 'ok' as InstanceKey, ask: 'is it approved?', options: options(2) });
  test.each<[string, readonly string[], unknown]>([
    ['the review page', ['r'], { is: 'review' }],
    ['yes', ['y'], { is: 'answer', chosen: ['id-1', 'id-2'], note: '' }],
    ['no asks why', ['n', ...'bent', '\r'], { is: 'answer', chosen: [], note: 'bent' }],
    ['no without a word', ['n', '\r'], { is: 'answer', chosen: [], note: '' }],
    ['Esc takes a no back', ['n', ...'bent', '\x1b'], undefined],
    ['words first', [...'wfine', '\r', 'y'], { is: 'answer', chosen: ['id-1', 'id-2'], note: 'fine' }],
    ['words first, then no', [...'wbent', '\r', 'n'], { is: 'answer', chosen: [], note: 'bent' }],
    ['Enter and digits are no yes', ['\r', '1', '2', ' '], undefined],
  ])('%s', (_, keys, act) => {
    expect(typing(keys, ok).act).toEqual(act);
  });
});

describe('as it is seen', () => {
  const factsOf = ({ sha256 }: Option) => ({
    ...{ facts: '1280×720, 5.0s, 1.2 MB', usd: 0.6 },
    output: `out/${sha256}/${'f'.repeat(64)}.mp4`,
  });
  const seen = (asked: OpenQuestion, columns: number, lines: number, keys: readonly string[] = []) =>
    promptLines({ prompt: typing(keys, asked).prompt, more: 1, factsOf }, { columns, lines }).map(line =>
      painted(line, false),
    );

  test('80 columns', () => {
    expect(seen(question(), 80, 20, [DOWN]).join('\n')).toMatchInlineSnapshot(`
      "  which one is best?
          1  shot[take=1]  1280×720, 5.0s, 1.2 MB                       $0.60
        › 2  shot[take=2]  1280×720, 5.0s, 1.2 MB                       $0.60
             out/2/ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff.m
             p4
          3  shot[take=3]  1280×720, 5.0s, 1.2 MB                       $0.60
        1–3 chooses · n note · o opens · l later · 1 more question"
    `);
  });

  test('40 columns, and a sentence in wide characters', () => {
    const asked = question({ ask: '哪一个镜头里的狐狸走得最好看，而且没有离开画面？', options: options(3, '镜头') });
    expect(seen(asked, 40, 20).join('\n')).toMatchInlineSnapshot(`
      "  best:
        哪一个镜头里的狐狸走得最好看，而且没
        有离开画面？
        › 1  镜头[take=1]  1280×720, 5.0s, 1…
             out/1/ffffffffffffffffffffffffff
             ffffffffffffffffffffffffffffffff
             ffffff.mp4
          2  镜头[take=2]  1280×720, 5.0s, 1…
          3  镜头[take=3]  1280×720, 5.0s, 1…
        1–3 chooses · n note · o opens · l
        later · 1 more question"
    `);
  });

  test.each([
    [20, 5],
    [40, 8],
    [40, 23],
    [80, 3],
    [80, 23],
    [200, 49],
    [7, 1],
  ])(
    'sixty candidates on %i columns and %i lines are never wider or taller, and show the highlighted one',
    (columns, lines) => {
      const asked = question({ options: options(60), ask: `which? ${'\x1b]0;owned\x07'}${'w'.repeat(300)}` });
      for (const keys of [[], ['4', '2'], ['n', ...'a note'.repeat(40)]]) {
        const drawn = seen(asked, columns, lines, keys);
        expect(drawn.length).toBeLessThanOrEqual(lines);
        // The screen clips each line at the edge; what we break must be shorter by itself.
        if (columns >= 20)
          for (const line of drawn) expect(cellWidth(line), line).toBeLessThanOrEqual(Math.max(columns, 24));
        expect(drawn.join('\n')).not.toContain('\x1b');
        if (lines >= 8 && keys.length === 2) expect(drawn.join('\n')).toContain('take=42');
      }
    },
  );

  test('where there is a review page its key is among the others, and not while a note is written', () => {
    const keysOf = (keys: readonly string[], columns: number) =>
      promptLines(
        { prompt: typing(keys).prompt, more: 0, factsOf, canFold: true, canReview: true },
        { columns, lines: 20 },
      )
        .map(line => painted(line, false).trim())
        .join(' ');
    expect(keysOf([], 80)).toContain('1–3 chooses · n note · o opens · l later · r review page · Esc aside');
    expect(keysOf([], 40)).toContain('l later · r review page · Esc aside');
    expect(keysOf(['n'], 80)).not.toContain('review');
  });

  test('a file whose name holds an escape sequence is shown without it', () => {
    const lines = promptLines(
      {
        ...{ prompt: promptOf(question()), more: 0 },
        factsOf: () => ({ facts: 'x\x1b[2J', usd: null, output: 'out/\x1b]0;owned\x07a.mp4' }),
      },
      { columns: 80, lines: 20 },
    );
    expect(lines.map(line => painted(line, false)).join('\n')).toContain('out/a.mp4');
  });
});

/** Keys that the test presses. */
class Keys implements Keyboard {
  #listener: ((keys: readonly string[]) => void) | undefined;
  readonly listen = (pressed: (keys: readonly string[]) => void) => {
    this.#listener = pressed;
    return () => {
      this.#listener = undefined;
    };
  };
  press(...keys: readonly string[]): void {
    this.#listener?.(keys);
  }
  get isListening(): boolean {
    return this.#listener !== undefined;
  }
}

describe('one question after the other', () => {
  function sitting() {
    const [keys, clock] = [new Keys(), new FakeClock()];
    const opened: string[] = [];
    const pages = { opened: 0 };
    const prompter = new Prompter({
      ...{ keyboard: keys, clock, who: async () => 'Ada', changed: () => {} },
      open: async ({ key }) => {
        opened.push(key);
        return undefined;
      },
      review: async () => {
        pages.opened += 1;
        return 'the review page is open in your browser';
      },
    });
    return { keys, clock, prompter, opened, pages };
  }
  const asks = (prompter: Prompter, name: string, stop = new AbortController()) => ({
    stop,
    answer: prompter.decide(question({ key: name as InstanceKey, ask: `which one is ${name}?` }), stop.signal),
  });

  test('the terminal is listened to as long as something is asked', async () => {
    const { keys, clock, prompter } = sitting();
    expect(keys.isListening).toBe(false);
    const { answer } = asks(prompter, 'best');
    expect(keys.isListening).toBe(true);
    await clock.advance(300);
    keys.press('2');
    expect(await answer).toEqual({ chosen: ['id-2'], by: 'person', who: 'Ada' });
    expect(keys.isListening).toBe(false);
  });

  test('a key that was meant for the question before answers none', async () => {
    const { keys, clock, prompter } = sitting();
    const first = asks(prompter, 'first');
    const second = asks(prompter, 'second');
    keys.press('1');
    await clock.advance(300);
    expect(prompter.current).toMatchObject({ prompt: { asked: { key: 'first' } }, more: 1 });
    // Answered in another terminal, while a finger is on its way.
    first.stop.abort();
    keys.press('1');
    expect(await first.answer).toBe(undefined);
    expect(prompter.current).toMatchObject({ prompt: { asked: { key: 'second' } }, more: 0 });
    await clock.advance(300);
    keys.press('3');
    expect(await second.answer).toMatchObject({ chosen: ['id-3'] });
  });

  test('the review page is opened beside the question, which stays; where there is none the key is nothing', async () => {
    const { keys, clock, prompter, pages } = sitting();
    const { answer } = asks(prompter, 'best');
    await clock.advance(300);
    keys.press('r');
    await clock.advance(0);
    expect(pages.opened).toBe(1);
    expect(prompter.current?.prompt.notice).toBe('the review page is open in your browser');
    keys.press('1');
    expect(await answer).toMatchObject({ chosen: ['id-1'] });
    const without = new Prompter({
      ...{ keyboard: keys, clock, who: async () => 'Ada', changed: () => {} },
      open: async () => undefined,
    });
    void without.decide(question(), new AbortController().signal);
    await clock.advance(300);
    keys.press('r');
    await clock.advance(0);
    expect(without.current?.prompt.notice).toBe('');
    without.close();
  });

  test('what is pasted is no choice, and may be a note', async () => {
    const { keys, clock, prompter } = sitting();
    const { answer } = asks(prompter, 'best');
    await clock.advance(300);
    keys.press('1', '2', '3');
    expect(prompter.current).toBeDefined();
    keys.press('n');
    keys.press(...'pasted 1');
    keys.press('\r');
    keys.press('1');
    expect(await answer).toMatchObject({ note: 'pasted 1' });
  });

  test('later leaves it, and the next one is asked; the end takes all away', async () => {
    const { keys, clock, prompter, opened } = sitting();
    const first = asks(prompter, 'first');
    const second = asks(prompter, 'second');
    await clock.advance(300);
    keys.press('o');
    keys.press('l');
    expect([await first.answer, opened]).toEqual([undefined, ['shot[take=1]']]);
    prompter.close();
    expect([await second.answer, keys.isListening]).toEqual([undefined, false]);
  });

  test('one that was decided before it is asked is not asked', async () => {
    const { prompter, keys } = sitting();
    const stop = new AbortController();
    stop.abort();
    expect(await prompter.decide(question(), stop.signal)).toBe(undefined);
    expect(keys.isListening).toBe(false);
  });
});

test('with a question on it the live part is never taller than the terminal less one row, and never wider', () => {
  const run = emptyRunView();
  reduce(run, {
    ...started('film', [planned('shot', 'V-T2V-A', [], 1), planned('best', 'pick', [], 0)]),
    seq: 1,
    at: START,
  } as RecordedEvent);
  const asked = question({ options: options(60), ask: `哪一个？${'w'.repeat(200)}` });
  for (const rows of [1, 2, 3, 4, 7, 10, 24, 60])
    for (const columns of [20, 40, 80, 200]) {
      const factsOf = () => ({ facts: '1280×720', usd: 1, output: 'f'.repeat(120) });
      const prompt = { prompt: promptOf(asked), more: 2, factsOf };
      const { live } = drawn(run, START + 1000, { rows, columns }, { question: prompt });
      expect(live.length, `${columns}×${rows}`).toBeLessThanOrEqual(Math.max(1, rows - 1));
      for (const line of live) expect(cellWidth(line)).toBeLessThanOrEqual(columns);
    }
});
