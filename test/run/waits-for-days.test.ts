/** A run that waits for a person is killed, left for days, edited meanwhile, and goes on: what was asked stays asked, what was made stays made. */
import { expect, test } from 'vitest';
import type { Decider } from '../../src/run/ports/decider.ts';
import { deciding } from './people.ts';
import { rig, type StartedRun, withQuickRig } from './rig.ts';

withQuickRig();

const FILM = `steps:
  shot: { model: V-T2V-A, matrix: { seed: [1, 2] }, with: { prompt: a fox, seed: "\${{ matrix.seed }}", duration: 5 } }
  best: { pick: "\${{ steps.shot }}" }
  ok: { approve: "\${{ steps.best }}", ask: is it red? }
  title: { run: [echo, a title] }
  told: { needs: [ok], run: [echo, "\${{ steps.best.sha256 }} \${{ steps.title.stdout }}"] }
`;
const DAYS = 9 * 24 * 3_600_000;
const asked: string[] = [];
/** Sits there, and says nothing. */
const silent: Decider = { choose: async () => undefined, decide: () => new Promise(() => {}) };
/** Takes the last of what there is to choose from, and says yes. */
const answering = deciding(({ key, options }) => {
  asked.push(key);
  return { chosen: [options.at(-1)!.id] };
});

/** Runs until this waits for somebody and all else is made; then the process is killed, and days go by. */
async function killedWaitingFor(text: string, key: string, made: number): Promise<void> {
  const film = await rig.start(text);
  void rig.runToEnd(film).catch(() => {});
  await film.happened('waiting_for', key);
  while (madeIn(film).length < made) await new Promise(resolve => setImmediate(resolve));
  await rig.kill();
  await rig.clock.advance(DAYS);
}
const madeIn = ({ events }: StartedRun) =>
  events.flatMap(event => (event.type === 'succeeded' ? [event.key as string] : []));
async function goesOn(text: string) {
  asked.length = 0;
  const posts = rig.service.posts.length;
  const film = await rig.start(text);
  const { is } = await rig.runToEnd(film);
  return { is, asked: [...asked], made: madeIn(film).sort(), paid: rig.service.posts.length - posts };
}

test.each([
  { edit: 'nothing', text: FILM, made: ['best', 'ok', 'told'], paid: 0 },
  { edit: 'another step', text: FILM.replace('a title', 'the end'), made: ['best', 'ok', 'title', 'told'], paid: 0 },
  {
    edit: 'one candidate',
    text: FILM.replace('[1, 2]', '[1, 3]'),
    made: ['best', 'ok', 'shot[seed=3]', 'told'],
    paid: 1,
  },
  {
    edit: 'all candidates',
    text: FILM.replace('a fox', 'an owl'),
    made: ['best', 'ok', 'shot[seed=1]', 'shot[seed=2]', 'told'],
    paid: 2,
  },
])('a pick: killed, nine days later, and $edit was edited', async ({ text, made, paid }) => {
  rig.decider = silent;
  await killedWaitingFor(FILM, 'best', 3);
  rig.decider = answering;
  expect(await goesOn(text)).toEqual({ is: 'done', asked: ['best', 'ok'], made: made.toSorted(), paid });
});

test.each([
  { edit: 'nothing', text: FILM, asks: ['ok'], paid: 0 },
  { edit: 'another step', text: FILM.replace('a title', 'the end'), asks: ['ok'], paid: 0 },
  { edit: 'its question', text: FILM.replace('is it red', 'is it bold'), asks: ['ok'], paid: 0 },
  { edit: 'a candidate that lost', text: FILM.replace('[1, 2]', '[4, 2]'), asks: ['best', 'ok'], paid: 1 },
])('an approval: killed, nine days later, and $edit was edited', async ({ text, asks, paid }) => {
  rig.decider = {
    ...answering,
    decide: (question, signal) =>
      question.is === 'approve' ? new Promise(() => {}) : answering.decide!(question, signal),
  };
  await killedWaitingFor(FILM, 'ok', 4);
  rig.decider = answering;
  const { is, asked: told, paid: now } = await goesOn(text);
  expect({ is, told, now }).toEqual({ is: 'done', told: asks, now: paid });
});
