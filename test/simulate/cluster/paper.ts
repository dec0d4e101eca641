/** What the same team comes to on paper: what each paid step needs of everything there is one of, and so what ends first. */
import { type Costs, NO_COST, plus, type Shape } from './shape.ts';

type Limit =
  | 'places at the service'
  | 'submits a second'
  | 'lock of the key'
  | "the database's disk"
  | "database's processors"
  | "workers' threads"
  | 'hands';

/** Groups of events that a paid step is part of, where its run does little else: accepted, made, owned. */
const GROUPS = 3;

/**
 * Paid steps a second that each of them allows, the least first.
 * @param refusals for each that is admitted. @param together requests that are admitted at once.
 */
export function limitsOnPaper(
  shape: Shape,
  costs: Costs,
  refusals = 0,
  together = 1,
): readonly (readonly [Limit, number])[] {
  const { inFlight, perSecond, generation, workers, hands, handwork, processors } = shape;
  const { admission, refusal, batch, eachTogether, eachUnderWay, commit } = costs;
  const underWay = Math.min(inFlight, perSecond * generation);
  const group = plus(plus(admission, eachUnderWay, underWay), eachTogether, together - 1);
  const asked = plus(NO_COST, group, 1 / together);
  const told_to_wait = plus(refusal, eachUnderWay, underWay);
  const sum = (of: 'processor' | 'thread') => asked[of] + refusals * told_to_wait[of] + GROUPS * batch[of];
  const found: readonly (readonly [Limit, number])[] = [
    ['places at the service', inFlight / generation],
    ['submits a second', perSecond],
    ['lock of the key', 1_000 / (asked.wall + refusals * told_to_wait.wall)],
    ["the database's disk", 1_000 / ((1 / together + refusals + GROUPS) * commit)],
    ["database's processors", (1_000 * processors) / sum('processor')],
    ["workers' threads", (1_000 * workers) / sum('thread')],
    ['hands', (workers * hands) / handwork],
  ];
  return found.toSorted(([, a], [, b]) => a - b);
}
