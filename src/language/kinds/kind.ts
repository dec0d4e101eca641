/**
 * What the language has to know of a kind of step: one file in this folder, and one row of `KINDS` (`index.ts`). A step is read
 * twice. Its signature comes first, without a look at any expression, so that the expressions of all other steps can be
 * typed; then its body, in a scope where every step has its type.
 */
import type { MediaKind } from '../../model/media/media.ts';
import type { ExpressionValue, OutputForm, Step, Value, WrittenStep } from '../../model/pipeline.ts';
import type { CheckContext } from '../checks/field-check.ts';
import type { Offer, OfferedOutput } from '../checks/file-offer.ts';
import type { TypeScope } from '../types/path-types.ts';
import type { CreatedPath, Type } from '../types/types.ts';
import type { ReadContext } from '../types/values.ts';
import type { FileContext } from '../yaml/file-context.ts';
import type { MapNode } from '../yaml/syntax-tree.ts';

export type KindName = WrittenStep['kind'];

export interface Kind<K extends KindName> {
  /** The key that makes a step one of this kind: `model`. */
  readonly key: string;
  /** Its other keys, beside those that every step may have. The schema defines what they hold. */
  readonly keys: readonly string[];
  /** What such a step does, for messages: `one request`. */
  readonly does: string;
  /** What such a step is, for messages: `a request to a model`. */
  readonly called: string;
  /** What to do about a key of another kind, where that is not simply to take it out. */
  readonly insteadOf?: { readonly [key: string]: string };
  /** The shape of `step` is sound, apart from the nodes in `file.wrong`. */
  readonly readSignature: (step: MapNode, file: FileContext) => Signature<K>;
}

/** What the rest of the file sees of a step. */
export interface Signature<K extends KindName = KindName> {
  readonly result: StepResult | DerivedResult;
  /** Of a step that uses another file: that file, whose steps become the pipeline's. */
  readonly offer?: Offer;
  /** Its instances are made of all takes of those that `each` names. */
  readonly gathers?: 'take';
  /** Of a pick: the steps with instances that it chooses from. Undefined where its candidates come from a used file. */
  readonly picks?: readonly string[];
  /** The request fields that `defaults.with` may fill. `unknown`: something is wrong, and no default is called unused. */
  readonly fields?: RequestFields | 'unknown' | undefined;
  /** Undefined where the body is so wrong that no step is left, which is reported. */
  readonly readBody: (context: BodyContext) => Body<K> | undefined;
}

/** What one instance gives. */
export interface StepResult {
  readonly type: Type;
  /** The files that it names. Undefined: it is one thing. */
  readonly creates?: ReadonlyMap<string, CreatedPath> | undefined;
  /** What it is, where it is one thing and that is known. */
  readonly produces?: MediaKind | 'text' | undefined;
  /** It is an ordered list of such things, whatever the coordinates. */
  readonly isMany?: true;
  /** What an output can be made of it beside what it is: `as: otio`. */
  readonly forms?: readonly OutputForm[];
  /** Of another file that it uses: what that gives. */
  readonly outputs?: ReadonlyMap<string, OfferedOutput> | undefined;
}

/** A result that is known once another step's is: the step that picks one of many gives what each of them is. */
export interface DerivedResult {
  /** Names of the other steps; at least one. */
  readonly from: readonly string[];
  /** Is asked only where the results of all of them are sound; in the order of `from`. */
  readonly derive: (results: readonly StepResult[]) => StepResult;
}

interface RequestFields {
  readonly names: readonly string[];
  readonly has: (name: string) => boolean;
}

/** What the readers and the checkers of values need, in the scope of one step. */
export interface BodyContext extends ReadContext, CheckContext {
  /** What one instance of another step gives; undefined for a name that no step has. */
  readonly typeOfStep: (name: string) => Type | undefined;
  /** Of an expression that also sees a `candidate` of this type. */
  readonly typeOfRule: (expression: ExpressionValue, candidate: Type) => Type;
  /** What expressions can see: a part of the step may have a scope of its own. */
  readonly scope: TypeScope;
}

export interface Body<K extends KindName> {
  readonly step: BodyOf<K>;
  /** A step of ours that every instance of it has inside. */
  readonly judge?: Omit<BodyOf<'judge'>, 'pick'>;
  /** The values that may hold expressions: what they read is what the step waits for. */
  readonly values: readonly Value[];
}

/** What a step of this kind has beside what every step has. */
type BodyOf<K extends Step['kind']> = K extends Step['kind']
  ? Omit<Extract<Step, { readonly kind: K }>, Exclude<keyof Step, 'kind'>>
  : never;
