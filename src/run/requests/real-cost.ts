/**
 * What a run really cost. A price is an estimate until the service's history shows the cost, which is observed and not promised: it is
 * read once, when everything is over, and a cost that it does not hold stays an estimate and is called one. A run that was cut off has not
 * asked, so the run that follows asks for its results as well: the lock of a film does not depend on how many processes made it.
 */
import type { HistoryRow } from '../../api/queue.ts';
import { deadline } from '../../machine/time/deadline.ts';
import { addUsd, usdOf } from '../../model/money.ts';
import type { GenerationId, InstanceKey } from '../../model/run/key.ts';
import { reportWhileWaiting } from '../engine/report-waits.ts';
import type { RunCore } from '../engine/run-core.ts';

type Needs = Pick<RunCore, 'clock' | 'journal' | 'recorder' | 'service' | 'state' | 'stopping'>;

/** Milliseconds that the end of a run may wait for the history. */
const PATIENCE = 15_000;

interface Counted {
  readonly key: InstanceKey;
  readonly fingerprint: string;
  readonly id: GenerationId;
  /** US dollars counted until now; null where nothing was. */
  readonly estimate: number | null;
  readonly made: boolean;
  /** By an earlier run: it counts in no sum of this one. */
  readonly isEarlier?: true;
}

/** The part of a run's cost that is not known for certain: fields of `run_finished`, absent where they are zero. */
interface UncertainCost {
  /** US dollars. */
  readonly estimated?: number;
  /** Generations. */
  readonly unpriced?: number;
}

/** Emits what differs from what was counted. */
export async function readBills(run: Needs): Promise<UncertainCost> {
  const counted = countedBy(run);
  const rows = counted.length > 0 ? await rowsOf(counted, run) : new Map<string, HistoryRow>();
  let [billed, unpriced] = [0, 0];
  for (const { key, fingerprint, id, estimate, made, isEarlier = false } of counted) {
    const cost = usdOf(rows.get(id)?.cost);
    if (cost === null) {
      if (made && estimate === null && !isEarlier) unpriced += 1;
      continue;
    }
    // A failed one counts in full in a budget until the service reports its cost, even if that is zero.
    if (cost !== addUsd(0, estimate ?? 0) || !made) {
      const { account } = run.service;
      run.recorder.record({ type: 'billed', key, fingerprint, generation_id: id, cost, estimate, account });
    }
    if (!isEarlier) billed = addUsd(billed, cost);
  }
  const estimated = addUsd(run.state.usd, -billed);
  return { ...(estimated > 0 && { estimated }), ...(unpriced > 0 && { unpriced }) };
}

/**
 * Every generation that this run saw the end of: made, or failed by the service, which may cost all the same; and those that it reuses, and
 * no run has asked for the cost of.
 */
function countedBy({ state, recorder, journal }: Needs): readonly Counted[] {
  const failed = new Set<GenerationId>();
  // Asked for with the first generation: it goes through all that was made within a day.
  let unbilled: ReadonlySet<GenerationId> | undefined;
  const isUnbilled = (id: GenerationId) => {
    unbilled ??= journal.views.owned.unbilled();
    return unbilled.has(id);
  };
  const before = [...recorder.retried].map(([id, of]): Counted => ({ ...of, id, estimate: null, made: false }));
  const last = [...state.instances].flatMap((instance): Counted[] => {
    const { key } = instance;
    const now = state.get(key);
    if ((now.is === 'succeeded' || now.is === 'reused') && now.result.is === 'media') {
      const id: GenerationId | null = now.result.generation_id;
      const isEarlier = now.is === 'reused' || state.wasCounted(key);
      // A synchronous call leaves no id to ask for, so its price stays an estimate.
      if (id === null || (isEarlier && !isUnbilled(id))) return [];
      const fingerprint = recorder.results.get(key)?.fingerprint ?? '';
      return [{ key, fingerprint, id, estimate: now.result.cost, made: true, ...(isEarlier && { isEarlier }) }];
    }
    if (now.is !== 'failed' || !('generation_id' in now.failure)) return [];
    const id: GenerationId | null = now.failure.generation_id ?? null;
    // The next run fetches and counts a result that could not be fetched.
    if (
      id === null ||
      now.failure.code === 'download_failed' ||
      now.failure.code === 'generation_lost' ||
      journal.views.ledger.open.some(open => open.id === id)
    )
      return [];
    // Instances with the same request have failed together, and it was billed once.
    if (failed.has(id)) return [];
    failed.add(id);
    return [{ key, fingerprint: instance.fingerprint ?? '', id, estimate: null, made: false }];
  });
  // What was made comes last: the newest bill of a request is that of its result.
  return [...before, ...last];
}

async function rowsOf(counted: readonly Counted[], run: Needs): Promise<ReadonlyMap<string, HistoryRow>> {
  if (run.stopping.reason?.is === 'unreachable') return new Map();
  const { service, clock } = run;
  using late = deadline(PATIENCE, { clock });
  const reason = () => `${service.name} has not answered what it really cost`;
  const asking = () => service.history(late.signal, { until: new Set(counted.map(({ id }) => id)) });
  const answer = await reportWhileWaiting({ key: counted.at(-1)?.key, what: 'cost', reason }, run, asking);
  return new Map(answer.is === 'ok' ? answer.value.map(row => [row.generation_id, row]) : []);
}
