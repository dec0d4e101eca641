/** What a shell offers behind `shotlist`, made of the table of commands: words, files, names of steps. The scripts ask this program nothing. */
import { modelLibrary } from '../../api/model-library.ts';
import { COMMAND_NAMES, GROUPS, helpOf, isCommand, isGroup } from '../command-line/commands.ts';
import type { Taken } from '../command-line/option.ts';

/** A value that is typed: one of these words, or a file, a step, and so on. */
export type Offer =
  | { readonly is: 'words'; readonly words: readonly string[] }
  | { readonly is: Exclude<Taken, 'model'> };

interface CompletedOption {
  /** With its dashes. */
  readonly name: string;
  readonly about: string;
  readonly isRepeated: boolean;
  /** Its value; absent for a flag. */
  readonly value?: { readonly name: string; readonly offer: Offer };
}

interface CompletedOperand {
  readonly name: string;
  readonly offer: Offer;
  /** All that follow are like it. */
  readonly isRepeated: boolean;
}

export interface CompletedCommand {
  /** One word, or two. */
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
        offer:
          name === 'help'
            ? { is: 'words', words: [...firstWords().map(({ word }) => word), ...Object.keys(GROUPS)] }
            : offerOf(takes, oneOf),
      })),
    };
  });

export interface CompletedWord {
  readonly word: string;
  readonly about: string;
}

/** The first words of commands. */
export const firstWords = (): readonly CompletedWord[] =>
  [...new Set(COMMAND_NAMES.map(name => name.split(' ')[0] ?? ''))].map(word => ({
    word,
    about: isCommand(word) ? helpOf(word).brief : aboutGroup(word),
  }));

const aboutGroup = (word: string): string => (isGroup(word) ? GROUPS[word].about : word);

/** Second words by the first: `team` → submit, list, … */
export const secondWords = (): ReadonlyMap<string, readonly CompletedWord[]> => {
  const words = new Map<string, CompletedWord[]>();
  for (const name of COMMAND_NAMES) {
    const [first = '', word] = name.split(' ');
    if (word !== undefined) words.set(first, [...(words.get(first) ?? []), { word, about: helpOf(name).brief }]);
  }
  return words;
};

function offerOf(takes: Taken, oneOf: readonly string[] | undefined): Offer {
  if (oneOf) return { is: 'words', words: oneOf };
  return takes === 'model' ? { is: 'words', words: modelLibrary.labels } : { is: takes };
}

/** Prints the names under `steps:` of a pipeline as its author writes them; no shell can read YAML, and a name is alone before its colon. */
export const STEPS_AWK =
  '/^steps:/{inside=1;next} /^[^ #]/{inside=0} inside&&/^ +[a-z][a-z0-9_]*:/{name=$0;sub(/:.*/,"",name);depth=match(name,/[^ ]/);if(!first)first=depth;if(depth==first){sub(/^ +/,"",name);print name}}';
