/**
 * A run as JSON lines, one event each: the shape of `schema/events.schema.json`, version 1. Fields are added, never renamed.
 * Texts are as they came, because a program reads them; what a terminal would obey is escaped, which means the same to a program.
 */
import { safeJson } from '../domain/clean.ts';
import { EVENT_VERSION, type RecordedEvent, type Reporter } from '../domain/event.ts';

/** `write` is given one line at a time, without its line feed. */
export function jsonReporter(write: (line: string) => void): Reporter {
  return {
    report: event => write(jsonLine(event)),
    close: () => Promise.resolve(),
  };
}

/** `{"v":1,"seq":1,"at":1795176000000,"type":"run_started",…}` */
export function jsonLine(event: RecordedEvent): string {
  const { seq, at, type, ...rest } = event;
  return safeJson({ v: EVENT_VERSION, seq, at, type, ...rest });
}
