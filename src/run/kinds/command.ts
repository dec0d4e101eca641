/**
 * A `run` step: a local command, done by the executor. One that acts outside of this machine (it uploads, posts, sends) is done once for its
 * inputs, so it is asked for like money:
 *
 *     ready ── its files are there ── admission ─┬─ go ── runs to its end ─┬─ ended well ──────────► done, for ever
 *                                                │                         ├─ said that it failed ─► failed; the next run tries again
 *                                                │                         └─ killed, too late … ──► unknown: it stays open
 *                                                ├─ owned, in_flight ──────────────────────────────► shared
 *                                                └─ open: an earlier run began it, and ended first ─► a person decides
 *
 * That it begins is durable before it does. An open one runs again only when a person decides so.
 */
import type { Instance } from '../../model/plan.ts';
import type { CommandOutput, Failure } from '../../model/run/failure.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { CommandResult, Result } from '../../model/run/result.ts';
import { isRedone } from '../../plan/owned/owned-result.ts';
import { commandReady } from '../derived-inputs.ts';
import { outcomeOfEqual, ReportedWait } from '../engine/report-waits.ts';
import { resumeRetry, retryAfter } from '../engine/retry-failed.ts';
import type { Execute, RunServices, WorkToDo } from '../engine/run-services.ts';
import { answerUnknown, type RunSettings } from '../engine/run-settings.ts';
import type { ActAdmitted, RequestOutcome } from '../ports/admission.ts';
import { changedFile } from '../ports/author-files.ts';
import type { CommandOutcome, Turn } from '../ports/executor.ts';
import { madeOnce, recordShared } from './made-once.ts';

export const executeCommand: Execute<'run'> = (instance, work, services) =>
  work.effect
    ? executeEffect(instance, work, services)
    : madeOnce(instance, work.fingerprint, services, () => runToTheEnd(instance, work, services));

async function runToTheEnd(instance: Instance, work: WorkToDo<'run'>, services: RunServices): Promise<RequestOutcome> {
  const { run } = services;
  const { fingerprint } = work;
  const started = () => {
    // An effect with the same inputs would take this one for an act of unknown outcome.
    run.admission.runs(fingerprint);
    run.recorder.record({ type: 'command_started', key: instance.key, fingerprint });
  };
  if ((await resumeRetry(instance, fingerprint, run)) === 'stopped') return { is: 'stopped' };
  for (;;) {
    const changed = await changedFile(work, run);
    if (changed) return { is: 'failed', failure: changed };
    const ready = await commandReady(work, instance, run);
    const done: CommandOutcome =
      ready.is === 'ok'
        ? await run.queue.onThisMachine(instance, 'command', () => runOnce(instance, ready.value, { started }, run))
        : ready;
    const next = await retryAfter(instance, fingerprint, done, run);
    if (next === 'again') continue;
    const outcome: RequestOutcome = next === 'stopped' ? { is: 'stopped' } : done;
    run.admission.settle(fingerprint, outcome);
    return outcome;
  }
}

function runOnce(
  { key, remaining, step }: Instance,
  work: WorkToDo<'run'>,
  turn: Pick<Turn, 'started' | 'begin'>,
  run: RunServices['run'],
): Promise<CommandOutcome> {
  const timeoutMs = step.timeout?.total ?? step.timeout?.run;
  return run.executor.runCommand(
    { ...work, key, ...(timeoutMs !== undefined && { timeoutMs }) },
    { priority: remaining, isWanted: () => !run.stopping.beginning.aborted, ...turn },
    run.stopping.signal,
  );
}

const executeEffect: Execute<'run'> = async (instance, work, services) => {
  const { run } = services;
  const { key } = instance;
  const { fingerprint } = work;
  if ((await resumeRetry(instance, fingerprint, run)) === 'stopped') return;
  // Whether this instance is the one that does it, and others wait for its outcome.
  let ours = false;
  // It was about to begin, and that could not be kept.
  let wasHeldUp = false;
  let reason = '';
  using wait = new ReportedWait({ key, what: 'admission', reason: () => reason }, run);
  const begun = () => {
    ours = true;
    wait.end();
  };
  for (let again = false; ; ) {
    const came = await attempt(instance, work, { again, retried: ours || wasHeldUp, begun }, run);
    if (came.is !== 'wait') wait.end();
    switch (came.is) {
      case 'ok':
      case 'failed':
      case 'stopped': {
        // The command reported failure itself. Where its outcome is unknown, a person decides.
        const next = await retryAfter(instance, fingerprint, came, run);
        if (next === 'again') break;
        const outcome: RequestOutcome = next === 'stopped' ? { is: 'stopped' } : came;
        if (ours) run.admission.settle(fingerprint, outcome);
        return run.recorder.settle(key, fingerprint, outcome);
      }
      case 'not_begun': {
        if (run.stopping.beginning.aborted)
          return run.recorder.settle(key, fingerprint, { is: 'failed', failure: NOT_BEGUN });
        wasHeldUp = true;
        const until = run.clock.now();
        run.recorder.record({ type: 'retrying', key, fingerprint, attempt: 2, of: 2, until, failure: NOT_BEGUN });
        break;
      }
      case 'owned':
        return recordDone(instance, fingerprint, came.result, services);
      case 'in_flight':
        return recordShared(await outcomeOfEqual(key, came.outcome, run), key, fingerprint, run);
      case 'wait':
        reason = `${came.film} runs the same command`;
        wait.begin();
        await run.clock.sleep(came.ms, run.stopping.signal);
        if (run.stopping.signal.aborted) return;
        break;
      case 'open': {
        const decided = await decide(key, work, came, services);
        // This run has done nothing of it.
        if (decided !== 'again') return recordShared(decided, key, fingerprint, run);
        again = true;
      }
    }
  }
};

/** Another machine of the team may have done it meanwhile, and the team may have its files. */
async function recordDone(
  instance: Instance,
  fingerprint: string,
  result: Result,
  { run, team }: RunServices,
): Promise<void> {
  const { key } = instance;
  const shared = await team.downloadFromTeam(instance, fingerprint);
  if (shared === 'stopped' || run.state.get(key).is === 'left_out') return;
  run.recorder.record({
    ...{ type: 'reused', key, fingerprint, result: shared ?? result },
    ...(shared && { fetched: true }),
  });
}

type Came =
  | RequestOutcome
  | Exclude<ActAdmitted, { readonly is: 'go' | 'stopped' }>
  /** That it begins may be written later all the same: no run shall take it for begun then. */
  | { readonly is: 'not_begun' };

interface Attempt {
  readonly again: boolean;
  readonly retried: boolean;
  readonly begun: () => void;
}

async function attempt(
  instance: Instance,
  work: WorkToDo<'run'>,
  how: Attempt,
  run: RunServices['run'],
): Promise<Came> {
  const ready = await commandReady(work, instance, run);
  if (ready.is !== 'ok') return ready;
  return run.queue.onThisMachine(instance, 'command', () => inTurn(instance, ready.value, how, run));
}

/** The command itself, if it may be run when its turn has come. */
async function inTurn(
  instance: Instance,
  work: WorkToDo<'run'>,
  { again, retried, begun }: Attempt,
  run: RunServices['run'],
): Promise<Came> {
  const { key } = instance;
  const { fingerprint } = work;
  const changed = await changedFile(work, run);
  if (changed) return { is: 'failed', failure: changed };
  let admitted: ActAdmitted | undefined;
  let isRecorded = false;
  const anew = isRedone(key, fingerprint, run.planContext);
  const begin = async () => {
    const record = () => {
      isRecorded = true;
      run.recorder.record({ type: 'command_started', key, fingerprint });
    };
    admitted = await run.admission.admitAct({ key, fingerprint, again, anew, retried, begin: record });
    if (admitted.is === 'go') begun();
    return admitted.is === 'go';
  };
  const done = await runOnce(instance, work, { started: () => {}, begin }, run);
  if (admitted?.is === 'stopped' && isRecorded) return { is: 'not_begun' };
  if (admitted && admitted.is !== 'go') return admitted;
  return done.is === 'failed' && done.mayHaveActed
    ? { is: 'failed', failure: unknown(done.failure, run.settings) }
    : done;
}

const NOT_BEGUN: Failure = {
  code: 'command_failed',
  exit: null,
  message: 'it was not begun: the journal could not be written',
};

/** It began, and how far it came is unknown: its own words, and what to do. */
function unknown(failure: Failure, settings: RunSettings): Failure {
  const { lines, log } = failure as CommandOutput;
  const message = `${failure.message}; it acts outside, and may have done so all the same: ${whatToDo(settings)}`;
  return { code: 'effect_unknown', message, ...(lines && { lines }), ...(log !== undefined && { log }) };
}

const whatToDo = (settings: RunSettings): string =>
  `look there; if it was done, ${answerUnknown(settings, 'done')}, and to have it done again, ${answerUnknown(settings, 'resubmit')}`;

/** A person says what became of it, beforehand or now. Returns the outcome then, or that it is done again. */
async function decide(
  key: InstanceKey,
  { fingerprint, creates }: WorkToDo<'run'>,
  { at, perhaps }: Extract<ActAdmitted, { readonly is: 'open' }>,
  { run }: RunServices,
): Promise<'again' | RequestOutcome> {
  const when = `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const makesFiles = Object.keys(creates).length > 0;
  const options = [
    { id: 'fail', label: 'leave it as it is, and go on without it' },
    ...(makesFiles ? [] : [{ id: 'done', label: 'it was done: count it as done' } as const]),
    { id: 'again', label: 'do it again, perhaps for the second time' },
  ] as const;
  const begun = perhaps
    ? `may have been begun after ${when} (the database has lost that time)`
    : `was begun at ${when}`;
  const ask = `${key} acts outside. It ${begun}, and its outcome is unknown. What became of it?`;
  const id = `effect ${fingerprint} ${at}`;
  const choice = await run.decider.choose({ id, key, ask, options }, run.stopping.signal);
  if (run.stopping.signal.aborted) return { is: 'stopped' };
  if (choice?.option === 'again') return 'again';
  if (choice?.option === 'done') return { is: 'ok', result: DONE };
  const howDone = makesFiles ? ' (it makes files, so it cannot be counted as done without them)' : '';
  const message = `it acts outside, ${begun}, and its outcome is unknown${howDone}: ${whatToDo(run.settings)}`;
  return { is: 'failed', failure: { code: 'effect_unknown', message } };
}

/** Its output is lost. */
const DONE: CommandResult = { is: 'command', stdout: '', json: null, files: {}, effect: true };
