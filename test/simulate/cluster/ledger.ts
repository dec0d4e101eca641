/** The rows that all films of a key decide over, as `admission_rows` tells them: what is under way, what was just sent, who waits. */
import type { InLine } from '../../../src/records/journal/admission-rows.ts';
import type { Time } from '../time.ts';

/** Milliseconds after which whoever has not asked again waits no more; the same for what was just sent. */
const FORGOTTEN = 20_000;
const JUST = 1_000;

interface Want {
  readonly film: string;
  readonly model: string;
  since: number;
  seen: number;
  readonly underWay: { ofModel: number; all: number };
}

interface Film {
  all: number;
  readonly models: Map<string, number>;
  readonly wants: Map<string, Want>;
}

export class SharedLedger {
  underWay = 0;
  readonly #films = new Map<string, Film>();
  /** Generations under way, by model. */
  readonly #all = new Map<string, number>();
  readonly #wants = new Set<Want>();
  /** When each was answered; undefined: not yet. */
  readonly #sent = new Map<string, number | undefined>();
  readonly #time: Time;
  #line: { readonly at: number; readonly of: readonly InLine[] } | undefined;

  constructor(time: Time) {
    this.#time = time;
  }

  intended(film: string, model: string, nonce: string): void {
    this.#count(film, model, 1);
    this.#sent.set(nonce, undefined);
  }

  answered(nonce: string): void {
    this.#sent.set(nonce, this.#time.now);
  }

  ended(film: string, model: string): void {
    this.#count(film, model, -1);
  }

  elsewhere(film: string): ReadonlyMap<string, number> {
    const theirs = new Map(this.#all);
    for (const [model, n] of this.#film(film).models) theirs.set(model, (theirs.get(model) ?? 0) - n);
    return theirs;
  }

  /** When those were that count as just sent, oldest first. */
  submits(): readonly number[] {
    const { now } = this.#time;
    const found: number[] = [];
    for (const [nonce, at] of this.#sent)
      if (at !== undefined && at <= now - JUST) this.#sent.delete(nonce);
      else found.push(at ?? now);
    return found.sort((a, b) => a - b);
  }

  /** Of all films, the asking one among them: nobody is before himself. */
  line(): readonly InLine[] {
    const { now } = this.#time;
    if (this.#line?.at !== now) {
      const of = [...this.#wants].filter(({ seen }) => seen > now - FORGOTTEN);
      this.#line = { at: now, of };
    }
    return this.#line.of;
  }

  since(film: string, model: string): number | undefined {
    const want = this.#film(film).wants.get(model);
    return want && want.seen > this.#time.now - FORGOTTEN ? want.since : undefined;
  }

  waits(film: string, model: string, ms: number): void {
    const { now } = this.#time;
    const { wants, models, all } = this.#film(film);
    const before = wants.get(model);
    if (before) {
      if (before.seen < now - FORGOTTEN) before.since = now;
      before.seen = now + ms;
      return;
    }
    const want = { film, model, since: now, seen: now + ms, underWay: { ofModel: models.get(model) ?? 0, all } };
    wants.set(model, want);
    this.#wants.add(want);
    this.#line = undefined;
  }

  waitsNoMore(film: string, model: string): void {
    const { wants } = this.#film(film);
    const want = wants.get(model);
    if (!want) return;
    wants.delete(model);
    this.#wants.delete(want);
    this.#line = undefined;
  }

  #film(name: string): Film {
    const known = this.#films.get(name);
    if (known) return known;
    const film: Film = { all: 0, models: new Map(), wants: new Map() };
    this.#films.set(name, film);
    return film;
  }

  #count(name: string, model: string, sign: number): void {
    const film = this.#film(name);
    this.underWay += sign;
    film.all += sign;
    for (const counts of [film.models, this.#all]) counts.set(model, (counts.get(model) ?? 0) + sign);
    for (const want of film.wants.values()) {
      want.underWay.all = film.all;
      want.underWay.ofModel = film.models.get(want.model) ?? 0;
    }
  }
}
