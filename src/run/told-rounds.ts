/** Each round of a step with `until` that is made is told of: whether it holds, by what it says, and whether another one follows. */
import type { Slot } from '../plan/plan-graph.ts';
import { inputsOf } from '../plan/read-inputs.ts';
import { askOfRound, whatItSaid } from '../plan/round-answers.ts';
import { roundsAround, roundsBeside } from '../plan/rounds.ts';
import type { Reads } from '../plan/value-reads.ts';
import type { RunCore } from './run-core.ts';

export function tellRounds({ recorder, plan, state, planContext }: RunCore): void {
  recorder.onResult((instance, _, isNew) => {
    const { key, round, step } = instance;
    if (!isNew || round === undefined || !step.until) return;
    const taker = roundsAround(instance).at(-1)?.taken;
    const slot = taker === undefined ? undefined : plan.instances.get(taker);
    if (!slot) return;
    const inputsAt = (place: Slot, reads: Reads) => inputsOf(plan, place, reads, state.lookup);
    const asking = { graph: plan, slot, world: planContext, inputsAt };
    const answer = askOfRound(step.until.holds, key, asking);
    // What it cannot say is told by the step that takes one of the rounds.
    if (answer.is !== 'known' || typeof answer.value !== 'boolean') return;
    const said = whatItSaid(step.until.holds, key, asking);
    const of = roundsBeside(plan, instance).length;
    recorder.emit({ type: 'round_over', key, round, of, holds: answer.value, said });
  });
}
