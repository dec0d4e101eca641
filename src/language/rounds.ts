/**
 * A step with `until` becomes two: its rounds, which are made as it says, and what is called by its name, which is the round that holds.
 * What stands inside it stands inside each round.
 */
import { roundsOf } from '../domain/key.ts';
import type { Step, UntilStep } from '../domain/pipeline.ts';

/** @param whole the step as it is written, and behind it what is inside. */
export function inRounds(whole: readonly Step[]): readonly Step[] {
  const [step, ...inside] = whole;
  const { until } = step ?? {};
  if (!step || !until) return whole;
  const rounds = roundsOf(step.name);
  const { else: standIn, ...once } = step;
  const { name, at, description, needs, upstream, if: condition, fanOut } = step;
  const settled: UntilStep = {
    ...{ kind: 'until', name, at, needs, fanOut, rounds },
    ...(description !== undefined && { description }),
    ...(condition && { if: condition }),
    ...(standIn && { else: standIn }),
    upstream: [...upstream, rounds],
    cache: true,
    holds: until.holds,
    ...(until.otherwise !== undefined && { otherwise: until.otherwise }),
  };
  const moved = inside.map(one =>
    one.inside?.by === name ? { ...one, inside: { ...one.inside, by: rounds } } : one,
  ) as readonly Step[];
  return [{ ...once, name: rounds } as Step, ...moved, settled];
}
