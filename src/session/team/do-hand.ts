/**
 * One piece of heavy work, done here for a run that any worker leads: what it reads is brought from the team's store, the hands of this
 * machine do it in a folder of their own, and what it made is in the team's store before anybody hears that it is done.
 *
 * The queue may give one piece to two workers, and takes it from a worker that no longer beats. Either is harmless: what is made is
 * content, the first result stands, and what acts outside begins once only.
 */
import type { SharedResults } from '../../artifacts/shared/shared-results.ts';
import type { Store } from '../../artifacts/store.ts';
import type { TeamDatabase } from '../../cluster/database/team-database.ts';
import { isConnectionLost } from '../../cluster/database/team-database.ts';
import {
  actBegins,
  type HandResult,
  handBegins,
  handGoesOn,
  settleHand,
  type TakenHand,
  takeHand,
} from '../../cluster/hands/hand-rows.ts';
import { commandHere, inputsOf } from '../../cluster/hands/hand-work.ts';
import type { JsonObject } from '../../domain/json.ts';
import { contentsOf } from '../../domain/result-contents.ts';
import { backoff } from '../../host/backoff.ts';
import type { Clock } from '../../host/clock.ts';
import type { NamedSecret } from '../../host/redactor.ts';
import type { Hands } from '../../run/ports/hands.ts';
import { Pace } from './pace.ts';

export interface Doing {
  readonly team: TeamDatabase;
  /** Of this worker. */
  readonly worker: string;
  readonly clock: Clock;
  /** What is here of the run: its project, its store, the team's. */
  readonly withRun: <T>(run: string, work: (here: RunHere) => Promise<T>) => Promise<T>;
  /** Aborts when nobody wants it any more. */
  readonly unwanted: AbortSignal;
}

export interface RunHere {
  readonly root: string;
  readonly store: Store;
  readonly shared: SharedResults;
  /** For one command. */
  commandHands(hides: readonly NamedSecret[]): {
    readonly hands: Hands;
    readonly logged: () => Promise<KeptLog | undefined>;
  };
  /** For all cuts of this machine: one at a time. */
  readonly makeCut: Hands['makeCut'];
}

/** What a command wrote, in the store of this machine. */
export interface KeptLog {
  readonly sha256: string;
  readonly extension: string;
}

/** It is not done, and another worker is to have it. */
export class DoneElsewhere extends Error {}

/** Milliseconds between two words of how far a cut is. */
const PROGRESS_PACE = 500;

/**
 * Resolves when there is nothing more to do of it, whatever came of it: it stands in its row. Rejects where another worker is to have it.
 * @param signal aborts when this worker shall not go on with it; what acts outside, and has begun, is brought to its end all the same.
 */
export async function doHand(id: string, signal: AbortSignal, doing: Doing): Promise<void> {
  const { team, worker, unwanted } = doing;
  const taken = await takeHand(team, id, worker);
  switch (taken.is) {
    case 'over':
      return;
    case 'held':
      throw new DoneElsewhere('another worker began it, and may be at it still');
    case 'taken': {
      const { result, log } = await doing.withRun(taken.run, here => carryOut(id, taken, here, signal, doing));
      if (result.is === 'stopped' && !unwanted.aborted) throw new DoneElsewhere('this worker leaves');
      await settle(id, result, log, signal, doing);
    }
  }
}

interface Ended {
  readonly result: HandResult;
  readonly log?: string | undefined;
}

async function carryOut(
  id: string,
  { work }: TakenHand & { readonly is: 'taken' },
  here: RunHere,
  leaving: AbortSignal,
  { team, worker, clock, unwanted }: Doing,
): Promise<Ended> {
  const signal = AbortSignal.any([leaving, unwanted]);
  const trouble = (message: string | undefined) => void handGoesOn(team, id, { trouble: message }).catch(ifLost);
  if (!(await brought(inputsOf(work), here, { clock, signal, trouble }))) return STOPPED;
  if (work.is === 'cut') {
    const pace = new Pace(PROGRESS_PACE, clock, (progress: number) => handGoesOn(team, id, { progress }).catch(ifLost));
    const started = () => void handBegins(team, id).catch(ifLost);
    const turn = { priority: 0, started, progress: (fraction: number) => pace.tell(fraction) };
    const result = await here.makeCut({ ...work.work, authorPaths: new Map() }, turn, signal);
    await pace.close();
    return (await sent(result, undefined, here, { signal, trouble })) ? { result } : STOPPED;
  }
  const command = commandHere(work, here.root);
  const { hands, logged } = here.commandHands(work.hides);
  const turn = {
    ...{ priority: 0, started: () => {} },
    // Durable before it begins: no other worker does it a second time.
    ...(command.effect && { begin: () => actBegins(team, id, worker) }),
  };
  const result = withoutPlaces(await hands.runCommand(command, turn, signal));
  const log = await logged();
  return (await sent(result, log, here, { signal, trouble })) ? { result, log: log?.sha256 } : STOPPED;
}

const STOPPED: Ended = { result: { is: 'stopped' } };

interface Waits {
  readonly signal: AbortSignal;
  readonly trouble: (message: string | undefined) => void;
}

/** What is nowhere is missed by whoever reads it. False: the signal aborted first. */
async function brought(
  inputs: ReadonlySet<string>,
  { shared }: RunHere,
  { clock, signal, trouble }: Waits & Pick<Doing, 'clock'>,
): Promise<boolean> {
  const all = [...inputs].map(async sha256 => {
    for (let attempt = 0; !signal.aborted; attempt++) {
      const outcome = await shared.bring(sha256, signal);
      if (outcome.is !== 'failed') return attempt > 0 && trouble(undefined);
      trouble(outcome.message);
      await clock.sleep(backoff(attempt), signal);
    }
  });
  await Promise.all(all);
  return !signal.aborted;
}

/** What it made, and what it wrote, is in the team's store. False: the signal aborted first. */
async function sent(
  result: HandResult,
  log: KeptLog | undefined,
  { shared }: RunHere,
  { signal, trouble }: Waits,
): Promise<boolean> {
  const contents = [...(result.is === 'ok' ? contentsOf(result.result) : []), ...(log ? [log] : [])];
  const all = await Promise.all(contents.map(content => shared.sent(content, signal, trouble)));
  return all.every(Boolean);
}

/** Once more while the database is out of reach: what is done is not done again for that. */
async function settle(
  id: string,
  result: HandResult,
  log: string | undefined,
  signal: AbortSignal,
  { team, clock }: Doing,
): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await settleHand(team, id, result, log);
      return;
    } catch (error) {
      if (!isConnectionLost(error) || signal.aborted) throw error;
      await clock.sleep(backoff(attempt, { longest: 2_000 }), signal);
    }
  }
}

/** A path of this machine is of no use to whoever reads the failure: the log is in the team's store. */
function withoutPlaces(result: HandResult): HandResult {
  if (result.is !== 'failed' || !('log' in result.failure)) return result;
  const { log: _, ...failure } = result.failure as JsonObject & typeof result.failure;
  return { ...result, failure } as HandResult;
}

function ifLost(error: unknown): void {
  if (!isConnectionLost(error)) throw error;
}
