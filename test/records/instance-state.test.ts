/** The one fold of an instance's events: what the engine refuses, and what is shown. */
import { expect, test } from 'vitest';
import type { Event, InstanceEvent } from '../../src/model/run/event.ts';
import { assertMayHappen } from '../../src/records/views/instance-lifecycle.ts';
import { nextState, type RecordedInstanceEvent, WAITING } from '../../src/records/views/instance-state.ts';
import { InstanceStory } from '../../src/records/views/instance-story.ts';
import { Paid } from '../../src/records/views/paid.ts';
import { accepted, generated, intended, key, media, progress, stamped, succeeded } from '../text/recordings.ts';

const [shot, request] = [key('shot'), intended('shot', 'V-T2V-A', 0.6)];
const lost = {
  type: 'submit_unknown',
  key: shot,
  nonce: 'n_shot',
  fingerprint: 'f_shot',
  reason: 'no answer',
} as const;
const held = { type: 'held_back', key: shot, rate: 'per_minute', limit: 2, until: 5 } as const;
const failed = { type: 'failed', key: shot, failure: { code: 'request_invalid', message: 'too long' } } as const;
const made = succeeded('shot', media('shot', 0.6, {}, 1));

/** As the engine does: asked first, then folded. */
const strictly = (...events: readonly Event[]) =>
  (events as readonly InstanceEvent[]).reduce((state, event) => {
    assertMayHappen(event, state);
    return nextState(state, event);
  }, WAITING);

test('nothing that the service may have is intended again, whatever is shown of it meanwhile', () => {
  for (const before of [
    [request],
    [request, accepted('shot')],
    [request, lost],
    [request, accepted('shot'), generated('shot', 0.6)],
  ])
    for (const shown of [[], [progress('shot', 'processing', null, 0.5)], [held]])
      expect(() => strictly(...before, ...shown, request)).toThrow('"submit_intended" cannot happen to it');
  expect(strictly(held, request)).toMatchObject({ is: 'sending', stage: 'intended' });
});

test('what is shown of an instance leaves the stage of its work as it was', () => {
  expect(strictly(progress('shot', 'to s3://films/in', null, 0.5))).toMatchObject({ is: 'working', stage: 'waiting' });
  expect(
    strictly(request, accepted('shot'), { type: 'cancel_asked', key: shot, generation_id: 'gen_shot' as never }),
  ).toEqual({
    ...{ is: 'cancelling', stage: 'generating', sent: { nonce: 'n_shot', id: 'gen_shot' } },
  });
});

test('what is told late of an instance that is over changes nothing', () => {
  for (const end of [failed, { type: 'left_out', key: shot, why: 'it lost' } as const]) {
    const over = strictly(end);
    for (const late of [
      held,
      progress('shot', 'processing', null, 0.5),
      { type: 'chosen', key: shot, choice: {} as never } as const,
    ])
      expect(strictly(end, late)).toEqual(over);
  }
  expect(() => strictly(failed, made)).toThrow('shot is failed; "succeeded" cannot happen to it');
});

test('the engine, the screen and a report count the same money, also of an attempt before the one that was made', () => {
  const again = { ...generated('shot', 0.5), generation_id: 'gen_again' } as Event;
  const billed = {
    type: 'billed',
    key: shot,
    fingerprint: 'f_shot',
    generation_id: 'gen_lost',
    cost: 0.25,
    estimate: null,
  } as Event;
  const paidAfter = (...events: readonly Event[]) => {
    const story = new InstanceStory(0.6);
    const paid = new Paid();
    for (const event of stamped(events.map((one, second) => [second, one])) as readonly RecordedInstanceEvent[]) {
      story.apply(event);
      paid.count(event, story.state, null);
    }
    expect(story.paidUsd).toBe(paid.paidUsd);
    return story.paidUsd;
  };
  expect(paidAfter(request, accepted('shot'), generated('shot', 0.6), again)).toBe(1.1);
  expect(
    paidAfter(request, accepted('shot'), billed, generated('shot', 0.6), succeeded('shot', media('shot', 0.55, {}, 1))),
  ).toBe(0.8);
});
