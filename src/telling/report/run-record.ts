/** All that a report of a run is told from: whoever has the journal hands it over, and everything else is computed. */
import type { Asked } from '../../domain/asked.ts';
import type { Choice } from '../../domain/choice.ts';
import type { CommandSaid } from '../../domain/failure.ts';
import type { InstanceKey, RunId } from '../../domain/key.ts';
import type { Result } from '../../domain/result.ts';
import type { RecordedRun } from '../../records/views/run-story.ts';

export interface RunRecord extends RecordedRun {
  readonly run: RunId;
  /** The film's file, as a person here names it; its name in the journal is that of whoever ran it. */
  readonly file?: string;
  /** The newest result with this fingerprint, with its real cost. */
  readonly resultOf: (fingerprint: string) => Result | undefined;
  /** What this instance was asked for before this run; undefined where nothing was, or nobody knows. */
  readonly askedBefore: (key: InstanceKey) => Asked | undefined;
  /** What was decided for the film, oldest first, without what was withdrawn. */
  readonly choices: readonly Choice[];
  /** The file is not what it was. */
  readonly isEdited: boolean;
  /** Where all that a command wrote is kept. */
  readonly logOf: (key: InstanceKey) => CommandSaid | undefined;
}
