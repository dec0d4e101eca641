/**
 * Requests of one run that wait for a place at a model: the first of them asks for all, in the order in which they came. What is behind it
 * asks nobody meanwhile, however many there are.
 */
export class ModelLine {
  readonly #lines = new Map<string, Ticket[]>();

  /** How many wait for a place at that model. */
  length(model: string): number {
    return this.#lines.get(model)?.length ?? 0;
  }

  /** The last one of the line, until it leaves. */
  join(model: string): Ticket {
    const line = this.#lines.get(model) ?? [];
    this.#lines.set(model, line);
    const { promise, resolve } = Promise.withResolvers<void>();
    const ticket: Ticket = {
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
    line.push(ticket);
    return ticket;
  }
}

export interface Ticket {
  isFirst(): boolean;
  /** Resolves when nobody is before it, or when the signal aborts. */
  first(signal: AbortSignal): Promise<void>;
  called(): void;
  leave(): void;
}
