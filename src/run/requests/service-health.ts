/** Whether the service answers, recorded once when it changes, and when the run gives up on it. */

import { type Deadline, deadline } from '../../machine/time/deadline.ts';
import type { RunCore } from '../engine/run-core.ts';
import { SharedHistory } from './shared-history.ts';

type Needs = Pick<RunCore, 'clock' | 'recorder' | 'service' | 'settings' | 'stopping'>;

export class ServiceHealth {
  /** What it lists, for requests that look for the same. */
  readonly history: SharedHistory;
  readonly #run: Needs;
  /** Aborts when the service has not answered for `settings.patience`, counted while this machine was awake. */
  #deadline: Deadline | undefined;

  constructor(run: Needs) {
    this.#run = run;
    this.history = new SharedHistory(run, this);
  }

  well(): void {
    if (this.#deadline === undefined) return;
    this.#deadline.clear();
    this.#deadline = undefined;
    this.#run.recorder.record({ type: 'service_changed', reachable: true, reason: 'the service answers again' });
  }

  /** Stops the run when the trouble lasts longer than `settings.patience`; what is open at the service stays open. */
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
