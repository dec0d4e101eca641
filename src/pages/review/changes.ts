/** The event stream of one page that is open: what changed, and a sign of life, so that a page that slept for a night notices. */
import type { ServerResponse } from 'node:http';
import type { ReviewChange } from './review-state.ts';

/** Bytes that a page may be behind: one that sleeps is let go of, and asks for everything when it wakes. */
const MOST_BEHIND = 4e6;

export class ChangeStream {
  readonly #response: ServerResponse;
  /** As they were sent last. */
  #sent: ReadonlyMap<string, string> = new Map();
  #head = '';

  constructor(response: ServerResponse) {
    this.#response = response;
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    response.write('retry: 1000\n\n');
  }

  /** Sends what differs from what was sent before. */
  send({ questions, ...all }: ReviewChange): void {
    const now = new Map(questions.map(one => [one.key as string, JSON.stringify(one)]));
    const changed = questions.filter(({ key }) => now.get(key) !== this.#sent.get(key));
    const headNow = JSON.stringify([all.head, all.live, all.order]);
    if (changed.length === 0 && headNow === this.#head) return;
    this.#sent = now;
    this.#head = headNow;
    this.#write(`event: change\ndata: ${JSON.stringify({ ...all, questions: changed } satisfies ReviewChange)}\n\n`);
  }

  beat(): void {
    this.#write('event: beat\ndata: \n\n');
  }

  end(): void {
    // The page stops asking: nobody is there any more.
    this.#response.end('event: closed\ndata: \n\n');
  }

  #write(text: string): void {
    if (this.#response.writableLength > MOST_BEHIND) this.#response.destroy();
    else if (this.#response.writable) this.#response.write(text);
  }
}
