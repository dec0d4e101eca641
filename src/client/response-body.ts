/** The body of an answer: read whole up to a limit, and what it gives as a reason. */
import type { Readable } from 'node:stream';
import { bodyErrorText } from './error-text.ts';
import type { Transport } from './transport.ts';

/** The reason that the service gave, with the status: `Model not found: x (404)`. */
export function refusalText(transport: Transport, status: number, body: string): string {
  const text = bodyErrorText(body);
  return transport.clean(
    text === undefined ? `${transport.base.host} answered ${status} without a reason` : `${text} (${status})`,
  );
}

/** The whole body as text; throws past the cap, so that no service can fill this machine. */
export async function readBody(body: Readable, cap: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > cap) throw new Error(`the answer is longer than ${cap / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
