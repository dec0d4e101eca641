/** The settings of a run, from the settings file and the command line. */
import type { ServiceRates } from '../../model/request-rates.ts';
import type { Proof } from '../requests/proof-of-absence.ts';
import type { Pace } from '../requests/watcher.ts';
import type { Limits } from './limits.ts';
import type { StopReason } from './stop-switch.ts';

export interface RunSettings {
  readonly limits: Limits;
  /** What the service allows, as its settings say; absent: whatever it takes. */
  readonly rates?: ServiceRates | undefined;
  /**
   * The service makes one generation of all requests that are sent under one `Idempotency-Key`, as its settings say: its own history proves
   * nothing of the kind. What has lost its answer is sent again there.
   */
  readonly idempotent?: true;
  readonly pace: Pace;
  /** Milliseconds without a word from the service before the run gives up (open generations stay open). */
  readonly patience: number;
  /** What it takes before a lost POST that is not listed counts as absent. */
  readonly proof: Proof;
  /** Milliseconds after which an activation that was never answered has arrived or never will. */
  readonly settleActivation: number;
  /** Absolute path of the project's root: outputs live under it. */
  readonly root: string;
  /** Below the root, and never written by outputs: the pipeline, its lock, the settings. */
  readonly reserved?: readonly string[];
  /** The command that resumes this run, as a person would type it, and the command that ends what it left at the service. */
  readonly resume: string;
  /** The options of it that say which film and service are meant, beside the profile: for other commands about the same film. */
  readonly options?: string;
  readonly cancel?: string;
  /** The command that takes a generation for an instance's own, before `KEY=GENERATION`; absent: the resuming command has no such option. */
  readonly attach?: string;
  /** The version of Shotlist, for later readers of the run. */
  readonly shotlist?: string;
  /** The built-in studio reads results straight from the content store. */
  readonly localStudio: boolean;
  /** What an interrupt does to generations at the service: they go on, or are cancelled. */
  readonly onInterrupt?: 'detach' | 'cancel';
  /**
   * Whether another turn of this run follows one that stops for this reason: deployments that the run brought up stay up for that turn, which
   * finds them open in the journal. Asked at the end; absent: never.
   */
  readonly isHandedOver?: (reason: StopReason['is']) => boolean;
  /** What a first failure does: the rest goes on, or nothing new is begun. */
  readonly onFailure?: 'go_on' | 'hold';
  /** Where results are kept, as a person here would name it: shown where the film saves none of them under a name of its own. */
  readonly keptIn?: string;
  /** The service runs on another machine and cannot reach files of this one. */
  readonly elsewhere?: boolean;
}

/** How a person answers what became of a request or a command with an unknown outcome: by a command in a team, by an option elsewhere. */
export const answerUnknown = (
  { resume, attach }: Pick<RunSettings, 'resume' | 'attach'>,
  answer: 'resubmit' | 'done',
): string => (attach === undefined ? `run with --on-unknown ${answer}` : `\`${resume} --on-unknown ${answer}\``);
