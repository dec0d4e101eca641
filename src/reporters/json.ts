/**
 * A run as JSON lines, one event each: the shape of `schema/events.schema.json`, version 1. Fields are added, never renamed.
 * Texts are as they came, because a program reads them; what a terminal would obey is escaped, which means the same to a program.
 */
import { EVENT_VERSION, type Reporter, type Stamped } from '../domain/event.ts';

/** `write` is given one line at a time, without its line feed. */
export function jsonReporter(write: (line: string) => void): Reporter {
  return {
    report: event => write(jsonLine(event)),
    close: () => Promise.resolve(),
  };
}

/** `{"v":1,"seq":1,"at":1795176000000,"type":"run_started",…}` */
export function jsonLine(event: Stamped): string {
  const { seq, at, type, ...rest } = event;
  return JSON.stringify({ v: EVENT_VERSION, seq, at, type, ...rest }).replace(OBEYED, escaped);
}

/** JSON escapes C0 itself; DEL, C1, line separators and bidi controls it writes as they are. */
const OBEYED = /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
