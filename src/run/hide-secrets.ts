/** An event without the texts that are neither shown nor kept. What tells requests and results apart stays as it is. */
import type { Event } from '../domain/event.ts';
import type { Redactor } from '../host/redactor.ts';

/** Fields that hold words: of a service, of a command, of the network. */
const WORDS: ReadonlySet<string> = new Set(['reason', 'message', 'why', 'text', 'status']);

/** The same event; a failure's message, a reason and the like are hidden in. Requests, keys and results are not words. */
export function hideSecrets<E extends Event>(event: E, secrets: Redactor): E {
  const hidden = Object.fromEntries(
    Object.entries(event).map(([name, value]) => [name, WORDS.has(name) ? secrets.redactIn(value) : value]),
  ) as unknown as E;
  if (hidden.type !== 'failed') return hidden;
  const { failure } = hidden;
  return { ...hidden, failure: { ...failure, message: secrets.redact(failure.message) } };
}
