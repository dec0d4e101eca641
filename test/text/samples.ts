/** One of every event: adding one to the union makes this table incomplete, and the types say so. */
import type { EventType, RecordedEvent } from '../../src/model/run/event.ts';
import type { Failure, FailureCode } from '../../src/model/run/failure.ts';
import type { GenerationId, StepName } from '../../src/model/run/key.ts';
import {
  accepted,
  fetching,
  finished,
  generated,
  intended,
  key,
  media,
  planned,
  progress,
  reused,
  START,
  stamped,
  started,
  succeeded,
} from './recordings.ts';

const id = 'gen_1' as GenerationId;
const at = (seconds: number): number => START + 1000 * seconds;
const message = 'what happened';

export const FAILURES: Readonly<Record<FailureCode, Failure>> = {
  generation_failed: { code: 'generation_failed', generation_id: id, message },
  generation_cancelled: { code: 'generation_cancelled', generation_id: id, message },
  request_refused: { code: 'request_refused', status: 400, message },
  submit_unknown: { code: 'submit_unknown', message },
  request_invalid: { code: 'request_invalid', message },
  input_changed: { code: 'input_changed', message },
  download_failed: { code: 'download_failed', generation_id: id, message },
  answer_invalid: { code: 'answer_invalid', message },
  tokenize_failed: { code: 'tokenize_failed', message },
  cut_failed: { code: 'cut_failed', message },
  command_failed: {
    code: 'command_failed',
    exit: 2,
    message,
    lines: ['no room'],
    log: '.shotlist/runs/fox/logs/1/shot.log',
  },
  effect_unknown: { code: 'effect_unknown', message },
  expression_failed: { code: 'expression_failed', message },
  until_not_held: { code: 'until_not_held', message },
  timed_out: { code: 'timed_out', message, goes_on: true },
  generation_lost: { code: 'generation_lost', generation_id: id, message },
  answer_refused: { code: 'answer_refused', message },
  frozen: { code: 'frozen', message },
  deployment_failed: { code: 'deployment_failed', model: 'fox-look', message },
};

const shot = key('shot');
const result = media(
  'shot',
  0.6,
  { width: 1280, height: 720, duration: 6, fps: 24, video_codec: 'h264', audio_codec: null },
  4_100_000,
);
const one = (event: Parameters<typeof stamped>[0][number][1]): RecordedEvent => stamped([[1, event]])[0]!;

export const SAMPLES: Readonly<Record<EventType, RecordedEvent>> = {
  run_started: one(started('teaser', [planned('shot', 'V-T2V-A', [], 0.6)])),
  expanded: one({ type: 'expanded', step: 'shot' as StepName, instances: [planned('shot[n=2]', 'V-T2V-A', [], 0.6)] }),
  stream_changed: one({ type: 'stream_changed', up: false, reason: 'silent' }),
  service_changed: one({ type: 'service_changed', reachable: false, reason: 'refused' }),
  pace_changed: one({ type: 'pace_changed', slower: true, until: at(5), reason: 'too many requests' }),
  output_written: one({ type: 'output_written', output: 'film', key: shot, path: 'out/teaser.mp4' }),
  output_failed: one({ type: 'output_failed', output: 'film', key: shot, path: 'out/teaser.mp4', reason: 'full' }),
  journal_failed: one({
    type: 'journal_failed',
    reason: 'the disk is full',
    unwritten: [{ key: shot, generation_id: id }],
  }),
  waiting_for: one({
    ...{ type: 'waiting_for', key: key('best'), is: 'pick', ask: 'which one is best?', count: 1 },
    options: [{ id: 'a', key: key('shot[take=1]') }],
    awaited: [key('shot[take=2]')],
  }),
  chosen: one({
    ...{ type: 'chosen', key: key('best') },
    choice: {
      ...{ key: key('best'), from: ['a', 'b'], called: [key('shot[take=1]'), key('shot[take=2]')], chosen: ['b'] },
      ...{ by: 'person', who: 'Ada', at: 0, note: 'it breathes' },
    },
  }),
  run_detached: one({ type: 'run_detached', running: [shot], resume: 'shotlist run teaser.yaml' }),
  activation_intended: one({ type: 'activation_intended', model: 'fox-look' }),
  deployment_changed: one({ type: 'deployment_changed', model: 'fox-look', status: 'deploying', ours: true }),
  activation_closed: one({ type: 'activation_closed', model: 'fox-look', how: 'deactivated' }),
  still_billing: one({ type: 'still_billing', model: 'fox-look', reason: 'house does not answer' }),
  run_finished: one(finished('done', { succeeded: 1 }, 0.6)),
  reused: one(reused('shot', result)),
  skipped: one({ type: 'skipped', key: shot, why: 'if is false' }),
  left_out: one({ type: 'left_out', key: shot, why: 'not selected' }),
  blocked: one({ type: 'blocked', key: shot, by: key('script') }),
  command_started: one({ type: 'command_started', key: shot, fingerprint: 'f' }),
  submit_intended: one(intended('shot', 'V-T2V-A', 0.6)),
  submit_accepted: one(accepted('shot')),
  submit_refused: one({ type: 'submit_refused', key: shot, nonce: 'n', reason: 'busy', retry_at: null }),
  submit_unknown: one({ type: 'submit_unknown', key: shot, nonce: 'n', fingerprint: 'f', reason: 'reset' }),
  looking: one({ type: 'looking', key: shot, page: 2, of: 9 }),
  over_budget: one({
    ...{ type: 'over_budget', key: shot, of: 'film', measure: 'usd', why: 'exceeds' },
    ...{ limit: 25, spent: 20, in_flight: 3.8, next: 2 },
  }),
  held_back: one({ type: 'held_back', key: shot, rate: 'per_minute', limit: 2, until: at(31), first: true }),
  retrying: one({
    ...{ type: 'retrying', key: shot, fingerprint: 'f', attempt: 2, of: 3, until: at(21) },
    failure: FAILURES.generation_failed,
  }),
  submission_forgotten: one({ type: 'submission_forgotten', key: shot, nonce: 'n', fingerprint: 'f' }),
  submit_absent: one({ type: 'submit_absent', key: shot, nonce: 'n', reason: 'not listed' }),
  taken_up: one({ type: 'taken_up', key: shot, nonce: 'n', fingerprint: 'f', generation_id: id }),
  text_written: one({ type: 'text_written', key: shot, text: 'wide shot' }),
  answer_cleaned: one({ type: 'answer_cleaned', key: shot, left_out: ['fence', 'words'] }),
  round_over: one({
    ...{ type: 'round_over', key: shot, round: 1, of: 3 },
    holds: false,
    said: 'this.json.score is 6',
  }),
  answer_unfit: one({ type: 'answer_unfit', key: shot, nonce: 'n', fingerprint: 'f', reason: 'no JSON', cost: 0.001 }),
  progress: one(progress('shot', 'queued', 3, null)),
  generated: one(generated('shot', null)),
  download_started: one(fetching('shot', 4_100_000)),
  still_waiting: one({
    type: 'still_waiting',
    key: shot,
    what: 'result',
    reason: 'nothing has come yet',
    since: at(1),
  }),
  succeeded: one(succeeded('shot', result)),
  failed: one({ type: 'failed', key: shot, failure: FAILURES.generation_failed }),
  cancel_asked: one({ type: 'cancel_asked', key: shot, generation_id: id }),
  cancel_failed: one({ type: 'cancel_failed', key: shot, generation_id: id, why: 'not_offered', message: 'not found' }),
  billed: one({ type: 'billed', key: shot, fingerprint: 'f', generation_id: id, cost: 0.58, estimate: 0.6 }),
};
