/**
 * Every event that can happen in a run, declared once. The journal, the terminal, plain text, JSON and resume all read this list,
 * and state is what applying it gives. Version 1 of the documented JSON shape: fields are added, never renamed.
 */

import type { BudgetStatus, BudgetStop, Demand } from '../budget.ts';
import type { MediaFacts } from '../media/media.ts';
import type { RateReached } from '../request-rates.ts';
import type { Marked } from '../source-type.ts';
import type { JsonObject } from '../text/json.ts';
import type { Choice } from './choice.ts';
import type { Failure } from './failure.ts';
import type { GenerationId, InstanceKey, RunId, StepName } from './key.ts';
import type { Asked, Result } from './result.ts';

export const EVENT_VERSION = 1;

/** An event as it is journalled and reported: `seq` counts up within a run, `at` is Unix milliseconds. */
export type RecordedEvent = Event & { readonly seq: number; readonly at: number };

export type Event = RunEvent | InstanceEvent;

/**
 * `answer`: to its request; `result`: its bytes; `record`: the service's status of a generation; `upload`: its inputs, to where the service reads
 * them; `input`: what it reads by an address; `admission`: its turn to be sent or run; `frames`: frames and sound out of the videos that it reads;
 * `deployment`: of its model, to come up or to end; `cost`: what it really cost; `journal`: its id, to be written.
 */
export type WaitsFor =
  | 'answer'
  | 'result'
  | 'record'
  | 'upload'
  | 'input'
  | 'admission'
  | 'frames'
  | 'deployment'
  | 'cost'
  | 'journal';

export type RunEvent =
  /** A run begins, or resumes an earlier one; carries what a screen needs to draw everything as waiting. */
  | {
      readonly type: 'run_started';
      readonly run: RunId;
      /** The file as the author named it. */
      readonly pipeline: string;
      readonly name: string;
      /** `studio`, or the hosted service's name. */
      readonly service: string;
      /** In which it is made, of a film that has profiles; absent: it has none. */
      readonly profile?: string;
      readonly resumed: boolean;
      readonly instances: readonly PlannedInstance[];
      /** US dollars at list price for all that the plan may send, as `plan` shows it; null where nothing has a price. */
      readonly usd: number | null;
      /** `usd` is the most that it can come to. */
      readonly at_most?: true;
      /** Instances, and open steps, without a known price: they are no part of `usd`. Absent: none. */
      readonly unpriced?: number;
      readonly open_unpriced?: number;
      /** The part of `usd` for steps with unknown instances: the most that each can come to. Absent: none. */
      readonly open?: readonly { readonly step: StepName; readonly usd: number }[];
      /** What earlier runs sent and is not here yet: no part of `usd`. Absent where there is none. */
      readonly paid?: SumOfRequests;
      /** Totals of submissions with unknown outcome; they may be billed. */
      readonly perhaps?: SumOfRequests;
      /** Each number of each budget that bounds the run; absent where there is none. */
      readonly budget?: readonly BudgetStatus[];
      /** What an interrupt does to generations at the service; `detach` where absent. */
      readonly on_interrupt?: 'detach' | 'cancel';
      /** The folder in which results are kept, where the film saves none of them under a name of its own. */
      readonly kept_in?: string;
    }
  /** A step with lists from other steps is fanned out: these are its instances. */
  | { readonly type: 'expanded'; readonly step: StepName; readonly instances: readonly PlannedInstance[] }
  /** The shared event stream went up or down. Down means polling quickens; nothing is lost. */
  | { readonly type: 'stream_changed'; readonly up: boolean; readonly reason: string }
  /** The service could not be reached, or can be again. */
  | { readonly type: 'service_changed'; readonly reachable: boolean; readonly reason: string }
  /**
   * The service answered that it is asked too often, and this run asks it more rarely from now on; or it is asked as before again. `until` (Unix
   * ms): nothing is sent before.
   */
  | { readonly type: 'pace_changed'; readonly slower: true; readonly until: number; readonly reason: string }
  | { readonly type: 'pace_changed'; readonly slower: false }
  /** A finished film was put where the author asked for it. `note`: what is odd about it, such as an extension that does not fit its content. */
  | {
      readonly type: 'output_written';
      readonly output: string;
      readonly key: InstanceKey;
      readonly path: string;
      readonly note?: string;
      /** What is there, where it is not the result itself: a frame of it, its sound. Null: what is no media, such as its timeline. */
      readonly media?: MediaFacts | null;
      /** What the file is marked as; absent where nothing synthetic is in it, its format takes no mark, or it is marked already. */
      readonly marked?: Marked;
      /** The same bytes were there already. */
      readonly unchanged?: true;
    }
  /** It could not be put there; the result itself is safe, and running again places it. */
  | {
      readonly type: 'output_failed';
      readonly output: string;
      readonly key: InstanceKey;
      readonly path: string;
      readonly reason: string;
    }
  /** The journal cannot be written any more: nothing new is sent. `unwritten` are ids that exist nowhere but here. */
  | {
      readonly type: 'journal_failed';
      readonly reason: string;
      readonly unwritten: readonly { readonly key: InstanceKey; readonly generation_id: GenerationId }[];
    }
  /** A person pressed Ctrl-C, or CI took the machine: nothing new is started. `running` goes on at the service. */
  | { readonly type: 'run_detached'; readonly running: readonly InstanceKey[]; readonly resume: string }
  /** A custom model is about to be activated, and bills from then on: durable *before* the POST. */
  | { readonly type: 'activation_intended'; readonly model: string }
  /** The service's status of a deployment that this run waits for. `ours`: this file's runs activated it, and end it. */
  | {
      readonly type: 'deployment_changed';
      readonly model: string;
      readonly status: string;
      readonly ours: boolean;
    }
  /** Nothing that this file's runs activated bills for this model any more. */
  | {
      readonly type: 'activation_closed';
      readonly model: string;
      /** We ended it; or it was never ours; or the service reports that it is not up. */
      readonly how: 'deactivated' | 'already_active' | 'not_up';
    }
  /** A deployment of ours could not be ended, and bills on. The next run of this file tries again. */
  | { readonly type: 'still_billing'; readonly model: string; readonly reason: string }
  | {
      readonly type: 'run_finished';
      readonly outcome: RunOutcome;
      readonly counts: Counts;
      /** US dollars spent by this run. */
      readonly usd: number;
      /** US dollars that a service would charge for what the built-in studio drew, free. Absent: the service bills. */
      readonly list_price_usd?: number;
      /** How much of `usd` is our estimate, because the service has not reported what it really cost. */
      readonly estimated?: number;
      /** How many generations have an unknown cost: they have no price, and the service reports none. */
      readonly unpriced?: number;
      /** Requests that the service goes on with: their cost is no part of `usd` yet. */
      readonly in_flight?: SumOfRequests;
      /** Requests that may have been taken and billed, though that is unknown: US dollars, null where one of them has no price. */
      readonly perhaps?: SumOfRequests;
      /** Paths of outputs that were no part of the run; absent where there are none. */
      readonly outputs_left_out?: readonly string[];
      /** Picks and approvals that were decided anew after the run had acted on them: the next run acts on the new decision. */
      readonly decided_later?: readonly InstanceKey[];
      /** Each number of each budget; absent where there is none. */
      readonly budget?: readonly BudgetStatus[];
      /** Why the run was given up, with `unreachable`, `unwritable` and `frozen`; what stops it, with `budget`. */
      readonly reason?: string;
    };

/**
 * `unwritable`: the journal could not be written. `frozen`: something would have been paid for under `--frozen`. `waiting`: all else is
 * done, and a person has to choose. `budget`: something did not fit into a budget, and was not sent.
 */
export type RunOutcome =
  | 'done'
  | 'failed'
  | 'interrupted'
  | 'unreachable'
  | 'unwritable'
  | 'frozen'
  | 'budget'
  | 'waiting';

/** US dollars; null where one of them has no price. */
export interface SumOfRequests {
  readonly requests: number;
  readonly usd: number | null;
}

export interface PlannedInstance {
  readonly key: InstanceKey;
  /** Model label or id; `run` for a local command, `tokenize` for a fine-tune. */
  readonly model: string;
  /** What it waits for at the start. */
  readonly needs: readonly InstanceKey[];
  readonly price: number | null;
  /** It acts outside of this machine. */
  readonly effect?: true;
  /**
   * What the service has of it from before, so that it is not paid for again; absent: nothing, or it is here already. `made`: it is
   * downloaded, now or again. `lost`: the answer to it was, and it is looked for first. `drawn_again`: the built-in studio draws the same
   * again, free.
   */
  readonly at_service?: 'made' | 'under_way' | 'lost' | 'drawn_again';
  /** US dollars that an earlier run sent it at, where the service has it; null where no price is known. */
  readonly sent_usd?: number | null;
}

export interface Counts {
  readonly succeeded: number;
  readonly reused: number;
  readonly failed: number;
  readonly blocked: number;
  readonly skipped: number;
  /** No part of the run; absent where there is none. */
  readonly left_out?: number;
  /** Not brought to an end: the run stopped first. */
  readonly unfinished: number;
}

/** It is of a submission that no instance of the plan asks for, as of an earlier version of the file: the instance of that key is unchanged by it. */
type Leftover = true;

export type InstanceEvent = { readonly key: InstanceKey } & (
  | /** Already owned: nothing was paid. */ {
      readonly type: 'reused';
      readonly fingerprint: string;
      readonly result: Result;
      /** It was not on this machine, and was fetched again from the service. */
      readonly fetched?: true;
    }
  | /** `if:` was false, or what it is made from was skipped. */ {
      readonly type: 'skipped';
      readonly why: string;
      /** What was skipped before it; absent where its own condition is false. */
      readonly by?: string;
      /** The instance with the result that replaces it (`else`). */
      readonly stands_in?: InstanceKey;
      /** An earlier round of its `until` holds. */
      readonly needless?: true;
    }
  /** It is no part of this run: not selected, a take that lost its pick, or it needs what is left out. */
  | { readonly type: 'left_out'; readonly why: string }
  | /** Something it depends on failed. */ { readonly type: 'blocked'; readonly by: InstanceKey }
  /** A person is asked; asked again where there is more to choose from. Shown, not journalled: planning again asks again. */
  | ({ readonly type: 'waiting_for' } & WaitingFor)
  /** It is decided, by whom and why: durable before anything follows from it. */
  | { readonly type: 'chosen'; readonly choice: Choice }
  /** Work that is not paid for was started: a local command, a tokenization. */
  | { readonly type: 'command_started'; readonly fingerprint: string }
  /** Its request is complete and about to be sent: durable *before* the POST. `nonce` names this one intent. */
  | {
      readonly type: 'submit_intended';
      readonly nonce: string;
      readonly fingerprint: string;
      readonly model: string;
      readonly request: JsonObject;
      readonly price: number | null;
      /** What budgets count of it until its end is known; absent in journals from before there were budgets. */
      readonly demand?: Demand;
      /** Who pays and where; see `Service.account`. Absent in journals of version 1. */
      readonly account?: string;
      /** Absent: the queue. A call has no id to follow: its answer is all there is. */
      readonly via?: Call;
      /** It may have been sent within a time that the journal has forgotten: it is looked for, and nothing is sent before that. */
      readonly lost_time?: LostTime;
      /** The service refused it before, and lists it under this id all the same: the id is claimed, and nothing is sent for this intent. */
      readonly listed?: GenerationId;
    }
  /** The service gave it an id: durable in the same tick. `found`: it was looked up after an unknown outcome. */
  | {
      readonly type: 'submit_accepted';
      readonly nonce: string;
      readonly generation_id: GenerationId;
      readonly found: boolean;
      /** US dollars of a request that was found: its list price as it was sent; null: no price was known. */
      readonly price?: number | null;
    }
  /** The service provably did not take it: nothing was paid. `retry_at` (Unix ms) when it will be tried again. */
  | {
      readonly type: 'submit_refused';
      readonly nonce: string;
      readonly reason: string;
      readonly retry_at: number | null;
      /** The service is asked too often: that is reported for the run as a whole. */
      readonly busy?: true;
    }
  /** The service may have accepted a POST with a lost answer: it is never repeated silently. `gateway`: it may still be on its way behind one. */
  | {
      readonly type: 'submit_unknown';
      readonly nonce: string;
      readonly fingerprint: string;
      readonly reason: string;
      readonly gateway?: true;
    }
  /**
   * A lost submission is looked for in the service's history; `until` (Unix ms) is when the next read is due. What was waited is journalled, so
   * that the next run waits no longer than is left.
   */
  | {
      readonly type: 'looking';
      readonly nonce?: string;
      /** Milliseconds that were waited for it, by all runs together. */
      readonly waited?: number;
      /** Pages read, of how many where that is known. */
      readonly page?: number;
      readonly of?: number;
      readonly until?: number;
    }
  /** The submission provably is not in the service's history: it may be sent again. `asked`: there is no proof, and the author decided so. */
  | { readonly type: 'submit_absent'; readonly nonce: string; readonly reason: string; readonly asked?: true }
  /** A person gave it up (`cancel --forget`): no run waits for it any more, whatever became of it. */
  | { readonly type: 'submission_forgotten'; readonly nonce: string; readonly fingerprint: string }
  /** This run resumes a generation that an earlier run submitted: nothing is paid. */
  | {
      readonly type: 'taken_up';
      readonly nonce: string;
      readonly fingerprint: string;
      /** Null for the result of a synchronous call that the earlier run did not fetch. */
      readonly generation_id: GenerationId | null;
      /** An earlier run knew that it is made, and has counted what it costs. */
      readonly made?: true;
      readonly leftover?: Leftover;
    }
  /** A chat model's answer grew by this text. Shown while it is written, and not journalled. */
  | { readonly type: 'text_written'; readonly text: string }
  /** An answer's JSON was read without what the model put around it, or left in it. Shown, and not journalled. */
  | { readonly type: 'answer_cleaned'; readonly left_out: readonly LeftOut[] }
  /** A chat model's answer does not fit the step's `schema`: it was paid for, and is asked to be mended. */
  | {
      readonly type: 'answer_unfit';
      readonly nonce: string;
      readonly fingerprint: string;
      readonly reason: string;
      readonly cost: number | null;
      /** Of this call, read and written; absent where the service does not report it. */
      readonly tokens?: number;
    }
  /** A round of a step with `until` is made and asked whether it holds. Shown, and not journalled. */
  | {
      readonly type: 'round_over';
      readonly round: number;
      /** The most rounds there can be. */
      readonly of: number;
      readonly holds: boolean;
      /** What its author asks about, and the round's answer: `this.json.score is 6`. Empty where that is no plain value. */
      readonly said: string;
    }
  /** It does not fit into a budget, and is not sent: what fits goes on. The next run asks again. Shown; journalled once the run ends, for its report. */
  | ({ readonly type: 'over_budget' } & BudgetStop)
  /**
   * A number under `rates` of the service's settings holds it back, and others with it; `until` (Unix ms) is when the next may be sent.
   * `first`: in this run. Shown, and not journalled.
   */
  | ({ readonly type: 'held_back'; readonly until: number; readonly first?: true } & RateReached)
  /** It has failed, and is tried again at `until` (Unix ms): that is `attempt` of `of`. Nothing of it is open at the service. */
  | {
      readonly type: 'retrying';
      readonly fingerprint: string;
      readonly attempt: number;
      readonly of: number;
      readonly until: number;
      readonly failure: Failure;
    }
  /** The service's status of a generation that is not finished. */
  | {
      readonly type: 'progress';
      readonly status: string;
      /** Place in the service's queue, 1 is next; null where unknown. */
      readonly position: number | null;
      /** 0 to 1; null where unknown. */
      readonly fraction: number | null;
      /** Address of the first picture of what is being drawn, until it is finished; absent where the service shows none. */
      readonly preview?: string;
    }
  /** The service has finished it: the result is owned from here on. */
  | {
      readonly type: 'generated';
      /** Null with `via: sync`. */
      readonly generation_id: GenerationId | null;
      readonly result_url: string;
      readonly cost: number | null;
    }
  | { readonly type: 'download_started'; readonly bytes: number | null }
  /**
   * It has waited for ten seconds, or a try has failed. `since`: when the wait began, Unix milliseconds. Shown, and not journalled.
   */
  | { readonly type: 'still_waiting'; readonly what: WaitsFor; readonly reason: string; readonly since: number }
  /** The result is on this machine, verified. */
  | {
      readonly type: 'succeeded';
      readonly fingerprint: string;
      readonly result: Result;
      /** It was made before, and the built-in studio has drawn it again, free. */
      readonly drawn_again?: true;
      /** What was asked for, to tell later what has changed since. */
      readonly asked?: Asked;
      readonly leftover?: Leftover;
    }
  | {
      readonly type: 'failed';
      readonly failure: Failure;
      /** What was asked for; absent where it did not come to that. */
      readonly asked?: Asked;
      readonly leftover?: Leftover;
    }
  /** The service is asked to cancel it. Where it does, the instance has `failed` with `generation_cancelled`. */
  | { readonly type: 'cancel_asked'; readonly generation_id: GenerationId }
  /** It could not be cancelled: it goes on, has finished already, or that is unknown (and may be billed). */
  | {
      readonly type: 'cancel_failed';
      /** Null where its id is unknown. */
      readonly generation_id: GenerationId | null;
      readonly why: 'not_offered' | 'finished' | 'no_answer' | 'no_id';
      readonly message: string;
    }
  /** The service reports what it really cost: this replaces what was counted until now (null: nothing was). */
  | {
      readonly type: 'billed';
      readonly fingerprint: string;
      readonly generation_id: GenerationId;
      /** US dollars. */
      readonly cost: number;
      readonly estimate: number | null;
      /** Who pays and where; see `Service.account`. Absent in older journals. */
      readonly account?: string;
    }
);

export interface WaitingFor {
  readonly is: 'pick' | 'approve';
  /** What is to be decided, as a sentence. */
  readonly ask: string;
  /** How many are to be chosen. */
  readonly count: number;
  /** What is there to be chosen, or approved. */
  readonly options: readonly Option[];
  /** Candidates that are still to come. An early choice decides against them. */
  readonly awaited: readonly InstanceKey[];
}

/** `id`: as a choice names it. */
export interface Option {
  readonly id: string;
  readonly key: InstanceKey;
  /** SHA-256 of its file, where it is one, and what is known of that. */
  readonly sha256?: string;
  readonly media?: MediaFacts;
  /** Where it is a text. */
  readonly text?: string;
}

/** What was around an answer's JSON, or in it: a code fence, words, commas before a closing bracket. */
export type LeftOut = 'fence' | 'words' | 'trailing_commas';

/** Endpoints that answer at once. */
export type Call = 'sync' | 'chat';

/** What was done between these two moments (Unix milliseconds) was written down, and is known no more: a backup was restored, or a standby took over. */
export interface LostTime {
  readonly since: number;
  readonly until: number;
}

export type EventType = Event['type'];

/** Shows the events of a run: the terminal screen, plain text, JSON lines. A reporter only receives events. */
export interface Reporter {
  report(event: RecordedEvent): void;
  /** Resolves when everything is written. */
  close(): Promise<void>;
}
