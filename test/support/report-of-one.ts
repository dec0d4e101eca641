/** A run of one instance, with a text wherever somebody else may have written one. */
import type { GenerationId, InstanceKey, RunId, StepName } from '../../src/model/run/key.ts';
import type { RunReport } from '../../src/model/run/run-report.ts';

export function reportOfOne(text: string): RunReport {
  const key = `shot[a=${text}]` as InstanceKey;
  const step = 'shot' as StepName;
  const at = Date.UTC(2026, 10, 20, 12);
  const media = {
    ...{ sha256: 'a'.repeat(64), bytes: 9, needsProxy: false },
    facts: { kind: 'video' as const, format: 'mp4', width: 16, height: 9, duration: 1 },
  };
  return {
    version: 1,
    run: {
      ...{ id: text as RunId, name: text, description: text, file: `${text}.yaml`, service: text, isFree: false },
      ...{ profile: text, options: text, began: at, ended: at + 1000, outcome: 'done', reason: text, command: text },
      ...{ spent: 1, estimated: 0, unpriced: 0, saved: 0, budget: null, waitedForPeople: 0, shotlist: text },
      ...{ isEdited: false, isWhole: true },
    },
    film: null,
    outputs: [{ name: text, key, path: `out/${text}.mp4`, media, marked: null, failed: null }],
    steps: [
      {
        ...{ name: step, kind: 'video', model: text, description: text, by: text, needs: [] },
        place: { file: text, line: 1, column: 1 },
      },
    ],
    edges: [],
    instances: [
      {
        ...{ key, label: key, step, coordinates: { a: text }, state: 'made', kind: 'video', model: text, needs: [] },
        ...{ prompt: text, request: text, media, files: [{ name: text, media }], text, cost: 1, price: 1 },
        ...{ generation: text as GenerationId, fingerprint: text, seed: text },
        attempts: [
          {
            ...{ queued: at, running: at, fetching: at, ended: at + 1000, is: 'made', cost: 1 },
            ...{ generation: text, reason: text },
          },
        ],
        why: { verdict: text, fields: [{ name: text, is: 'changed', was: text, now: text }] },
        decision: { by: text, who: text, at, note: text, chosen: [key], scores: [{ key, score: 1, words: text }] },
        ...{ chosenBy: [key], lost: false },
        failure: null,
        rejected: { who: text, at, note: text },
        ...{ waitsFor: text, fraction: null, log: { lines: [text], log: text } },
      },
    ],
    critical: [key],
    questions: [],
  };
}
