/**
 * The requests of a run that ask for admission, model by model. Of a team's film, few ask together while places are scarce: what the first learns
 * holds for all behind it. The more places are free, the more requests ask together, and the journal decides them together.
 */
import PQueue from 'p-queue';
import type { Clock } from '../../machine/time/clock.ts';
import { type AdmissionRows, MAX_TOGETHER } from '../../records/journal/admission-rows.ts';
import type { Admitted } from '../ports/admission.ts';
import type { PlaceAwaited } from './service-places.ts';

/** The answer `wait`, before the waiting begins. */
export interface Wait {
  readonly is: 'wait';
  readonly ms: number;
  readonly reason: string;
  /** A place is all that it waits for: so many have to be left before; absent: a moment is enough. */
  readonly forPlace?: Omit<PlaceAwaited, 'ms'>;
}

type Waits = Extract<Admitted, { readonly is: 'wait' }>;
export type Final = Exclude<Admitted, Waits>;
export type Decided = Final | Wait;

export class AdmissionLine {
  readonly #of: { readonly journal: Pick<AdmissionRows, 'team'>; readonly clock: Clock };
  /** The answer of who asked last, while no place there is free. */
  readonly #full = new Map<string, Waits>();
  readonly #asking = new Map<string, PQueue>();
  /** Models at which the newest ask found no place, or one that the film had waited for. */
  readonly #scarce = new Set<string>();

  constructor(of: { readonly journal: Pick<AdmissionRows, 'team'>; readonly clock: Clock }) {
    this.#of = of;
  }

  inTurn<T>(model: string, ask: () => Promise<T>): Promise<Awaited<T>> {
    const asking = this.#asking.get(model) ?? new PQueue({ concurrency: 1 });
    this.#asking.set(model, asking);
    return asking.add(ask);
  }

  full(model: string): Waits | undefined {
    return this.#full.get(model);
  }

  /** No place is free. Within a decision. */
  join(model: string, ms: number): void {
    this.#scarce.add(model);
    this.#of.journal.team?.line.join(model, ms);
  }

  /** It has got a place. A film that waits for none is in no line: its requests only take turns. Within a decision. */
  leave(model: string): void {
    const line = this.#of.journal.team?.line;
    if (line?.since(model) === undefined) this.#scarce.delete(model);
    else line.leave(model);
  }

  /** What the asking request is answered. Others that ask meanwhile wait with it. */
  answer(model: string, decided: Decided, signal: AbortSignal): Admitted {
    const { clock, journal } = this.#of;
    const asking = this.#asking.get(model);
    if (asking) asking.concurrency = this.#together(model, asking.concurrency, decided);
    if (decided.is !== 'wait') {
      // No film waits behind one that waits for nothing.
      if (decided.is !== 'go' && journal.team?.line.since(model) !== undefined) journal.team.line.quit(model);
      return decided;
    }
    const { ms, reason, forPlace } = decided;
    const over = journal.team?.changed(ms, signal, forPlace?.behind) ?? clock.sleep(ms, signal);
    const waits: Waits = { is: 'wait', reason, over, ...(forPlace && { isForPlace: true }) };
    if (!forPlace) return waits;
    this.#full.set(model, waits);
    const forget = () => void (this.#full.get(model) === waits && this.#full.delete(model));
    void over.then(forget, forget);
    return waits;
  }

  /** How many requests ask together from now on: about as many as find places. */
  #together(model: string, before: number, decided: Decided): number {
    if (decided.is === 'wait') return Math.ceil(before / 2);
    return Math.min(MAX_TOGETHER, this.#scarce.has(model) ? before + 1 : 2 * before);
  }
}
