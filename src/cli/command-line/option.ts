/** How the table of commands is written down: for the parser, for help, for completions and for what is said of a mistake, all alike. */
import type { ExitCode } from '../errors/exit-codes.ts';

/** What a shell offers where a value is typed. `pipeline`: a YAML file; `step`: a name under `steps:` of the file that is named before. */
export type Taken = 'pipeline' | 'file' | 'folder' | 'step' | 'model' | 'nothing';

export interface Option {
  /** What is written behind it, in capitals; absent for one that stands alone. */
  readonly value?: string;
  /** The only values that it takes. */
  readonly oneOf?: readonly string[];
  /** May be repeated. */
  readonly many?: true;
  readonly default?: string;
  /** The one letter that other tools have taught everybody. */
  readonly short?: string;
  readonly takes?: Taken;
  /** One sentence, small letters, no full stop. */
  readonly about: string;
}

export interface Operand {
  /** As it stands in the usage: `FILE`, `STEP…`. */
  readonly name: string;
  readonly takes: Taken;
  readonly oneOf?: readonly string[];
  readonly about: string;
}

interface Example {
  /** The whole command, as it is typed. */
  readonly line: string;
  readonly about: string;
}

export interface CommandHelp {
  /** What stands behind `shotlist`. */
  readonly usage: string;
  /** Its line in the overview. */
  readonly brief: string;
  readonly operands: readonly Operand[];
  readonly options: { readonly [name: string]: Option };
  readonly examples: readonly [Example, Example, ...Example[]];
  readonly exits: readonly ExitCode[];
}

export type Options = CommandHelp['options'];

/** What the parser makes of one option. */
type ValueOf<O extends Option> = O extends { oneOf: readonly (infer Value)[] }
  ? Value | undefined
  : O extends { many: true }
    ? string[]
    : O extends { default: string }
      ? string
      : O extends { value: string }
        ? string | undefined
        : boolean;

export type ValuesOf<Os extends Options> = { -readonly [Name in keyof Os]: ValueOf<Os[Name]> };
