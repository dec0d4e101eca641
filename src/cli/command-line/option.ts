/** The shape of a row in the table of commands, and the options and operands that several rows share. */
import type { ExitCode } from '../errors/exit-codes.ts';

/** What a shell offers where a value is typed. `pipeline`: a YAML file; `step`: a name under `steps:` of the file that is named before. */
export type Taken = 'pipeline' | 'file' | 'folder' | 'step' | 'model' | 'nothing';

export interface Option {
  /** The name of its value, in capitals; absent for a flag. */
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

interface Operand {
  /** As the usage writes it: `FILE`, `STEP…`. */
  readonly name: string;
  readonly takes: Taken;
  readonly oneOf?: readonly string[];
  readonly about: string;
}

export interface CommandHelp {
  /** The words after `shotlist`. */
  readonly usage: string;
  /** Its line in the overview. */
  readonly brief: string;
  readonly operands: readonly Operand[];
  readonly options: { readonly [name: string]: Option };
  /** Whole commands, as they are typed, each with what it does; two or more. */
  readonly examples: { readonly [line: string]: string };
  readonly exits: readonly ExitCode[];
}

/** An option with a value. */
export const option = <const Value extends string, const More extends Omit<Option, 'value' | 'about'> = object>(
  value: Value,
  about: string,
  more?: More,
) => ({ value, about, ...more }) as { readonly value: Value; readonly about: string } & More;

export const operand = (name: string, takes: Taken, about: string, more?: Pick<Operand, 'oneOf'>): Operand => ({
  ...{ name, takes, about },
  ...more,
});

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

export const FILE = operand('FILE', 'pipeline', 'the pipeline file');
export const MODEL = operand('MODEL', 'model', 'a label of the interface document, or an id of the catalog');
export const KEY = operand('KEY', 'step', "one instance: `'shot[beat=3]'`");

export const JSON_DOCUMENT = { json: { about: 'one JSON document on standard output' } } as const satisfies Options;
export const JSON_EVENTS = {
  json: { about: 'as --ui json: every event, a line of JSON each, on standard output' },
} as const satisfies Options;

export const SERVICE = {
  service: option('NAME', 'a service of your settings; without one the built-in studio is used'),
} as const satisfies Options;
export const PROFILE = {
  profile: option('NAME', 'as in this profile of the file; `final` (default): as in the file itself'),
} as const satisfies Options;
export const DRAFT = {
  draft: { about: 'the built-in studio draws small, quick pictures; no command acts outside' },
} as const satisfies Options;
export const DATA = {
  data: option('NAME=FILE', 'another file for one of the names under `data:` (may be repeated)', { many: true }),
} as const satisfies Options;
export const PARAMS = {
  param: option(
    'NAME=VALUE|FILE',
    "a value for one of the file's params, or a YAML or JSON file of values (may be repeated)",
    { many: true, takes: 'file' },
  ),
  ...DATA,
} as const satisfies Options;
/** Which team; what that means differs by command. */
export const onTeam = (about: string) => ({ on: { value: 'TEAM', takes: 'nothing', about } }) as const;
/** Which film is meant, and for which service. */
export const FILM = { ...PARAMS, ...SERVICE, ...PROFILE, ...DRAFT } as const satisfies Options;

export const STEPS = operand(
  'STEP…',
  'step',
  "these and what they need: a step, `shot`, or instances, `'shot[beat=3]'` (quoted: a shell reads brackets as a pattern), several with commas",
);
export const SELECTION = {
  only: option('STEP', 'these and nothing else: what they need must be here', { many: true, takes: 'step' }),
  from: option('STEP', 'these, and all behind them', { many: true, takes: 'step' }),
  until: option('STEP', 'these, and all before them; with --from: what lies between', { many: true, takes: 'step' }),
  exclude: option('STEP', 'not these, and nothing that needs them', { many: true, takes: 'step' }),
  redo: option('STEP', 'these once more, though they are owned; nothing is deleted', { many: true, takes: 'step' }),
} as const satisfies Options;
export const AS = {
  as: option(
    'NAME',
    "whose name choices bear (default: git's user.name, then who is logged in); a team records the login too",
  ),
} as const satisfies Options;
export const SAID = {
  pick: option(
    'PICK=WHICH',
    "choose beforehand, and pay for nothing that loses: `--pick 'best[beat=3]=take=2'`, `--pick best=1`",
    { many: true, takes: 'step' },
  ),
  approve: option(
    'STEP',
    "say yes beforehand, to whatever it will be: `--approve ok`, `--approve 'ok[beat=3],final'`",
    { many: true, takes: 'step' },
  ),
  ...AS,
} as const satisfies Options;
export const FROZEN = {
  frozen: { about: 'pay for nothing: exit 3 where something is not owned' },
} as const satisfies Options;
export const UI = {
  ui: option('NAME', 'how a run is shown (default: tui at a terminal, plain elsewhere and in CI)', {
    oneOf: ['tui', 'plain', 'json', 'quiet'],
  }),
} as const satisfies Options;
/** Of a run, beside the film and its part. */
export const RUNNING = {
  ...UI,
  report: option('KIND[=PLACE]', 'beside --ui, and several at once: junit=PATH, html=DIR, github (may be repeated)', {
    many: true,
  }),
  ...JSON_EVENTS,
  'on-unknown': option(
    'WHAT',
    'a submission, or a command that acts outside, of unknown outcome: stop (default), do it again, or count the command as done',
    { oneOf: ['fail', 'resubmit', 'done'] },
  ),
  'on-interrupt': option('WHAT', 'what Ctrl-C does to generations: leave them to the next run (default), or end them', {
    oneOf: ['detach', 'cancel'],
  }),
  ...FROZEN,
  'max-usd': option(
    'N',
    "dollars that this run alone may spend, beside the file's budget: exit 4 where it would be more",
  ),
  'no-extras': {
    about: 'no pictures in the terminal, no title, progress or bell of it',
  },
  'fail-fast': { about: 'after a failure: begin nothing new, instead of going on with what does not need it' },
} as const satisfies Options;
