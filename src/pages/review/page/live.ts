/** The line to the program behind the page: changes come in by one stream, decisions go out one by one. It may be cut for a night. */
import { elapsed } from '../../parts/browser-clock.ts';
import type { ReviewChange, ReviewDeed, ReviewReply } from '../review-state.ts';
import type { Desk } from './desk.ts';

/** Milliseconds without a sign of life, of which one comes every 15 seconds, after which it is asked for anew. */
const SILENCE = 40_000;
const LOOK = 5_000;
/** Milliseconds between two tries to reach it. */
const AGAIN = 2_000;
/** Milliseconds for which a page that nobody sees goes on listening: a browser has few lines to one server. */
const UNSEEN = 300_000;

export function followChanges(desk: Desk): void {
  let stream: EventSource | undefined;
  let heard = 0;
  let unseenSince: number | undefined;
  const hangUp = () => {
    stream?.close();
    stream = undefined;
  };
  const call = () => {
    hangUp();
    heard = elapsed();
    const opened = new EventSource('events');
    stream = opened;
    opened.addEventListener('change', event => {
      heard = elapsed();
      desk.hear('live');
      desk.take(JSON.parse((event as MessageEvent<string>).data) as ReviewChange);
    });
    opened.addEventListener('beat', () => {
      heard = elapsed();
      desk.hear('live');
    });
    opened.addEventListener('closed', () => {
      hangUp();
      desk.hear('ended');
    });
    opened.addEventListener('error', () => {
      desk.hear('lost');
      // One that was refused does not try again by itself.
      if (opened.readyState === EventSource.CLOSED && stream === opened) {
        hangUp();
        setTimeout(() => {
          if (!stream && desk.line !== 'ended' && !document.hidden) call();
        }, AGAIN);
      }
    });
  };
  setInterval(() => {
    if (desk.line === 'ended') return;
    unseenSince = document.hidden ? (unseenSince ?? elapsed()) : undefined;
    if (unseenSince !== undefined && elapsed() - unseenSince > UNSEEN) return hangUp();
    if (!document.hidden && (!stream || elapsed() - heard > SILENCE)) call();
  }, LOOK);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && !stream && desk.line !== 'ended') call();
  });
  call();
}

/** Never rejects. */
export async function send(deed: ReviewDeed): Promise<ReviewReply> {
  const refused = (words: string): ReviewReply => ({ answer: { is: 'refused', words }, now: null });
  try {
    const answer = await fetch('decide', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(deed),
    });
    return answer.ok ? ((await answer.json()) as ReviewReply) : refused((await answer.text()).trim());
  } catch {
    return refused('the program behind this page does not answer: nothing was decided');
  }
}
