/** The events of a run of many instances, for what is measured. */
import type { RecordedEvent } from '../../src/model/run/event.ts';
import type { InstanceKey, RunId } from '../../src/model/run/key.ts';
import type { MediaResult } from '../../src/model/run/result.ts';

export const shotKey = (n: number) => `shot[n=${n}]` as InstanceKey;

/** Six for each instance: each is sent, made and downloaded. */
export function* manyEvents(instances: number): Iterable<RecordedEvent> {
  let seq = 0;
  const at = () => ({ seq: ++seq, at: 1_795_176_000_000 + seq });
  const run = 'run' as RunId;
  yield {
    type: 'run_started',
    run,
    pipeline: 'film.yaml',
    name: 'film',
    service: 'house',
    resumed: false,
    instances: [],
    usd: 1,
    ...at(),
  };
  for (let n = 0; n < instances; n++) {
    const nonce = `n${n}`;
    const fingerprint = `f${n}`;
    yield {
      type: 'submit_intended',
      key: shotKey(n),
      nonce,
      fingerprint,
      model: 'V-T2V-A',
      request: { prompt: 'a fox' },
      price: 0.5,
      ...at(),
    };
    yield {
      type: 'submit_accepted',
      key: shotKey(n),
      nonce,
      generation_id: `gen-${n}` as never,
      found: false,
      ...at(),
    };
    yield { type: 'progress', key: shotKey(n), status: 'processing', position: null, fraction: null, ...at() };
    yield {
      type: 'generated',
      key: shotKey(n),
      generation_id: `gen-${n}` as never,
      result_url: 'u',
      cost: 0.5,
      ...at(),
    };
    yield { type: 'download_started', key: shotKey(n), bytes: null, ...at() };
    const result: MediaResult = {
      ...{ result_url: 'u', sha256: 'a'.repeat(64), extension: '.mp4', bytes: 1, request: { prompt: 'a fox' } },
      ...{ is: 'media', generation_id: `gen-${n}` as never, cost: 0.5, media: { kind: 'video', duration: 5 } },
    };
    yield { type: 'succeeded', key: shotKey(n), fingerprint, result, ...at() };
  }
}
