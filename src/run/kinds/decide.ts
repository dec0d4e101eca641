/** A `pick` or an `approve`: a choice that is known is taken, a rule's or a judge's is kept, and a person is asked. */
import type { Choice } from '../../model/run/choice.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { ApprovedResult, PickedResult } from '../../model/run/result.ts';
import type { Recorded } from '../../records/journal/choices.ts';
import type { Execute, RunServices } from '../engine/run-services.ts';

export const executeDecision: Execute<'pick'> & Execute<'approve'> = async (instance, work, services) => {
  const { key } = instance;
  const { state, asking, resultOf } = work;
  const { run, questions } = services;
  const follow = async (choice: Choice, recorded: Recorded): Promise<void> => {
    if (recorded.is === 'unwritable') return;
    const kept = recorded.is === 'taken' ? recorded.choice : choice;
    run.recorder.record({ type: 'chosen', key, choice: kept });
    // Nothing follows from a choice that could be another one the next time.
    if (await run.recorder.durable()) give(key, resultOf(kept), services);
  };
  switch (state.is) {
    case 'known': {
      const preset = await run.choices.keepPreset?.(key);
      if (!preset) return give(key, state.result, services);
      return follow(preset.choice, preset.recorded);
    }
    case 'open':
      return questions.ask(instance, work);
    case 'decided': {
      const choice: Choice = { ...state.choice, at: run.clock.now() };
      return follow(choice, await run.choices.record(choice, asking));
    }
  }
};

/** What was chosen is kept already, by those who made it. */
const give = (key: InstanceKey, result: PickedResult | ApprovedResult, { run }: RunServices): void =>
  run.recorder.emit({ type: 'succeeded', key, fingerprint: '', result });
