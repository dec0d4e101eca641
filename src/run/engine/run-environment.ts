/**
 * The ports, the clock and the reporters that a run is given. Nothing in `run/` reaches the outside in another way. Each port is
 * implemented for one machine in `local/`; an implementation that many machines share would take the same places.
 */
import type { Service } from '../../api/service.ts';
import type { Redactor } from '../../machine/redactor.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { Choice } from '../../model/run/choice.ts';
import type { Reporter } from '../../model/run/event.ts';
import type { Failpoint } from '../../model/run/failpoint.ts';
import type { GenerationId, InstanceKey } from '../../model/run/key.ts';
import type { Asked, StoredResult } from '../../model/run/result.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import type { Choices } from '../../records/journal/choices.ts';
import type { Journal } from '../../records/journal/journal.ts';
import type { Store } from '../../records/store/store.ts';
import type { Admission } from '../ports/admission.ts';
import type { AuthorFiles } from '../ports/author-files.ts';
import type { Decider } from '../ports/decider.ts';
import type { Hands } from '../ports/hands.ts';
import type { Publisher, Sharing } from '../ports/publisher.ts';
import type { Watcher } from '../requests/watcher.ts';
import type { RunSettings } from './run-settings.ts';

export interface RunEnvironment {
  readonly service: Service;
  /** Follows the service's generations for every run of this process. */
  readonly watcher: Watcher;
  readonly journal: Journal;
  readonly admission: Admission;
  readonly hands: Hands;
  readonly store: Store;
  /** Absent: no team shares its results with this machine. */
  readonly sharing?: Sharing | undefined;
  /** Absent: a service on another machine is not given files of this one. */
  readonly publisher?: Publisher | undefined;
  readonly decider: Decider;
  readonly choices: Choices;
  readonly clock: Clock;
  readonly newId: () => string;
  /** At least 0 and less than 1. */
  readonly random: () => number;
  readonly reporters: readonly Reporter[];
  readonly settings: RunSettings;
  readonly planContext: PlanContext;
  /** Absent: no file of the author's is read. */
  readonly authorFiles?: AuthorFiles | undefined;
  /** Receives every result that the run comes to own, to keep the lock file up to date. */
  readonly lock?: ResultSink;
  /** What is neither shown nor kept. The journal that it is given keeps to the same. */
  readonly secrets?: Redactor;
  /** Called at named points, where tests end the process. */
  readonly failpoint?: (name: Failpoint) => void;
}

/**
 * Keeps the lock file up to date: `learn` takes results that this run made, `reuse` takes results that were owned before. `asked`: the request;
 * undefined where it is unknown.
 */
export interface ResultSink {
  /** What was decided in this run, and what was decided before it. */
  decided?(choice: Choice): void;
  replayed?(choice: Choice): void;
  /** The service no longer has this generation. */
  gone?(id: GenerationId): void;
  learn(key: InstanceKey, model: string, fingerprint: string, result: StoredResult, asked?: Asked): void;
  reuse(
    key: InstanceKey,
    model: string,
    fingerprint: string,
    result: StoredResult,
    asked?: (key: InstanceKey) => Asked | undefined,
  ): void;
}
