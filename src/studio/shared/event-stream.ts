/** Server-sent events to one listener, no faster than it reads. */
import type { Writable } from 'node:stream';

/** The receiver of an answer: a response, or something that passes it on to several. */
export interface Listener extends Writable {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
  flushHeaders(): void;
}

export const EVENT_STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;

export function beginEventStream(listener: Listener): void {
  listener.writeHead(200, EVENT_STREAM_HEADERS);
}

/** Resolves when there is room for more, or the reader is gone. */
export async function writeEvent(response: Listener, data: string, gone: AbortSignal): Promise<void> {
  if (gone.aborted || response.write(`data: ${data}\n\n`)) return;
  await new Promise<void>(resolve => {
    const go = () => {
      response.off('drain', go);
      gone.removeEventListener('abort', go);
      resolve();
    };
    response.on('drain', go);
    gone.addEventListener('abort', go, { once: true });
  });
}
