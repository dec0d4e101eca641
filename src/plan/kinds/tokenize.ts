/** The tokenization of one fine-tune: which, and the fingerprint under which it is known to be done. */
import type { FineTunePlace } from '../../api/tuning.ts';
import type { TokenizeStep } from '../../domain/pipeline.ts';
import { fingerprintOfTuning } from '../fingerprint.ts';
import type { PartialEvaluator } from '../partial-evaluation.ts';
import type { PlanGraph } from '../plan-graph.ts';
import { messages } from '../plan-messages.ts';
import { invalid, pendingOn, type Resolved } from '../resolved.ts';
import type { Inputs } from '../step-inputs.ts';

export function resolveTuning(plan: PlanGraph, step: TokenizeStep, inputs: Inputs, values: PartialEvaluator): Resolved {
  const repository = values.evaluate(step.repository);
  const fineTune = values.evaluate(step.fineTune);
  if (values.problems.length > 0) return invalid('expression_failed', values.problems);
  const waits = pendingOn(inputs);
  const request = { repository, fine_tune: fineTune };
  const shown = { repository: values.redact(step.repository), fine_tune: values.redact(step.fineTune) };
  if (waits) return { ...waits, request, shown, media: [] };
  const [, namespace, repo] = /^([^/\s]+)\/([^/\s]+)$/.exec(String(repository)) ?? [];
  if (namespace === undefined || repo === undefined)
    return invalid('request_invalid', [{ message: messages.badRepository(repository), at: step.repository.at }]);
  const id = String(fineTune);
  if (id.trim() === '')
    return invalid('request_invalid', [{ message: messages.emptyFineTune(), at: step.fineTune.at }]);
  const place: FineTunePlace = { namespace, repo, id };
  return { is: 'tokenize', place, shown, fingerprint: fingerprintOfTuning(plan.service, place) };
}
