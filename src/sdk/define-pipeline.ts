/** A pipeline as an object, typed: keys, labels of models and their fields are known to the compiler; the rest is a diagnostic. */
import type {
  Approve,
  Command,
  Cut,
  Expression,
  FileKeys,
  GenerateKeys,
  NamedModel,
  Pick as PickKeys,
  RequestFields,
  Tokenize,
  Uses,
  Value,
} from './pipeline.generated.ts';

export type { Expression, RequestFields } from './pipeline.generated.ts';

/** A label of the interface document: `V-T2V-A`. */
export type ModelLabel = keyof RequestFields;

/** The file's own names for models. */
export type ModelNames = { readonly [name: string]: ModelLabel | `${string}/${string}` | NamedModel };

interface AnyFields {
  readonly [field: string]: Value;
}

/** By the key that makes a step what it is; one of a model is apart, with its fields. */
interface OtherKinds {
  readonly run: Command;
  readonly tokenize: Tokenize;
  readonly uses: Uses;
  readonly pick: PickKeys;
  readonly approve: Approve;
  readonly cut: Cut;
}
type Never<Keys extends string> = { readonly [Key in Keys]?: never };

interface Asks<Name extends string, Fields> extends GenerateKeys, Never<keyof OtherKinds> {
  readonly model: Name;
  /** The model's own request fields. */
  readonly with?: Fields;
}

type LabelStep = { [Label in ModelLabel]: Asks<Label, RequestFields[Label]> }[ModelLabel];
type NamedStep<Names extends ModelNames> = {
  [Name in keyof Names & string]: Asks<Name, Names[Name] extends ModelLabel ? RequestFields[Names[Name]] : AnyFields>;
}[keyof Names & string];
/** An id of the service's catalog, `vendor/name`, or an expression: nothing is known of its fields. */
type CatalogStep = Asks<`${string}/${string}` | Expression, AnyFields>;

type OtherStep = {
  [Kind in keyof OtherKinds]: OtherKinds[Kind] & Never<'model' | Exclude<keyof OtherKinds, Kind>>;
}[keyof OtherKinds];

export type StepDefinition<Names extends ModelNames = Record<never, never>> =
  | LabelStep
  | NamedStep<Names>
  | CatalogStep
  | OtherStep;

export type PipelineDefinition<Names extends ModelNames = Record<never, never>> = FileKeys & {
  /** The file's own names for models: steps then say `model: 'film'`. */
  readonly models?: Names;
  readonly steps: { readonly [step: string]: StepDefinition<NoInfer<Names>> };
};

/** Returns what it is given: the compiler looks at it, and nothing else happens. */
export const definePipeline = <const Names extends ModelNames = Record<never, never>>(
  pipeline: PipelineDefinition<Names>,
): PipelineDefinition<Names> => pipeline;
