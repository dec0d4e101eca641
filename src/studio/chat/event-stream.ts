/** Server-sent events to one listener, no faster than it reads. */
import type { ServerResponse } from 'node:http';

export function writes(response: ServerResponse): void {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
}

/** Resolves when there is room for more, or when nobody reads any more. */
export async function written(response: ServerResponse, data: string, gone: AbortSignal): Promise<void> {
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
