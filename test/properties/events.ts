/** What the events of a run tell of each instance. */
import type { RecordedEvent } from '../../src/model/run/event.ts';
import type { Result } from '../../src/model/run/result.ts';
import type { Expected } from './expected.ts';
import type { Span } from './list-schedule.ts';
import type { Ran } from './world.ts';

/** `made …`, `skipped`, … for each instance; without judges, whose answers are told by what they choose. */
export function endsOf({ events, plan }: Ran): Readonly<Record<string, string>> {
  const ends: Record<string, string> = {};
  for (const { key } of plan.instances) ends[key] = 'nothing';
  for (const event of events) if ('key' in event) Object.assign(ends, endOf(event));
  return Object.fromEntries(Object.entries(ends).filter(([key]) => !key.endsWith('/judge')));
}

/** The same as the language has it. */
export function expectedEnd({ outcome }: Expected): string {
  switch (outcome.is) {
    case 'made':
      return `made ${outcome.result.stdout ?? outcome.result.text ?? outcome.result.sha256}`;
    case 'skipped':
      return outcome.standIn ? `skipped, ${outcome.standIn.key} stands in` : 'skipped';
    default:
      return outcome.is;
  }
}

function endOf(event: RecordedEvent & { readonly key: string }): Readonly<Record<string, string>> {
  switch (event.type) {
    case 'succeeded':
    case 'reused':
      return { [event.key]: `made ${contentOf(event.result)}` };
    case 'skipped':
      return { [event.key]: event.stands_in === undefined ? 'skipped' : `skipped, ${event.stands_in} stands in` };
    case 'failed':
    case 'blocked':
      return { [event.key]: event.type };
    default:
      return {};
  }
}

function contentOf(result: Result): string {
  if (result.is === 'round') return contentOf(result.result);
  if (result.is === 'picked') return result.chosen.map(one => contentOf(one.result)).join(', ');
  if (result.is === 'approved') return result.approved ? 'approved' : 'refused';
  if (result.is === 'command') return result.stdout;
  if (result.is === 'text') return result.text;
  return result.is === 'media' ? result.sha256 : result.is;
}

const SETTLING = new Set(['succeeded', 'reused', 'skipped', 'failed']);

/** From when to when each instance was worked on; of what was only reused or skipped, the moment. Milliseconds from the beginning. */
export function spansOf({ events }: Ran): ReadonlyMap<string, Span & { readonly as?: 'command' | 'request' }> {
  const began = events[0]?.at ?? 0;
  const starts = new Map<string, { readonly at: number; readonly as: 'command' | 'request' }>();
  const spans = new Map<string, Span & { readonly as?: 'command' | 'request' }>();
  for (const event of events) {
    if (!('key' in event)) continue;
    const at = event.at - began;
    if (event.type === 'command_started') starts.set(event.key, { at, as: 'command' });
    if (event.type === 'submit_intended') starts.set(event.key, { at, as: 'request' });
    if (!SETTLING.has(event.type)) continue;
    const start = starts.get(event.key);
    spans.set(event.key, { from: start?.at ?? at, to: at, ...(start && { as: start.as }) });
  }
  return spans;
}

/** The instances that something was really done for, with what it was asked for. */
export function doneFor({ events }: Ran): ReadonlyMap<string, string> {
  const done = new Map<string, string>();
  for (const event of events)
    if (event.type === 'command_started' || event.type === 'submit_intended') done.set(event.key, event.fingerprint);
  return done;
}

/** The fingerprint of everything that was made or found. */
export function fingerprintsOf({ events }: Ran): ReadonlyMap<string, string> {
  const prints = new Map<string, string>();
  for (const event of events)
    if (event.type === 'succeeded' || event.type === 'reused') prints.set(event.key, event.fingerprint);
  return prints;
}
