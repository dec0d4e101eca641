/**
 * Events with times that never go back: a clock that is set back in the middle of a run would make bars of negative length. What happened
 * after it was is told as much later as it was set back.
 */
import type { RecordedEvent } from '../../domain/event.ts';

export function* steadyTimes(events: Iterable<RecordedEvent>): Iterable<RecordedEvent> {
  let [last, ahead] = [Number.NEGATIVE_INFINITY, 0];
  for (const event of events) {
    if (event.at + ahead < last) ahead = last - event.at;
    last = event.at + ahead;
    yield ahead === 0 ? event : { ...event, at: last };
  }
}
