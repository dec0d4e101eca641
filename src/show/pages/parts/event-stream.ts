/** An event stream of a server, read by `fetch`: the browser's own EventSource sends no key. It is opened again until it is hung up. */

/** Milliseconds. A server sends something every 15 s. */
const SILENCE = 45_000;
const PAUSES = [500, 1000, 2000, 5000, 10_000];
/** Characters of one event. */
const LONGEST = 1 << 26;

interface Listener {
  readonly event: (name: string, data: string) => void;
  readonly up?: () => void;
  readonly down: () => void;
}

/** @param headers of each request, when it is made. @returns what hangs up. */
export function listen(
  url: string,
  listener: Listener,
  headers: () => Readonly<Record<string, string>> = () => ({}),
): () => void {
  const off = new AbortController();
  void keepListening(listener, off.signal, async signal => {
    const accepted = { ...headers(), accept: 'text/event-stream' };
    const answer = await fetch(url, { headers: accepted, cache: 'no-store', signal });
    if (!answer.ok || !answer.body) throw new Error(`the stream answered ${answer.status}`);
    return answer.body;
  });
  return () => off.abort();
}

type Stream = ReadableStream<Uint8Array<ArrayBuffer>>;

async function keepListening(
  listener: Listener,
  off: AbortSignal,
  open: (signal: AbortSignal) => Promise<Stream>,
): Promise<void> {
  for (let failures = 0; !off.aborted; failures++) {
    const silent = new AbortController();
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    const awake = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => silent.abort(), SILENCE);
    };
    try {
      awake();
      const stream = await open(AbortSignal.any([off, silent.signal]));
      failures = 0;
      listener.up?.();
      await readAll(stream, listener, awake);
    } catch {
      // Why it ended makes no difference: it is opened again.
    }
    silent.abort();
    clearTimeout(watchdog);
    if (off.aborted) return;
    listener.down();
    await new Promise(resolve => setTimeout(resolve, PAUSES[Math.min(failures, PAUSES.length - 1)]));
  }
}

async function readAll(stream: Stream, { event }: Listener, awake: () => void): Promise<void> {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    awake();
    const blocks = (text + value).split('\n\n');
    text = blocks.pop() ?? '';
    if (text.length > LONGEST) throw new Error('an event without end');
    for (const block of blocks) {
      const [, data] = /^data: ?(.*)/m.exec(block) ?? [];
      const [, name = 'message'] = /^event: ?(.*)/m.exec(block) ?? [];
      // An error of the listener is no error of the stream.
      if (data !== undefined) queueMicrotask(() => event(name, data));
    }
  }
}
