/** A service that makes one generation of all requests under one key: what has lost its answer is sent again, and nobody is asked. */
import { describe, expect, test } from 'vitest';
import { HOSTED_PROOF } from '../../src/run/requests/proof-of-absence.ts';
import { chatAnswer, LOST_ANSWER } from './fake-service.ts';
import { ONE_SHOT } from './pipelines.ts';
import { eventLines, ran, rig, type StartedRun, withQuickRig } from './rig.ts';

const CHAT = 'steps:\n  script: { model: C-D, with: { prompt: three beats } }\n';
const BUSY = { is: 'refused', status: 429, message: 'too many requests' } as const;
const HOUR = 3_600_000;

withQuickRig(() => {
  rig.service.honoursKeys = true;
  rig.settings = { proof: HOSTED_PROOF, idempotent: true };
});

const made = () => rig.service.records.size;
const looks = (film: StartedRun) => film.events.filter(({ type }) => type === 'looking').length;
const failures = (film: StartedRun) =>
  film.events.flatMap(event => (event.type === 'failed' ? [event.failure.code] : []));

describe.each([
  ['it was taken', true],
  ['it never arrived', false],
  ['a gateway carries it out a minute later', 60_000],
])('an answer is lost, and %s', (_, take) => {
  test('the same request under the same key is answered with what was made, at once', async () => {
    rig.service.trouble.push({ answer: LOST_ANSWER, take });
    const film = await rig.start(ONE_SHOT);
    expect((await rig.runToEnd(film)).is).toBe('done');
    expect(rig.service.posts[1]).toStrictEqual(rig.service.posts[0]);
    expect(rig.service.keys[1]).toBe(rig.service.keys[0]);
    expect([rig.service.posts.length, made(), looks(film)]).toStrictEqual([2, 1, 0]);
    expect(eventLines(film.events)).toEqual([
      'stream_changed',
      'shot submit_intended',
      'shot submit_unknown',
      'shot submit_accepted',
      'shot generated',
      'shot succeeded',
      'run_finished',
    ]);
  });
});

test('also where an earlier run ended before the answer', async () => {
  rig.service.trouble.push({ answer: 'never', take: true });
  await rig.start(ONE_SHOT);
  await rig.service.arrived(1);
  const again = await rig.start(ONE_SHOT);
  expect((await rig.runToEnd(again)).is).toBe('done');
  expect([rig.service.posts.length, made(), looks(again)]).toStrictEqual([2, 1, 0]);
  expect(rig.service.keys[1]).toBe(rig.service.keys[0]);
});

test('half a day later nobody knows whether the key is remembered: it is looked for', async () => {
  rig.service.trouble.push({ answer: 'never', take: true });
  await rig.start(ONE_SHOT);
  await rig.service.arrived(1);
  rig.clock.tick(13 * HOUR);
  expect((await ran(ONE_SHOT)).outcome.is).toBe('done');
  expect([rig.service.posts.length, made()]).toStrictEqual([1, 1]);
  expect(rig.service.historyReads).toBeGreaterThan(0);
});

test('a chat, which nobody could look for, is answered once more and paid for once', async () => {
  rig.service.chatAnswers.push(LOST_ANSWER, chatAnswer('a fox, the ice, the far bank'));
  const film = await rig.start(CHAT);
  expect((await rig.runToEnd(film)).usd).toBe(0.02);
  expect(rig.service.keys[1]).toBe(rig.service.keys[0]);
  expect(failures(film)).toStrictEqual([]);
});

test('it is lost again and again, the service is busy or out of reach: it is patient', async () => {
  const unreached = { is: 'unreached', message: 'no connection' } as const;
  for (const answer of [LOST_ANSWER, LOST_ANSWER, BUSY, unreached])
    rig.service.trouble.push({ answer, take: answer === LOST_ANSWER });
  const film = await rig.start(ONE_SHOT);
  expect((await rig.runToEnd(film)).is).toBe('done');
  expect([rig.service.posts.length, made(), looks(film)]).toStrictEqual([5, 1, 0]);
  expect(new Set(rig.service.keys).size).toBe(1);
});

test('a refusal of the second tells nothing about the first: it is looked for', async () => {
  const refused = { is: 'refused', status: 422, message: 'the key stands for another request' } as const;
  rig.service.trouble.push({ answer: LOST_ANSWER, take: true }, { answer: refused, take: false });
  expect((await ran(ONE_SHOT)).outcome.is).toBe('done');
  expect([rig.service.posts.length, made()]).toStrictEqual([2, 1]);
  expect(rig.service.historyReads).toBeGreaterThan(0);
});

test.each([
  ['the settings do not say that keys are honoured, though its rows show them', { proof: HOSTED_PROOF }, true],
  [
    'rates are set, which count what is sent',
    { proof: HOSTED_PROOF, idempotent: true, rates: { per_minute: 100 } } as const,
    false,
  ],
])('%s: it is not sent again', async (_, settings, showsKeys) => {
  rig.settings = settings;
  if (showsKeys) rig.service.lists = rows => rows.map(row => ({ ...row, idempotency_key: rig.service.keys[0] ?? '' }));
  rig.service.trouble.push({ answer: LOST_ANSWER, take: true });
  expect((await ran(ONE_SHOT)).outcome.is).toBe('done');
  expect([rig.service.posts.length, made()]).toStrictEqual([1, 1]);
});
