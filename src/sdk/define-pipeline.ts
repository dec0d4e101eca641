/** A pipeline as an object, typed: keys, labels of models and their fields are known to the compiler; the rest is a diagnostic. */
import type {
  Command,
  Expression,
  FileKeys,
  GenerateKeys,
  NamedModel,
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

interface Asks<Name extends string, Fields> extends GenerateKeys {
  readonly model: Name;
  /** The model's own request fields. */
  readonly with?: Fields;
  readonly run?: never;
  readonly tokenize?: never;
  readonly uses?: never;
}

type LabelStep = { [Label in ModelLabel]: Asks<Label, RequestFields[Label]> }[ModelLabel];
type NamedStep<Names extends ModelNames> = {
  [Name in keyof Names & string]: Asks<Name, Names[Name] extends ModelLabel ? RequestFields[Names[Name]] : AnyFields>;
}[keyof Names & string];
/** An id of the service's catalog, `vendor/name`, or an expression: nothing is known of its fields. */
type CatalogStep = Asks<`${string}/${string}` | Expression, AnyFields>;

export type StepDefinition<Names extends ModelNames = Record<never, never>> =
  | LabelStep
  | NamedStep<Names>
  | CatalogStep
  | (Command & { readonly model?: never; readonly tokenize?: never; readonly uses?: never })
  | (Tokenize & { readonly model?: never; readonly run?: never; readonly uses?: never })
  | (Uses & { readonly model?: never; readonly run?: never; readonly tokenize?: never });

export type PipelineDefinition<Names extends ModelNames = Record<never, never>> = FileKeys & {
  /** The file's own names for models: steps then say `model: 'film'`. */
  readonly models?: Names;
  readonly steps: { readonly [step: string]: StepDefinition<NoInfer<Names>> };
};

/** Returns what it is given: the compiler looks at it, and nothing else happens. */
export const definePipeline = <const Names extends ModelNames = Record<never, never>>(
  pipeline: PipelineDefinition<Names>,
): PipelineDefinition<Names> => pipeline;
