/** What can become of an instance when what it reads is looked up. */
import type { MediaEndpoint } from '../api/routes.ts';
import type { FineTunePlace } from '../api/tuning.ts';
import type { Failure } from '../domain/failure.ts';
import type { JsonObject } from '../domain/json.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { MediaInput } from './media-fields.ts';
import type { MediaIndex } from './media-index.ts';
import type { Problem } from './partial-evaluation.ts';
import { messages } from './plan-messages.ts';
import type { Inputs } from './step-inputs.ts';

export type Resolved =
  /** `on` names at least one missing instance of each thing it waits for; `request` is as far as it is known. */
  | {
      readonly is: 'pending';
      readonly on: readonly InstanceKey[];
      readonly why: string;
      readonly request: JsonObject;
      readonly shown: JsonObject;
      readonly media: readonly MediaInput[];
    }
  | { readonly is: 'skip'; readonly why: string }
  | ResolvedRequest
  | ResolvedCommand
  | ResolvedTuning
  /** `problems` are the same reasons with their places in the file. */
  | { readonly is: 'invalid'; readonly failure: Failure; readonly problems: readonly Problem[] };

export interface ResolvedRequest {
  readonly is: 'request';
  /** Label or id, as the catalog calls it. */
  readonly model: string;
  /** Without `model`. */
  readonly request: JsonObject;
  /** The same for a reader: without what variables of the environment hold. */
  readonly shown: JsonObject;
  readonly fingerprint: string;
  /** How it is asked: through the queue, or by a call that answers at once. */
  readonly via: Via;
  /** US dollars, by the real facts of its media: the same for the plan, a run and a resumed one; null when no price is known. */
  readonly price: number | null;
  /** `6 s × $0.10`, or why there is none. */
  readonly priceBasis: string;
  readonly media: readonly MediaInput[];
  /** Addresses in the request whose content is known. */
  readonly known: MediaIndex;
}

export interface ResolvedCommand {
  readonly is: 'command';
  readonly command: { readonly argv: readonly string[] } | { readonly script: string; readonly shell: string };
  readonly env: { readonly [name: string]: string };
  /** What a reader is shown in the place of a request: no variable's value. */
  readonly shown: JsonObject;
  /** Absolute paths; an address where the file is nobody's we know. */
  readonly files: { readonly [name: string]: string };
  /** Name → path relative to the command's own folder. */
  readonly creates: { readonly [name: string]: string };
  readonly fingerprint: string;
}

export type Via =
  | { readonly is: 'queue' }
  | { readonly is: 'sync'; readonly endpoint: MediaEndpoint }
  /** `schema`: what the answer must fit. */
  | { readonly is: 'chat'; readonly schema?: JsonObject };

export interface ResolvedTuning {
  readonly is: 'tokenize';
  readonly place: FineTunePlace;
  readonly shown: JsonObject;
  readonly fingerprint: string;
}

export function pendingOn({
  each,
  steps,
}: Inputs): { readonly is: 'pending'; readonly on: InstanceKey[]; readonly why: string } | undefined {
  const waiting = new Map<InstanceKey, string>();
  for (const input of each ? [each, ...steps.values()] : steps.values()) {
    if (input.is === 'waiting') waiting.set(input.on, input.name);
  }
  if (waiting.size === 0) return undefined;
  return { is: 'pending', on: [...waiting.keys()], why: messages.waitsFor([...waiting.values()]) };
}

export function invalid(code: 'expression_failed' | 'request_invalid', problems: readonly Problem[]): Resolved {
  return { is: 'invalid', failure: { code, message: problems.map(problem => problem.message).join('; ') }, problems };
}
