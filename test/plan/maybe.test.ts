/** `maybe` is said only of what depends on something that is not known yet. */
import { describe, expect, test } from 'vitest';
import { decisions, planOf, Shelf, type World } from './support.ts';

const decided = (film: string, key: string, world: World = {}): string | undefined =>
  decisions(planOf(film, world)).find(line => line.startsWith(`${key}: `));

describe('a cut that waits for a shot', () => {
  const film = (prompt: string, clips: readonly string[]) => `
steps:
  shot: { model: V-T2V-A, matrix: { beat: [a, b] }, with: { prompt: "${prompt} \${{ matrix.beat }}", duration: 5, resolution: 720P } }
  final: { cut: { clips: [${clips.join(', ')}] } }
`;
  const A = '{ from: "${{ steps.shot[0].result_url }}" }';
  const B = '{ from: "${{ steps.shot[1].result_url }}" }';
  const TITLE = '{ title: The end, for: 2s }';
  const owned = () => {
    const shelf = new Shelf();
    shelf.make(planOf(film('a fox', [A, B, TITLE])));
    return shelf;
  };
  const MAYBE = 'final: maybe, waits for shot[beat=a] and shot[beat=b]';
  test.each([
    ['is perhaps owned once they are there', [A, B, TITLE], MAYBE],
    [
      'is perhaps owned with its clips in another order',
      [B, A, TITLE],
      'final: maybe, waits for shot[beat=b] and shot[beat=a]',
    ],
    [
      'is made again with other words in its title',
      [A, B, TITLE.replace('end', 'start')],
      'final: run, clip 3 changed',
    ],
    ['is made again with a clip less', [A, B], 'final: run, clip 3 changed'],
    ['is made again with a clip more', [A, B, TITLE, TITLE], 'final: run, clip 4 changed'],
    [
      'is perhaps the same with an option that may say what held before',
      [A, B.replace('" }', '", in: 0s }'), TITLE],
      MAYBE,
    ],
  ])('%s', (_, clips, expected) => {
    expect(decided(film('a fox', clips), 'final', { owned: owned() })).not.toContain('maybe');
    expect(decided(film('an owl', clips), 'final', { owned: owned() })).toBe(expected);
  });

  test('is perhaps owned with a clip list that it had before', () => {
    const shelf = owned();
    shelf.make(planOf(film('a fox', [A, TITLE]), { owned: shelf }));
    expect(decided(film('an owl', [A, B, TITLE]), 'final', { owned: shelf })).toBe(MAYBE);
    expect(decided(film('an owl', [B, TITLE]), 'final', { owned: shelf })).toBe('final: maybe, waits for shot[beat=b]');
  });
});

test('what waits for an approval that the command line gives is certainly made', () => {
  const film = `
steps:
  shot: { model: V-T2V-A, with: { prompt: a fox, duration: 5 } }
  ok: { approve: "\${{ steps.shot }}" }
  dear: { needs: [ok], model: V-T2V-A, with: { prompt: an owl, duration: 5 } }
`;
  const choices = { find: () => undefined, willApprove: (key: string) => key === 'ok' };
  expect(decided(film, 'dear')).toBe('dear: maybe, if ok is approved');
  expect(decided(film, 'dear', { choices })).toBe('dear: run, never run');
});

describe('what reads of a fan-out only what is known before it is made', () => {
  const film = (words: string, condition = '') => `
steps:
  still: { model: V-T2V-A, ${condition} matrix: { who: [fox, owl] }, with: { prompt: "\${{ matrix.who }}", duration: 5 } }
  note: { run: [echo, "${words}"] }
`;
  test.each([
    ['${{ string(steps.still.size()) }} stills', 'note: run, never run'],
    ['${{ steps.still[1].matrix.who }}', 'note: run, never run'],
    ["${{ steps.still.map(s, s.matrix.who).join(', ') }}", 'note: run, never run'],
    ["${{ steps.still.size() > 1 ? 'many' : 'one' }}", 'note: run, never run'],
    ["${{ steps.still.map(s, s.matrix.who + s.result_url).join(', ') }}", 'note: maybe, waits for still'],
    ['${{ steps.still[1].result_url }}', 'note: maybe, waits for still[who=owl]'],
  ])('%s', (words, expected) => expect(decided(film(words), 'note')).toBe(expected));

  test('is not known while one of them may be skipped', () => {
    const first = `steps:\n  first: { model: V-T2V-A, with: { prompt: a fox, duration: 5 } }`;
    const perhaps = film('${{ string(steps.still.size()) }}', 'if: "${{ steps.first.media.duration > 4.0 }}",');
    expect(decided(perhaps.replace('steps:', first), 'note')).toBe('note: maybe, waits for still');
  });

  test('comes out the same once they are made', () => {
    const text = film("${{ steps.still.map(s, s.matrix.who).join(', ') }} ${{ string(size(steps.still)) }}");
    const made = new Shelf();
    made.make(planOf(text));
    expect(decided(text, 'note', { owned: made })).toBe('note: hit, unchanged');
    const planned = planOf(text).instances.get('note' as never)?.fingerprint;
    expect(planOf(text, { owned: made }).instances.get('note' as never)?.fingerprint).toBe(planned);
  });
});
