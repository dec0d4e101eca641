/** What the review page draws, and what it asks for: the page and its server agree on nothing else. Texts are clean, and hold no secret. */
import type { InstanceKey } from '../../../model/run/key.ts';
import type { ReportedDecision, ReportedMedia, ReportedState } from '../../../model/run/run-report.ts';

export interface ReviewState {
  readonly head: ReviewHead;
  /** Where the film is being written; absent: it is only looked at. */
  readonly live?: LiveState;
  /** In the order of the plan. */
  readonly questions: readonly ReviewQuestion[];
}

export interface ReviewHead {
  /** The pipeline's own name. */
  readonly name: string;
  /** As it was named. */
  readonly file: string;
  readonly profile: string | null;
  /** Nothing of it is billed: it is drawn by the built-in studio. */
  readonly isFree: boolean;
  /** The newest run; null: there was none. `outcome` as in `RunReport`. */
  readonly run: { readonly outcome: string; readonly isGoing: boolean } | null;
  /** What to type to go on with the film. */
  readonly again: string;
  /** Why nothing can be decided at this moment; null: it can. */
  readonly closed: string | null;
  /** The name on decisions of this page. */
  readonly me: string;
}

/** One `pick` or `approve`. */
export interface ReviewQuestion {
  readonly key: InstanceKey;
  readonly is: 'pick' | 'approve';
  readonly ask: string;
  /** How many are to be chosen. */
  readonly count: number;
  /** Who decides where no person does. */
  readonly by: 'person' | 'rule' | 'judge';
  readonly options: readonly ReviewOption[];
  readonly decided: ReportedDecision | null;
  /** Instances that wait for it: what goes on once it is decided. */
  readonly next: readonly InstanceKey[];
}

/** One candidate of a pick, or one thing that is shown for approval. */
export interface ReviewOption {
  /** What a choice names it by. */
  readonly id: string;
  readonly key: InstanceKey;
  readonly step: string;
  readonly coordinates: Readonly<Record<string, string>>;
  readonly state: ReportedState;
  /** It is made: it can be looked at, and chosen. */
  readonly isReady: boolean;
  /** 0 to 1, and the place in the service's queue (1 is next), while the service reports it. */
  readonly fraction: number | null;
  readonly place: number | null;
  /** Why it is not made; null where its state is enough. */
  readonly waits: string | null;
  /** Unix milliseconds since which it is being made. */
  readonly since: number | null;
  readonly media: ReportedMedia | null;
  /** Whether the content lies on this machine. */
  readonly isHere: boolean;
  readonly text: string | null;
  readonly prompt: string | null;
  readonly model: string;
  readonly seed: string | null;
  /** US dollars that it cost, or will; null where unknown. */
  readonly cost: number | null;
  /** That it took to make. */
  readonly seconds: number | null;
  readonly generation: string | null;
  /** What a rule or a judge gave it. */
  readonly score: { readonly score: number; readonly words: string | null } | null;
  readonly rejected: Rejection | null;
}

/** A person's word against one candidate of a pick. It decides nothing: the others stay to be chosen from. */
export interface Rejection {
  readonly who: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly note: string | null;
}

/** Which decision a person had before their eyes: another that came meanwhile is not overruled unseen. Null: none. */
export type Seen = { readonly at: number; readonly who: string } | null;

/** What the page sends. `chosen` and `option` are ids. */
export type ReviewAction =
  | {
      readonly do: 'decide';
      readonly key: InstanceKey;
      /** Best first; of an approval all that is shown, or nothing. */
      readonly chosen: readonly string[];
      readonly note: string | null;
      readonly seen: Seen;
    }
  | {
      readonly do: 'reject';
      readonly key: InstanceKey;
      readonly option: string;
      readonly note: string | null;
    }
  /** It is not rejected any more. */
  | { readonly do: 'accept'; readonly key: InstanceKey; readonly option: string }
  /** Nothing is decided any more: the next run asks again. */
  | { readonly do: 'forget'; readonly key: InstanceKey; readonly seen: Seen };

export type ReviewAnswer =
  | {
      readonly is: 'done';
      /** What follows from it; null: nothing to mention. */
      readonly words: string | null;
    }
  /** It was decided elsewhere meanwhile: that stays. */
  | { readonly is: 'taken' }
  | { readonly is: 'refused'; readonly words: string };

/** What the server sends for an action. */
export interface ReviewReply {
  readonly answer: ReviewAnswer;
  /** All there is to see after the action; null: nothing was read. */
  readonly now: ReviewChange | null;
}

/** A message of the page's event stream: what changed since the one before. The first has all. */
export interface ReviewChange {
  /** Grows. A smaller one than the page has seen arrives late: the page has all of it already. */
  readonly version: number;
  readonly head: ReviewHead;
  readonly live?: LiveState;
  /** All that there are, in order. */
  readonly order: readonly InstanceKey[];
  /** Those that changed. */
  readonly questions: readonly ReviewQuestion[];
}

// What the page shows of a film that is being written (`run --watch`). Texts are clean, and hold no secret.

export interface LiveState {
  /** Unix milliseconds of the newest save. */
  readonly savedAt: number;
  /** What is wrong with the file as it is now, with the places; null: nothing. The shots are those of the last film that could be read. */
  readonly mistakes: string | null;
  readonly advice: string | null;
  /** What has a picture or a sound, or will have, in the order of the plan. */
  readonly shots: readonly LiveShot[];
}

export interface LiveShot {
  readonly key: InstanceKey;
  readonly state: 'waiting' | 'drawing' | 'there' | 'failed';
  /** The newest that was made: while another is drawn, the one before. */
  readonly media: ReportedMedia | null;
  /** SHA-256 of the first picture of what is being drawn. */
  readonly first: string | null;
  /** 0 to 1 while it is drawn; null where unknown. */
  readonly fraction: number | null;
  /** Why it failed. */
  readonly why: string | null;
}

/** Who keeps it. */
export interface LiveSource {
  readonly state: LiveState;
  /** A first picture that is shown at this moment, by its SHA-256: JPEG. */
  picture(sha256: string): Uint8Array | undefined;
  follow(changed: () => void): () => void;
}
