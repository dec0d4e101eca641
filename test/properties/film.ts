/** Small films as data: what a random one is built of, what the model of the language reads, and what becomes a file. */
import type { Json } from '../../src/model/text/json.ts';

export interface Film {
  readonly params: { readonly up: boolean; readonly n: number; readonly words: readonly string[] };
  /** Each reads earlier ones alone. */
  readonly steps: readonly FilmStep[];
}

export interface FilmStep {
  readonly name: string;
  readonly work: Work;
  /** One without a name, or several with. */
  readonly each?: readonly { readonly step: string; readonly name?: string }[];
  readonly axes?: readonly FilmAxis[];
  readonly include?: readonly Cell[];
  readonly exclude?: readonly Cell[];
  /** The rows of this axis are told apart by their `w`. */
  readonly key?: string;
  readonly takes?: number | 'n + 1';
  readonly max?: number;
  readonly needs?: readonly string[];
  readonly if?: Condition;
  readonly else?: { readonly step: string } | 'each';
  readonly cache?: 'off';
  /** It is made again until what it gives holds: `flag` of an answer, a digest that begins low. Its work reads the round before. */
  readonly until?: { readonly max: number | 'n + 1'; readonly otherwise?: 'last' | 'score' };
  /** Where its media goes. */
  readonly saved?: string;
}

export type Cell = Readonly<Record<string, Json>>;

export type Work =
  /** `effect`: it acts outside. */
  | { readonly is: 'say'; readonly args: readonly Text[]; readonly effect?: true }
  /** A chat that answers in the words of a command. */
  | { readonly is: 'ask'; readonly prompt: readonly Text[] }
  /** A request that reads texts. `by`: the axis that names its model. */
  | {
      readonly is: 'shoot';
      readonly model: 'V-T2V-A' | 'V-T2V-B';
      readonly by?: string;
      readonly prompt: readonly Text[];
    }
  /** A request that reads a film. */
  | { readonly is: 'enhance'; readonly input: Text }
  /** One of all results of a step, or of the takes of each. `gives`: what it is chosen from. */
  | { readonly is: 'pick'; readonly from: string | 'takes'; readonly by: Chooser; readonly gives: Gives }
  /** A person is shown all results of a step. */
  | { readonly is: 'approve'; readonly step: string }
  /** Films, one behind the other. */
  | { readonly is: 'cut'; readonly clips: readonly Text[] };

export type Chooser = 'rule' | 'person' | 'judge';
/** What has the same fields for whoever reads it. */
export type Gives = 'command' | 'chat' | 'film' | 'answer';

export function gives({ work }: Pick<FilmStep, 'work'>): Gives {
  switch (work.is) {
    case 'say':
      return 'command';
    case 'ask':
      return 'chat';
    case 'approve':
      return 'answer';
    case 'pick':
      return work.gives;
    default:
      return 'film';
  }
}

/** What it gives is JSON. */
export const speaks = (step: Pick<FilmStep, 'work'>): boolean => gives(step) === 'command' || gives(step) === 'chat';

export interface FilmAxis {
  readonly name: string;
  readonly values:
    | { readonly is: 'list'; readonly items: readonly Json[] }
    | { readonly is: 'range'; readonly from: number; readonly to: number }
    | { readonly is: 'words' }
    /** The rows of a file. */
    | { readonly is: 'data' }
    | { readonly is: 'column'; readonly axis: string; readonly column: string }
    | { readonly is: 'written'; readonly step: string; readonly list: 'list' | 'rows' }
    | { readonly is: 'gathered'; readonly step: string }
    | { readonly is: 'of each'; readonly name?: string };
}

/** An expression that gives a text or a number. */
export type Text =
  | { readonly is: 'plain'; readonly text: string }
  | { readonly is: 'number' }
  | { readonly is: 'axis'; readonly axis: string; readonly column?: string }
  | { readonly is: 'take' }
  | { readonly is: 'each'; readonly name?: string; readonly field: Field }
  | { readonly is: 'one'; readonly step: string; readonly field: Field }
  /** `at`: a number, or the param `n`. */
  | { readonly is: 'member'; readonly step: string; readonly at: number | 'n'; readonly field: Field }
  | { readonly is: 'all'; readonly step: string; readonly field: Field }
  | { readonly is: 'count'; readonly step: string }
  | { readonly is: 'previous'; readonly field: Field }
  | { readonly is: 'choose'; readonly when: Condition; readonly yes: Text; readonly no: Text };

export type Field = 'json.id' | 'sha256' | 'result_url';

export type Condition =
  | { readonly is: 'up' }
  | { readonly is: 'not'; readonly of: Condition }
  | { readonly is: 'both'; readonly of: readonly [Condition, Condition] }
  | { readonly is: 'flag'; readonly step: string }
  | { readonly is: 'flag of each'; readonly name?: string }
  | { readonly is: 'made'; readonly step: string; readonly field: Field }
  | { readonly is: 'approved'; readonly step: string }
  | { readonly is: 'many'; readonly step: string }
  | { readonly is: 'at'; readonly axis: string; readonly column?: string; readonly value: Json };
