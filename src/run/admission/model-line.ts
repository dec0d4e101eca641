/**
 * Requests of one run that wait for a place at a model. The first of them asks for all, and keeps its turn. The others ask nobody meanwhile,
 * however many there are; the longest remaining path is next.
 */
export class ModelLine {
  readonly #lines = new Map<string, Ticket[]>();

  /** How many wait for a place at that model. */
  length(model: string): number {
    return this.#lines.get(model)?.length ?? 0;
  }

  /** Waits in the line until it leaves. @param remaining seconds of the longest path that begins with the request. */
  join(model: string, remaining = 0): Ticket {
    const line = this.#lines.get(model) ?? [];
    this.#lines.set(model, line);
    const { promise, resolve } = Promise.withResolvers<void>();
    const ticket: Ticket = {
      remaining,
      isFirst: () => line[0] === ticket,
      first: async signal => {
        if (ticket.isFirst()) return;
        const stop = () => resolve();
        if (signal.aborted) return;
        signal.addEventListener('abort', stop, { once: true });
        await promise;
        signal.removeEventListener('abort', stop);
      },
      called: resolve,
      leave: () => {
        const place = line.indexOf(ticket);
        if (place >= 0) line.splice(place, 1);
        if (place === 0) line[0]?.called();
        if (line.length === 0 && this.#lines.get(model) === line) this.#lines.delete(model);
      },
    };
    // Never before the first, which is asking.
    const place = line.findLastIndex((other, n) => n === 0 || other.remaining >= remaining) + 1;
    line.splice(place, 0, ticket);
    return ticket;
  }
}

export interface Ticket {
  readonly remaining: number;
  isFirst(): boolean;
  /** Resolves when nobody is before it, or when the signal aborts. */
  first(signal: AbortSignal): Promise<void>;
  called(): void;
  leave(): void;
}
