/** What the loop in which one writes a film tells: the terminal and the page are told the same. */
import type { Diagnostic } from '../../domain/diagnostic.ts';
import type { RecordedEvent } from '../../domain/event.ts';
import type { InstanceKey } from '../../domain/key.ts';
import type { Plan } from '../../domain/plan.ts';
import type { Outcome } from '../../run/run.ts';

export type WatchNews =
  /** Unix milliseconds. `files`: absolute paths of what has changed; none at the beginning. */
  | { readonly is: 'saved'; readonly at: number; readonly files: readonly string[] }
  /** Something is wrong with the film as it is now; what was made last stays, and what is being drawn goes on. */
  | { readonly is: 'mistaken'; readonly diagnostics: readonly Diagnostic[]; readonly words: readonly string[] }
  /** Another process runs the film, or holds it: it is tried again and again. */
  | { readonly is: 'held'; readonly words: readonly string[] }
  /** What is odd about a film that is drawn, and what a team's store could not give for it. */
  | { readonly is: 'advised'; readonly diagnostics: readonly Diagnostic[]; readonly words: readonly string[] }
  /** It reads otherwise, and asks for the same as what is being drawn. */
  | { readonly is: 'same' }
  /** It is drawn as it is now. `cancelled`: what was being drawn and is asked for no more. */
  | { readonly is: 'planned'; readonly plan: Plan; readonly cancelled: readonly InstanceKey[] }
  | { readonly is: 'event'; readonly event: RecordedEvent }
  /** The first picture of what is being drawn. */
  | { readonly is: 'first_frame'; readonly key: InstanceKey; readonly at: number; readonly jpeg: Uint8Array }
  | { readonly is: 'ended'; readonly outcome: Outcome };

export type HearNews = (news: WatchNews) => void;
