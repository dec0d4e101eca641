/** A run in which every text that comes from outside is hostile. */
import type { Event, RecordedEvent } from '../../src/model/run/event.ts';
import type { GenerationId } from '../../src/model/run/key.ts';
import { finished, intended, key, planned, progress, START, stamped, started } from '../text/recordings.ts';

/** Every text an event can carry from outside, with the payload in it. */
export function story(payload: string, typed = payload): readonly RecordedEvent[] {
  const [shot, next, late] = [`shot[a=${payload}]`, 'next', `late${payload}`];
  const id = payload as GenerationId;
  const events: readonly Event[] = [
    started(`film${payload}`, [planned(shot, `m${payload}`, [], 0.5), planned(next, 'V-UP', [shot], 0.5)], {
      service: `host${payload}`,
    }),
    { type: 'stream_changed', up: true, reason: '' },
    { type: 'stream_changed', up: false, reason: payload },
    { type: 'submit_refused', key: key(shot), nonce: 'n', reason: payload, retry_at: START + 9000 },
    { type: 'activation_intended', model: payload },
    { type: 'deployment_changed', model: payload, status: payload, ours: true },
    { type: 'still_billing', model: payload, reason: payload },
    intended(shot, 'm', 0.5),
    { type: 'submit_unknown', key: key(shot), nonce: 'n', fingerprint: 'f', reason: payload },
    { type: 'text_written', key: key(shot), text: payload },
    { type: 'answer_unfit', key: key(shot), nonce: 'n', fingerprint: 'f', reason: payload, cost: null },
    progress(shot, payload, null, 0.5),
    { type: 'service_changed', reachable: false, reason: payload },
    {
      ...{ type: 'cancel_failed', key: key(late), generation_id: id },
      ...{ why: 'no_answer', message: payload },
    },
    {
      ...{ type: 'failed', key: key(shot) },
      failure: { code: 'generation_failed', generation_id: id, message: payload },
    },
    { type: 'blocked', key: key(next), by: key(shot) },
    { type: 'skipped', key: key(late), why: payload },
    { type: 'output_written', output: payload, key: key(next), path: `out/${payload}.mp4` },
    { type: 'run_detached', running: [key(shot)], resume: `shotlist run ${typed}` },
    {
      ...(finished('unreachable', { failed: 1, blocked: 1, skipped: 1 }, 0) as Event & { type: 'run_finished' }),
      reason: payload,
    },
  ] as const;
  return stamped(events.map((event, n) => [n / 10, event] as const));
}
