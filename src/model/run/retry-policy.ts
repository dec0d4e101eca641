/** What a step does about its own failures: which of them it is tried again after, how often in all, and how long it waits before. */
import type { Failure } from './failure.ts';
import { unreachable } from './failure.ts';

/** Kinds of failures, as an author names them under `retry.on`. */
export const RETRY_CLASSES = ['failed', 'invalid', 'download', 'timed_out', 'cancelled', 'refused'] as const;
export type RetryClass = (typeof RETRY_CLASSES)[number];

/** What an author means who names none: what may turn out otherwise, and does not ask a service to change its mind. */
export const USUAL_CLASSES: readonly RetryClass[] = ['failed', 'invalid', 'download'];

export interface Retry {
  /** How often it is tried in all, the first time among them. */
  readonly attempts: number;
  /** Milliseconds before the second attempt; doubled before each further one. */
  readonly backoff: number;
  readonly on: readonly RetryClass[];
}

/** Milliseconds before the second attempt, by default. */
export const DEFAULT_BACKOFF = 10_000;

/** Undefined: only a person, or a rule of its own, tries it again; an unknown outcome is settled first. */
export function retryClassOf(failure: Failure): RetryClass | undefined {
  switch (failure.code) {
    case 'generation_failed':
    case 'command_failed':
    case 'cut_failed':
    case 'tokenize_failed':
      return 'failed';
    case 'answer_invalid':
      return 'invalid';
    case 'download_failed':
      return 'download';
    case 'timed_out':
      return failure.goes_on ? undefined : 'timed_out';
    case 'generation_cancelled':
      return 'cancelled';
    case 'request_refused':
    case 'answer_refused':
      return 'refused';
    case 'generation_lost':
    case 'submit_unknown':
    case 'effect_unknown':
    case 'request_invalid':
    case 'input_changed':
    case 'frozen':
    case 'expression_failed':
    case 'deployment_failed':
    case 'until_not_held':
      return undefined;
    default:
      return unreachable(failure);
  }
}

/** Kinds of failures that a service may have billed: a request that it refused is none of them, an answer that a chat model refused is. */
const PAID: readonly RetryClass[] = ['failed', 'timed_out', 'cancelled'];
const PAID_OF_CHAT: readonly RetryClass[] = ['refused'];

/** How often the same request may be paid for again, at most. */
export const paidAgain = ({ attempts, on }: Retry, { isChat }: { readonly isChat: boolean }): number =>
  on.some(one => (isChat ? PAID_OF_CHAT : PAID).includes(one)) ? attempts - 1 : 0;
