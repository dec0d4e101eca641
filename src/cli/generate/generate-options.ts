/** What one generation is asked with. */
import type { Connection } from '../service/with-service.ts';
import type { SingleStep } from './single-step.ts';
import type { Workspace } from './workspace.ts';

export interface GenerateOptions {
  readonly connection: Connection;
  readonly step: SingleStep;
  readonly workspace: Workspace;
  readonly label: string;
  readonly sync: boolean;
  readonly onUnknown: 'fail' | 'resubmit';
  /** The command, as a person would type it to go on. */
  readonly again: string;
}
