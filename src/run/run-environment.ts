/**
 * What a run is handed: its ports, the clock, and who is told. Nothing in `run/` reaches the world by another way. Each port has a form
 * for one machine in `local/`; a form that many machines share stands in the same places.
 */
import type { Service } from '../api/service.ts';
import type { Store } from '../artifacts/store.ts';
import type { Event, Reporter } from '../domain/event.ts';
import type { Failpoint } from '../domain/failpoint.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { Result } from '../domain/result.ts';
import type { Clock } from '../host/clock.ts';
import type { PlanContext } from '../plan/plan-context.ts';
import type { Admission } from './ports/admission.ts';
import type { Decider } from './ports/decider.ts';
import type { Hands } from './ports/hands.ts';
import type { Journal } from './ports/journal.ts';
import type { Watcher } from './requests/watcher.ts';
import type { RunSettings } from './run-settings.ts';

export interface RunEnvironment {
  readonly service: Service;
  /** Follows the service's generations for every run of this process. */
  readonly watcher: Watcher;
  readonly journal: Journal;
  readonly admission: Admission;
  readonly hands: Hands;
  readonly store: Store;
  readonly decider: Decider;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly reporters: readonly Reporter[];
  readonly settings: RunSettings;
  readonly planContext: PlanContext;
  /** Is told of every result the run comes to own: it keeps the lock file up to date. */
  readonly lock?: ResultSink;
  /** Takes out of the words of an event what is neither shown nor kept. */
  readonly hide?: (event: Event) => Event;
  /** Where tests end the process. */
  readonly failpoint?: (name: Failpoint) => void;
}

/** What keeps the lock file up to date: told of what is made, and of what was owned before. */
export interface ResultSink {
  learn(key: InstanceKey, model: string, fingerprint: string, result: Result): void;
  reuse(key: InstanceKey, model: string, fingerprint: string, result: Result): void;
}
