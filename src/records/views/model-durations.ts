/** The views of models: how long their generations take, and which custom models are up because a run activated them. */
import type { RecordedEvent } from '../../model/run/event.ts';
import type { RunId } from '../../model/run/key.ts';
import type { LogEntry } from './ledger.ts';

export const MOST_DURATIONS = 200;

/** Milliseconds that each of the newest finished generations took, by model, the newest first, as far as its own run sent it. @param log of whole instances. */
export function durationsIn(log: Iterable<Omit<LogEntry, 'film'>>): ReadonlyMap<string, readonly number[]> {
  const sent = new Map<string, { readonly model: string; at?: number }>();
  const all: { readonly model: string; readonly took: number | undefined }[] = [];
  for (const { run, event } of log) {
    if (event.type !== 'submit_intended' && event.type !== 'submit_accepted' && event.type !== 'generated') continue;
    const name = `${run}\n${event.key}`;
    const request = sent.get(name);
    if (event.type === 'submit_intended') sent.set(name, { model: event.model });
    else if (event.type === 'submit_accepted' && request) request.at = event.at;
    // Of one that another run sent, the moment is not known.
    else if (event.type === 'generated')
      all.push({ model: request?.model ?? '', took: request?.at === undefined ? undefined : event.at - request.at });
  }
  const known = all
    .slice(-MOST_DURATIONS)
    .reverse()
    .flatMap(({ model, took }) => (took === undefined ? [] : [{ model, took }]));
  const byModel = Map.groupBy(known, ({ model }) => model);
  return new Map([...byModel].map(([model, of]) => [model, of.map(({ took }) => took)]));
}

export interface Activation {
  readonly run: RunId;
  readonly event: RecordedEvent & { readonly type: 'activation_intended' | 'activation_closed' };
}

/**
 * Of activations, the intents that no end follows, by name.
 * @param nameOf the deployment that it is about: its model, its service, its film
 */
export function openActivations<A extends { readonly event: Pick<Activation['event'], 'type'> }>(
  log: Iterable<A>,
  nameOf: (activation: A) => string,
): ReadonlyMap<string, A> {
  const open = new Map<string, A>();
  for (const one of log) {
    if (one.event.type === 'activation_intended') open.set(nameOf(one), one);
    else open.delete(nameOf(one));
  }
  return open;
}
