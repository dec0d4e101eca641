/** One generation, as a run of one step: its intent is on the disk before its POST, and what was left open is taken up. */
import type { EnqueueRequest } from '../../api/queue.ts';
import type { NotTaken, Service } from '../../api/service.ts';
import { cleanText } from '../../domain/clean.ts';
import { formatSeconds } from '../../domain/format.ts';
import type { MediaResult } from '../../domain/result.ts';
import { systemClock } from '../../host/clock.ts';
import { type Outcome, start } from '../../run/run.ts';
import { Stop } from '../errors/command-error.ts';
import { isWorthWaiting } from '../service/retry-when-busy.ts';
import { INTERRUPTED, type OneOff, say } from '../service/with-service.ts';
import { runEnvironment } from '../session/world.ts';
import { type Told, tellMaking } from './generation-progress.ts';
import type { OneStep } from './single-step.ts';
import { notGiven, type OneFilm } from './workspace.ts';

export interface Making {
  readonly given: OneOff;
  readonly step: OneStep;
  readonly film: OneFilm;
  readonly label: string;
  readonly sync: boolean;
  readonly onUnknown: 'fail' | 'resubmit';
  /** The command, as a person would type it to go on. */
  readonly again: string;
}

/** @throws Stop with an exit code when there is nothing to hand over. */
export async function make(making: Making): Promise<MediaResult> {
  const { given, step, film, label } = making;
  const tell = (line: string) => say(`${label}: ${line}`);
  const before = notGiven(film.journal, step.key);
  if (before?.is === 'media') {
    tell('made before, and not handed over then: nothing is sent');
    return before;
  }
  if (!step.plan) throw new Error(`${step.film} was to be made, and has no plan`);
  const told = tellMaking(given.service.name, tell);
  const posting = new Posting(film, () => run.detach());
  const environment = runEnvironment({
    ...{ ...film, service: posting.service, context: step.context, reporters: [told] },
    onUnknown: making.onUnknown,
    settings: { root: film.root, resume: making.again, onInterrupt: 'cancel' },
  });
  const run = start(step.plan, environment);
  const stop = () => {
    if (posting.isOut) tell('waiting for its answer, so that nothing is lost; Ctrl-C again ends it here');
    run.detach();
  };
  given.signal.addEventListener('abort', stop);
  if (given.signal.aborted) stop();
  given.leaving(() => lastWords(making, told, posting));
  const over = new AbortController();
  void stillWaiting(making, told, AbortSignal.any([over.signal, given.signal]));
  let outcome: Outcome;
  try {
    outcome = await run.done;
  } finally {
    over.abort();
    given.signal.removeEventListener('abort', stop);
    given.leaving(() => []);
  }
  const result = outcome.results.get(step.key)?.result;
  if (result?.is === 'media') return result;
  throw endOf(outcome, making, told, posting);
}

/** The service, and what it said last to a POST. What is no use waiting for ends the run. */
class Posting {
  readonly service: Service;
  last: NotTaken | undefined;
  isOut = false;
  gaveUp = false;

  constructor({ service, journal }: OneFilm, giveUp: () => void) {
    let tried = 0;
    const seen = async <T extends { readonly is: string }>(post: Promise<T | NotTaken>): Promise<T | NotTaken> => {
      this.isOut = true;
      const answer = await post;
      this.isOut = false;
      this.last = isNotTaken(answer) ? answer : undefined;
      tried += 1;
      if (this.last && !isWorthWaiting(this.last, tried)) {
        this.gaveUp = true;
        giveUp();
      }
      return answer;
    };
    this.service = {
      ...service,
      enqueue: (request, signal, nonce) => seen(service.enqueue(request, signal, nonce)),
      generateNow: async (endpoint, request: EnqueueRequest, signal, nonce) => {
        const answer = await seen(service.generateNow(endpoint, request, signal, nonce));
        // A step is one piece of media; whoever asks by hand gets all that was made.
        if (answer.is === 'made' && (answer.urls.length > 1 || journal.note('more')))
          await journal.setNote('more', JSON.stringify(answer.urls.slice(1))).catch(() => {});
        return answer;
      },
    };
  }
}

const isNotTaken = (answer: { readonly is: string }): answer is NotTaken =>
  answer.is === 'refused' || answer.is === 'unreached' || answer.is === 'unknown';

/** Milliseconds between signs of life. */
const SIGN = 30_000;
/** Milliseconds that a request may wait for its turn before that is said. */
const TURN = 3_000;

async function stillWaiting({ label, sync }: Making, told: Told, over: AbortSignal): Promise<void> {
  await systemClock.sleep(TURN, over);
  if (over.aborted) return;
  if (told.began === undefined)
    say(`${label}: waits for its turn: other runs of this project have as much under way as your limits allow`);
  while (sync) {
    await systemClock.sleep(SIGN, over);
    if (over.aborted) return;
    if (told.began !== undefined)
      say(`${label}: still at work after ${formatSeconds((systemClock.now() - told.began) / 1000)}`);
  }
}

/** What the journal knows of it when this process ends where it stands. */
function lastWords({ again, label, given }: Making, { id }: Told, { isOut }: Posting): readonly string[] {
  if (isOut) return [`${label}: its answer was not awaited: it may be paid for; \`${again}\` looks for it`];
  return id === undefined ? [] : [`${label}: ${id} goes on at ${given.service.name}; \`${again}\` takes it up`];
}

function endOf(outcome: Outcome, making: Making, told: Told, { last, gaveUp }: Posting): Stop {
  const { label, given, again } = making;
  const isOver = given.signal.aborted;
  if (last?.is === 'refused' && (gaveUp || last.status === 401 || last.status === 403)) return notTaken(last, isOver);
  if (last?.is === 'unreached' && gaveUp)
    return isOver ? new Stop(INTERRUPTED, NOTHING_SENT) : new Stop(6, last.message);
  switch (outcome.is) {
    case 'unreachable':
      return new Stop(6, `${outcome.reason}${told.id === undefined ? '' : `; ${told.id} stays yours: \`${again}\``}`);
    case 'unwritable':
    case 'frozen':
      return new Stop(1, outcome.reason ?? 'nothing is sent');
    case 'interrupted':
      return new Stop(INTERRUPTED, calledOff(making, told));
    case 'done':
    case 'failed':
      return new Stop(1, told.failure ? failureWords(told.failure, making, told) : `${label}: nothing came of it`);
  }
}

const NOTHING_SENT = 'interrupted before anything was sent';

function notTaken(outcome: NotTaken & { readonly is: 'refused' }, isOver: boolean): Stop {
  const { message, status, retryAfter } = outcome;
  if (isOver) return new Stop(INTERRUPTED, 'interrupted; nothing was paid');
  const later = retryAfter === undefined ? '' : `; try again in ${formatSeconds(retryAfter / 1000)}`;
  const exit = status === 401 || status === 403 ? 6 : 1;
  return new Stop(exit, `${message} (${status}): nothing was paid${later}`);
}

/** Nobody waits for it any more: it is cancelled where that is offered. */
function calledOff({ label, given, again }: Making, { id, url, failure, cancelFailed, began }: Told): string {
  if (failure?.code === 'generation_cancelled') return `${label}: ${id} is cancelled`;
  if (url !== undefined || cancelFailed?.why === 'finished')
    return `${label}: it is made, and not fetched: \`${again}\` fetches it, and nothing is sent twice`;
  if (cancelFailed?.why === 'no_id') return `${label}: it may have been taken and paid for: \`${again}\` looks for it`;
  if (id !== undefined)
    return `${label}: ${id} goes on at ${given.service.name}, and is billed: it could not be cancelled; \`${again}\` takes it up`;
  return began === undefined ? NOTHING_SENT : 'interrupted; nothing was paid';
}

function failureWords(failure: NonNullable<Told['failure']>, { label, again }: Making, { url }: Told): string {
  const message = cleanText(failure.message);
  const anew = `\`${again} --forget\` gives it up and sends a new one`;
  switch (failure.code) {
    case 'request_refused':
      return `${message} (${failure.status}): nothing was paid`;
    case 'submit_unknown':
      return `${label}: ${message}\n  ${`\`${again}\``} looks for it again; ${anew}`;
    case 'download_failed':
      return `${label} is made, and could not be fetched: ${message}\n  it is at ${url}; ${anew}`;
    case 'generation_lost':
      return `${label}: ${message}\n  ${anew}`;
    case 'generation_failed':
      return `${label}: failed, ${message}`;
    case 'generation_cancelled':
      return `${label}: cancelled, ${message}`;
    default:
      return `${label}: ${message}`;
  }
}
