/** What a part of an expression comes to: a value, an error, or not known yet. Errors are values, because `false && error` is false. */
import { memoized } from '../../model/text/json.ts';
import { messages } from '../messages/index.ts';
import type { Cel } from './cel-value.ts';
import type { Place, Read } from './tree.ts';

/** A root, then names of fields and indices of lists: `['steps', 'still', 2, 'result_url']`. */
export type Path = readonly [string, ...(string | number)[]];

export const pathOf = memoized(
  ([root, ...rest]: Read['segments']): Path => [root.name, ...rest.map(({ name }) => name)],
);

export type Outcome = Cel | Failed | Unknown;

export class Failed {
  /** What went wrong, and where in the code. */
  readonly message: string;
  readonly start: number;
  readonly end: number;
  /** What is not there, where that is the reason; undefined where something else is. */
  readonly absent: Path | 'part' | undefined;
  /** Whether the message names what it is about. */
  readonly namesIt: boolean = false;

  constructor(message: string, { start, end }: Place, absent?: Path | 'part') {
    this.message = message;
    this.start = start;
    this.end = end;
    this.absent = absent;
  }
}

export class Missing extends Failed {
  override readonly namesIt = true;

  constructor(written: string, place: Place, absent: Path | 'part') {
    super(messages.missingValue(written), place, absent);
  }
}

/** CEL's own idea of partial evaluation (langdef.md, "Partial State"): what is not known goes through operators as an error does, and before it. */
export class Unknown {
  /** The reads that must be known before there is an answer. */
  readonly needs: readonly Path[];
  /** Where it is exactly the value at one path: a part of it may be known although the whole is not. */
  readonly here: Path | undefined;

  constructor(needs: readonly Path[], here?: Path) {
    this.needs = needs;
    this.here = here;
  }
}

export const unknownAt = (path: Path): Unknown => new Unknown([path], path);

export const isValue = (outcome: Outcome): outcome is Cel => !isStopped(outcome);

export const isStopped = (outcome: Outcome): outcome is Failed | Unknown =>
  outcome instanceof Failed || outcome instanceof Unknown;

/** Why an operation on these has no value; undefined when all of them have one. */
export function unless(outcomes: readonly Outcome[]): Failed | Unknown | undefined {
  let failed: Failed | undefined;
  let unknown: Unknown | undefined;
  for (const outcome of outcomes) {
    if (outcome instanceof Unknown)
      unknown = unknown ? new Unknown([...unknown.needs, ...outcome.needs]) : new Unknown(outcome.needs);
    else if (outcome instanceof Failed) failed ??= outcome;
  }
  return unknown ?? failed;
}
