/**
 * The tables that a journal keeps of its views, because they are asked for too often to fold the log each time. The log alone gives every
 * row of them: `tablesOf` is what they must hold.
 */
import type { Measure } from '../../model/budget.ts';
import type { RecordedEvent } from '../../model/run/event.ts';
import type { RunId } from '../../model/run/key.ts';
import { chargeOf } from './charges.ts';
import { isAt, Ledger, type Submission } from './ledger.ts';

/** One event of the log, with the film and the run that recorded it. */
export interface LogEntry {
  readonly film: string;
  readonly run: RunId;
  readonly event: RecordedEvent;
}

export interface Tables {
  /** By nonce. An `intended` row of an earlier process counts as `unknown`, as it does for the next one. */
  readonly submission: readonly SubmissionRow[];
  /** By id, without the rows of results that only a lock file names: they were paid for elsewhere. */
  readonly charge: readonly ChargeRow[];
}

interface SubmissionRow extends Pick<Submission, 'nonce' | 'fingerprint' | 'model' | 'state' | 'at'> {
  readonly account: string;
  readonly ending: Submission['end'] | null;
  readonly generation_id: string | null;
}

interface ChargeRow extends Readonly<Record<Measure, number | null>> {
  readonly id: string;
  readonly account: string;
  readonly is_open: 0 | 1;
}

/** @param log every event of the project, in the order in which it was appended. */
export function tablesOf(log: Iterable<LogEntry>): Tables {
  const ledgers = new Map<string, Ledger>();
  const submissions = new Map<string, Submission>();
  const charges = new Map<string, ChargeRow>();
  for (const { film, run, event } of log) {
    const ledger = ledgers.get(film) ?? new Ledger();
    ledgers.set(film, ledger);
    if ('nonce' in event && event.nonce !== undefined && event.type !== 'submit_intended' && !ledger.get(event.nonce))
      handOver(event.nonce, ledgers.values(), ledger);
    const changed = ledger.apply(run, event);
    const before = event.type === 'submission_forgotten' ? submissions.get(event.nonce) : undefined;
    if (changed) {
      const { nonce, account = '' } = changed;
      submissions.set(nonce, { ...changed, at: submissions.get(nonce)?.at ?? changed.at });
      const charge = chargeOf(changed);
      if (charge) {
        const { isOpen, ...amounts } = charge;
        charges.set(nonce, { id: nonce, account, is_open: isOpen ? 1 : 0, ...amounts });
      } else charges.delete(nonce);
    } else if (before) submissions.set(before.nonce, { ...before, end: 'forgotten' });
    else if (event.type === 'billed')
      for (const [nonce, row] of charges) {
        const isHere = event.account === undefined || isAt(row, { account: event.account });
        if (isHere && submissions.get(nonce)?.id === event.generation_id)
          charges.set(nonce, { ...row, usd: event.cost });
      }
  }
  return {
    submission: [...submissions.values()].map(submissionRow).toSorted(by(({ nonce }) => nonce)),
    charge: [...charges.values()].toSorted(by(({ id }) => id)),
  };
}

/** A film has taken over a submission of another one: see `takeOver` of admission. */
function handOver(nonce: string, ledgers: Iterable<Ledger>, to: Ledger): void {
  for (const ledger of ledgers) {
    const open = ledger.get(nonce);
    if (!open) continue;
    ledger.leave(nonce);
    to.adopt({ ...open, idle: false });
  }
}

const submissionRow = ({ nonce, fingerprint, account = '', model, state, end, id, at }: Submission): SubmissionRow => ({
  ...{ nonce, fingerprint, account, model, at },
  state: state === 'intended' ? 'unknown' : state,
  ...{ ending: end ?? null, generation_id: id ?? null },
});

const by =
  <R>(name: (row: R) => string) =>
  (a: R, b: R): number =>
    name(a) < name(b) ? -1 : 1;
