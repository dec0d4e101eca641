/** One generation, from its request to the URL of what was made: through the queue, or at the endpoint that answers when it is there. */
import type { EnqueueRequest, GenerationRecord } from '../api/queue.ts';
import type { MediaEndpoint } from '../api/routes.ts';
import type { NotTaken } from '../api/service.ts';
import { cleanText } from '../domain/clean.ts';
import { formatSeconds } from '../domain/format.ts';
import type { Model } from '../domain/model.ts';
import { systemClock } from '../host/clock.ts';
import { Watcher } from '../run/watch.ts';
import { INTERRUPTED, type OneOff, say } from './one-off.ts';
import { patiently } from './patience.ts';
import { Stop } from './stop.ts';

export interface Made {
  /** Names the files: the generation's id, where there is one. */
  readonly id: string;
  readonly urls: readonly string[];
}

/** Milliseconds to wait for the event stream before the POST. */
const PATIENCE = 2_000;

/** @throws Stop with an exit code when there is nothing to fetch. */
export async function makeThroughQueue(given: OneOff, model: Model, request: EnqueueRequest): Promise<Made> {
  const { service, choice, signal } = given;
  const { label } = model;
  const began = systemClock.now();
  const over = new AbortController();
  const watcher = new Watcher(service, systemClock, choice.pace, {
    stream: () => {},
    well: () => {},
    trouble: once(reason => say(`${label}: the service does not answer (${reason}); asking again`)),
    refused: reason => over.abort(reason),
  });
  try {
    await watcher.listen(PATIENCE, signal);
    const sent = await patiently(
      signal,
      line => say(`${label}: ${line}`),
      () => service.enqueue(request, signal),
    );
    if (sent.is !== 'accepted') throw notTaken(sent, signal);
    say(`${label}: sent to ${service.name} as ${sent.id}`);
    const either = AbortSignal.any([signal, over.signal]);
    const progress = once(text => say(`${label}: ${text}`));
    const watched = { id: sent.id, expected: undefined, signal: either };
    const end = await watcher.watch({ ...watched, progress: record => progress(standing(record)) });
    if (end === undefined) {
      throw signal.aborted ? await calledOff(given, label, sent.id) : new Stop(6, `${over.signal.reason}`);
    }
    const { status, result_url, error_message } = end.record;
    if (status !== 'succeeded' || !result_url) {
      throw new Stop(1, `${label}: ${status}${error_message ? `, ${cleanText(error_message)}` : ''}`);
    }
    say(`${label}: done in ${formatSeconds((systemClock.now() - began) / 1000)}`);
    return { id: sent.id, urls: [result_url] };
  } finally {
    watcher.close();
  }
}

export async function makeAtOnce(given: OneOff, model: Model, request: EnqueueRequest): Promise<Made> {
  const { service, signal } = given;
  const began = systemClock.now();
  say(`${model.label}: sent to ${service.name}, which answers when it is done`);
  const over = new AbortController();
  void stillWaiting(model.label, began, AbortSignal.any([over.signal, signal]));
  const endpoint = model.endpoint as MediaEndpoint;
  const outcome = await patiently(
    signal,
    line => say(`${model.label}: ${line}`),
    () => service.generateNow(endpoint, request, signal),
  );
  over.abort();
  if (outcome.is !== 'made') throw notTaken(outcome, signal);
  say(`${model.label}: done in ${formatSeconds((systemClock.now() - began) / 1000)}`);
  return { id: began.toString(36), urls: outcome.urls };
}

/** Milliseconds between signs of life. */
const SIGN = 30_000;

async function stillWaiting(label: string, began: number, over: AbortSignal): Promise<void> {
  for (;;) {
    await systemClock.sleep(SIGN, over);
    if (over.aborted) return;
    say(`${label}: still at work after ${formatSeconds((systemClock.now() - began) / 1000)}`);
  }
}

function notTaken(outcome: NotTaken, signal: AbortSignal): Stop {
  switch (outcome.is) {
    case 'refused': {
      const later =
        outcome.retryAfter === undefined ? '' : `; try again in ${formatSeconds(outcome.retryAfter / 1000)}`;
      if (signal.aborted) return new Stop(INTERRUPTED, 'interrupted; nothing was paid');
      const exit = outcome.status === 401 || outcome.status === 403 ? 6 : 1;
      return new Stop(exit, `${outcome.message} (${outcome.status}): nothing was paid${later}`);
    }
    case 'unreached':
      if (signal.aborted) return new Stop(INTERRUPTED, 'interrupted before anything was sent');
      return new Stop(6, outcome.message);
    case 'unknown':
      return new Stop(
        signal.aborted ? INTERRUPTED : 1,
        `${outcome.message}; it may have been taken and paid for: look at the service's history before you send it again`,
      );
  }
}

/** Nobody waits for it any more: it is cancelled where that is offered. */
async function calledOff({ service }: OneOff, label: string, id: string): Promise<Stop> {
  const answer = await service.cancel(id, AbortSignal.timeout(10_000));
  if (answer.is === 'ok') return new Stop(INTERRUPTED, `${label}: ${id} is cancelled`);
  return new Stop(INTERRUPTED, `${label}: ${id} goes on at ${service.name}, and is billed: it could not be cancelled`);
}

/** In tenths: a line for each percent would be a wall of text. */
function standing({ status, position, progress }: GenerationRecord): string {
  const word = cleanText(status);
  if (position) return `${word}, place ${position} in line`;
  return progress ? `${word}, ${Math.floor(progress * 10) * 10} %` : word;
}

/** Says each thing when it is new. */
function once(tell: (text: string) => void): (text: string) => void {
  let last = '';
  return text => {
    if (text !== last) tell(text);
    last = text;
  };
}
