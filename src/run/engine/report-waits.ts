/** Reports a wait of a run after ten seconds, with its reason, and then once a minute. */
import type { WaitsFor } from '../../model/run/event.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { Executor, Turn } from '../ports/executor.ts';
import type { RunCore } from './run-core.ts';

/** Milliseconds until the first report of a wait, and between two reports. */
const FIRST_AFTER = 10_000;
const AGAIN_AFTER = 60_000;

interface Wait {
  /** Absent: the wait belongs to no instance of the plan, and is not reported. */
  readonly key: InstanceKey | undefined;
  readonly what: WaitsFor;
  readonly reason: () => string;
}

type Needs = Pick<RunCore, 'clock' | 'recorder' | 'state'>;

/** Returns the outcome of `work`, and reports the wait for it meanwhile. */
export async function reportWhileWaiting<T>(wait: Wait, run: Needs, work: () => Promise<T>): Promise<T> {
  using reported = new ReportedWait(wait, run);
  reported.begin();
  return await work();
}

/** Why a wait is ended. Without a reason each end would make an error with its stack: 13 µs for each instance. */
const OVER = 'the wait is over';

/** A wait that may begin and end several times, and is reported while it goes on. Disposing ends it. */
export class ReportedWait {
  readonly #wait: Wait;
  readonly #run: Needs;
  #over: AbortController | undefined;

  constructor(wait: Wait, run: Needs) {
    this.#wait = wait;
    this.#run = run;
  }

  /** Does nothing where the wait has begun already. */
  begin(): void {
    if (this.#over) return;
    this.#over = new AbortController();
    void this.#report(this.#over.signal);
  }

  end(): void {
    this.#over?.abort(OVER);
    this.#over = undefined;
  }

  [Symbol.dispose](): void {
    this.end();
  }

  async #report(over: AbortSignal): Promise<void> {
    const { clock } = this.#run;
    const since = clock.now();
    for (let pause = FIRST_AFTER; ; pause = AGAIN_AFTER) {
      await clock.sleep(pause, over, 'in the background');
      if (over.aborted) return;
      reportWait(this.#wait, since, this.#run);
    }
  }
}

/** Returns the outcome of equal work that another instance of this run is doing, and reports the wait for it. */
export const outcomeOfEqual = <T>(key: InstanceKey, outcome: Promise<T>, run: Needs): Promise<T> =>
  reportWhileWaiting({ key, what: 'admission', reason: () => 'another instance makes the same' }, run, () => outcome);

/** Returns an executor that reports the wait until a command or a cut is begun, as where no worker of a team is free. */
export function reportingExecutor(executor: Executor, run: Needs): Executor {
  const untilBegun = async <Given extends Turn, T>(
    key: InstanceKey,
    turn: Given,
    work: (turn: Given) => Promise<T>,
  ) => {
    using wait = new ReportedWait({ key, what: 'admission', reason: () => 'no worker has begun it yet' }, run);
    wait.begin();
    const started = () => {
      wait.end();
      turn.started();
    };
    return await work({ ...turn, started });
  };
  return {
    ...(executor.most && { most: executor.most }),
    runCommand: (work, turn, signal) => untilBegun(work.key, turn, own => executor.runCommand(work, own, signal)),
    makeCut: (work, turn, signal) => untilBegun(work.key, turn, own => executor.makeCut(work, own, signal)),
    download: (work, turn, signal) => executor.download(work, turn, signal),
    derive: (media, signal) => executor.derive(media, signal),
  };
}

/** Reports a wait now. @param since when it began, Unix milliseconds. */
export function reportWait({ key, what, reason }: Wait, since: number, { recorder, state }: Needs): void {
  if (key !== undefined && state.instances.has(key))
    recorder.emit({ type: 'still_waiting', key, what, reason: reason(), since });
}
