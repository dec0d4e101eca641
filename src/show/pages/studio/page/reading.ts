/**
 * What the studio has, read again and again: on each event of its stream, and on a beat. While something is drawn it is read every second, so that
 * the bars are true.
 */
import type { StudioPageData } from '../../../../api/studio-page.ts';
import { listen } from '../../parts/event-stream.ts';

// The key of the studio: kept in this tab alone, and sent in a header.

const NAME = 'shotlist-studio-key';

export const keptKey = (): string | null => sessionStorage.getItem(NAME);
export const keepKey = (key: string): void => sessionStorage.setItem(NAME, key);
export const forgetKey = (): void => sessionStorage.removeItem(NAME);

const withKey = (): { readonly authorization: string } => ({ authorization: `Bearer ${keptKey() ?? ''}` });

/** `#key=…` never reaches a server; taken out of the address, it is not left in the history either. False: there was none. */
export function takeKeyFromAddress(): boolean {
  const given = new URLSearchParams(location.hash.slice(1)).get('key');
  if (!given) return false;
  keepKey(given);
  history.replaceState(null, '', location.pathname);
  return true;
}

// Reading.

interface Reader {
  readonly show: (data: StudioPageData) => void;
  readonly setLink: (is: 'live' | 'polling' | 'off', words: string) => void;
  /** The key is not this studio's. */
  readonly refused: () => void;
}

const PAGE = 48;
/** Milliseconds between readings. The stream reports what is finished, not what is newly asked for. */
const BEAT = { busy: 1000, idle: 3000 };

export class Reading {
  readonly #reader: Reader;
  #wanted = PAGE;
  #isLive = false;
  #isBusy = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The reading that was asked for last, and the same where it has not begun. */
  #reading: Promise<boolean> = Promise.resolve(true);
  #next: Promise<boolean> | null = null;
  #hangUp: (() => void) | null = null;

  constructor(reader: Reader) {
    this.#reader = reader;
    document.addEventListener('visibilitychange', () => {
      if (!document.hidden && keptKey()) void this.#read();
    });
  }

  /** With the key that is kept. */
  async begin(): Promise<void> {
    this.#hangUp?.();
    if (!(await this.#read())) return;
    const line = (isLive: boolean) => () => {
      this.#isLive = isLive;
      void this.#read();
    };
    this.#hangUp?.();
    const listener = { event: () => void this.#read(), up: line(true), down: line(false) };
    this.#hangUp = listen('/api/events', listener, withKey);
  }

  end(): void {
    this.#hangUp?.();
    this.#hangUp = null;
    clearTimeout(this.#timer);
  }

  older(): void {
    this.#wanted += PAGE;
    void this.#read();
  }

  /**
   * The studio's own way to end a generation. One that has ended meanwhile is no trouble: the next reading shows it.
   * Answers with what went wrong, or null.
   */
  async cancel(id: string): Promise<string | null> {
    try {
      const answer = await fetch(`/api/ai/queue/${encodeURIComponent(id)}`, { method: 'DELETE', headers: withKey() });
      if (!answer.ok && answer.status !== 409 && answer.status !== 404) return `the studio answered ${answer.status}`;
    } catch {
      return 'the studio does not answer';
    }
    void this.#read();
    return null;
  }

  /** One reading at a time; calls meanwhile share the one behind it, with the key of then. False: that key was refused, or there is none. */
  #read(): Promise<boolean> {
    this.#next ??= this.#readAfter(this.#reading);
    this.#reading = this.#next;
    return this.#next;
  }

  async #readAfter(before: Promise<boolean>): Promise<boolean> {
    await before;
    this.#next = null;
    clearTimeout(this.#timer);
    return keptKey() ? await this.#readOnce() : false;
  }

  async #readOnce(): Promise<boolean> {
    const { show, setLink, refused } = this.#reader;
    const key = keptKey();
    try {
      const answer = await fetch(`/page/generations?limit=${this.#wanted}`, { headers: withKey(), cache: 'no-store' });
      if (answer.status === 401) {
        // Another key may have been given meanwhile.
        if (key === keptKey()) refused();
        return false;
      }
      if (!answer.ok) throw new Error(`the studio answered ${answer.status}`);
      const data: StudioPageData = await answer.json();
      this.#isBusy = data.queue.length > 0;
      show(data);
      if (this.#isLive) setLink('live', 'live');
      else setLink('polling', 'reading every few seconds');
    } catch {
      this.#isBusy = false;
      setLink('off', 'the studio does not answer');
    }
    clearTimeout(this.#timer);
    if (keptKey()) {
      const beat = () => {
        if (!document.hidden) void this.#read();
      };
      this.#timer = setTimeout(beat, this.#isBusy ? BEAT.busy : BEAT.idle);
    }
    return true;
  }
}
