/** Why there is nothing to hand over after a generation, with the exit code and how to go on. */
import type { NotTaken } from '../../api/service.ts';
import { cleanText } from '../../domain/clean.ts';
import { moreAt } from '../../domain/decision-page.ts';
import type { Failure } from '../../domain/failure.ts';
import { formatSeconds } from '../../domain/format.ts';
import type { Outcome } from '../../run/run.ts';
import { CommandError } from '../errors/command-error.ts';
import { INTERRUPTED } from '../terminal/signals.ts';
import type { GenerateOptions } from './generate-options.ts';
import type { GenerationProgress } from './generation-progress.ts';
import type { ObservedPosts } from './observed-posts.ts';

export function generationError(
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

/** What a person has to know when this process ends where it stands. */
export function forcedExitLines(
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

/** Nobody waits for it any more: it was cancelled where that is offered. */
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
