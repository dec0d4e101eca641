/** What a run shows and keeps of work that was handed a secret. */
import { expect, test } from 'vitest';
import { Redactor } from '../../src/machine/redactor.ts';
import { chatAnswer } from './fake-service.ts';
import { ran, rig, withRig } from './rig.ts';

const TOKEN = 'tok_59cf1a2b77e0';
const FILM = `
params: { token: { type: string, secret: true } }
steps:
  words: { model: C-D, with: { prompt: "say \${{ params.token }}" } }
  plain: { model: C-D, needs: [words], with: { prompt: say something } }
  after: { model: C-D, with: { prompt: "and again: \${{ steps.words.text }}" } }
`;

withRig(() => {
  rig.secrets = new Redactor([['$token', TOKEN]]);
});

test.each([1, 2, 3, 5, 7, 1_000])(
  'an answer that repeats it is shown and kept without, however it is cut into pieces (%d)',
  async piece => {
    rig.service.chatPiece = piece;
    rig.service.chatAnswers.push(
      chatAnswer(`so: ${TOKEN}, and ${TOKEN}.`),
      chatAnswer('nothing to hide here'),
      chatAnswer('once more'),
    );
    const film = await rig.start(FILM, { token: TOKEN });
    const outcome = await film.done;
    expect(outcome.is).toBe('done');
    const texts = film.events.flatMap(event =>
      event.type === 'text_written' && event.key === 'words' ? [event.text] : [],
    );
    expect(texts.join('')).toBe('so: $token, and $token.');
    for (const text of texts) expect(TOKEN).not.toContain(text.replace(/[$.]/g, '').slice(-5).padEnd(5, '#'));
    // It was sent as it is, and read by the next step as it is kept.
    const asked = rig.service.calls.map(call => JSON.stringify(call));
    expect(asked[0]).toContain(`say ${TOKEN}`);
    expect(asked.slice(1).join()).toContain('and again: so: $token, and $token.');
    expect(JSON.stringify(film.events)).not.toContain(TOKEN);
    expect(rig.lockText).not.toContain(TOKEN);
  },
);

test('an interrupted run and one that goes on pay for the same, and another value is no other request', async () => {
  rig.service.chatAnswers.push(chatAnswer(`so: ${TOKEN}`), chatAnswer('one'), chatAnswer('two'));
  await (await rig.start(FILM, { token: TOKEN })).done;
  rig.secrets = new Redactor([['$token', 'another-token']]);
  const again = await rig.start(FILM, { token: 'another-token' });
  expect((await again.done).counts).toMatchObject({ reused: 3, succeeded: 0 });
  expect(rig.service.calls).toHaveLength(3);
});

test('a lost request that held it is found in the history, although the journal has only its name', async () => {
  const film = `
params: { token: { type: string, secret: true } }
steps:
  still: { model: I-GEN-A, with: { prompt: "a fox and \${{ params.token }}" } }
`;
  rig.service.trouble.push({ answer: 'never', take: true });
  const first = await rig.start(film, { token: TOKEN });
  await rig.service.arrived(1);
  expect(JSON.stringify(first.events)).not.toContain(TOKEN);
  await rig.kill();
  rig.service.finish('gen-1');
  const { film: second, outcome } = await ran(film, { token: TOKEN });
  expect(outcome.is).toBe('done');
  expect(rig.service.posts).toHaveLength(1);
  expect(second.events.some(({ type }) => type === 'submit_accepted')).toBe(true);
});
