/** Hides secrets in the words of an event. Fields that identify requests and results are not changed. */
import type { Event } from '../domain/event.ts';
import type { Redactor } from '../host/redactor.ts';

/** Fields that hold words: of a service, of a command, of the network. */
const WORDS: ReadonlySet<string> = new Set(['reason', 'message', 'why', 'text', 'status']);

/** Returns the event with secrets hidden in its messages, reasons and the like. Requests, keys and results are not changed. */
export function hideSecrets<E extends Event>(event: E, secrets: Redactor): E {
  const hidden = Object.fromEntries(
    Object.entries(event).map(([name, value]) => [name, WORDS.has(name) ? secrets.redactIn(value) : value]),
  ) as unknown as E;
  if (hidden.type !== 'failed') return hidden;
  const { failure } = hidden;
  const said = 'lines' in failure && failure.lines ? { lines: secrets.redactIn(failure.lines) } : {};
  return { ...hidden, failure: { ...failure, ...said, message: secrets.redact(failure.message) } };
}
