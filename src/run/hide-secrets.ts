/**
 * Hides secrets in events. The words of an event are hidden before anything is made of it. The result of work that was handed a secret may
 * repeat it, and is hidden as well: this run, the next one and the lock read the same. Other results stay as they came, whatever
 * words they hold. What a request was sent with is known to this process in full, and is hidden where it is shown or journalled.
 */

import type { Redactor } from '../machine/redactor.ts';
import type { Step } from '../model/pipeline.ts';
import type { Event, RecordedEvent } from '../model/run/event.ts';
import { unreachable } from '../model/run/failure.ts';
import type { Result } from '../model/run/result.ts';
import { readsOfStep } from '../plan/values/step-reads.ts';

/** Fields that hold words: of a service, of a command, of the network. */
const WORDS = ['reason', 'message', 'why', 'text', 'status'] as const;

/** Returns the event with secrets hidden in its messages and reasons. Keys and requests are not changed. `step`: the step of the event. */
export function hideSecrets<E extends Event>(event: E, secrets: Redactor, step: Step | undefined): E {
  const hidden = withWordsHidden(event, secrets);
  if (hidden.type === 'failed' || hidden.type === 'retrying') {
    const { failure } = hidden;
    const redacted = 'lines' in failure && failure.lines ? { lines: secrets.redactIn(failure.lines) } : {};
    return { ...hidden, failure: { ...failure, ...redacted, message: unsigned(secrets.redact(failure.message)) } };
  }
  if (hidden.type !== 'succeeded' && hidden.type !== 'reused') return hidden;
  return step && readsOfStep(step).secret ? { ...hidden, result: withoutSecrets(hidden.result, secrets) } : hidden;
}

/** Most events hold no words, and stay what they are. */
function withWordsHidden<E extends Event>(event: E, secrets: Redactor): E {
  let hidden = event;
  for (const name of WORDS)
    if (name in event) hidden = { ...hidden, [name]: unsigned(secrets.redactIn(event[name as keyof E])) };
  return hidden;
}

/** Services quote the address that they could not fetch. Its signature opens the file to any reader. */
const unsigned = <T>(words: T): T =>
  typeof words === 'string' && words.includes('X-Amz-') ? (words.replace(SIGNATURES, '$1…') as T & string) : words;
const SIGNATURES = /(X-Amz-(?:Signature|Security-Token|Credential)=)[^&\s"'<>]+/gi;

/** Addresses and digests lead to what was made, and stay. */
function withoutSecrets(result: Result, secrets: Redactor): Result {
  switch (result.is) {
    case 'media':
      return { ...result, request: secrets.redactIn(result.request) };
    case 'text':
      return {
        ...result,
        text: secrets.redact(result.text),
        json: secrets.redactIn(result.json),
        request: secrets.redactIn(result.request),
      };
    case 'command':
      return { ...result, stdout: secrets.redact(result.stdout), json: secrets.redactIn(result.json) };
    case 'fine_tune':
      return { ...result, fine_tune: secrets.redactIn(result.fine_tune) };
    case 'outputs':
    case 'picked':
    case 'approved':
    case 'round':
      // What is inside has been through here.
      return result;
    default:
      return unreachable(result);
  }
}

/** What the journal keeps of an event or of a submission. Results have been through `hideSecrets`. */
export function hiddenInJournal<T>(value: T, secrets: Redactor): T {
  if (!hasResult(value)) return secrets.redactIn(value);
  const { result, ...rest } = value;
  return { ...secrets.redactIn(rest), result } as T;
}

const hasResult = (value: unknown): value is { readonly result: unknown } =>
  typeof value === 'object' && value !== null && 'result' in value;

/** An event as it is shown: the sender of a request knows it in full, a reporter does not. */
export const withoutSecretRequest = (event: RecordedEvent, secrets: Redactor): RecordedEvent =>
  event.type === 'submit_intended' ? { ...event, request: secrets.redactIn(event.request) } : event;
