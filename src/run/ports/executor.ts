/**
 * Carries out the heavy local work of a run: commands, cuts, downloads. A port: it takes *resolved* work as plain data, its inputs as digests, and gives
 * back a result as data, so that another machine can do it. Doing a piece of work twice is harmless: results are content.
 */

import type { Cut } from '../../model/media/cut.ts';
import type { DerivedMedia } from '../../model/media/derived-media.ts';
import type { MediaFacts, MediaKind } from '../../model/media/media.ts';
import type { Failure } from '../../model/run/failure.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { CommandResult, Content, MediaResult } from '../../model/run/result.ts';
import type { ResolvedCommand } from '../../plan/values/resolved.ts';

/** `files`: name → what is to lie on the machine that does the work, before the command starts. */
export type CommandWork = Pick<
  ResolvedCommand,
  'fingerprint' | 'command' | 'env' | 'files' | 'creates' | 'lists' | 'mostFiles' | 'effect'
> & {
  readonly key: InstanceKey;
  readonly timeoutMs?: number | undefined;
};

/** A cut whose media are all known. */
export interface CutWork {
  readonly key: InstanceKey;
  readonly cut: Cut;
  /** SHA-256 of the author's own files among its media → where each lies on this machine. All others are in the store. */
  readonly authorPaths: ReadonlyMap<string, string>;
}

export interface CutTurn extends Turn {
  /** How much of the film is rendered, 0 to 1. */
  readonly progress: (fraction: number) => void;
}

export type CutOutcome =
  | { readonly is: 'ok'; readonly result: MediaResult }
  | { readonly is: 'failed'; readonly failure: Failure }
  /** The signal cut it off: nothing is left of it, and it is done again next time. */
  | { readonly is: 'stopped' };

export interface DownloadWork {
  readonly url: string;
  /** Names the download: a partial one of the same name is gone on with. */
  readonly id: string;
  /** What it must turn out to be, by content, before it gets a place in the store. Absent: anything. */
  readonly kind?: MediaKind | undefined;
}

export type CommandOutcome =
  | { readonly is: 'ok'; readonly result: CommandResult }
  /** `mayHaveActed`: it acts outside, began, and did not end by saying that it failed. */
  | { readonly is: 'failed'; readonly failure: Failure; readonly mayHaveActed?: true }
  /** The signal cut it off: it is simply done again next time. What acts outside is cut off only before it begins. */
  | { readonly is: 'stopped' };

export type DownloadOutcome =
  | ({ readonly is: 'ok'; readonly bytes: number; readonly media: MediaFacts | null } & Content)
  /** The download is not what the model makes, and was discarded: a fresh address may lead elsewhere. */
  | { readonly is: 'misfit'; readonly message: string }
  | { readonly is: 'gone'; readonly message: string }
  | { readonly is: 'failed'; readonly message: string };

export type DeriveOutcome =
  | ({ readonly is: 'ok'; readonly bytes: number; readonly media: MediaFacts } & Content)
  /** In words about the video: `it has no sound`. `here`: this machine could not read it, and neither the video nor the file is wrong. */
  | { readonly is: 'failed'; readonly message: string; readonly here?: true }
  | { readonly is: 'stopped' };

export interface Turn {
  /** Seconds of the longest path that begins with this work: the longest goes first. */
  readonly priority: number;
  /** Asked when its turn has come, before anything of it begins. False: it is stopped. */
  readonly isWanted?: () => boolean;
  /** Called when the work starts, so that this can be recorded. */
  readonly started: () => void;
  /** Asked when all that the command reads is there, right before it runs. False: it must not, and is stopped. */
  readonly begin?: () => Promise<boolean>;
}

/** Callbacks of a download that is under way. */
export interface DownloadNews {
  /** The bytes received so far, and the total where it is known. */
  readonly came?: (bytes: number, total: number | null) => void;
  /** A try failed; the next one starts in `again` milliseconds. */
  readonly trouble?: (message: string, again: number) => void;
}

export interface DownloadTurn extends Pick<Turn, 'started'>, DownloadNews {}

export interface Executor {
  /** Commands and cuts that may be under way at once, at this moment. Absent: as many as this machine can do. */
  readonly most?: { readonly commands: number; readonly cuts: number };
  /**
   * Settles when the command has really stopped. Nothing is kept of it unless everything it promised is there.
   */
  runCommand(work: CommandWork, turn: Turn, signal: AbortSignal): Promise<CommandOutcome>;
  /** Settles when the rendering has really stopped. The film is kept whole, or not at all. */
  makeCut(work: CutWork, turn: CutTurn, signal: AbortSignal): Promise<CutOutcome>;
  download(work: DownloadWork, turn: DownloadTurn, signal: AbortSignal): Promise<DownloadOutcome>;
  /** A frame or the sound of a video that is owned, brought into the store. The same one gives the same content each time. */
  derive(media: DerivedMedia, signal: AbortSignal): Promise<DeriveOutcome>;
}
