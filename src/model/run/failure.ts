import type { GenerationId } from './key.ts';

/** What a command wrote before it failed. */
export interface CommandOutput {
  /** The last lines of its output and its log, in the order they came: clean, without secrets. */
  readonly lines?: readonly string[];
  /** The file that holds all of them: a path from the project's root. */
  readonly log?: string;
}

interface PerhapsHere {
  /** A program of this machine could not do its part: nothing in the author's file is wrong, and running again is enough. */
  readonly here?: true;
}

/**
 * Why an instance did not succeed. Travels in events; `code` is stable and documented.
 * Wording: `show/text/failure-text.ts`.
 */
export type Failure =
  /** The service took the request and then failed it (`failed` or `cancelled` in the queue record). */
  | { readonly code: 'generation_failed'; readonly generation_id: GenerationId; readonly message: string }
  | { readonly code: 'generation_cancelled'; readonly generation_id: GenerationId; readonly message: string }
  /** The service took it and does not know it any more. It stays open: the next run asks again, until a person forgets it. */
  | { readonly code: 'generation_lost'; readonly generation_id: GenerationId; readonly message: string }
  /** The service refused the request: nothing was paid. */
  | { readonly code: 'request_refused'; readonly status: number; readonly message: string }
  /** The POST may or may not have been accepted, and the service cannot tell. Money may have moved. */
  | {
      readonly code: 'submit_unknown';
      readonly message: string;
      /** The service's history lists none of what was sent: by that, nothing was paid. */
      readonly unlisted?: true;
    }
  /** The resolved request breaks a rule of the model that could only be seen now. Nothing was paid. */
  | ({ readonly code: 'request_invalid'; readonly message: string } & PerhapsHere)
  /** A file of the author's is not what it was when the plan was made. Nothing was paid. */
  | { readonly code: 'input_changed'; readonly message: string }
  /** The result exists at the service but could not be brought here. It stays owned: running again fetches it. */
  | {
      readonly code: 'download_failed';
      readonly generation_id: GenerationId | null;
      readonly message: string;
      /** It was here, its file was damaged, and the service does not keep it any more. */
      readonly damaged?: true;
    }
  /** A chat model's answer does not fit the step's `schema`, and mending it did not help. It was paid for. */
  | { readonly code: 'answer_invalid'; readonly message: string }
  /** A chat model would not answer. It was paid for. */
  | { readonly code: 'answer_refused'; readonly message: string }
  /** The request would cost money, and the run is `--frozen`. Nothing was sent. */
  | { readonly code: 'frozen'; readonly message: string }
  /** A fine-tune cannot be tokenized. Nothing was paid. */
  | { readonly code: 'tokenize_failed'; readonly message: string }
  /** A local command ended badly. */
  | ({ readonly code: 'command_failed'; readonly exit: number | null; readonly message: string } & CommandOutput &
      PerhapsHere)
  /** A film could not be cut: its clips do not fit, one of them is not here, or rendering failed. */
  | ({ readonly code: 'cut_failed'; readonly message: string } & PerhapsHere)
  /** A command that acts outside was begun, and whether it has acted is unknown. It stays open, until a person decides. */
  | ({ readonly code: 'effect_unknown'; readonly message: string } & CommandOutput)
  /** An expression could not be evaluated on the real values. */
  | { readonly code: 'expression_failed'; readonly message: string }
  /** No round of a step with `until` holds. What its rounds cost was paid. */
  | { readonly code: 'until_not_held'; readonly message: string }
  /**
   * It took longer than its author allows. `goes_on`: nothing has ended it, or that is unknown; a later run asks. `generation_id`: of one
   * that was ended at the service.
   */
  | ({
      readonly code: 'timed_out';
      readonly message: string;
      readonly goes_on?: true;
      readonly generation_id?: GenerationId;
    } & CommandOutput)
  /** The custom model it is made with could not be brought up. Nothing was sent. */
  | { readonly code: 'deployment_failed'; readonly model: string; readonly message: string };

export type FailureCode = Failure['code'];

/** A person, or the service, has ended it. */
export const isCancelled = ({ code }: Failure): boolean => code === 'generation_cancelled';

/** Of a request that the service took: whether it bills what it did not finish is its own affair. */
export const mayBeBilled = (failure: Failure): boolean =>
  mayBeBilledAs(failure.code, failure.code === 'timed_out' && failure.generation_id !== undefined);

/** The same of a failure's code. @param wasTaken whether it has an id at the service */
export const mayBeBilledAs = (code: FailureCode, wasTaken: boolean): boolean =>
  code === 'generation_failed' ||
  code === 'generation_cancelled' ||
  code === 'answer_invalid' ||
  code === 'answer_refused' ||
  (code === 'timed_out' && wasTaken);

/** It failed on this machine, by no fault of the file. */
export const failedHere = (failure: Failure): boolean => 'here' in failure && failure.here === true;

/** Ends a switch over a closed union: adding a variant lights up every place that forgot it. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
