/**
 * A run as people see it afterwards, and while it goes on: what the report and the review page draw, and what `report --json` prints.
 * Documented JSON, version 1: fields are added, never renamed. Content is named by digest, never by a path on some machine; texts are
 * clean, and hold no secret. Times are Unix milliseconds, lengths of time seconds, money US dollars (null: unknown).
 */

import type { MediaFacts } from '../media/media.ts';
import type { Marked } from '../source-type.ts';
import type { CommandOutput, FailureCode } from './failure.ts';
import type { InstanceKey, RunId, StepName } from './key.ts';
import type { UnsettledMoney } from './run-money.ts';

export interface RunReport {
  readonly version: 1;
  readonly run: ReportedRun;
  /** What the film ends with: the output that is read by nothing else, or the last; null where the run made none. */
  readonly film: ReportedFilm | null;
  readonly outputs: readonly ReportedOutput[];
  /** In topological order. */
  readonly steps: readonly ReportedStep[];
  /** From step to step: the second reads the first. */
  readonly edges: readonly (readonly [StepName, StepName])[];
  /** In the order of the plan. */
  readonly instances: readonly ReportedInstance[];
  /** Keys along the longest path in time, first to last: what the run waited for. */
  readonly critical: readonly InstanceKey[];
  /** What a person is asked, or was. */
  readonly questions: readonly ReportedQuestion[];
}

export interface ReportedRun extends UnsettledMoney {
  readonly id: RunId;
  /** The pipeline's own name, and its author's description. */
  readonly name: string;
  readonly description: string | null;
  /** The file as it was named. */
  readonly file: string;
  readonly service: string;
  /** The service is the built-in studio: nothing is billed, and `spent` is at list price. */
  readonly isFree: boolean;
  readonly profile: string | null;
  readonly began: number;
  /** Of the last event; null while it goes on. */
  readonly ended: number | null;
  /** `running` while it goes on; otherwise how it ended, `cut_off` where its process died. */
  readonly outcome: string;
  readonly reason: string | null;
  /** What to type to go on; null where there is nothing to go on with. */
  readonly command: string | null;
  /** Options that say which film and service are meant beside the profile, as other commands about it are typed: `--draft`; or empty. */
  readonly options: string;
  readonly spent: number;
  /** What a service would charge for what the built-in studio drew, free; absent: the service bills. */
  readonly list_price?: number;
  /** Of `spent`, what only our price list estimates; generations without a price. */
  readonly estimated: number;
  readonly unpriced: number;
  /** What the reused results would have cost. */
  readonly saved: number;
  /** In dollars, where the film has one. */
  readonly budget: number | null;
  /** Seconds in which nothing went on but waiting for a person. */
  readonly waitedForPeople: number;
  /** The version of Shotlist that wrote it. */
  readonly shotlist: string;
  /** The file was edited since: what is shown is what was run. */
  readonly isEdited: boolean;
  /** False: some of what was planned is not known, because an older version ran it, or a part of the journal is damaged. */
  readonly isWhole: boolean;
}

export interface ReportedFilm {
  readonly key: InstanceKey;
  readonly media: ReportedMedia;
  /** Where it was placed; null: nowhere. */
  readonly path: string | null;
  /** What is seen when, in seconds of the film, where it is a cut of ours. */
  readonly shots: readonly {
    readonly at: number;
    readonly for: number;
    readonly key: InstanceKey | null;
    readonly name: string;
  }[];
}

/** What lies in the store under its digest, and what is known of it. */
export interface ReportedMedia {
  readonly sha256: string;
  readonly facts: MediaFacts;
  readonly bytes: number | null;
  /** A browser that lacks the codec shows nothing of it: HEVC, ProRes, HDR. */
  readonly needsProxy: boolean;
}

export interface ReportedOutput {
  readonly name: string;
  readonly key: InstanceKey;
  /** Relative to the project's root. */
  readonly path: string;
  readonly media: ReportedMedia | null;
  /** What its file is marked as; `none`: it is to have no mark. Null: it has none, or the file was not looked at. */
  readonly marked: Marked | null;
  /** Why it is not there; null: it is. */
  readonly failed: string | null;
}

export interface ReportedStep {
  readonly name: StepName;
  /** `video`, `image`, `chat`, `run`, `cut`, `pick`, `approve`, `uses`, `tokenize`, … as the language calls it. */
  readonly kind: string;
  readonly model: string | null;
  /** How it is fanned out: `12 × 3`; null: one instance. */
  readonly by: string | null;
  readonly needs: readonly StepName[];
  /** Its author's description. */
  readonly description: string | null;
  /** The place of its name, from 1; `file` is null where that is the film's own. Null: not known. */
  readonly place: { readonly file: string | null; readonly line: number; readonly column: number } | null;
}

/**
 * `made`, `reused` (owned before), `failed`, `blocked` (by something that failed), `skipped` (its `if`), `left_out` (no part of the run),
 * `not_run` (the run ended first), and while a run goes on `waiting`, `queued`, `running`, `fetching`, `asks` (for a person).
 */
export type ReportedState =
  | 'made'
  | 'reused'
  | 'failed'
  | 'blocked'
  | 'skipped'
  | 'left_out'
  | 'not_run'
  | 'waiting'
  | 'queued'
  | 'running'
  | 'fetching'
  | 'asks';

export interface ReportedInstance {
  /** As it is typed: what a choice and a command name. */
  readonly key: InstanceKey;
  /** The same, safe to show. */
  readonly label: string;
  readonly step: StepName;
  /** Of its fan-out: `{ beat: '3', take: '2' }`. */
  readonly coordinates: Readonly<Record<string, string>>;
  readonly state: ReportedState;
  readonly kind: string;
  readonly model: string;
  /** At most 100 of each step that it waits for as a whole. */
  readonly needs: readonly InstanceKey[];
  /** Words that describe what was asked for: the prompt, the command, the question. */
  readonly prompt: string | null;
  /** All that was asked for, as YAML. */
  readonly request: string | null;
  readonly media: ReportedMedia | null;
  /** Further files of it, a frame or a sound taken of it, the clips of a list. */
  readonly files: readonly { readonly name: string; readonly media: ReportedMedia }[];
  /** What it is, where it is a text: at most 20,000 characters of it. */
  readonly text: string | null;
  /** What this run paid for it; what it costs by the list, or of what is reused, what it cost when it was made. */
  readonly cost: number | null;
  readonly price: number | null;
  readonly generation: string | null;
  readonly fingerprint: string | null;
  readonly seed: string | null;
  readonly attempts: readonly ReportedAttempt[];
  readonly why: ReportedWhy;
  /** What this pick or approval came to. */
  readonly decision: ReportedDecision | null;
  /** It was chosen by these picks; `lost`: by none of those it was offered to. */
  readonly chosenBy: readonly InstanceKey[];
  readonly lost: boolean;
  /** A person's rejection of it as a candidate of a pick. */
  readonly rejected: { readonly who: string; readonly at: number; readonly note: string | null } | null;
  readonly failure: ReportedFailure | null;
  /** What it waits for, while it does: `place 4`, `the other takes`, `2 a minute`. */
  readonly waitsFor: string | null;
  /** 0 to 1, while the service reports it. */
  readonly fraction: number | null;
  /** Last lines that its command wrote, and the file of all of them. */
  readonly log: CommandOutput | null;
}

/** One try, as a bar of the timeline: each time is of its beginning; null where it never came to that. */
export interface ReportedAttempt {
  readonly queued: number;
  readonly running: number | null;
  readonly fetching: number | null;
  readonly ended: number | null;
  readonly is: 'made' | 'failed' | 'cancelled' | 'unknown' | 'running';
  readonly cost: number | null;
  readonly generation: string | null;
  /** Why it came to nothing. */
  readonly reason: string | null;
}

export interface ReportedWhy {
  /** A sentence: why it was made, reused, or not run. */
  readonly verdict: string;
  /** Against what it was asked for before. */
  readonly fields: readonly ReportedField[];
}

export interface ReportedField {
  readonly name: string;
  readonly is: 'same' | 'changed' | 'new' | 'gone';
  readonly was: string | null;
  readonly now: string | null;
}

export interface ReportedDecision {
  readonly by: string;
  readonly who: string;
  readonly at: number;
  readonly note: string | null;
  /** Best first; empty: not approved. */
  readonly chosen: readonly InstanceKey[];
  readonly scores: readonly { readonly key: InstanceKey; readonly score: number; readonly words: string | null }[];
}

export interface ReportedFailure {
  readonly code: FailureCode | 'blocked';
  readonly message: string;
  /** This machine could not do its part; nothing in the file is wrong. */
  readonly here?: true;
  /** What it cost all the same; null: unknown. */
  readonly cost: number | null;
  /** What to do before the command helps; null where running again is enough. */
  readonly first: string | null;
  /** What to type to go on. */
  readonly command: string | null;
}

export interface ReportedQuestion {
  /** The `pick` or `approve`. */
  readonly key: InstanceKey;
  readonly is: 'pick' | 'approve';
  readonly ask: string;
  readonly count: number;
  /** What there is to choose from, made or not, in order: instances of the report; `id` is what a choice names. */
  readonly options: readonly { readonly key: InstanceKey; readonly id: string | null }[];
  readonly decided: ReportedDecision | null;
  /** It cannot be decided yet: nothing of it is made, or what it is about follows from a pick that was decided anew since. */
  readonly isOpen: boolean;
}
