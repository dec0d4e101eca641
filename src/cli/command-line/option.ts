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

export interface Operand {
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

export const FILE = { name: 'FILE', takes: 'pipeline', about: 'the pipeline file' } as const satisfies Operand;
export const MODEL = {
  name: 'MODEL',
  takes: 'model',
  about: 'a label of the interface document, or an id of the catalog',
} as const satisfies Operand;
export const KEY = { name: 'KEY', takes: 'step', about: "one instance: `'shot[beat=3]'`" } as const satisfies Operand;

export const JSON_DOCUMENT = { json: { about: 'one JSON document on standard output' } } as const satisfies Options;
export const JSON_EVENTS = {
  json: { about: 'as --ui json: every event, a line of JSON each, on standard output' },
} as const satisfies Options;

export const SERVICE = {
  service: { value: 'NAME', about: 'a service of your settings; without one the built-in studio is used' },
} as const satisfies Options;
export const PROFILE = {
  profile: {
    value: 'NAME',
    about: 'as in this profile of the file; `final` (default): as in the file itself',
  },
} as const satisfies Options;
export const DRAFT = {
  draft: { about: 'the built-in studio draws small, quick pictures; no command acts outside' },
} as const satisfies Options;
export const DATA = {
  data: {
    value: 'NAME=FILE',
    many: true,
    takes: 'nothing',
    about: 'another file for one of the names under `data:` (may be repeated)',
  },
} as const satisfies Options;
export const PARAMS = {
  param: {
    value: 'NAME=VALUE|FILE',
    many: true,
    takes: 'file',
    about: "a value for one of the file's params, or a YAML or JSON file of values (may be repeated)",
  },
  ...DATA,
} as const satisfies Options;
/** Which team; what that means differs by command. */
export const onTeam = (about: string) => ({ on: { value: 'TEAM', takes: 'nothing', about } }) as const;
/** Which film is meant, and for which service. */
export const FILM = { ...PARAMS, ...SERVICE, ...PROFILE, ...DRAFT } as const satisfies Options;

export const STEPS = {
  name: 'STEP…',
  takes: 'step',
  about:
    "these and what they need: a step, `shot`, or instances, `'shot[beat=3]'` (quoted: a shell reads brackets as a pattern), several with commas",
} as const satisfies Operand;
export const SELECTION = {
  only: { value: 'STEP', many: true, takes: 'step', about: 'these and nothing else: what they need must be here' },
  from: { value: 'STEP', many: true, takes: 'step', about: 'these, and all behind them' },
  until: {
    value: 'STEP',
    many: true,
    takes: 'step',
    about: 'these, and all before them; with --from: what lies between',
  },
  exclude: { value: 'STEP', many: true, takes: 'step', about: 'not these, and nothing that needs them' },
  redo: {
    value: 'STEP',
    many: true,
    takes: 'step',
    about: 'these once more, though they are owned; nothing is deleted',
  },
} as const satisfies Options;
export const AS = {
  as: {
    value: 'NAME',
    about: "whose name choices bear (default: git's user.name, then who is logged in); a team records the login too",
  },
} as const satisfies Options;
export const SAID = {
  pick: {
    value: 'PICK=WHICH',
    many: true,
    takes: 'step',
    about: "choose beforehand, and pay for nothing that loses: `--pick 'best[beat=3]=take=2'`, `--pick best=1`",
  },
  approve: {
    value: 'STEP',
    many: true,
    takes: 'step',
    about: "say yes beforehand, to whatever it will be: `--approve ok`, `--approve 'ok[beat=3],final'`",
  },
  ...AS,
} as const satisfies Options;
export const FROZEN = {
  frozen: { about: 'pay for nothing: exit 3 where something is not owned' },
} as const satisfies Options;
export const UI = {
  ui: {
    value: 'NAME',
    oneOf: ['tui', 'plain', 'json', 'quiet'],
    about: 'how a run is shown (default: tui at a terminal, plain elsewhere and in CI)',
  },
} as const satisfies Options;
/** Of a run, beside the film and its part. */
export const RUNNING = {
  ...UI,
  report: {
    value: 'KIND[=PLACE]',
    many: true,
    takes: 'nothing',
    about: 'beside --ui, and several at once: junit=PATH, html=DIR, github (may be repeated)',
  },
  ...JSON_EVENTS,
  'on-unknown': {
    value: 'WHAT',
    oneOf: ['fail', 'resubmit', 'done'],
    about:
      'a submission, or a command that acts outside, of unknown outcome: stop (default), do it again, or count the command as done',
  },
  'on-interrupt': {
    value: 'WHAT',
    oneOf: ['detach', 'cancel'],
    about: 'what Ctrl-C does to generations: leave them to the next run (default), or end them',
  },
  ...FROZEN,
  'max-usd': {
    value: 'N',
    about: "dollars that this run alone may spend, beside the file's budget: exit 4 where it would be more",
  },
  'no-extras': {
    about: 'no pictures in the terminal, no title, progress or bell of it',
  },
  'fail-fast': { about: 'after a failure: begin nothing new, instead of going on with what does not need it' },
} as const satisfies Options;
