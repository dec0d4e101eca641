/** A film that is being written, as the page shows it: folded from the loop's news. Pictures are kept by their content. */
import { createHash } from 'node:crypto';
import { formatDiagnostics } from '../../language/yaml/excerpt.ts';
import type { Plan } from '../../model/plan.ts';
import type { RecordedEvent } from '../../model/run/event.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { isStored, pieceOf, type Result } from '../../model/run/result.ts';
import { safeLines } from '../../model/text/clean.ts';
import { type InstanceState, isOfInstance, nextState, WAITING } from '../../records/views/instance-state.ts';
import type { LiveShot, LiveState } from '../../show/pages/review/review-state.ts';
import { failedText } from '../../show/text/failure-text.ts';
import { mediaOf } from '../../show/text/report/reported-media.ts';
import type { WatchNews } from './watch-film.ts';

export class LiveFilm {
  #state: LiveState = { savedAt: 0, mistakes: null, advice: null, shots: [] };
  #pictures = new Map<string, Uint8Array>();
  /** By key: the last good one stays while the next is drawn. */
  readonly #shots = new Map<InstanceKey, LiveShot>();
  /** Of the run that goes on. */
  readonly #states = new Map<InstanceKey, InstanceState>();
  readonly #listeners = new Set<() => void>();

  get state(): LiveState {
    return this.#state;
  }

  /** A first picture, by SHA-256: those that are shown at this moment. */
  picture(sha256: string): Uint8Array | undefined {
    return this.#pictures.get(sha256);
  }

  follow(changed: () => void): () => void {
    this.#listeners.add(changed);
    return () => this.#listeners.delete(changed);
  }

  apply(news: WatchNews): void {
    const changed = this.#changed(news);
    this.#state = { ...this.#state, ...changed, shots: [...this.#shots.values()] };
    for (const listener of this.#listeners) listener();
  }

  #changed(news: WatchNews): Partial<LiveState> {
    switch (news.is) {
      case 'saved':
        return { savedAt: news.at };
      case 'held':
        return { mistakes: safeLines(news.words.join('\n')), advice: null };
      case 'mistaken':
        return { mistakes: safeLines(textOf(news)), advice: null };
      case 'advised':
        return { advice: [this.#state.advice ?? [], safeLines(textOf(news))].flat().join('\n') };
      case 'same':
        return { mistakes: null };
      case 'planned':
        this.#plan(news.plan);
        return { mistakes: null, advice: null };
      case 'first_frame':
        this.#showFirst(news.key, news.jpeg);
        return {};
      case 'event':
        this.#event(news.event);
        return {};
      case 'ended':
        return {};
    }
  }

  #plan({ instances }: Plan): void {
    const before = new Map(this.#shots);
    this.#shots.clear();
    this.#states.clear();
    for (const { key, decision } of instances) {
      if (decision.is === 'skip' || decision.is === 'left_out') continue;
      const old = before.get(key);
      const media = decision.is === 'hit' ? mediaIn(decision.result) : (old?.media ?? null);
      // The terminal reports what is no picture, sound or film.
      if (decision.is === 'hit' && !media) continue;
      const state = decision.is === 'hit' ? 'there' : 'waiting';
      this.#shots.set(key, { key, state, media, first: null, fraction: null, why: null });
    }
    this.#letGoOfPictures();
  }

  #event(event: RecordedEvent): void {
    if (!isOfInstance(event)) return;
    const shot = this.#shots.get(event.key);
    if (!shot) return;
    const now = nextState(this.#states.get(event.key) ?? WAITING, event);
    this.#states.set(event.key, now);
    if (now.is === 'succeeded' || now.is === 'reused') {
      const media = mediaIn(now.result);
      if (media) this.#put({ ...shot, state: 'there', media, first: null, fraction: null, why: null });
      else this.#shots.delete(event.key);
      this.#letGoOfPictures();
    } else if (now.is === 'failed')
      this.#put({ ...shot, state: 'failed', fraction: null, why: failedText(now.failure) });
    else if (event.type === 'progress') this.#put({ ...shot, state: 'drawing', fraction: event.fraction });
  }

  #showFirst(key: InstanceKey, jpeg: Uint8Array): void {
    const shot = this.#shots.get(key);
    if (shot?.state !== 'drawing') return;
    const sha256 = createHash('sha256').update(jpeg).digest('hex');
    this.#pictures.set(sha256, jpeg);
    this.#put({ ...shot, first: sha256 });
    this.#letGoOfPictures();
  }

  #put(shot: LiveShot): void {
    this.#shots.set(shot.key, shot);
  }

  #letGoOfPictures(): void {
    const shown = new Set([...this.#shots.values()].map(({ first }) => first));
    for (const sha256 of this.#pictures.keys()) if (!shown.has(sha256)) this.#pictures.delete(sha256);
  }
}

const textOf = ({ diagnostics, words }: Extract<WatchNews, { is: 'mistaken' | 'advised' }>): string =>
  [formatDiagnostics(diagnostics), ...words].filter(text => text !== '').join('\n');

function mediaIn(result: Result): LiveShot['media'] {
  const piece = pieceOf(result);
  return isStored(piece) ? mediaOf(piece) : null;
}
