/** An instance once everything that it reads is looked up: pending, skipped, invalid, or work. */
import type { FineTunePlace } from '../../api/fine-tunes.ts';
import type { MediaEndpoint } from '../../api/routes.ts';
import type { Demand } from '../../model/budget.ts';
import type { Cut } from '../../model/media/cut.ts';
import type { Step } from '../../model/pipeline.ts';
import type { Asking, Choice } from '../../model/run/choice.ts';
import type { Option } from '../../model/run/event.ts';
import type { Failure } from '../../model/run/failure.ts';
import type { InstanceKey, StepName } from '../../model/run/key.ts';
import type { ApprovedResult, OutputsResult, PickedResult, RoundResult } from '../../model/run/result.ts';
import type { JsonObject } from '../../model/text/json.ts';
import type { Assembly } from '../cut/assembly.ts';
import type { CutSources } from '../cut/sources.ts';
import type { MediaInput } from '../media/media-fields.ts';
import type { MediaIndex } from '../media/media-index.ts';
import type { PartRead } from '../media/media-origins.ts';
import type { Input, Inputs } from '../obstacles.ts';
import type { AskedFields } from '../owned/asked-fields.ts';
import { messages } from '../plan-messages.ts';
import type { PartialEvaluator, Problem } from './partial-evaluation.ts';

export type Resolved = Pending | Skipped | Invalid | ResolvedWork;

/** Something it reads is not there yet. */
export interface Pending {
  readonly is: 'pending';
  /** At least one missing instance of each thing it waits for, or the step with unknown instances. */
  readonly on: readonly (InstanceKey | StepName)[];
  /** All that is waited for at this moment; once it is there, more may be needed. */
  readonly waits: { readonly instances: readonly InstanceKey[]; readonly steps: readonly StepName[] };
  readonly why: string;
  /** As far as it is known. */
  readonly request: JsonObject;
  readonly shown: JsonObject;
  readonly asks: AskedFields;
  readonly media: readonly MediaInput[];
  /** It will give what one of these gives. */
  readonly gives?: readonly InstanceKey[];
  /** Of a pick: it is decided already, and what it chose is not there yet. */
  readonly decided?: Choice;
  readonly excludes?: Exclusion;
  /** A person may answer it before all that it is about is there. */
  readonly question?: Question;
  /** Frames and sound that it reads of videos which are not there yet. */
  readonly parts?: readonly PartRead[];
  /** Of a cut: as far as it is known. */
  readonly assembly?: Assembly;
  /** Whether it is made at all is not known yet. `else`: what replaces it where it is not. */
  readonly undecided?: { readonly else?: InstanceKey };
}

/** Instances that it would wait for and does without, because something is settled already: candidates that lost a pick. */
interface Exclusion {
  readonly instances: readonly InstanceKey[];
  readonly why: string;
}

export interface Skipped {
  readonly is: 'skip';
  readonly why: string;
  /** What was skipped before it. Absent where its own condition is false. */
  readonly by?: string;
  /** The instance with the result that replaces it. */
  readonly standIn?: InstanceKey;
  /** An earlier round of its `until` holds. */
  readonly needless?: true;
}

/** `problems` are the same reasons with their places in the file. */
export interface Invalid {
  readonly is: 'invalid';
  readonly failure: Failure;
  readonly problems: readonly Problem[];
  /** What reads it, where a list is incomplete. */
  readonly place?: Problem;
  /** Only results have shown it: the file is not wrong. */
  readonly byResult?: true;
}

/** No work yet, or none at all. */
export type Unready = Pending | Skipped | Invalid;

/** The work of an instance, all of it known. */
export type ResolvedWork = WorkByKind[keyof WorkByKind];
/** One variant for each kind of step; a kind that is not in the list resolves to nothing that could be done. */
export type WorkOf<Kind extends Step['kind']> = WorkByKind[Kind & keyof WorkByKind];
interface WorkByKind {
  readonly generate: ResolvedRequest;
  readonly run: ResolvedCommand;
  readonly cut: ResolvedCut;
  readonly tokenize: ResolvedTuning;
  readonly uses: ResolvedOutputs;
  readonly pick: ResolvedDecision;
  readonly approve: ResolvedDecision;
  readonly judge: ResolvedRequest;
  readonly until: ResolvedRound;
}

interface AnyWork {
  /** For a reader: without the values of variables of the environment. */
  readonly shown: JsonObject;
  /** What its fingerprint is made of, as it may be shown and kept. */
  readonly asks: AskedFields;
  readonly fingerprint: string;
  /** Files of the author's that it is made of, as the file names them. */
  readonly authorFiles: readonly string[];
}

export interface ResolvedRequest extends AnyWork {
  readonly is: 'request';
  /** Label or id, as the catalog calls it. */
  readonly model: string;
  /** Without `model`. */
  readonly request: JsonObject;
  /** How it is asked: through the queue, or by a call that answers at once. */
  readonly via: Via;
  /** US dollars, by the real facts of its media: the same for the plan, a run and a resumed one; null when no price is known. */
  readonly price: number | null;
  /** `6 s × $0.10`, or why there is none. */
  readonly priceBasis: string;
  /** What a budget counts of it. */
  readonly demand: Demand;
  readonly media: readonly MediaInput[];
  /** Addresses in the request with known content. */
  readonly known: MediaIndex;
}

export type Via =
  | { readonly is: 'queue' }
  | { readonly is: 'sync'; readonly endpoint: MediaEndpoint }
  /** `schema`: what the answer must fit. */
  | { readonly is: 'chat'; readonly schema?: JsonObject };

export interface ResolvedCommand extends AnyWork {
  readonly is: 'command';
  readonly command: { readonly argv: readonly string[] } | { readonly script: string; readonly shell: string };
  readonly env: { readonly [name: string]: string };
  /** Absolute paths; an address where the file is unknown. */
  readonly files: { readonly [name: string]: string };
  /** Name → path relative to the command's own folder. */
  readonly creates: { readonly [name: string]: string };
  /** Names among them with a star in their paths, and the most files that each may match. */
  readonly lists: readonly string[];
  readonly mostFiles: number;
  /** It acts outside: it is done once for its inputs. */
  readonly effect: boolean;
}

export interface ResolvedCut extends AnyWork {
  readonly is: 'cut';
  readonly assembly: Assembly;
  readonly media: readonly MediaInput[];
  /** Absent while some of its media are addresses: nothing is known of them before they are fetched. */
  readonly cut?: Cut;
  readonly sources: CutSources;
  /** By the field that names it. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Of the author's files among its media: SHA-256 → where it lies on this machine. */
  readonly authorPaths: ReadonlyMap<string, string>;
}

export interface ResolvedTuning extends AnyWork {
  readonly is: 'tokenize';
  readonly place: FineTunePlace;
}

/** There is nothing to do: it was made while its result was put together. It has no fingerprint, and is kept nowhere. */
export interface ResolvedOutputs extends AnyWork {
  readonly is: 'outputs';
  readonly result: OutputsResult;
}

/** Which round is taken. Like what is gathered it is kept nowhere: the rounds are. */
export interface ResolvedRound extends AnyWork {
  readonly is: 'round';
  readonly result: RoundResult;
  readonly why: string;
}

export interface Question {
  readonly asking: Asking;
  /** What is to be decided, as a sentence. */
  readonly ask: string;
  /** What is there. */
  readonly options: readonly Option[];
}

/** Something is to be decided. Like what is gathered it has no fingerprint; the choice itself is kept. */
export interface ResolvedDecision extends AnyWork, Question {
  readonly is: 'decision';
  /** Who decides, for a reader of the plan. */
  readonly decider: string;
  readonly state:
    | { readonly is: 'known'; readonly choice: Choice; readonly result: PickedResult | ApprovedResult }
    /** By what is here; it is kept as soon as it is carried out. */
    | { readonly is: 'decided'; readonly choice: Omit<Choice, 'at'> }
    /** A person has to. */
    | { readonly is: 'open' };
  readonly excludes?: Exclusion;
  /** What a choice makes of it. */
  readonly resultOf: (choice: Choice) => PickedResult | ApprovedResult;
}

/**
 * What an instance waits for: what its values ask for, and what it is made from or comes after. Of a step of a used file, also what the instance
 * around it is made from.
 */
export function pendingOn(
  inputs: Pick<Inputs, 'each' | 'previous' | 'outer'>,
  values: PartialEvaluator,
  others: readonly Waiting[] = [],
) {
  const waitingAround = [inputs.previous, ...others, ...eachAround(inputs)].filter(input => input?.is === 'waiting');
  if (values.obstacles.waiting.size + waitingAround.length === 0) return undefined;
  const near = new Map(values.obstacles.waiting);
  for (const input of [inputs.previous, inputs.each, ...others]) if (input?.is === 'waiting') near.set(input.on, input);
  const all = new Map(near);
  for (const input of waitingAround) all.set(input.on, input);
  const waits = waitsFor([...all.values()]);
  // What is nearest is waited for longest: a plan shows that.
  const nearest = waitsFor(others.length > 0 ? others : [...near.values()]);
  return waits && nearest ? { ...waits, why: nearest.why } : waits;
}

/** Nothing is asked for: what it gives is decided when the others are there. */
export function waitingFor(
  { slot, inputs, values }: { slot: { key: InstanceKey }; inputs: Inputs; values: PartialEvaluator },
  others: readonly Waiting[],
  shown: JsonObject,
  more: Pick<Pending, 'why' | 'gives' | 'excludes' | 'decided' | 'question'>,
): Pending {
  const waits = pendingOn(inputs, values, others);
  if (!waits) throw new Error(`${slot.key} waits for nothing`);
  return { ...waits, request: shown, shown, asks: { fields: {}, known: inputs.known }, media: [], ...more };
}

/** What it is made from, and what those are made from that stand around it; the first that is not there decides. */
export function eachAround({ each, outer }: Pick<Inputs, 'each' | 'outer'>): readonly Input[] {
  const around = outer ? eachAround(outer) : [];
  return each ? [each, ...around] : around;
}

/** The same for what the values alone ask for. */
export const pendingValues = (values: PartialEvaluator) => waitsFor([...values.obstacles.waiting.values()]);

export type Waiting = Extract<Input, { is: 'waiting' }>;

function waitsFor(waiting: readonly Waiting[]): Pick<Pending, 'is' | 'on' | 'waits' | 'why'> | undefined {
  if (waiting.length === 0) return undefined;
  const steps = waiting.flatMap(({ whole }) => whole ?? []);
  const instances = waiting.flatMap(({ whole, on }) => (whole === undefined ? [on as InstanceKey] : []));
  return {
    is: 'pending',
    on: waiting.map(({ on }) => on),
    waits: { instances, steps },
    why: messages.waitsFor([...new Set(waiting.map(({ name }) => name))]),
  };
}

/** Mistakes in what was evaluated so far, or something in it that was skipped: nothing more needs to be looked at. */
export function stoppedBy(values: PartialEvaluator): Skipped | Invalid | undefined {
  const { skipped, incomplete } = values.obstacles;
  if (values.problems.length > 0) return invalid('expression_failed', values.problems);
  const [by] = skipped;
  if (by !== undefined) return { is: 'skip', why: messages.upstreamSkipped(by), by };
  const [first] = incomplete;
  return first && { ...failed('expression_failed', first[0]), ...(first[1] && { place: first[1] }) };
}

/** A failure without a place in the file. */
export const failed = (code: 'expression_failed' | 'answer_invalid' | 'until_not_held', message: string): Invalid => ({
  is: 'invalid',
  failure: { code, message },
  problems: [],
});

export function invalid(code: 'expression_failed' | 'request_invalid', problems: readonly Problem[]): Invalid {
  return { is: 'invalid', failure: { code, message: problems.map(problem => problem.message).join('; ') }, problems };
}
