/** How long a take under review was in the making: the time that the run itself shows. */
import { expect, test } from 'vitest';
import { questionsOfReport } from '../../src/app/review/questions-under-review.ts';
import { InstanceStory } from '../../src/records/views/instance-story.ts';
import { question } from '../pages/fake-review.ts';

test('counts from when it was sent, also where the service is heard of only at its end', () => {
  const key = 'shot[take=1]';
  const story = new InstanceStory(0.5);
  const events = [
    { type: 'submit_intended', at: 1_000, seq: 1, request: {}, model: 'V-T2V-A', price: 0.5, nonce: 'n' },
    { type: 'submit_accepted', at: 1_200, seq: 2, generation_id: 'g', nonce: 'n' },
    { type: 'progress', at: 4_300, seq: 3, status: 'processing', position: null, fraction: null },
    { type: 'succeeded', at: 4_300, seq: 4, fingerprint: 'f', result: { is: 'media', cost: 0.5 } },
  ];
  for (const event of events) story.apply({ ...event, key } as never);
  expect(story.took).toBe(3_300);
  const instance = { key, step: 'shot', state: 'made', attempts: story.attempts, media: null };
  const asked = { ...question(1, []), options: [{ key, id: null }] };
  const report = { instances: [instance], questions: [asked] } as never;
  expect(questionsOfReport(report, { has: () => true })[0]?.options[0]?.seconds).toBe(3.3);
});
