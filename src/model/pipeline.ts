/**
 * A film as its author declared it, after `language/` has found no error in it. Shapes are not checked after this point. Every value keeps its
 * place in the text, so that later findings can still point at it.
 */
import type { Budget } from './budget.ts';
import type { Source, Span } from './diagnostic.ts';
import type { DerivedPart } from './media/derived-media.ts';
import type { Profile } from './profile.ts';
import type { StepName } from './run/key.ts';
import type { Retry } from './run/retry-policy.ts';
import type { Json, JsonObject } from './text/json.ts';

export interface Pipeline {
  readonly source: Source;
  readonly name: string;
  readonly description?: string;
  readonly params: readonly Param[];
  readonly data: readonly Data[];
  /** Steps in the order of the file. References between them are known to exist and to be free of cycles. */
  readonly steps: readonly Step[];
  readonly outputs: readonly Output[];
  /** Ids of the custom models with `activate: true`: brought up before their first use, and down after their last. No doubles. */
  readonly deployments: readonly string[];
  /** What it may come to; absent: whatever it does. */
  readonly budget?: FilmBudget;
  /** What it may come to in the profile that it is read in, beside that. */
  readonly profileBudget?: FilmBudget;
  /** Read in this profile; absent: it is the real film. */
  readonly profile?: string;
  /** All that the file has, in its order. */
  readonly profiles: readonly Profile[];
  /** Variables of the environment that expressions may read: what they hold is neither shown nor kept. */
  readonly env: readonly string[];
}

export interface FilmBudget {
  readonly limits: Budget;
  /** The map under `budget`. */
  readonly at: Span;
}

export interface Param {
  readonly name: string;
  readonly at: Span;
  /** A JSON Schema fragment, `default` included. */
  readonly schema: JsonObject;
  /** Handed on, and neither shown nor kept. */
  readonly secret?: true;
}

/** One entry of `data:`: files beside the pipeline, read before anything runs. */
export type Data = { readonly name: string; readonly at: Span } & (
  | { readonly is: 'value'; readonly value: Json }
  /** Relative to the pipeline's folder, in natural order. Expressions see each as `{ file, name, sha256, media }`. */
  | { readonly is: 'files'; readonly paths: readonly string[] }
);

export type Step = WrittenStep | JudgeStep | UntilStep;

/** A step as its author writes it. */
export type WrittenStep = GenerateStep | CommandStep | CutStep | TokenizeStep | UsesStep | PickStep | ApproveStep;

interface AnyStep {
  readonly name: StepName;
  /** The place of the step's name. */
  readonly at: Span;
  readonly description?: string;
  /** Order only, no data. */
  readonly needs: readonly StepName[];
  /** Every step this one reads or waits for: `needs`, `each`, and what its expressions refer to. No doubles. */
  readonly upstream: readonly StepName[];
  readonly if?: Value;
  /** The result to take where `if` is false: `steps.master`, or `each`. */
  readonly else?: ExpressionValue;
  readonly fanOut: FanOut;
  readonly timeout?: Timeout;
  /** Absent: a failure is final, but for a chat answer that does not fit, which is asked once to be mended. */
  readonly retry?: Retry;
  /** No more of a group are at work at once than the group allows. */
  readonly concurrency?: ConcurrencyGroup;
  /** `cache: off` always runs again. */
  readonly cache: boolean;
  /** It is made again until it holds. Of a pipeline's steps: each of its instances is one round (`language/checks/file-offer.ts`). */
  readonly until?: Until;
  /** Of a step of another file: where it is used. Absent for the pipeline's own steps. */
  readonly inside?: Inside;
}

export interface ConcurrencyGroup {
  readonly name: string;
  /** How many at once. */
  readonly limit: number;
}

/** `until`: round after round, each of which reads the one before as `previous`. */
export interface Until {
  readonly at: Span;
  /** True or false, of the result just made: `this`. */
  readonly holds: ExpressionValue;
  /** The most rounds: a number, or an expression that is known before the run. */
  readonly max: Value;
  /** What is taken where no round holds: the last one, or the one with the highest number. Absent: the step fails. */
  readonly otherwise?: 'last' | ExpressionValue;
}

/**
 * A step of a used file is called by its whole way, `cleaned/repair`, and so is every step that it names; what its expressions read is
 * called as its own file calls it.
 */
interface Inside {
  /** The `uses` step that brings it in. */
  readonly by: StepName;
  readonly file: UsedFile;
}

/** Another Shotlist file. One object for each file, however often it is used. */
export interface UsedFile {
  readonly source: Source;
  /** Its folder, from the pipeline's own: `parts`, `../shared`; empty where it is the same. */
  readonly folder: string;
  readonly params: readonly Param[];
  readonly data: readonly Data[];
  /** Params that name media where they are used: a path in one is relative to the folder of the file that gives it. */
  readonly mediaParams: ReadonlySet<string>;
}

/** `model` + `with`: one request to a model. */
export interface GenerateStep extends AnyStep {
  readonly kind: 'generate';
  /** The label or id after the file's own names (`models:`) are looked up. Where the model is an axis, the first of them. */
  readonly model: string;
  /** Where the model is an axis of the matrix: the step as each of its values makes it. */
  readonly byModel?: { readonly axis: string; readonly variants: ReadonlyMap<string, ModelVariant> };
  readonly modelAt: Span;
  /** The request's own fields; a chat step's `prompt` and `system` stand here as `messages`. */
  readonly with: MapValue;
  /** `via: sync`: the endpoint that answers when the media is there, instead of the queue. */
  readonly sync?: true;
  /** What becomes of a generation that takes too long: it is left at the service for the next run, or cancelled there. Absent: left. */
  readonly onTimeout?: 'cancel';
  /** Of a chat step: the JSON Schema its answer must fit, perhaps with expressions; `at` is its key. */
  readonly schema?: { readonly value: MapValue; readonly at: Span };
}

/** What differs between the models of an axis. */
type ModelVariant = Pick<GenerateStep, 'model' | 'modelAt' | 'with' | 'schema' | 'sync'>;

/** `tokenize`: triggers the tokenization of a fine-tune. */
interface TokenizeStep extends AnyStep {
  readonly kind: 'tokenize';
  /** `namespace/name`. */
  readonly repository: Value;
  readonly fineTune: Value;
}

/** `uses`: another Shotlist file. Its steps stand among the pipeline's; this one gathers what they give. */
export interface UsesStep extends AnyStep {
  readonly kind: 'uses';
  readonly file: UsedFile;
  /** Values for the file's params; of the others, their defaults. */
  readonly with: MapValue;
  readonly outputs: readonly UsedOutput[];
  /** `cache: off` is for everything inside. */
  readonly cacheInside?: false;
}

export interface UsedOutput {
  readonly name: string;
  /** The step of the file that makes it, by its whole way. */
  readonly from: StepName;
  /** For a `run` step: which of its files. */
  readonly file?: string;
  /** For a `uses` step: which of its outputs. */
  readonly output?: string;
  /** A frame of that, or its sound. */
  readonly part?: DerivedPart;
  /** It is an ordered list. */
  readonly isList: boolean;
}

/** `pick`: some of several results go on, by a person, a rule or a judge. */
export interface PickStep extends AnyStep {
  readonly kind: 'pick';
  /** What is chosen from: results of steps. Absent: the takes of the step that `each` names. */
  readonly from?: Value;
  readonly count: number;
  /** Its result is a list, best first. */
  readonly isList: boolean;
  /** A number of each `candidate`: the highest wins. */
  readonly rule?: ExpressionValue;
  /** The chat step that scores the candidates. */
  readonly judge?: StepName;
}

/** The `judge` of a pick: one request to a chat model, which every instance of the pick has inside it: `best[beat=3]/judge`. */
export interface JudgeStep extends AnyStep {
  readonly kind: 'judge';
  /** The pick, and what that chooses from. */
  readonly pick: StepName;
  readonly from?: Value;
  readonly count: number;
  readonly model: string;
  readonly modelAt: Span;
  /** `prompt`, `system` and `images`, as the author wrote them. */
  readonly words: MapValue;
  /** How many frames of each candidate are shown. */
  readonly frames: number;
}

/** What a step with `until` is to all others: the round that holds. The rounds are a step of their own, `rounds`. */
export interface UntilStep extends AnyStep {
  readonly kind: 'until';
  readonly rounds: StepName;
  readonly holds: ExpressionValue;
  readonly otherwise?: Exclude<Until['otherwise'], undefined>;
}

/** `approve`: a person accepts or rejects results. */
interface ApproveStep extends AnyStep {
  readonly kind: 'approve';
  readonly from: Value;
  readonly ask?: Value;
}

/** `run`: a local command. An argv list, or a script for `shell`. */
export interface CommandStep extends AnyStep {
  readonly kind: 'run';
  readonly command: { readonly argv: readonly Value[] } | { readonly script: string; readonly shell: string };
  readonly env: MapValue;
  /** Media it needs on disk before it starts: name → an expression giving a result, a URL or a path. Reaches it as `$name`. */
  readonly files: MapValue;
  /** What it must leave, name → path relative to its own folder. */
  readonly creates: MapValue;
  /** Names under `creates` with a star in their paths: each gives a list of files. */
  readonly lists: readonly string[];
  /** It acts outside of this machine (uploads, posts): it is done once for its inputs, and never in a draft. */
  readonly effect: boolean;
}

/** `cut`: clips assembled into one film on this machine. */
export interface CutStep extends AnyStep {
  readonly kind: 'cut';
  readonly clips: readonly CutClip[];
  /** The options of the film as a whole: `join`, `music`, `size`, …, as its author wrote them. */
  readonly film: MapValue;
}

/** One clip, or one for each instance of a fan-out. */
export interface CutClip {
  readonly at: Span;
  /** There is one clip for each instance of these, or where they meet; its fields see the result as `each`, the coordinates as `matrix`. */
  readonly each: readonly EachSource[];
  /** The same as expressions, `steps.shot`: what the cut waits for. */
  readonly follows: readonly ExpressionValue[];
  /** `from` and the options beside it. */
  readonly fields: MapValue;
  /** `from` is a list: one clip for each of its media. */
  readonly isList?: true;
}

/**
 * Which instances a step has. Coordinates are inherited from `each` first; then come the axes of the matrix in order of declaration,
 * and then the take.
 */
export interface FanOut {
  /** One step, with results read as `each`, or several that meet on the coordinates they share: `each.still`, `each.voice`. */
  readonly each: readonly EachSource[];
  readonly matrix: readonly Axis[];
  readonly include: readonly Coordinate[];
  readonly exclude: readonly Coordinate[];
  /** How often each of them is made; every take is paid for. */
  readonly takes?: Value;
  /** The most instances that lists may give which other steps write, and the most files of a star that a command leaves. */
  readonly max?: Value;
  /** What distinguishes the rows of one axis, in the place of their number. */
  readonly key?: { readonly axis: string; readonly value: Value };
}
export interface EachSource {
  readonly step: StepName;
  /** Under which name it is read; absent where it is the only one. */
  readonly name?: string;
  /** All takes of one instance are one: they are chosen from, and `each` is not read. */
  readonly gathers?: 'take';
}
export interface Axis {
  readonly name: string;
  readonly at: Span;
  /** A list. What its expressions read of other steps is known when those have run, everything else before the run. */
  readonly values: Value;
  /** How many entries the schema of the answer allows in the list; absent without a schema. */
  readonly most?: Value;
}
export type Coordinate = MapValue;

/** Milliseconds. */
export interface Timeout {
  readonly queue?: number;
  readonly run?: number;
  readonly total?: number;
}

/** `otio`: the timeline of a cut as OpenTimelineIO. */
export type OutputForm = 'otio';

export interface Output {
  readonly name: string;
  readonly at: Span;
  readonly from: StepName;
  /** For a `run` step: which of its files. */
  readonly file?: string;
  /** That is a list of files: `{n}` in the path is the number of each, from 1. */
  readonly list?: true;
  /** A frame of it, or its sound, and not the video itself. */
  readonly part?: DerivedPart;
  /** What is made of it for that place, instead of the thing itself. */
  readonly as?: OutputForm;
  /** It is not marked as synthetic media. */
  readonly unmarked?: true;
  /** `out/fox-{ratio}.mp4`: braces name coordinates. Relative to the project's root. */
  readonly to: string;
  readonly toAt: Span;
}

/** A value of the file, perhaps with expressions inside. */
export type Value = LiteralValue | ExpressionValue | TextValue | ListValue | MapValue;

interface LiteralValue {
  readonly is: 'literal';
  readonly value: null | boolean | number | string;
  readonly at: Span;
}
/** A scalar that is exactly one `${{ … }}`: it keeps its type. */
export interface ExpressionValue {
  readonly is: 'expression';
  /** CEL source between the braces. */
  readonly code: string;
  /** The whole scalar. */
  readonly at: Span;
  /** The code alone; absent where escapes or folding hide it. */
  readonly codeAt?: Span;
  readonly reads: readonly Reference[];
  /** It has a mistake: while the rest of its step is checked, it is as unknown as what is not made yet. */
  readonly unread?: true;
}
/** Text with expressions inside: each must give a scalar. */
export interface TextValue {
  readonly is: 'text';
  readonly parts: readonly (string | ExpressionValue)[];
  readonly at: Span;
}
export interface ListValue {
  readonly is: 'list';
  readonly items: readonly Value[];
  readonly at: Span;
}
export interface MapValue {
  readonly is: 'map';
  readonly entries: readonly { readonly name: string; readonly nameAt: Span; readonly value: Value }[];
  readonly at: Span;
}

/** The names that an expression can begin with. */
export const ROOTS = [
  'params',
  'data',
  'steps',
  'matrix',
  'each',
  'take',
  'previous',
  'this',
  'candidate',
  'run',
  'env',
] as const;
export type Root = (typeof ROOTS)[number];
export const isRoot = (name: string): name is Root => (ROOTS as readonly string[]).includes(name);

/** One thing an expression reads: `steps.shot.result_url` is `{ root: 'steps', path: ['shot', 'result_url'] }`. */
export interface Reference {
  readonly root: Root;
  readonly path: readonly string[];
  /** Declared as a number with fractions: 5 counts as 5.0, and half of it is 2.5. */
  readonly real?: boolean;
  /** A variable of the environment, or a param with `secret: true`: what it holds is handed on, and neither shown nor kept. */
  readonly secret?: true;
}

/** What an expression can see when it is evaluated. A step without fan-out is one result, a fanned-out one the ordered list. */
export interface Scope {
  readonly params: JsonObject;
  /** What the files under `data:` hold. */
  readonly data: JsonObject;
  readonly steps: JsonObject;
  /** The coordinates of this instance, own and inherited; a row of an axis as a whole. */
  readonly matrix: JsonObject;
  readonly each: Json;
  /** `number` and `seed` of this take. Empty where the step has no takes. */
  readonly take: JsonObject;
  /** The result of the instance before this one. Empty for the first. */
  readonly previous: Json;
  /** In `until`: the result just made. */
  readonly this?: Json;
  /** In the rule of a pick: the result that it is asked about. */
  readonly candidate?: Json;
  readonly run: JsonObject;
  readonly env: JsonObject;
}
