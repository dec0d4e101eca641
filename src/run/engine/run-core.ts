/** What the parts of a run share: its ports, its plan, its state, its recorder and its stop switch. Each part of `run/` names what it takes of it. */
import type { Plan } from '../../model/plan.ts';
import type { RequestPace } from '../requests/request-pace.ts';
import type { RunEnvironment } from './run-environment.ts';
import type { RunRecorder } from './run-recorder.ts';
import type { RunState } from './state.ts';
import type { StopSwitch } from './stop-switch.ts';
import type { WorkQueue } from './work-queue.ts';

export interface RunCore extends RunEnvironment {
  readonly plan: Plan;
  readonly state: RunState;
  readonly recorder: RunRecorder;
  readonly stopping: StopSwitch;
  readonly queue: WorkQueue;
  /** How fast the service is asked. */
  readonly pace: RequestPace;
}
