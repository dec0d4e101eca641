/** What a screen knows of a candidate beside its name: from the results of the run that asks. */
import type { Option } from '../domain/event.ts';
import { pieceOf } from '../domain/result.ts';
import { isFree } from '../domain/run-money.ts';
import type { RunView } from '../records/views/run-view.ts';
import { resultText } from '../telling/result-text.ts';
import type { CandidateFacts } from './prompt-lines.ts';

export function factsIn(run: Pick<RunView, 'instances' | 'service' | 'outputs'>, { key }: Option): CandidateFacts {
  const instance = run.instances.get(key);
  let state = instance?.state;
  while (state?.is === 'skipped' && state.standIn !== undefined) state = run.instances.get(state.standIn)?.state;
  const piece = state?.is === 'succeeded' || state?.is === 'reused' ? pieceOf(state.result) : undefined;
  return {
    facts: piece ? resultText(piece) : '',
    // Where nothing is paid no dollar figure stands beside a take.
    usd: isFree(run) ? null : piece && 'cost' in piece ? piece.cost : (instance?.paidUsd ?? null),
    output: run.outputs.find(written => written.key === key)?.path,
  };
}
