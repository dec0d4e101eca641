/** A judge in a run: a chat model scores the candidates; whatever else it writes chooses nothing. */
import { describe, expect, test } from 'vitest';
import { chatAnswer } from './fake-service.ts';
import { failures, ran, rig, withQuickRig } from './rig.ts';

withQuickRig();

const FILM = `steps:
  line: { matrix: { n: [1, 2, 3] }, run: [echo, "line \${{ matrix.n }}"] }
  best: { pick: "\${{ steps.line }}", judge: { model: C-B, prompt: which is calmest? } }
  told: { run: [echo, "\${{ steps.best.stdout.trim() }}: \${{ steps.best.choice.note }}"] }
`;
const scores = (...given: readonly (readonly [number, number, string?])[]) =>
  chatAnswer(
    JSON.stringify({ scores: given.map(([candidate, score, words = 'so']) => ({ candidate, score, words })) }),
  );

describe('a judge', () => {
  test('chooses by its scores, which are kept with its words; it is a chat like any other, and asked once', async () => {
    rig.service.chatAnswers.push(scores([1, 3], [2, 8.5, 'it breathes'], [3, 4]));
    const { film, outcome } = await ran(FILM);
    expect([outcome.is, rig.service.calls.length]).toEqual(['done', 1]);
    expect(JSON.stringify(rig.service.calls[0])).toContain('which is calmest?');
    expect(film.events.find(({ type }) => type === 'chosen')).toMatchObject({
      key: 'best',
      choice: { by: 'judge', who: 'C-B', scores: [{ score: 3 }, { score: 8.5, words: 'it breathes' }, { score: 4 }] },
    });
    expect(rig.lockText).toContain('    best/judge:\n');
    expect(rig.lockText).toMatch(/line\[n=2\]"?:\n {10}score: 8.5\n {10}words: it breathes\n/);
    const again = await ran(FILM);
    expect([again.outcome.is, rig.service.calls.length]).toEqual(['done', 1]);
    await rig.cloneAfresh();
    expect([(await ran(FILM)).outcome.is, rig.service.calls.length]).toEqual(['done', 1]);
  });

  test('is not asked where there is one candidate, and asked again where its words have changed', async () => {
    await ran(FILM.replace('[1, 2, 3]', '[1]'));
    expect(rig.service.calls.length).toBe(0);
    rig.service.chatAnswers.push(scores([1, 1], [2, 2], [3, 3]), scores([1, 3], [2, 2], [3, 1]));
    await ran(FILM);
    const { film } = await ran(FILM.replace('calmest', 'loudest'));
    expect(film.events.find(({ type }) => type === 'chosen')).toMatchObject({
      choice: { chosen: [expect.any(String)] },
    });
    expect(rig.service.calls.length).toBe(2);
  });

  test.each([
    [
      'an answer that is no scores is mended once, and then fails',
      [chatAnswer('the second'), chatAnswer('really')],
      /best\/judge/,
    ],
    ['a score out of range', [scores([1, 11], [2, 2], [3, 3]), scores([1, 11], [2, 2], [3, 3])], /best\/judge/],
    ['a candidate that is missing', [scores([1, 1], [2, 2]), scores([1, 1], [2, 2])], /best\/judge/],
    ['one that is named twice', [scores([1, 1], [2, 2], [2, 3])], /^best: the judge scored line\[n=2\] twice/],
  ])('lies: %s: nothing is chosen', async (_, answers, message) => {
    rig.service.chatAnswers.push(...answers);
    const { film, outcome } = await ran(FILM);
    expect(outcome.is).toBe('failed');
    expect(failures(film).join('\n')).toMatch(message);
    expect(film.events.some(({ type }) => type === 'chosen')).toBe(false);
    expect(rig.lockText ?? '').not.toContain('choices of');
  });

  test('is shown frames of each video by the content they are taken from', async () => {
    rig.service.chatAnswers.push(scores([1, 1], [2, 2]));
    const { outcome } = await ran(`steps:
  shot: { model: V-T2V-A, takes: 2, with: { prompt: a fox, duration: 5 } }
  best: { pick: "\${{ steps.shot }}", judge: { model: C-B, prompt: which keeps the fox?, frames: 2 } }
`);
    expect(outcome.counts.succeeded).toBe(4);
    const { messages = [] } = rig.service.calls[0] as { messages?: readonly { content: unknown }[] };
    const content = messages.at(-1)?.content as readonly { type: string; text?: string }[];
    expect(content.filter(({ type }) => type === 'image_url')).toHaveLength(4);
    expect(content[0]?.text).toContain('Candidate 1: images 1 to 2\nCandidate 2: images 3 to 4');
  });

  test('compares the candidates with all images of a list that an expression gives', async () => {
    rig.facts = { kind: 'image', format: 'png', width: 640, height: 360 };
    rig.service.chatAnswers.push(scores([1, 1], [2, 2]));
    const { film, outcome } = await ran(`steps:
  board: { matrix: { n: [1, 2] }, model: I-GEN-A, with: { prompt: "board \${{ matrix.n }}" } }
  line: { matrix: { n: [1, 2] }, run: [echo, "line \${{ matrix.n }}"] }
  best: { pick: "\${{ steps.line }}", judge: { model: C-B, prompt: which fits?, images: "\${{ steps.board.map(b, b.result_url) }}" } }
`);
    expect([outcome.is, failures(film)]).toEqual(['done', []]);
    const { messages = [] } = rig.service.calls[0] as { messages?: readonly { content: unknown }[] };
    const [words, ...images] = (messages.at(-1)?.content ?? []) as readonly { text?: string; image_url?: unknown }[];
    expect(words?.text).toContain('The first images are what the candidates are held against');
    expect(images).toEqual(
      [1, 2].map(n => ({ type: 'image_url', image_url: { url: `https://house.test/gen-${n}.mp4` } })),
    );
  });
});
