/** Whether the service answers, said once when it changes, and how long we are patient with it. */

import { type Deadline, deadline } from '../../host/deadline.ts';
import type { RunCore } from '../run-core.ts';

type Needs = Pick<RunCore, 'clock' | 'recorder' | 'settings' | 'stopping'>;

export class ServiceHealth {
  readonly #run: Needs;
  /** Aborts when the trouble has outlasted the patience, in time that this machine was awake. */
  #deadline: Deadline | undefined;

  constructor(run: Needs) {
    this.#run = run;
  }

  well(): void {
    if (this.#deadline === undefined) return;
    this.#deadline.clear();
    this.#deadline = undefined;
    this.#run.recorder.record({ type: 'service_changed', reachable: true, reason: 'the service answers again' });
  }

  /** The run gives up when trouble outlasts the patience; what is open at the service stays open. */
  trouble(reason: string): void {
    if (this.#deadline?.signal.aborted) this.#run.stopping.stop({ is: 'unreachable', reason });
    if (this.#deadline !== undefined) return;
    const { clock, settings } = this.#run;
    this.#deadline = deadline(settings.patience, { clock, where: 'in the background' });
    this.#run.recorder.record({ type: 'service_changed', reachable: false, reason });
  }

  refused(reason: string): void {
    this.#run.stopping.stop({ is: 'unreachable', reason: `the key is refused (${reason}); give one that may do this` });
  }
}
