/** How things stand with a film at this moment: what runs, what waits for whom, what is open at the service, and what it has cost. */

import { FINAL } from '../../../model/profile.ts';
import { mayBeBilledAs } from '../../../model/run/failure.ts';
import type { InstanceKey } from '../../../model/run/key.ts';
import { type OpenRequest, type UnsettledMoney, unsettledMoney } from '../../../model/run/run-money.ts';
import type { ReportedInstance, ReportedState, RunReport } from '../../../model/run/run-report.ts';
import { asTyped, cleanText } from '../../../model/text/clean.ts';
import { reviewCommand } from '../choice-text.ts';
import { unwrittenOutputs } from '../report/reported-outputs.ts';
import { countStates } from '../report/state-words.ts';

/** Documented JSON, version 1: fields are added, never renamed. Times are Unix milliseconds, money US dollars (null: unknown). */
/** `cancelled`: at the service, by a person or a limit of time. */
export interface FailedNow {
  readonly key: InstanceKey;
  readonly message: string;
  readonly cancelled?: true;
}

export interface FilmStatus {
  readonly file: string;
  readonly profile: string | null;
  readonly service: string;
  readonly run: string;
  /** As in `RunReport`: `running`, `waiting`, `done`, `failed`, `interrupted`, `cut_off`, … */
  readonly outcome: string;
  /** Why it was given up; absent where nothing is to be said. */
  readonly reason?: string;
  readonly began: number;
  readonly ended: number | null;
  /** How many instances are in each state. */
  readonly counts: Readonly<Partial<Record<ReportedState, number>>>;
  readonly at_work: readonly AtWork[];
  readonly waiting: readonly Waiting[];
  /** `command` opens all of them, and decides none. */
  readonly questions: readonly { readonly key: InstanceKey; readonly ask: string; readonly command: string }[];
  /** Rejected takes. */
  readonly rejected: readonly ({ readonly key: InstanceKey } & NonNullable<ReportedInstance['rejected']>)[];
  readonly failed: readonly FailedNow[];
  /** Films that could not be put where the file asks for them; absent: none. */
  readonly unwritten?: readonly { readonly path: string; readonly reason: string }[];
  readonly open: readonly OpenAtService[];
  /**
   * `estimated`: how much of `spent` no bill has confirmed; absent: nothing. `unreported`: a request gave no result, and the service may bill it.
   * `in_flight`, `perhaps`: as in `RunMoney`, of what is open. `free`: the built-in studio bills nothing; `list_price` is what a service would charge.
   */
  readonly money: UnsettledMoney & {
    readonly spent: number;
    readonly estimated?: number;
    readonly unreported?: true;
    readonly list_price?: number;
    readonly budget: number | null;
    readonly free: boolean;
  };
  /** What to type to go on; null where there is nothing to go on with. */
  readonly command: string | null;
  /** Of a team's run. */
  readonly team?: TeamStatus;
}

export interface TeamStatus {
  /** As it is called behind `--on`. */
  readonly name: string;
  /** `queued`, `led`, `waiting`, `done`, `failed`, `cancelled`. */
  readonly status: string;
  /** The worker that leads it; null: none does. */
  readonly leader: string | null;
  readonly asked_by: string;
  /** Why it ended as it did, or why the worker that was offered it last cannot lead it; null: nothing is in its way. */
  readonly reason: string | null;
}

export interface AtWork {
  readonly key: InstanceKey;
  readonly state: ReportedState;
  readonly model: string;
  /** When it came into this state. */
  readonly since: number;
  readonly generation: string | null;
}

/** Instances of one step that wait for the same. */
export interface Waiting {
  readonly step: string;
  readonly count: number;
  readonly for: string | null;
}

/** Sent, and not here yet: a run waits for it, and nothing of it is paid twice. `lost`: its answer was, and it is looked for. */
export interface OpenAtService extends OpenRequest {
  readonly key: InstanceKey;
  readonly generation: string | null;
  readonly model: string;
  readonly since: number;
}

/**
 * @param command that goes on with the film, where its run did not keep one.
 * @param review command that opens what is to be decided.
 */
export function filmStatus(
  report: RunReport,
  open: readonly OpenAtService[],
  command: string,
  review: string = reviewCommand({ pipeline: report.run.file, profile: report.run.profile }, report.run.options),
): FilmStatus {
  const { run, instances } = report;
  const questions = questionsOf(report, review);
  const unwritten = unwrittenOutputs(report).map(({ path, failed }) => ({ path, reason: failed ?? '' }));
  const isToGoOn = run.outcome !== 'running' && (run.outcome !== 'done' || open.length > 0);
  return {
    ...{ file: run.file, profile: run.profile, service: run.service, run: run.id },
    ...(run.outcome !== 'running' && run.reason !== null && { reason: run.reason }),
    ...{ outcome: run.outcome, began: run.began, ended: run.ended },
    counts: countStates(instances),
    ...{ at_work: instances.flatMap(atWork), waiting: waitingOf(instances), questions },
    rejected: instances.flatMap(({ key, rejected }) => (rejected ? [{ key, ...rejected }] : [])),
    failed: instances.flatMap(({ key, state, failure }) =>
      state === 'failed' && failure ? [failedNow(key, failure)] : [],
    ),
    ...(run.outcome !== 'running' && unwritten.length > 0 && { unwritten }),
    open,
    money: {
      ...{
        spent: run.spent,
        ...(run.estimated > 0 && { estimated: run.estimated }),
        ...(instances.some(isUnreported) && { unreported: true }),
        ...(run.list_price !== undefined && { list_price: run.list_price }),
      },
      ...unsettledMoney(open),
      ...{ budget: run.budget, free: run.isFree },
    },
    command: isToGoOn ? (run.command ?? command) : null,
  };
}

/** As the run's last words have it: what was sent and ended without a result may be billed, whatever its service has reported by then. */
function isUnreported({ cost, price, failure, attempts }: ReportedInstance): boolean {
  if (cost !== 0 || price === 0) return false;
  const last = attempts.at(-1);
  if (last && failure && failure.code !== 'blocked' && mayBeBilledAs(failure.code, last.generation !== null))
    return true;
  return attempts
    .slice(0, failure ? -1 : undefined)
    .some(one => (one.is === 'failed' || one.is === 'cancelled') && one.generation !== null && one.cost === null);
}

export function atWork({
  key,
  state,
  model,
  attempts,
  generation,
}: Pick<ReportedInstance, 'key' | 'state' | 'model' | 'attempts' | 'generation'>): readonly AtWork[] {
  const last = attempts.at(-1);
  if (!last || (state !== 'queued' && state !== 'running' && state !== 'fetching')) return [];
  const since = { queued: last.queued, running: last.running, fetching: last.fetching }[state] ?? last.queued;
  return [{ key, state, model, since, generation }];
}

function waitingOf(instances: RunReport['instances']): readonly Waiting[] {
  const groups = new Map<string, Waiting>();
  for (const { step, state, waitsFor } of instances) if (state === 'waiting') addWaiting(groups, step, waitsFor);
  return [...groups.values()];
}

/** @param most reasons that are named: those beyond are counted by step. */
export function addWaiting(groups: Map<string, Waiting>, step: string, why: string | null, most = Infinity): void {
  const named = `${step}\n${why}`;
  const isNamed = groups.has(named) || groups.size < most;
  const group = isNamed ? named : step;
  groups.set(group, { step, for: isNamed ? why : null, count: (groups.get(group)?.count ?? 0) + 1 });
}

function questionsOf({ questions, instances }: RunReport, command: string): FilmStatus['questions'] {
  const states = new Map(instances.map(({ key, state }) => [key, state]));
  return questions.flatMap(({ key, ask, decided, isOpen }) =>
    decided || isOpen || states.get(key) !== 'asks' ? [] : [{ key, ask: cleanText(ask), command }],
  );
}

/** `shotlist run spot.yaml --profile draft --draft`: where the run did not keep how it was started. */
export const runCommand = (file: string, { options, profile }: Pick<RunReport['run'], 'options' | 'profile'>): string =>
  [
    `shotlist run ${asTyped(file)}`,
    ...(profile === null || profile === FINAL ? [] : [`--profile ${asTyped(profile)}`]),
    ...(options === '' ? [] : [options]),
  ].join(' ');

export const failedNow = (key: InstanceKey, { code, message }: { code: string; message: string }): FailedNow => ({
  ...{ key, message },
  ...(code === 'generation_cancelled' && { cancelled: true }),
});
