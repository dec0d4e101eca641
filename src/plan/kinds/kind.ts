/** All that planning knows of one kind of step: a row of the table in `index.ts`. */

import type { Span } from '../../model/diagnostic.ts';
import type { MediaFacts, MediaKind } from '../../model/media/media.ts';
import type { ModelLibrary } from '../../model/model.ts';
import type { MapValue, Step, Value } from '../../model/pipeline.ts';
import type { Instance } from '../../model/plan.ts';
import type { Asking } from '../../model/run/choice.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { CommandFile, StoredResult } from '../../model/run/result.ts';
import type { JsonObject } from '../../model/text/json.ts';
import { FREE, type Price } from '../cost/request-price.ts';
import type { PlanGraph, Slot } from '../graph/plan-graph.ts';
import type { ExpectedFacts, MediaInput } from '../media/media-fields.ts';
import type { Inputs, ResultLookup } from '../obstacles.ts';
import type { PlanContext, ResolveContext } from '../plan-context.ts';
import type { PartialEvaluator, Problem } from '../values/partial-evaluation.ts';
import type { Pending, Unready, WorkOf } from '../values/resolved.ts';
import type { Reads } from '../values/value-reads.ts';

export type Kind = Step['kind'];
type StepOf<K extends Kind> = StepByKind[K];
type StepByKind = { readonly [S in Step as S['kind']]: S };

/** One instance with everything it reads looked up. */
export interface Unresolved<K extends Kind> {
  readonly graph: PlanGraph;
  readonly slot: Slot;
  readonly step: StepOf<K>;
  readonly inputs: Inputs;
  readonly values: PartialEvaluator;
  readonly lookup: ResultLookup;
  /** What a choice knows another instance by. */
  readonly fingerprintOf: (key: InstanceKey) => string | undefined;
  /** What is read in another place than the instance's own: where a part of the step follows other instances. */
  readonly inputsAt: (place: Slot, reads: Reads, join?: 'in parts') => Inputs;
}

interface Adopts {
  /** What the file must be; undefined: anything. */
  readonly kind: MediaKind | undefined;
  /** Whatever its kind, it must be media. */
  readonly isMedia: boolean;
  /** What the step gives then. `media`: null where it is none. */
  readonly result: (content: CommandFile) => StoredResult;
}

export interface KindOfStep<K extends Kind> {
  /** Something is paid for it. */
  readonly isPaid: boolean;
  /** It makes nothing: what it gives is decided, and gathered from what others have made. */
  readonly isDecided?: true;
  /** What it gives is gathered from what others made, or from what was decided: it is kept nowhere itself. */
  readonly isGathered?: true;
  /** A person's no is its result: what only waits for it is skipped then. */
  readonly mayRefuse?: true;
  /** It is a question, and what is decided is kept as a choice. */
  readonly decides?: Asking['is'];
  /** The service keeps what it made, and may give it again. */
  readonly isKeptByService: boolean;
  /** What it makes lies on this machine alone and has no `result_url`. */
  readonly staysHere: boolean;
  /** It acts outside of this machine: it is done once for its inputs, and never in a draft. */
  actsOutside(step: StepOf<K>): boolean;
  /** The program that it starts, where its file names one: a name that is looked for on the path, or a path from the project's root. */
  program?(step: StepOf<K>): { readonly name: string; readonly at: Span } | undefined;
  /** Its name in events, in the lock, and where durations are learnt. */
  label(step: StepOf<K>): string;
  /** Its name in the plan's text. */
  calledInText(step: StepOf<K>, instance: Pick<Instance, 'request' | 'facts'>): string;
  /** Pictures and sounds are worked on by this machine itself: it takes the packages that decode and encode. */
  readonly takesEncoder?: true;
  /** That name describes its work in full. */
  readonly isAllInText?: true;
  /** The model that must be up before it is carried out, where that is one. */
  model(step: StepOf<K>): string | undefined;
  /** Its own fields in the plan as JSON. */
  json(step: StepOf<K>): JsonObject;
  /** The values its work is made of. */
  values(step: StepOf<K>): readonly Value[];
  /** The same by the names that its fields have where they are kept (`asked-fields.ts`). */
  fields(step: StepOf<K>): readonly { readonly name: string; readonly value: Value }[];
  /** One of its instances may read other instances of a step than the next, or need some of what it reads. Absent: only where a value chooses. */
  choosesReads?(step: StepOf<K>): boolean;
  /** The fields that are sent to the service and may name a file; undefined where there are none. */
  sent(step: StepOf<K>): MapValue | undefined;
  resolve(unresolved: Unresolved<K>, context: ResolveContext): Unready | WorkOf<K>;
  /** Facts of the result before it exists; `kept` gives the facts of the media in a field. */
  expectedFacts(
    step: StepOf<K>,
    resolved: Pending | WorkOf<K>,
    kept: (field: string, media: readonly MediaInput[]) => ExpectedFacts | undefined,
    context: PlanContext,
  ): ExpectedFacts | undefined;
  /** Mistakes that show before all of it is known, by the facts expected of media that do not exist yet. */
  problemsExpected(
    step: StepOf<K>,
    pending: Pending,
    expected: (input: MediaInput) => MediaFacts | undefined,
    context: PlanContext,
  ): readonly Problem[];
  price(step: StepOf<K>, resolved: Pending | WorkOf<K>, facts: MediaFacts | undefined, context: PlanContext): Price;
  /** What a person's own file would stand in for; absent, or undefined: nothing of it can be adopted. */
  adopts?(step: StepOf<K>, library: ModelLibrary): Adopts | undefined;
  /** Where nothing has been learnt of its label. */
  usualSeconds(step: StepOf<K>, facts: MediaFacts | undefined, context: PlanContext): number;
  /** Why it is made again, where its fingerprint has changed since this was asked. */
  changedSince(last: JsonObject | null, work: WorkOf<K>): string;
}

/** What holds of most kinds of step: a row of the table names what differs. */
export const FREE_WORK = {
  isPaid: false,
  isKeptByService: false,
  staysHere: false,
  actsOutside: () => false,
  model: () => undefined,
  json: () => ({}),
  fields: () => [],
  sent: () => undefined,
  expectedFacts: () => undefined,
  problemsExpected: () => [],
  price: () => FREE,
  usualSeconds: () => 0,
} as const satisfies Partial<KindOfStep<Kind>>;
