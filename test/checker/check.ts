/**
 * Judges what a service did for its callers, by what was seen at its own door: at most once, limits, rates, budgets, deployments. It imports nothing, so
 * that no mistake of the product's can be its own. Rows are in the order in which they happened.
 */

/** What happened at the door. `at`: milliseconds of the service's own clock. */
export type DoorRow =
  /** A request to make something arrived, whatever became of it. */
  | { readonly is: 'asked'; readonly at: number; readonly model: string }
  /**
   * It was accepted, and is paid for from then on. `content`: what tells it from any other request of the same caller, its model among it;
   * addresses stand for what lies there. `from`: whose budget pays.
   */
  | {
      readonly is: 'taken';
      readonly at: number;
      readonly id: string;
      readonly from: string;
      readonly model: string;
      readonly content: string;
      /** US dollars; absent where it costs nothing. */
      readonly usd?: number;
    }
  /** It is at work on it no more. `nothing`: it failed, was cancelled or was lost there, so that the same may be asked for again. */
  | { readonly is: 'ended'; readonly at: number; readonly id: string; readonly gave: 'a result' | 'nothing' }
  /** A deployment of a model of one's own was activated, or deactivated: it bills in between. */
  | { readonly is: 'up' | 'down'; readonly at: number; readonly model: string };

type Taken = Extract<DoorRow, { readonly is: 'taken' }>;

export interface Rules {
  /** Contents that may be taken so often, each time with a result; absent: all once. */
  readonly times?: { readonly [content: string]: number };
  /** Most that the service has in the making at once, of all models and of each. */
  readonly inFlight?: number;
  readonly inFlightOf?: { readonly [model: string]: number };
  /** Most requests that arrive within so many milliseconds, whatever becomes of them. */
  readonly rates?: readonly { readonly within: number; readonly most: number; readonly model?: string }[];
  /** Most that is taken in all. `from` absent: of all callers together. What gave nothing is counted until it has ended. */
  readonly budgets?: readonly { readonly from?: string; readonly usd?: number; readonly generations?: number }[];
  /** Absent: deployments are not judged. Each is down after the last row. */
  readonly deployments?: {
    /** Most milliseconds that one is up while nothing of its model is in the making. */
    readonly idle: number;
    /** None is ended while something of its model is in the making. */
    readonly isNeverCutShort?: boolean;
  };
}

export interface Fault {
  readonly is: 'double' | 'limit' | 'rate' | 'budget' | 'deployment';
  readonly at: number;
  readonly what: string;
}

/** All faults, in the order in which they happened; of a limit, a rate and a budget only the first. */
export function check(rows: readonly DoorRow[], rules: Rules): readonly Fault[] {
  const judges = [doubles, limits, rates, budgets, deployments];
  return judges.flatMap(judge => judge(rows, rules)).sort((a, b) => a.at - b.at);
}

/** Taken again while the one before has given something, or may still. */
function doubles(rows: readonly DoorRow[], { times = {} }: Rules): readonly Fault[] {
  const gaveNothing = new Set<string>();
  const kept = new Map<string, Taken[]>();
  const faults: Fault[] = [];
  for (const row of rows) {
    if (row.is === 'ended' && row.gave === 'nothing') gaveNothing.add(row.id);
    if (row.is !== 'taken') continue;
    const name = `${row.from} ${row.content}`;
    // One that fails later may still give something now.
    const before = (kept.get(name) ?? []).filter(({ id }) => !gaveNothing.has(id));
    kept.set(name, [...before, row]);
    if (before.length < (times[row.content] ?? 1)) continue;
    const ids = [...before, row].map(({ id }) => id).join(', ');
    faults.push({ is: 'double', at: row.at, what: `${row.content} was taken ${before.length + 1} times: ${ids}` });
  }
  return faults;
}

export interface Figures {
  /** Most at once. */
  readonly inFlight: number;
  readonly inFlightOf: { readonly [model: string]: number };
  /** US dollars of all that was taken, but for what gave nothing. */
  readonly usd: number;
  readonly taken: number;
}

/** What is to be told of a door beside its faults. */
export function figures(rows: readonly DoorRow[]): Figures {
  const now = new Map<string, number>();
  const most: { [model: string]: number } = {};
  let inFlight = 0;
  const open = new Map<string, Taken>();
  let usd = 0;
  let taken = 0;
  for (const row of rows) {
    if (row.is === 'taken') {
      open.set(row.id, row);
      taken += 1;
      usd += row.usd ?? 0;
      now.set(row.model, (now.get(row.model) ?? 0) + 1);
      most[row.model] = Math.max(most[row.model] ?? 0, now.get(row.model) ?? 0);
      inFlight = Math.max(inFlight, open.size);
    }
    if (row.is === 'ended') {
      const one = open.get(row.id);
      if (!one) continue;
      open.delete(row.id);
      now.set(one.model, (now.get(one.model) ?? 0) - 1);
      if (row.gave === 'nothing') usd -= one.usd ?? 0;
    }
  }
  return { inFlight, inFlightOf: most, usd, taken };
}

function limits(rows: readonly DoorRow[], { inFlight, inFlightOf = {} }: Rules): readonly Fault[] {
  const faults = new Map<string, Fault>();
  const open = new Map<string, string>();
  for (const row of rows) {
    if (row.is === 'ended') open.delete(row.id);
    if (row.is !== 'taken') continue;
    open.set(row.id, row.model);
    const own = [...open.values()].filter(model => model === row.model).length;
    const checks = [
      ['in all', open.size, inFlight],
      [`of ${row.model}`, own, inFlightOf[row.model]],
    ] as const;
    for (const [of, many, most] of checks)
      if (most !== undefined && many > most && !faults.has(of))
        faults.set(of, { is: 'limit', at: row.at, what: `${many} in flight ${of}, and ${most} are allowed` });
  }
  return [...faults.values()];
}

/** Most requests that arrived within any so many milliseconds. */
export function mostWithin(rows: readonly DoorRow[], within: number, model?: string): number {
  return peak(arrivals(rows, model), within).many;
}

const arrivals = (rows: readonly DoorRow[], model: string | undefined): readonly number[] =>
  rows.flatMap(row => (row.is === 'asked' && (model === undefined || row.model === model) ? [row.at] : []));

/** The first time at which there were most. */
function peak(times: readonly number[], within: number): { readonly many: number; readonly at: number } {
  let [from, many, when] = [0, 0, 0];
  for (const [to, at] of times.entries()) {
    while (at - (times[from] ?? at) >= within) from++;
    if (to - from + 1 > many) [many, when] = [to - from + 1, at];
  }
  return { many, at: when };
}

const rates = (rows: readonly DoorRow[], { rates: all = [] }: Rules): readonly Fault[] =>
  all.flatMap(({ within, most, model }): readonly Fault[] => {
    const { many, at } = peak(arrivals(rows, model), within);
    if (many <= most) return [];
    const of = model === undefined ? '' : ` for ${model}`;
    return [{ is: 'rate', at, what: `${many} requests${of} within ${within} ms, and ${most} are allowed` }];
  });

/** Dollars that sums of thousandths may be off by. */
const CENT_OF_A_CENT = 1e-4;

const budgets = (rows: readonly DoorRow[], { budgets: all = [] }: Rules): readonly Fault[] =>
  all.flatMap(budget => {
    const whose = budget.from === undefined ? 'all' : budget.from;
    const counted = new Map<string, number>();
    for (const row of rows) {
      if (row.is === 'ended' && row.gave === 'nothing') counted.delete(row.id);
      if (row.is !== 'taken' || (budget.from !== undefined && budget.from !== row.from)) continue;
      counted.set(row.id, row.usd ?? 0);
      const usd = [...counted.values()].reduce((sum, one) => sum + one, 0);
      const over: Fault[] = [];
      if (budget.usd !== undefined && usd > budget.usd + CENT_OF_A_CENT)
        over.push({
          is: 'budget',
          at: row.at,
          what: `$${usd.toFixed(4)} of ${whose}, and $${budget.usd} may be spent`,
        });
      if (budget.generations !== undefined && counted.size > budget.generations)
        over.push({
          is: 'budget',
          at: row.at,
          what: `${counted.size} generations of ${whose}, and ${budget.generations} may be made`,
        });
      if (over.length > 0) return over;
    }
    return [];
  });

/** Deployments that were up without work, or ended during work. */
function deployments(rows: readonly DoorRow[], { deployments: rule }: Rules): readonly Fault[] {
  if (!rule) return [];
  const faults: Fault[] = [];
  /** Since when each that is up has been making nothing; undefined: it is making something. */
  const up = new Map<string, number | undefined>();
  const open = new Map<string, string>();
  const making = (model: string) => [...open].flatMap(([id, of]) => (of === model ? [id] : []));
  const endsIdle = (model: string, at: number): void => {
    const since = up.get(model);
    if (since === undefined || at - since <= rule.idle) return;
    const minutes = ((at - since) / 60_000).toFixed(1);
    faults.push({ is: 'deployment', at, what: `${model} was up for ${minutes} min and made nothing` });
  };
  for (const row of rows) {
    if (row.is === 'up' && !up.has(row.model)) up.set(row.model, making(row.model).length > 0 ? undefined : row.at);
    if (row.is === 'taken') {
      open.set(row.id, row.model);
      endsIdle(row.model, row.at);
      if (up.has(row.model)) up.set(row.model, undefined);
    }
    if (row.is === 'ended') {
      const model = open.get(row.id);
      open.delete(row.id);
      if (model !== undefined && up.has(model) && making(model).length === 0) up.set(model, row.at);
    }
    if (row.is !== 'down') continue;
    endsIdle(row.model, row.at);
    const cut = up.has(row.model) && rule.isNeverCutShort ? making(row.model) : [];
    if (cut.length > 0)
      faults.push({ is: 'deployment', at: row.at, what: `${row.model} was ended while it made ${cut.join(', ')}` });
    up.delete(row.model);
  }
  const at = rows.at(-1)?.at ?? 0;
  for (const model of up.keys()) faults.push({ is: 'deployment', at, what: `${model} is up at the end` });
  return faults;
}
