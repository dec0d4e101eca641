/** A step with `until`: the round that is taken is made and kept as itself. What it is taken for is told, and decided again whenever it is there. */
import type { Execute } from '../run-services.ts';

export const takeRound: Execute<'until'> = async ({ key }, { fingerprint, result }, { run }) =>
  run.recorder.emit({ type: 'succeeded', key, fingerprint, result });
