/** The studio's event stream with a key: the browser's own EventSource can send none. Reopens itself until it is hung up. */
import { withKey } from './key.ts';

/** Milliseconds. The studio says something every 15 s. */
const SILENCE = 45_000;
const PAUSES = [500, 1000, 2000, 5000, 10_000];
/** Characters of one event. */
const LONGEST = 1 << 20;

interface Listener {
  readonly event: () => void;
  readonly up: () => void;
  readonly down: () => void;
}

/** Returns what hangs up. */
export function listen(listener: Listener): () => void {
  const off = new AbortController();
  void keepListening(listener, off.signal);
  return () => off.abort();
}

async function keepListening({ event, up, down }: Listener, off: AbortSignal): Promise<void> {
  for (let failures = 0; !off.aborted; failures++) {
    const silent = new AbortController();
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    const awake = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => silent.abort(), SILENCE);
    };
    try {
      awake();
      const answer = await fetch('/api/events', {
        headers: { ...withKey(), accept: 'text/event-stream' },
        cache: 'no-store',
        signal: AbortSignal.any([off, silent.signal]),
      });
      if (!answer.ok || !answer.body) throw new Error(`the stream answered ${answer.status}`);
      failures = 0;
      up();
      await readAll(answer.body, { awake, event });
    } catch {
      // Why it ended makes no difference: it is opened again.
    }
    silent.abort();
    clearTimeout(watchdog);
    if (off.aborted) return;
    down();
    await new Promise(resolve => setTimeout(resolve, PAUSES[Math.min(failures, PAUSES.length - 1)]));
  }
}

interface Heard {
  readonly awake: () => void;
  readonly event: () => void;
}

async function readAll(body: ReadableStream<Uint8Array<ArrayBuffer>>, { awake, event }: Heard): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    awake();
    const blocks = (text + value).split('\n\n');
    text = blocks.pop() ?? '';
    if (text.length > LONGEST) throw new Error('an event without end');
    if (blocks.some(block => /^data:/m.test(block))) event();
  }
}
