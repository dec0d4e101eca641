/** Places each output as soon as its step has its result, and records it; the outputs still missing are placed at the end. */
import type { DerivedMedia } from '../../domain/derived-media.ts';
import type { InstanceKey } from '../../domain/key.ts';
import type { PlannedOutput } from '../../domain/plan.ts';
import type { Result } from '../../domain/result.ts';
import type { RunServices } from '../run-services.ts';
import { Outputs, type Placed } from './outputs.ts';
import { timelineText } from './timeline-text.ts';
import { unmadeOutputs } from './unmade-outputs.ts';

export class OutputPlacing {
  readonly #run: RunServices['run'];
  readonly #outputs: Outputs;
  readonly #working = new Set<Promise<void>>();

  constructor({ run, addresses }: Pick<RunServices, 'run' | 'addresses'>) {
    const { store, settings, clock, hands } = run;
    // What is made is placed, also when the run is stopped.
    const derive = (media: DerivedMedia) => hands.derive(media, new AbortController().signal);
    this.#run = run;
    const { root, reserved = [] } = settings;
    this.#outputs = new Outputs(run.plan.outputs, {
      ...{ root, store, clock, reserved, derive },
      textAs: output => timelineText(output, run),
      isTaken: ({ rounds = [] }) => rounds.every(({ round, taken }) => takenBy(run.state.result(taken)) === round),
    });
    run.recorder.onResult(({ key }, result, isNew) => {
      if (isNew) addresses.made(result);
      this.#place(key, result);
      if (result.is === 'round') this.#placeInside(result.key);
    });
  }

  /** The plan has grown by these. */
  add(outputs: readonly PlannedOutput[]): void {
    this.#outputs.add(outputs);
  }

  /** Resolves when nothing is being placed any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#working);
  }

  /** Places what is still missing, and gives the outcome of each output. */
  async rest(): Promise<readonly Placed[]> {
    const run = this.#run;
    await Promise.all(this.#working);
    const late = await this.#outputs.rest(key => {
      const result = run.state.result(key);
      return result === 'skipped' ? undefined : result;
    });
    const unmade = unmadeOutputs(run);
    for (const placed of [...late, ...unmade]) this.#say(placed);
    return [...this.#outputs.placed, ...unmade];
  }

  #place(key: InstanceKey, result: Result): void {
    this.#run.failpoint?.('output-placing');
    const run = this.#run;
    // Ten thousand promises to place nothing would all wait for the end of the turn in which a rerun takes up what is owned.
    if (!this.#outputs.has(key)) return;
    const work = this.#outputs
      .place(key, result)
      .then(placed => {
        for (const one of placed) this.#say(one);
      })
      // Errors of the disk are outcomes, so an exception is a bug of ours.
      .catch(bug => run.stopping.reportBug(bug))
      .finally(() => this.#working.delete(work));
    this.#working.add(work);
  }

  /** Which round it is was not known when it was made. */
  #placeInside(round: InstanceKey): void {
    const { state } = this.#run;
    for (const key of this.#outputs.inside(round)) {
      const result = state.result(key);
      if (result !== undefined && result !== 'skipped') this.#place(key, result);
    }
  }

  #say(placed: Placed): void {
    const { output, key, path } = placed;
    const run = this.#run;
    if (placed.is === 'failed') run.recorder.note({ type: 'output_failed', output, key, path, reason: placed.reason });
    else
      run.recorder.emit({
        type: 'output_written',
        output,
        key,
        path,
        ...(placed.note !== undefined && { note: placed.note }),
        ...(placed.media !== undefined && { media: placed.media }),
      });
  }
}

const takenBy = (result: Result | 'skipped' | undefined): InstanceKey | undefined =>
  result !== undefined && result !== 'skipped' && result.is === 'round' ? result.key : undefined;
