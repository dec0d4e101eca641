/** What a run makes goes into the lock, and to the team: whoever reads the lock can have it. */
import type { SharedContent } from '../artifacts/shared/shared-results.ts';
import { contentsOf } from '../domain/result-contents.ts';
import type { ResultSink } from '../run/run-environment.ts';

export const sharingLock = (lock: ResultSink, sharing: { share(content: SharedContent): void }): ResultSink => ({
  decided: choice => lock.decided?.(choice),
  replayed: choice => lock.replayed?.(choice),
  reuse: (...given) => lock.reuse(...given),
  learn(key, model, fingerprint, result, asked) {
    lock.learn(key, model, fingerprint, result, asked);
    for (const content of contentsOf(result)) sharing.share(content);
  },
});
