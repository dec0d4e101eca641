/** The tokenization of one fine-tune: which, and the fingerprint under which it is known to be done. */
import type { FineTunePlace } from '../api/fine-tunes.ts';
import type { TokenizeStep } from '../domain/pipeline.ts';
import type { Filling } from './fill.ts';
import { fingerprintOfTuning } from './fingerprint.ts';
import type { Inputs, Wiring } from './inputs.ts';
import { broken, type Resolved, waitsFor } from './resolved.ts';
import { words } from './words.ts';

export function resolveTuning(plan: Wiring, step: TokenizeStep, inputs: Inputs, filling: Filling): Resolved {
  const repository = filling.fill(step.repository);
  const fineTune = filling.fill(step.fineTune);
  if (filling.problems.length > 0) return broken('expression_failed', filling.problems);
  const waits = waitsFor(inputs);
  const request = { repository, fine_tune: fineTune };
  const shown = { repository: filling.show(step.repository), fine_tune: filling.show(step.fineTune) };
  if (waits) return { ...waits, request, shown, media: [] };
  const [, namespace, repo] = /^([^/\s]+)\/([^/\s]+)$/.exec(String(repository)) ?? [];
  if (namespace === undefined || repo === undefined)
    return broken('request_invalid', [{ message: words.badRepository(repository), at: step.repository.at }]);
  const id = String(fineTune);
  if (id.trim() === '') return broken('request_invalid', [{ message: words.emptyFineTune(), at: step.fineTune.at }]);
  const place: FineTunePlace = { namespace, repo, id };
  return { is: 'tokenize', place, shown, fingerprint: fingerprintOfTuning(plan.service, place) };
}
