/** `tokenize`: the tokenization of one fine-tune; which it is, and the fingerprint under which it is known to be done. */
import type { FineTunePlace } from '../../api/fine-tunes.ts';
import { fingerprintOfTuning } from '../fingerprint.ts';
import { messages } from '../plan-messages.ts';
import { invalid, pendingOn, type ResolvedTuning, stoppedBy, type Unready } from '../resolved.ts';
import { FREE_WORK, type KindOfStep, type Unresolved } from './kind.ts';

export const tokenize: KindOfStep<'tokenize'> = {
  ...FREE_WORK,
  label: () => 'tokenize',
  calledInText: () => 'tokenize, until it is ready (where the service does not tell, until it has taken it)',
  values: ({ repository, fineTune }) => [repository, fineTune],
  fields: ({ repository, fineTune }) => [
    { name: 'repository', value: repository },
    { name: 'fine_tune', value: fineTune },
  ],
  resolve: resolveTuning,
  usualSeconds: () => 120,
  changedSince: () => messages.notHere(),
};

function resolveTuning({ graph, step, inputs, values }: Unresolved<'tokenize'>): Unready | ResolvedTuning {
  const repository = values.evaluate(step.repository);
  const fineTune = values.evaluate(step.fineTune);
  const stopped = stoppedBy(values);
  if (stopped) return stopped;
  const waits = pendingOn(inputs, values);
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
  const fingerprint = fingerprintOfTuning(graph.service, place);
  return { is: 'tokenize', place, shown, asks, fingerprint, authorFiles: [] };
}
