/** Ends one thing that an earlier run left at the service, journals the outcome, and gives a line about it. */
import type { Service } from '../../api/service.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { RunId } from '../../model/run/key.ts';
import { asTyped, cleanText } from '../../model/text/clean.ts';
import type { Journal } from '../../records/journal/journal.ts';
import { openRequest, type Submission } from '../../records/views/ledger.ts';
import type { Activation } from '../../records/views/model-durations.ts';
import { appendEnd, type Cancelled, cancelAt } from '../../run/requests/cancel.ts';
import { BEAT, deactivateModel, TRIES } from '../../run/requests/deployments.ts';
import { say } from '../outlets.ts';

/** Milliseconds after which an unanswered activation has either arrived or been lost. */
const SETTLED = 2_000;

interface EndContext {
  readonly service: Service;
  readonly journal: Journal;
  readonly clock: Clock;
  /** The pipeline, as its author named it. */
  readonly file: string;
  readonly signal: AbortSignal;
}

/** What `--json` shows, and the line for a person. */
export type EndResult = (EndedGeneration | EndedDeployment) & {
  readonly message: string;
  /** It goes on and is billed, or may. */
  readonly open: boolean;
  readonly line: string;
};
interface EndedGeneration {
  readonly key: string;
  readonly generation_id: string | null;
  readonly outcome: 'cancelled' | 'failed' | 'forgotten' | Extract<Cancelled, { readonly is: 'open' }>['why'];
}
interface EndedDeployment {
  readonly model: string;
  readonly outcome: 'deactivated' | 'not_up' | 'still_billing';
}

export async function cancelSubmission(
  submission: Submission,
  { service, journal, clock, file, signal }: EndContext,
): Promise<EndResult> {
  const { key, nonce, id } = submission;
  const cancelled = await cancelAt(service, submission, clock, signal);
  const base = { key, generation_id: id ?? null };
  const which = nameOf(submission);
  const again = `\`shotlist run ${asTyped(file)}\``;
  if (cancelled.is === 'ended') {
    const { code, message } = cancelled.failure;
    appendEnd(journal, submission, cancelled.failure, `cancelled ${nonce}` as RunId);
    await journal.durable();
    const isCancelled = code === 'generation_cancelled';
    const line = isCancelled ? `${which}: cancelled` : `${which}: it had failed already: ${cleanText(message)}`;
    return { ...base, outcome: isCancelled ? 'cancelled' : 'failed', message, open: false, line };
  }
  const { why, message } = cancelled;
  const ending = {
    not_offered: `still billing: ${service.name} offers no cancelling; ${again} takes it up`,
    finished: `it had finished already, and is yours: ${again} fetches it`,
    no_answer: `perhaps still billing: ${cleanText(message)}; ask again`,
    no_id: `perhaps billing: ${message}; ${again} looks for it`,
  }[why];
  return { ...base, outcome: why, message, open: why !== 'finished', line: `${which}: ${ending}` };
}

/** Discards generations of unknown or lost outcome: no run waits for them any more, and the next one asks anew. */
export async function forgetGenerations(
  chosen: readonly Submission[],
  { journal }: EndContext,
): Promise<readonly EndResult[]> {
  await forgetSubmissions(chosen, journal);
  // A request that was lost several times is forgotten once.
  const named = new Map(chosen.map(one => [nameOf(one), one]));
  return [...named.values()].map(submission => {
    const { key, id } = submission;
    const isMade = openRequest(submission).is === 'made';
    const message = `${isMade ? 'it is paid for' : 'if the service took it, it is paid for'} and never downloaded; the next run asks for it anew`;
    const line = `${nameOf(submission)}: forgotten; ${message}`;
    return { key, generation_id: id ?? null, outcome: 'forgotten', message, open: false, line };
  });
}

/** The end is journalled under the run that began it, so that both belong to the same service. */
export async function endDeployment(
  { run, event: { model, at } }: Activation,
  { service, journal, clock }: EndContext,
): Promise<EndResult> {
  const shown = cleanText(model);
  const onDeploying = () => say(`${shown}: it is on its way up, and can be ended when it is there; waiting`);
  const down = await deactivateModel(model, service, clock, {
    ...{ beat: BEAT, tries: TRIES, settled: at + SETTLED, onDeploying },
    ...{ isOurs: async () => true, signal: new AbortController().signal },
  });
  if (down.is !== 'down') {
    const message = down.is === 'billing' ? cleanText(down.reason) : 'another run ends it';
    const line = `${shown}: still active and billing: ${message}; \`shotlist models deactivate ${asTyped(shown)}\` asks again`;
    return { model, outcome: 'still_billing', message, open: true, line };
  }
  journal.append(run, [{ type: 'activation_closed', model, how: down.how }]);
  await journal.durable();
  const message = down.how === 'deactivated' ? 'deactivated, it bills no more' : 'not up, it does not bill';
  return { model, outcome: down.how, message, open: false, line: `${shown}: ${message}` };
}

/** `shot (generation gen_1)` */
const nameOf = ({ key, id }: Submission): string =>
  id === undefined ? cleanText(key) : `${cleanText(key)} (generation ${cleanText(id)})`;

/** A person gives these up: no run waits for them any more. */
export async function forgetSubmissions(chosen: readonly Submission[], journal: Journal): Promise<void> {
  for (const { key, nonce, fingerprint } of chosen) {
    journal.append(`forgotten ${nonce}` as RunId, [{ type: 'submission_forgotten', key, nonce, fingerprint }]);
  }
  await journal.durable();
}
