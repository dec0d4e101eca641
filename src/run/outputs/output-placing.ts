/** Each output is placed as soon as its step has its result, and told; what is missing then, at the end. */
import type { InstanceKey } from '../../domain/key.ts';
import type { Result } from '../../domain/result.ts';
import type { RunServices } from '../scheduler.ts';
import { Outputs, type Placed } from './outputs.ts';

export class OutputPlacing {
  readonly #crew: RunServices;
  readonly #outputs: Outputs;
  readonly #working = new Set<Promise<void>>();

  constructor(crew: RunServices) {
    const { context, addresses } = crew;
    const { store, settings, clock } = context.world;
    this.#crew = crew;
    const { root, reserved = [] } = settings;
    this.#outputs = new Outputs(context.plan.outputs, { root, store, clock, reserved });
    context.onResult(({ key }, result, isNew) => {
      if (isNew) addresses.made(result);
      this.#place(key, result);
    });
  }

  /** Resolves when nothing is being placed any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#working);
  }

  /** The last word on each, when all are at their end. */
  async rest(): Promise<readonly Placed[]> {
    const { context } = this.#crew;
    await Promise.all(this.#working);
    const late = await this.#outputs.rest(key => {
      const result = context.state.result(key);
      return result === 'skipped' ? undefined : result;
    });
    for (const placed of late) this.#say(placed);
    return this.#outputs.placed;
  }

  #place(key: InstanceKey, result: Result): void {
    this.#crew.context.world.failpoint?.('output-placing');
    const { context } = this.#crew;
    const work = this.#outputs
      .place(key, result)
      .then(placed => {
        for (const one of placed) this.#say(one);
      })
      // What the disk says is told: this is ours.
      .catch(bug => context.broke(bug))
      .finally(() => this.#working.delete(work));
    this.#working.add(work);
  }

  #say(placed: Placed): void {
    const { output, key, path } = placed;
    const { context } = this.#crew;
    if (placed.is === 'failed') context.tell({ type: 'output_failed', output, key, path, reason: placed.reason });
    else
      context.tell({
        type: 'output_written',
        output,
        key,
        path,
        ...(placed.note !== undefined && { note: placed.note }),
      });
  }
}
