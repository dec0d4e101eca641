import type { Choice } from './choice.ts';
import type { DerivedPart } from './derived-media.ts';
import type { Json, JsonObject } from './json.ts';
import type { GenerationId, InstanceKey } from './key.ts';
import type { MediaFacts } from './media.ts';

/** What a finished instance gives to the steps after it. Content, never a place on some machine: a path is found where it is used. */
export type Result = StoredResult | OutputsResult | PickedResult | ApprovedResult | RoundResult;

/** What was made, and is kept. */
export type StoredResult = MediaResult | TextResult | CommandResult | TuningResult;

/** What the file of a `uses` step gives. It is gathered from the results inside whenever they are there, and kept nowhere itself. */
export interface OutputsResult {
  readonly is: 'outputs';
  /** By output; of one whose step is fanned out, all in order. An output that was not made, because its step was skipped, is left out. */
  readonly outputs: { readonly [name: string]: UsedResult | readonly UsedResult[] };
}

/** One result inside, or one file of it. */
export interface UsedResult {
  readonly key: InstanceKey;
  readonly result: StoredResult | ApprovedResult;
  readonly file?: string;
  /** Which one, of a list of files. */
  readonly index?: number;
  /** A frame of that, or its sound. */
  readonly part?: DerivedPart;
}

/** What a `pick` gives: the results that were chosen. Only the choice is kept; the results are those of the candidates. */
export interface PickedResult {
  readonly is: 'picked';
  readonly choice: Choice;
  /** Best first. */
  readonly chosen: readonly PickedOne[];
  /** It is read as a list, however many there are. */
  readonly isList: boolean;
}

export interface PickedOne {
  readonly key: InstanceKey;
  readonly result: Exclude<Result, ApprovedResult>;
  /** Which of the candidates it was: its own coordinates. */
  readonly matrix: JsonObject;
}

/** What a step with `until` gives: the result of one of its rounds, which is kept as that round's own. */
export interface RoundResult {
  readonly is: 'round';
  readonly key: InstanceKey;
  /** From 1. */
  readonly round: number;
  /** None holds: it is taken all the same. */
  readonly otherwise?: true;
  readonly result: StoredResult | OutputsResult;
}

/** What an `approve` gives: a person's word. Only the choice is kept. */
export interface ApprovedResult {
  readonly is: 'approved';
  readonly approved: boolean;
  readonly choice: Choice;
}

/** It is kept in the journal and the lock. */
export const isStored = (result: Result): result is StoredResult =>
  result.is !== 'outputs' && result.is !== 'round' && !isDecision(result);

/** Nothing was made: somebody has decided. */
export const isDecision = (result: Result): result is PickedResult | ApprovedResult =>
  result.is === 'picked' || result.is === 'approved';

/** The one piece that a result is: of a pick, what was chosen first; of rounds, the one that was taken. */
export function pieceOf(result: Result): StoredResult | OutputsResult | ApprovedResult {
  let piece = result;
  while (piece.is === 'picked' || piece.is === 'round') {
    const [first] = piece.is === 'picked' ? piece.chosen : [piece];
    if (!first) throw new Error('a pick that chose nothing');
    piece = first.result;
  }
  return piece;
}

export interface MediaResult {
  readonly is: 'media';
  /** Where the service keeps it. May expire; never part of a cache key. */
  readonly result_url: string;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Of its file, with its dot; empty where it has none. */
  readonly extension: string;
  readonly bytes: number;
  /** Null where it was made by a call that answers at once (`via: sync`) and leaves nothing to ask for. */
  readonly generation_id: GenerationId | null;
  /** The request as it was sent, without the key. */
  readonly request: JsonObject;
  /** US dollars; an estimate until the service tells the real cost; null where no price is known. */
  readonly cost: number | null;
  readonly media: MediaFacts;
}

/** Common: `stop`, `length` (cut off at `max_tokens`), `content_filter`, `refusal`. Any other word is kept as it is. */
export type FinishReason = 'stop' | 'length' | (string & {});

/** The answer ends where its tokens ran out, in the words of this service or another. */
export const isCutOff = (finish_reason: FinishReason): boolean =>
  ['length', 'max_tokens', 'max_output_tokens'].includes(finish_reason);

/** Tokens, as the service counts and bills them. */
export type ChatUsage = {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
};

/** What a chat model wrote. */
export interface TextResult {
  readonly is: 'text';
  readonly text: string;
  /** `text` read as JSON: with `schema:` it fits the schema; null where it is no JSON. */
  readonly json: Json;
  readonly finish_reason: FinishReason;
  /** Tokens, of all calls it took; null where the service does not tell. */
  readonly usage: ChatUsage | null;
  /** The request as it was asked, without the key. */
  readonly request: JsonObject;
  /** US dollars of all calls it took, from the tokens the service counted; null where no price is known. */
  readonly cost: number | null;
}

/** The fine-tune as the service told it last: expressions read its fields. */
export interface TuningResult {
  readonly is: 'fine_tune';
  readonly fine_tune: JsonObject;
  /** False where the service took it, and does not tell when it is ready. */
  readonly ready?: false;
}

export interface CommandResult {
  readonly is: 'command';
  readonly stdout: string;
  /** `stdout` read as JSON, where that is an object or a list. */
  readonly json: JsonObject | readonly Json[] | null;
  readonly files: CommandFiles;
  /** It acted outside of this machine: it stays done, whatever becomes of its files. */
  readonly effect?: true;
}

/** What each name under `creates` has become: one file, or, where its path holds a star, a list in natural order. */
export interface CommandFiles {
  readonly [name: string]: CommandFile | readonly ListedFile[];
}

export interface CommandFile {
  readonly sha256: string;
  /** Of its file, with its dot; empty where it has none. */
  readonly extension: string;
  readonly bytes: number;
  readonly media: MediaFacts | null;
}

/** One of the files that a star stands for. */
export interface ListedFile extends CommandFile {
  /** As the command called it, without its folder: `part_2.mp4`. */
  readonly name: string;
}
