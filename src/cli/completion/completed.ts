/** What a shell offers behind `shotlist`, made of the table of commands: words, files, names of steps. The scripts ask this program nothing. */
import { modelLibrary } from '../../api/model-library.ts';
import { COMMAND_NAMES, helpOf } from '../command-line/commands.ts';
import type { Taken } from '../command-line/option.ts';

/** A value that is typed: one of these words, or a file, a step, and so on. */
export type Offer =
  | { readonly is: 'words'; readonly words: readonly string[] }
  | { readonly is: Exclude<Taken, 'model'> };

export interface CompletedOption {
  /** With its dashes. */
  readonly name: string;
  readonly about: string;
  readonly isRepeated: boolean;
  /** What it is given; absent for one that stands alone. */
  readonly value?: { readonly name: string; readonly offer: Offer };
}

export interface CompletedOperand {
  readonly name: string;
  readonly offer: Offer;
  /** All that follow are like it. */
  readonly isRepeated: boolean;
}

export interface CompletedCommand {
  readonly name: string;
  readonly about: string;
  readonly options: readonly CompletedOption[];
  readonly operands: readonly CompletedOperand[];
}

export const completedCommands = (): readonly CompletedCommand[] =>
  COMMAND_NAMES.map(name => {
    const { brief, operands, options } = helpOf(name);
    return {
      name,
      about: brief,
      options: [
        ...Object.entries(options).map(([option, { about, value, many, oneOf, takes = 'nothing' }]) => ({
          name: `--${option}`,
          about,
          isRepeated: many === true,
          ...(value !== undefined && { value: { name: value, offer: offerOf(takes, oneOf) } }),
        })),
        { name: '--help', about: 'usage, examples, options, exit codes', isRepeated: false },
      ],
      operands: operands.map(({ name: operand, takes, oneOf }) => ({
        name: operand,
        isRepeated: operand.includes('…'),
        offer: name === 'help' ? { is: 'words', words: COMMAND_NAMES } : offerOf(takes, oneOf),
      })),
    };
  });

function offerOf(takes: Taken, oneOf: readonly string[] | undefined): Offer {
  if (oneOf) return { is: 'words', words: oneOf };
  return takes === 'model' ? { is: 'words', words: modelLibrary.labels } : { is: takes };
}

/** Prints the names under `steps:` of a pipeline as its author writes them; no shell can read YAML, and a name stands alone before its colon. */
export const STEPS_AWK =
  '/^steps:/{inside=1;next} /^[^ #]/{inside=0} inside&&/^ +[a-z][a-z0-9_]*:/{name=$0;sub(/:.*/,"",name);depth=match(name,/[^ ]/);if(!first)first=depth;if(depth==first){sub(/^ +/,"",name);print name}}';
