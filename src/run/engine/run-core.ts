/** What the parts of a run share: its ports, its plan, its state, its recorder and its stop switch. Each part of `run/` names what it takes of it. */

import type { Service } from '../../api/service.ts';
import type { Redactor } from '../../machine/redactor.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { Plan } from '../../model/plan.ts';
import type { Reporter } from '../../model/run/event.ts';
import type { Failpoint } from '../../model/run/failpoint.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import type { Choices } from '../../records/journal/choices.ts';
import type { Journal } from '../../records/journal/journal.ts';
import type { Store } from '../../records/store/store.ts';
import type { Admission } from '../ports/admission.ts';
import type { AuthorFiles } from '../ports/author-files.ts';
import type { Decider } from '../ports/decider.ts';
import type { Executor } from '../ports/executor.ts';
import type { Publisher, Sharing } from '../ports/publisher.ts';
import type { RequestPace } from '../requests/request-pace.ts';
import type { Watcher } from '../requests/watcher.ts';
import type { ResultSink, RunRecorder } from './run-recorder.ts';
import type { RunSettings } from './run-settings.ts';
import type { RunState } from './state.ts';
import type { StopSwitch } from './stop-switch.ts';
import type { WorkQueue } from './work-queue.ts';

export interface RunEnvironment {
  readonly service: Service;
  /** Follows the service's generations for every run of this process. */
  readonly watcher: Watcher;
  readonly journal: Journal;
  readonly admission: Admission;
  readonly executor: Executor;
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

export interface RunCore extends RunEnvironment {
  readonly plan: Plan;
  readonly state: RunState;
  readonly recorder: RunRecorder;
  readonly stopping: StopSwitch;
  readonly queue: WorkQueue;
  readonly pace: RequestPace;
}
