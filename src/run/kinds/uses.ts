/** A `uses` step: everything inside is there. What it gives is not journalled, because it is gathered again whenever that is. */
import type { Execute } from '../run-services.ts';

export const gatherOutputs: Execute<'uses'> = async ({ key }, { fingerprint, result }, { run }) =>
  run.recorder.emit({ type: 'succeeded', key, fingerprint, result });
