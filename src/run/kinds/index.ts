/** How each kind of step is carried out: one row a kind. A new kind is a file here and a row; the scheduler knows none. */
import type { Step } from '../../model/pipeline.ts';
import type { Instance } from '../../model/plan.ts';
import type { Execute, RunServices, WorkToDo } from '../engine/run-services.ts';
import { executeCommand } from './command.ts';
import { executeCut } from './cut.ts';
import { executeDecision } from './decide.ts';
import { executeGenerate } from './generate.ts';
import { executeTokenize } from './tokenize.ts';

/** All that a `uses` step gathers, or the round that `until` takes, is kept as itself: the result is emitted, and gathered again whenever that is there. */
const emitGathered: Execute<'uses'> & Execute<'until'> = async ({ key }, { fingerprint, result }, { run }) =>
  run.recorder.emit({ type: 'succeeded', key, fingerprint, result });

const EXECUTE: { readonly [K in Step['kind']]: Execute<K> } = {
  generate: executeGenerate,
  run: executeCommand,
  cut: executeCut,
  tokenize: executeTokenize,
  uses: emitGathered,
  pick: executeDecision,
  approve: executeDecision,
  judge: executeGenerate,
  until: emitGathered,
};

/** The work of an instance is that of its step's kind: what one row takes, it is given. */
export const executeWork = (instance: Instance, work: WorkToDo<Step['kind']>, services: RunServices): Promise<void> =>
  (EXECUTE[instance.step.kind] as Execute<Step['kind']>)(instance, work, services);
