import type { JsonObject } from './json.ts';
import type { GenerationId } from './key.ts';
import type { MediaFacts } from './media.ts';

/** What a finished instance gives to the steps after it: exactly the fields an expression can read. */
export type Result = MediaResult | CommandResult;

export interface MediaResult {
  readonly is: 'media';
  /** Where the service keeps it. May expire; never part of a cache key. */
  readonly result_url: string;
  /** Absolute path in the content store. */
  readonly file: string;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly bytes: number;
  readonly generation_id: GenerationId;
  /** The request as it was sent, without the key. */
  readonly request: JsonObject;
  /** US dollars; an estimate until the service tells the real cost; null where no price is known. */
  readonly cost: number | null;
  readonly media: MediaFacts;
}

export interface CommandResult {
  readonly is: 'command';
  readonly stdout: string;
  /** `stdout` read as JSON, where it is JSON. */
  readonly json: JsonObject | null;
  readonly files: { readonly [name: string]: CommandFile };
}

export interface CommandFile {
  readonly file: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly media: MediaFacts | null;
}
