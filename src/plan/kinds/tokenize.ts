/** `tokenize`: the tokenization of one fine-tune; which it is, and the fingerprint under which it is known to be done. */
import type { FineTunePlace } from '../../api/fine-tunes.ts';
import { fingerprintOfTuning } from '../fingerprint.ts';
import { messages } from '../plan-messages.ts';
import { FREE } from '../request-price.ts';
import { type Invalid, invalid, type Pending, pendingOn, type ResolvedTuning } from '../resolved.ts';
import type { KindOfStep, Unresolved } from './kind.ts';

export const tokenize: KindOfStep<'tokenize'> = {
  isPaid: false,
  isKeptByService: false,
  staysHere: false,
  label: () => 'tokenize',
  calledInText: () => 'tokenize',
  model: () => undefined,
  json: () => ({}),
  values: ({ repository, fineTune }) => [repository, fineTune],
  sent: () => undefined,
  resolve: resolveTuning,
  expectedFacts: () => undefined,
  problemsExpected: () => [],
  price: () => FREE,
  // It is only begun here: the service goes on by itself.
  usualSeconds: () => 0,
  changedSince: () => messages.notHere(),
};

function resolveTuning({ graph, step, inputs, values }: Unresolved<'tokenize'>): Pending | Invalid | ResolvedTuning {
  const repository = values.evaluate(step.repository);
  const fineTune = values.evaluate(step.fineTune);
  if (values.problems.length > 0) return invalid('expression_failed', values.problems);
  const waits = pendingOn(inputs);
  const request = { repository, fine_tune: fineTune };
  const shown = { repository: values.redact(step.repository), fine_tune: values.redact(step.fineTune) };
  const asks = { fields: shown, known: inputs.known };
  if (waits) return { ...waits, request, shown, asks, media: [] };
  const [, namespace, repo] = /^([^/\s]+)\/([^/\s]+)$/.exec(String(repository)) ?? [];
  if (namespace === undefined || repo === undefined)
    return invalid('request_invalid', [{ message: messages.badRepository(repository), at: step.repository.at }]);
  const id = String(fineTune);
  if (id.trim() === '')
    return invalid('request_invalid', [{ message: messages.emptyFineTune(), at: step.fineTune.at }]);
  const place: FineTunePlace = { namespace, repo, id };
  return { is: 'tokenize', place, shown, asks, fingerprint: fingerprintOfTuning(graph.service, place) };
}
