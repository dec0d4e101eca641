/** The studio's event stream with a key: the browser's own EventSource can send none. Reopens itself until it is hung up. */

/** Milliseconds. The studio says something every 15 s. */
const SILENCE = 45_000;
const PAUSES = [500, 1000, 2000, 5000, 10_000];
/** Characters of one event. */
const LONGEST = 1 << 20;

export function listen(key, { event, up, down }) {
  const off = new AbortController();
  void (async () => {
    for (let failures = 0; !off.signal.aborted; failures++) {
      const hung = new AbortController();
      const ended = () => hung.abort();
      off.signal.addEventListener('abort', ended);
      let watchdog = 0;
      const awake = () => {
        clearTimeout(watchdog);
        watchdog = setTimeout(ended, SILENCE);
      };
      try {
        awake();
        const answer = await fetch('/api/events', {
          headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
          cache: 'no-store',
          signal: hung.signal,
        });
        if (!answer.ok || !answer.body) throw new Error(`the stream answered ${answer.status}`);
        failures = 0;
        up();
        await readAll(answer.body, awake, event);
      } catch {
        // Why it ended makes no difference: it is opened again.
      }
      hung.abort();
      clearTimeout(watchdog);
      off.signal.removeEventListener('abort', ended);
      if (off.signal.aborted) return;
      down();
      await new Promise(resolve => setTimeout(resolve, PAUSES[Math.min(failures, PAUSES.length - 1)]));
    }
  })();
  return () => off.abort();
}

async function readAll(body, awake, event) {
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
