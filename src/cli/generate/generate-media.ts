/** One generation, as a run of one step: its intent is on the disk before its POST, and what was left open is taken up. */

import type { EnqueueRequest } from '../../api/queue.ts';
import type { NotTaken, Service } from '../../api/service.ts';
import { runEnvironment } from '../../app/local-environment.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { moreAt } from '../../model/run/decision-page.ts';
import type { Event, RecordedEvent, Reporter } from '../../model/run/event.ts';
import type { Failure } from '../../model/run/failure.ts';
import type { MediaResult } from '../../model/run/result.ts';
import { cleanText, safeJson } from '../../model/text/clean.ts';
import { formatSeconds } from '../../model/text/format.ts';
import { isOfInstance } from '../../records/views/instance-state.ts';
import { InstanceStory } from '../../records/views/instance-story.ts';
import { type Outcome, start } from '../../run/engine/run.ts';
import { CommandError } from '../errors/command-error.ts';
import { say } from '../outlets.ts';
import { type Connection, isWorthRetrying } from '../service/with-service.ts';
import { INTERRUPTED } from '../terminal/signals.ts';
import type { SingleStep } from './single-step.ts';
import { undeliveredResult, type Workspace } from './workspace.ts';

/** @throws CommandError with an exit code when there is nothing to hand over. */
export async function generateMedia(options: GenerateOptions): Promise<MediaResult> {
  const { connection, step, workspace, label } = options;
  const sayNamed = (line: string) => say(`${label}: ${line}`);
  const before = undeliveredResult(workspace.journal, step.key);
  if (before?.is === 'media') {
    sayNamed('made before, and not handed over then: nothing is sent');
    return before;
  }
  if (!step.plan) throw new Error(`${step.film} was to be made, and has no plan`);
  const progress = new GenerationProgress(connection.service.name, sayNamed);
  const posts = new ObservedPosts(workspace, () => run.detach());
  const environment = runEnvironment({
    ...{ ...workspace, service: posts.service, context: step.context, reporters: [progress] },
    authorFiles: step.authorFiles,
    onUnknown: options.onUnknown,
    settings: { root: workspace.root, resume: options.again, onInterrupt: 'cancel' },
  });
  const run = start(step.plan, environment);
  const stop = () => {
    if (posts.isUnderWay) sayNamed('waiting for its answer, so that nothing is lost; Ctrl-C again ends it here');
    run.detach();
  };
  connection.signal.addEventListener('abort', stop);
  if (connection.signal.aborted) stop();
  connection.onForcedExit(() => forcedExitLines(options, progress, posts));
  const over = new AbortController();
  void sayWaiting(options, progress, AbortSignal.any([over.signal, connection.signal]));
  let outcome: Outcome;
  try {
    outcome = await run.done;
  } finally {
    over.abort();
    connection.signal.removeEventListener('abort', stop);
    connection.onForcedExit(() => []);
  }
  const result = outcome.results.get(step.key)?.result;
  if (result?.is === 'media') return result;
  throw generationError(outcome, options, progress, posts);
}

/** Milliseconds between signs of life. */
const HEARTBEAT = 30_000;
/** Milliseconds that a request waits for its turn before a line says so. */
const TURN = 3_000;

async function sayWaiting(
  { label, sync }: GenerateOptions,
  progress: GenerationProgress,
  over: AbortSignal,
): Promise<void> {
  await systemClock.sleep(TURN, over);
  if (over.aborted) return;
  if (progress.sentAt === undefined)
    say(`${label}: waits for its turn: other runs of this project have as much under way as your limits allow`);
  while (sync) {
    await systemClock.sleep(HEARTBEAT, over);
    if (over.aborted) return;
    if (progress.sentAt !== undefined)
      say(`${label}: still at work after ${formatSeconds((systemClock.now() - progress.sentAt) / 1000)}`);
  }
}

interface GenerateOptions {
  readonly connection: Connection;
  readonly step: SingleStep;
  readonly workspace: Workspace;
  readonly label: string;
  readonly sync: boolean;
  readonly onUnknown: 'fail' | 'resubmit';
  /** The command, as a person would type it to go on. */
  readonly again: string;
}

function generationError(
  outcome: Outcome,
  options: GenerateOptions,
  progress: GenerationProgress,
  { last, gaveUp }: ObservedPosts,
): CommandError {
  const { label, connection, again } = options;
  const isInterrupted = connection.signal.aborted;
  if (last?.is === 'refused' && (gaveUp || last.status === 401 || last.status === 403))
    return refusedError(last, isInterrupted ? 'interrupted' : 'refused');
  if (last?.is === 'unreached' && gaveUp)
    return isInterrupted ? new CommandError(INTERRUPTED, NOTHING_SENT) : new CommandError(6, last.message);
  switch (outcome.is) {
    case 'unreachable': {
      const yours = progress.id === undefined ? '' : `; ${progress.id} stays yours: \`${again}\``;
      return new CommandError(6, `${outcome.reason}${yours}`);
    }
    case 'unwritable':
    case 'frozen':
      return new CommandError(1, outcome.reason ?? 'nothing is sent');
    case 'budget':
      return new CommandError(4, outcome.reason ?? 'it does not fit into the budget');
    case 'interrupted':
      return new CommandError(INTERRUPTED, interruptedText(options, progress));
    case 'done':
    case 'waiting':
    case 'failed': {
      const { failure } = progress;
      return new CommandError(1, failure ? failedText(failure, options, progress) : `${label}: nothing came of it`);
    }
  }
}

/** The last lines of a process that ends at a second Ctrl-C. */
function forcedExitLines(
  { again, label, connection }: GenerateOptions,
  { id }: GenerationProgress,
  { isUnderWay }: ObservedPosts,
): readonly string[] {
  if (isUnderWay) return [`${label}: its answer was not awaited: it may be paid for; \`${again}\` looks for it`];
  return id === undefined ? [] : [`${label}: ${id} goes on at ${connection.service.name}; \`${again}\` takes it up`];
}

const NOTHING_SENT = 'interrupted before anything was sent';

function refusedError(
  { message, status, retryAfter }: Extract<NotTaken, { readonly is: 'refused' }>,
  how: 'interrupted' | 'refused',
): CommandError {
  if (how === 'interrupted') return new CommandError(INTERRUPTED, 'interrupted; nothing was paid');
  const later = retryAfter === undefined ? '' : `; try again in ${formatSeconds(retryAfter / 1000)}`;
  const exitCode = status === 401 || status === 403 ? 6 : 1;
  return new CommandError(exitCode, `${message} (${status}): nothing was paid${later}`);
}

/** After an interrupt: it was cancelled where the service offers that. */
function interruptedText(
  { label, connection, again }: GenerateOptions,
  { id, url, failure, cancelFailed, sentAt }: GenerationProgress,
): string {
  if (failure?.code === 'generation_cancelled') return `${label}: ${id} is cancelled`;
  if (url !== undefined || cancelFailed?.why === 'finished')
    return `${label}: it is made, and not fetched: \`${again}\` fetches it, and nothing is sent twice`;
  if (cancelFailed?.why === 'no_id') return `${label}: it may have been taken and paid for: \`${again}\` looks for it`;
  if (id !== undefined)
    return `${label}: ${id} goes on at ${connection.service.name}, and is billed: it could not be cancelled; \`${again}\` takes it up`;
  return sentAt === undefined ? NOTHING_SENT : 'interrupted; nothing was paid';
}

function failedText(
  failure: Failure,
  { label, again }: GenerateOptions,
  { url }: GenerationProgress,
): string | readonly string[] {
  const message = cleanText(failure.message);
  const anew = `\`${again} --forget\` gives it up and sends a new one`;
  switch (failure.code) {
    case 'request_refused':
      return `${message} (${failure.status}): nothing was paid`;
    case 'submit_unknown':
      return [`${label}: ${message}`, `  \`${again}\` looks for it again; ${anew}`, `  ${moreAt('lost-answer')}`];
    case 'download_failed':
      return [`${label} is made, and could not be fetched: ${message}`, `  it is at ${url}; ${anew}`];
    case 'generation_lost':
      return [`${label}: ${message}`, `  ${anew}`, `  ${moreAt('lost-generation')}`];
    case 'generation_failed':
      return `${label}: failed, ${message}`;
    case 'generation_cancelled':
      return `${label}: cancelled, ${message}`;
    default:
      return `${label}: ${message}`;
  }
}

class ObservedPosts {
  readonly service: Service;
  /** Undefined where the last POST was taken, or there was none. */
  last: NotTaken | undefined;
  isUnderWay = false;
  gaveUp = false;

  constructor({ service, journal }: Workspace, giveUp: () => void) {
    let tried = 0;
    const observed = async <T extends { readonly is: string }>(post: Promise<T | NotTaken>): Promise<T | NotTaken> => {
      this.isUnderWay = true;
      const answer = await post;
      this.isUnderWay = false;
      this.last = isNotTaken(answer) ? answer : undefined;
      tried += 1;
      if (this.last && !isWorthRetrying(this.last, tried)) {
        this.gaveUp = true;
        giveUp();
      }
      return answer;
    };
    this.service = {
      ...service,
      enqueue: (request, signal, nonce) => observed(service.enqueue(request, signal, nonce)),
      generateNow: async (endpoint, request: EnqueueRequest, signal, nonce) => {
        const answer = await observed(service.generateNow(endpoint, request, signal, nonce));
        // A step has one result; a person who asks by hand gets everything that was made.
        if (answer.is === 'made' && (answer.urls.length > 1 || journal.notes.get('more')))
          await journal.notes.set('more', safeJson(answer.urls.slice(1))).catch(() => {});
        return answer;
      },
    };
  }
}

const isNotTaken = (answer: { readonly is: string }): answer is NotTaken =>
  answer.is === 'refused' || answer.is === 'unreached' || answer.is === 'unknown';

class GenerationProgress implements Reporter {
  /** The result's address at the service. */
  url: string | undefined;
  cancelFailed: Extract<Event, { readonly type: 'cancel_failed' }> | undefined;
  readonly #story = new InstanceStory(null);
  readonly #service: string;
  readonly #say: (line: string) => void;
  #last = '';
  #lostAt: number | undefined;

  /** @param say is given one line at a time. */
  constructor(service: string, say: (line: string) => void) {
    this.#service = service;
    this.#say = say;
  }

  /** The id it has at the service. */
  get id(): string | undefined {
    return this.#story.generation ?? undefined;
  }

  get failure(): Failure | undefined {
    return this.#story.failure;
  }

  /** Unix milliseconds when it was sent, or taken up; undefined until then. */
  get sentAt(): number | undefined {
    return this.#story.attempts.at(-1)?.queued ?? this.#lostAt;
  }

  report(event: RecordedEvent): void {
    if (isOfInstance(event)) this.#story.apply(event);
    switch (event.type) {
      case 'submit_intended':
        if (event.via) this.#once(`sent to ${this.#service}, which answers when it is done`);
        break;
      case 'submit_accepted':
        this.#once(
          event.found
            ? `found at ${this.#service} as ${event.generation_id}, not sent twice`
            : `sent to ${this.#service} as ${event.generation_id}`,
        );
        break;
      case 'submit_refused':
        if (event.retry_at !== null)
          this.#once(`${event.reason}; sending it again in ${formatSeconds((event.retry_at - event.at) / 1000)}`);
        break;
      case 'submit_unknown':
        this.#lostAt ??= event.at;
        this.#once(`${cleanText(event.reason)}; looking for it before anything is sent`);
        break;
      case 'looking':
        if (event.until !== undefined)
          this.#once(`looking again in ${formatSeconds(Math.max(0, event.until - event.at) / 1000)}`);
        break;
      case 'submit_absent':
        this.#once(`not there: ${cleanText(event.reason)}; sending it again`);
        break;
      case 'taken_up':
        this.#once(`resumed${event.generation_id === null ? '' : ` as ${event.generation_id}`}, not sent twice`);
        break;
      case 'progress':
        this.#once(standing(event));
        break;
      case 'generated':
        this.url = event.result_url;
        this.#once(`done in ${formatSeconds((event.at - (this.sentAt ?? event.at)) / 1000)}`);
        break;
      case 'service_changed':
        if (!event.reachable) this.#once(`the service does not answer (${cleanText(event.reason)}); asking again`);
        break;
      case 'journal_failed':
        for (const { generation_id } of event.unwritten)
          this.#once(`${generation_id} is paid for, and written down nowhere`);
        break;
      case 'cancel_failed':
        this.cancelFailed = event;
        break;
    }
  }

  async close(): Promise<void> {}

  #once(line: string): void {
    if (line !== this.#last) this.#say(line);
    this.#last = line;
  }
}

/** In tenths: a line for each percent would be a wall of text. */
function standing({ status, position, fraction }: Extract<Event, { readonly type: 'progress' }>): string {
  const word = cleanText(status);
  if (position) return `${word}, place ${position} in line`;
  return fraction ? `${word}, ${Math.floor(fraction * 10) * 10} %` : word;
}
