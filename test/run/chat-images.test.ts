/** A chat that looks, from plan to lock: what is sent, and what is kept of it. */
import { expect, test } from 'vitest';
import { chatAnswer } from './fake-service.ts';
import { rig, withRig } from './rig.ts';

const LOOK = `
steps:
  hero: { model: I-GEN-A, with: { prompt: a fox } }
  look:
    model: C-B
    with:
      prompt: what is missing?
      images: [ "\${{ steps.hero.result_url }}", media/ref.png ]
    schema: { type: object, required: [missing], properties: { missing: { type: string } } }
`;

withRig(() => {
  rig.facts = { kind: 'image', format: 'webp', width: 640, height: 360 };
  rig.files = {
    'media/ref.png': {
      sha256: 'a'.repeat(64),
      url: 'file:///film/media/ref.png',
      facts: { kind: 'image', format: 'png', width: 640, height: 360 },
    },
  };
});

async function made(text = LOOK) {
  const film = await rig.start(text);
  await rig.service.arrived(1);
  await film.happened('submit_accepted');
  rig.service.finish('gen-1');
  const outcome = await film.done;
  return { film, outcome };
}

const SHOWN = [
  { type: 'text', text: 'what is missing?' },
  { type: 'image_url', image_url: { url: 'https://house.test/gen-1.mp4' } },
  { type: 'image_url', image_url: { url: 'file:///film/media/ref.png' } },
];

test('it is shown what was made, and is shown it again when its answer is sent back', async () => {
  rig.service.chatAnswers.push(chatAnswer('the fox'), chatAnswer('{"missing":"the fox"}'));
  const { outcome } = await made();
  expect(outcome.is).toBe('done');
  expect(rig.service.calls).toMatchObject([
    { model: 'C-B', messages: [{ role: 'user', content: SHOWN }] },
    { messages: [{ role: 'user', content: SHOWN }, { role: 'assistant', content: 'the fox' }, { role: 'user' }] },
  ]);
  expect(rig.service.calls[0]).not.toHaveProperty('images');
});

test('the lock keeps its words and no image; another place of the same content asks nothing', async () => {
  rig.service.chatAnswers.push(chatAnswer('{"missing":"the fox"}'));
  await made();
  expect(rig.lockText).toContain('the fox');
  expect(rig.lockText).not.toMatch(/ref\.png|file:|data:/);
  const [file] = Object.values(rig.files);
  rig.files = { 'media/ref.png': { ...file!, url: 'file:///elsewhere/ref.png' } };
  const again = await (await rig.start(LOOK)).done;
  expect(again.counts).toMatchObject({ reused: 2, succeeded: 0 });
  rig.files = { 'media/ref.png': { ...file!, sha256: 'b'.repeat(64) } };
  rig.service.chatAnswers.push(chatAnswer('{"missing":"the river"}'));
  expect((await (await rig.start(LOOK)).done).counts).toMatchObject({ reused: 1, succeeded: 1 });
});
