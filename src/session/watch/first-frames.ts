/** The events of a run, and the first picture of whatever is being drawn as soon as the studio shows it. */
import type { RecordedEvent, Reporter } from '../../domain/event.ts';
import type { InstanceKey } from '../../domain/key.ts';
import { isLoopback } from '../../domain/loopback.ts';
import type { Clock } from '../../host/clock.ts';
import type { HearNews } from './watch-news.ts';

/** Bytes: a picture of a draft has some fifty thousand. */
const LARGEST = 8e6;

export function firstFrames(hear: HearNews, { clock }: { readonly clock: Clock }): Reporter {
  const shown = new Map<InstanceKey, string>();
  const closed = new AbortController();

  async function show(key: InstanceKey, address: string): Promise<void> {
    const jpeg = await pictureAt(address, closed.signal).catch(() => undefined);
    // It is finished already, or something else is drawn in its place.
    if (jpeg === undefined || shown.get(key) !== address || closed.signal.aborted) return;
    hear({ is: 'first_frame', key, at: clock.now(), jpeg });
  }

  return {
    report(event: RecordedEvent) {
      hear({ is: 'event', event });
      if (event.type === 'run_started') shown.clear();
      else if (event.type === 'progress' && event.preview !== undefined) {
        if (shown.get(event.key) === event.preview) return;
        shown.set(event.key, event.preview);
        void show(event.key, event.preview);
      } else if ('key' in event && event.type !== 'progress') shown.delete(event.key);
    },
    async close() {
      closed.abort();
    },
  };
}

async function pictureAt(address: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
  const url = new URL(address);
  if (url.protocol !== 'http:' || !isLoopback(url.hostname)) return undefined;
  const answer = await fetch(url, { signal, redirect: 'error' });
  if (!answer.ok || Number(answer.headers.get('content-length') ?? LARGEST + 1) > LARGEST) return undefined;
  return new Uint8Array(await answer.arrayBuffer());
}
