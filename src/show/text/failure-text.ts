/** What the author of a failed step needs to know: what happened, what it cost, how to go on. */

import {
  type CommandOutput,
  type Failure,
  type FailureCode,
  failedHere,
  isCancelled,
} from '../../model/run/failure.ts';
import { type InstanceKey, stepOf } from '../../model/run/key.ts';
import { cleanText, messageInALine, messageText, outputLine } from '../../model/text/clean.ts';
import { formatUsd } from '../../model/text/format.ts';

export interface FailureText {
  readonly what: string;
  readonly cost: string;
  /** What to do before the command helps; null where running again is enough. */
  readonly first: string | null;
  /** Runs the film again; what is done is kept and not paid for twice. */
  readonly command: string;
}

interface FailureContext {
  /** The file, and the command that runs it again. */
  readonly pipeline: string;
  readonly command: string;
  readonly service: string;
  /** US dollars: what the plan expected, and what is known to be paid. */
  readonly price: number | null;
  readonly paid: number;
}

export function failureText(failure: Failure, key: InstanceKey, context: FailureContext): FailureText {
  const text = TEXTS[failure.code] as (failure: Failure, known: Known) => FailureWords;
  const known: Known = {
    service: context.service,
    message: messageText(failure.message),
    mend: `mend step ${cleanText(stepOf(key))} in ${context.pipeline}`,
    perhaps: perhapsText(context),
    charge: context.paid > 0 ? `it cost ${formatUsd(context.paid)}` : perhapsText(context),
  };
  const shown = failedHere(failure) ? { what: `it failed on this machine: ${known.message}` } : text(failure, known);
  return { cost: NOTHING, first: null, ...shown, command: context.command };
}

/** The failure in a line: `failed: out of memory`; of a command with its last output. */
export const failedText = (failure: Failure): string =>
  isCancelled(failure) ? `cancelled: ${messageText(failure.message)}` : `failed: ${failureWords(failure)}`;

/** What happened, and of a command its last output: `the command ended with exit code 3: no such lens`. */
export const failureWords = (failure: Failure): string => `${messageText(failure.message)}${lastWords(failure)}`;

/**
 * The same, each shorter than the one before, for a row with a failed mark: `out of memory`; of a command its exit code and its last output, `exit
 * code 3: no such lens`.
 */
export function failedTexts(failure: Failure): readonly string[] {
  const whole = failedText(failure);
  if (isCancelled(failure)) return [whole];
  const words = failureWords(failure);
  return [whole, words, words.replace(/^the command ended with (?=exit code)/, '')];
}

/** A command's output before it failed; every text in it clean. Nothing for other failures. */
export function outputOf(failure: Failure): Required<Pick<CommandOutput, 'lines'>> & Pick<CommandOutput, 'log'> {
  const { lines = [], log }: CommandOutput = 'lines' in failure || 'log' in failure ? failure : {};
  return { lines: lines.map(outputLine), ...(log !== undefined && { log: cleanText(log) }) };
}

function lastWords(failure: Failure): string {
  const last = outputOf(failure).lines.findLast(line => line.trim() !== '');
  return last === undefined ? '' : `: ${messageInALine(last)}`;
}

interface Known {
  readonly service: string;
  /** The failure's own message, clean. */
  readonly message: string;
  /** What an author does about a mistake in the file. */
  readonly mend: string;
  /** What it may have cost, where nothing is known to be paid. */
  readonly perhaps: string;
  /** What it cost, or may have cost. */
  readonly charge: string;
}

const NOTHING = 'it cost nothing';

function perhapsText({ price }: FailureContext): string {
  if (price === 0) return NOTHING;
  return price === null ? 'whether it cost anything is not known' : `it may have cost ${formatUsd(price)}`;
}

/** `cost`: absent, it cost nothing. `first`: absent, running again is enough. */
type FailureWords = Pick<FailureText, 'what'> & Partial<Pick<FailureText, 'cost' | 'first'>>;

const TEXTS: {
  readonly [code in FailureCode]: (failure: Extract<Failure, { readonly code: code }>, known: Known) => FailureWords;
} = {
  generation_failed: ({ generation_id }, { service, message, charge, mend }) => ({
    what: `${service} could not make it: ${message} (generation ${cleanText(generation_id)})`,
    cost: charge,
    first: mend,
  }),
  generation_cancelled: ({ generation_id }, { service, message, charge }) => ({
    what: `cancelled at ${service}: ${message} (generation ${cleanText(generation_id)})`,
    cost: charge,
  }),
  generation_lost: (_, { service, message, perhaps }) => ({
    what: `out of sight at ${service}: ${message}`,
    cost: perhaps,
  }),
  request_refused: ({ status }, { service, message, mend }) => ({
    what: `${service} refused the request (${status}): ${message}`,
    first: refusedFirst(status, mend),
  }),
  submit_unknown: ({ unlisted }, { message, perhaps }) => ({
    what: message,
    cost: unlisted ? 'by its list it cost nothing' : perhaps,
  }),
  request_invalid: (_, { message, mend }) => ({
    what: `the request breaks a rule of the model: ${message}`,
    first: mend,
  }),
  input_changed: (_, { message }) => ({ what: message }),
  download_failed: ({ damaged }, { message, charge }) => ({
    what: damaged ? message : `made, but not fetched: ${message}`,
    cost: damaged ? 'nothing more was paid for it' : charge,
  }),
  answer_invalid: (_, { message, charge, mend }) => ({
    what: `its answer does not fit the schema: ${message}`,
    cost: charge,
    first: mend,
  }),
  answer_refused: (_, { message, charge, mend }) => ({ what: message, cost: charge, first: mend }),
  frozen: (_, { message }) => ({ what: message }),
  tokenize_failed: (_, { message, mend }) => ({ what: `it cannot be tokenized: ${message}`, first: mend }),
  command_failed: (_, { message, mend }) => ({ what: message, first: mend }),
  cut_failed: (_, { message, mend }) => ({ what: `it cannot be cut: ${message}`, first: mend }),
  effect_unknown: (_, { message }) => ({ what: message }),
  expression_failed: (_, { message, mend }) => ({ what: `an expression has no value here: ${message}`, first: mend }),
  // The cost of its rounds is shown with each of them, and in the message.
  until_not_held: (_, { message }) => ({
    what: message,
    cost: 'its rounds stay yours: nothing of them is paid again',
    first: 'raise `max`, or say what is taken then: `otherwise: last`',
  }),
  // Neither: it was never sent, or was made here.
  timed_out: ({ goes_on, generation_id }, { message, charge }) => ({
    what: `took too long: ${message}`,
    ...((goes_on || generation_id) && { cost: charge }),
  }),
  deployment_failed: ({ model }, { message }) => ({
    what: `${cleanText(model)} could not be brought up: ${message}`,
    cost: 'nothing was sent to it',
  }),
};

function refusedFirst(status: number, mend: string): string | null {
  if (status === 401 || status === 403) return 'check the key';
  if (status === 402) return 'top up the account';
  return status === 429 ? 'wait a little' : mend;
}
