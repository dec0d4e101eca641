/** Ends one thing that an earlier run left at the service, writes down what came of it, and says it in a line. */
import type { Service } from '../../api/service.ts';
import { asTyped } from '../../domain/as-typed.ts';
import { cleanText } from '../../domain/clean.ts';
import type { Event } from '../../domain/event.ts';
import type { RunId } from '../../domain/key.ts';
import type { Clock } from '../../host/clock.ts';
import type { Journal } from '../../run/ports/journal.ts';
import { type Cancelled, cancelAt } from '../../run/requests/cancel.ts';
import { BEAT, bringDown, type OpenActivation, TRIES } from '../../run/requests/deployments.ts';
import type { Submission } from '../../run/requests/ledger.ts';
import { say } from './with-service.ts';

/** Milliseconds after which an activation that was never answered has arrived or never will. */
const SETTLED = 2_000;

export interface Ending {
  readonly service: Service;
  readonly journal: Journal;
  readonly clock: Clock;
  /** The pipeline, as its author named it. */
  readonly file: string;
  readonly signal: AbortSignal;
}

/** What `--json` shows, and the line for a person. */
export type Told = (TheGeneration | TheDeployment) & {
  readonly message: string;
  /** It goes on, or may, and is billed. */
  readonly open: boolean;
  readonly line: string;
};
interface TheGeneration {
  readonly key: string;
  readonly generation_id: string | null;
  readonly outcome: 'cancelled' | 'failed' | 'forgotten' | Extract<Cancelled, { readonly is: 'open' }>['why'];
}
interface TheDeployment {
  readonly model: string;
  readonly outcome: 'deactivated' | 'not_up' | 'still_billing';
}

export async function endGeneration(
  open: Submission,
  { service, journal, clock, file, signal }: Ending,
): Promise<Told> {
  const { key, nonce, fingerprint, id } = open;
  const cancelled = await cancelAt(service, open, clock, signal);
  const base = { key, generation_id: id ?? null };
  const which = id === undefined ? cleanText(key) : `${cleanText(key)} (generation ${cleanText(id)})`;
  const again = `\`shotlist run ${asTyped(file)}\``;
  if (cancelled.is === 'ended') {
    const { code, message } = cancelled.failure;
    const run = `cancelled ${nonce}` as RunId;
    if (id !== undefined) keep(run, { type: 'taken_up', key, nonce, fingerprint, generation_id: id }, journal);
    keep(run, { type: 'failed', key, failure: cancelled.failure }, journal);
    await journal.commit();
    const isCancelled = code === 'generation_cancelled';
    const line = isCancelled ? `${which}: cancelled` : `${which}: it had failed already: ${cleanText(message)}`;
    return { ...base, outcome: isCancelled ? 'cancelled' : 'failed', message, open: false, line };
  }
  const { why, message } = cancelled;
  const said = {
    not_offered: `still billing: ${service.name} offers no cancelling; ${again} takes it up`,
    finished: `it had finished already, and is yours: ${again} fetches it`,
    no_answer: `perhaps still billing: ${cleanText(message)}; ask again`,
    no_id: `perhaps billing: ${message}; ${again} looks for it`,
  }[why];
  return { ...base, outcome: why, message, open: why !== 'finished', line: `${which}: ${said}` };
}

/** Gives up what nobody can tell the fate of, or what is gone for good: it is waited for no more, and may be asked for anew. */
export async function forget(chosen: readonly Submission[], { journal }: Ending): Promise<readonly Told[]> {
  for (const { key, nonce, fingerprint } of chosen) {
    keep(`forgotten ${nonce}` as RunId, { type: 'submission_forgotten', key, nonce, fingerprint }, journal);
  }
  await journal.commit();
  return chosen.map(({ key, id }) => {
    const which = id === undefined ? cleanText(key) : `${cleanText(key)} (generation ${cleanText(id)})`;
    const message = 'if the service took it, it is paid for and nobody fetches it; the next run asks for it anew';
    const line = `${which}: forgotten; ${message}`;
    return { key, generation_id: id ?? null, outcome: 'forgotten', message, open: false, line };
  });
}

/** Its end is written down beside its beginning, so that both belong to the same service. */
export async function endDeployment(
  model: string,
  { run, at }: OpenActivation,
  { service, journal, clock }: Ending,
): Promise<Told> {
  const shown = cleanText(model);
  const rising = () => say(`${shown}: it is on its way up, and can be ended when it is there; waiting`);
  const down = await bringDown(model, service, clock, { beat: BEAT, tries: TRIES, settled: at + SETTLED, rising });
  if (down.is === 'billing') {
    const message = cleanText(down.reason);
    const line = `${shown}: still active and billing: ${message}; \`shotlist deactivate ${asTyped(shown)}\` asks again`;
    return { model, outcome: 'still_billing', message, open: true, line };
  }
  keep(run, { type: 'activation_closed', model, how: down.how }, journal);
  await journal.commit();
  const message = down.how === 'deactivated' ? 'deactivated, it bills no more' : 'not up, it does not bill';
  return { model, outcome: down.how, message, open: false, line: `${shown}: ${message}` };
}

const keep = (run: RunId, event: Event, journal: Journal): void => journal.append(run, journal.stamp(event));
