/** Commands about a team: many machines that make films together, over a database. */
import type { CommandHelp, Operand, Options } from './option.ts';
import { FILE, FILM, JSON_DOCUMENT, JSON_EVENTS, SELECTION, STEPS, UI } from './shared-options.ts';

const ON = {
  on: {
    value: 'TEAM',
    takes: 'nothing',
    about: 'a team of your settings, or postgres://USER@HOST/DATABASE (default: the only team that is set)',
  },
} as const satisfies Options;
const RUN = {
  name: 'RUN',
  takes: 'nothing',
  about: 'as `submit` and `list` name it: fox-7k3m9q',
} as const satisfies Operand;

export const TEAM_COMMANDS = {
  submit: {
    usage: 'submit FILE [STEP…]',
    brief: "hand the film in: a team's workers make it, and this machine may go",
    operands: [FILE, STEPS],
    options: {
      ...ON,
      ...FILM,
      ...SELECTION,
      priority: { value: 'N', about: 'before others with less, in whole numbers (default: 0)' },
      'max-usd': { value: 'N', about: "dollars that this run alone may spend, beside the file's budget" },
      'on-unknown': {
        value: 'WHAT',
        oneOf: ['fail', 'resubmit', 'done'],
        about: 'a submission, or a command that acts outside, whose outcome nobody can tell: as for `run`',
      },
      'fail-fast': { about: 'after a failure: begin nothing new' },
      watch: { about: 'then watch it, as `shotlist watch` does' },
      ...UI,
      json: { about: 'one JSON document on standard output; with --watch: every event, a line of JSON each' },
    },
    examples: [
      { line: 'shotlist submit film.yaml --on house', about: 'prints the run, and what to type next' },
      { line: 'shotlist submit film.yaml --on house --priority 5 --watch', about: 'before others, and watched' },
    ],
    exits: [0, 1, 2, 4, 5, 6, 130],
  },
  list: {
    usage: 'list',
    brief: "a team's runs: what waits, is led, and was made",
    operands: [],
    options: {
      ...ON,
      all: { about: 'also what came to its end: the newest 200 (default: the newest 20)' },
      ...JSON_DOCUMENT,
    },
    examples: [
      { line: 'shotlist list --on house', about: 'who handed in what, how far it is, and what it has cost' },
      { line: 'shotlist list --on house --all --json', about: 'for a script' },
    ],
    exits: [0, 2, 6],
  },
  watch: {
    usage: 'watch RUN',
    brief: "a team's run as `run` shows its own; Ctrl-C leaves it alone",
    operands: [RUN],
    options: { ...ON, ...UI, ...JSON_EVENTS },
    examples: [
      { line: 'shotlist watch fox-7k3m9q --on house', about: "until it is over, with the run's own exit code" },
      { line: 'shotlist watch fox-7k3m9q --on house --ui json', about: 'every event, a line of JSON each' },
    ],
    exits: [0, 1, 2, 3, 4, 5, 6, 130],
  },
  resume: {
    usage: 'resume RUN',
    brief: "a team's run that failed, waits or was cancelled goes on",
    operands: [RUN],
    options: {
      ...ON,
      'on-unknown': {
        value: 'WHAT',
        oneOf: ['fail', 'resubmit', 'done'],
        about:
          'a submission, or a command that acts outside, whose outcome nobody can tell: until it is resumed again, as for `run`',
      },
      attach: {
        value: 'KEY=GENERATION',
        many: true,
        takes: 'nothing',
        about: 'a generation that is at the service already becomes the result of that instance (may be repeated)',
      },
      force: { about: 'of --attach: also where it was asked for something else, or nobody can tell' },
      ...JSON_DOCUMENT,
    },
    examples: [
      { line: 'shotlist resume fox-7k3m9q --on house', about: 'after what stopped it was put right' },
      {
        line: "shotlist resume fox-7k3m9q --on house --attach 'shot[beat=3]=gen_123'",
        about: 'what is there already is not paid for again',
      },
      { line: 'shotlist resume fox-7k3m9q --on house --json', about: 'the status that it had' },
    ],
    exits: [0, 1, 2, 6],
  },
  fetch: {
    usage: 'fetch RUN',
    brief: "the outputs and the lock of a team's run, put beside the file here; nothing is paid for",
    operands: [RUN],
    options: { ...ON, ...UI, ...JSON_EVENTS },
    examples: [
      { line: 'shotlist fetch fox-7k3m9q --on house', about: 'in the project that it was handed in from' },
      { line: 'shotlist fetch fox-7k3m9q --on house --ui quiet', about: 'what goes wrong alone is told' },
    ],
    exits: [0, 1, 2, 3, 5, 6, 130],
  },
  worker: {
    usage: 'worker',
    brief: 'make what is handed in to a team, until SIGTERM: then it goes on at others',
    operands: [],
    options: {
      ...ON,
      leads: { value: 'N', about: 'runs that are led at once; 0: none (default: 16)' },
      hands: { value: 'N', about: 'commands and cuts of any run at once; 0: none (default: one for each core)' },
      'no-commands': { about: 'it leads runs and holds the key, and runs no command of a film' },
      'only-commands': { about: 'it runs commands, holds no key and leads nothing' },
      folder: {
        value: 'DIR',
        takes: 'folder',
        about: 'what it keeps of results and projects (default: shotlist/worker in XDG_STATE_HOME)',
      },
      name: { value: 'NAME', about: 'how it is told of (default: the machine and the process)' },
      json: { about: 'its log as JSON, a line each, on standard output' },
    },
    examples: [
      { line: 'shotlist worker --on house', about: 'with the services, and keys, of the settings here' },
      {
        line: 'shotlist worker --on house --only-commands --hands 8',
        about: 'on a machine that has many cores and no key',
      },
    ],
    exits: [0, 1, 2, 6, 130],
  },
  cluster: {
    usage: 'cluster init|status|limit|prune|restored [SERVICE]',
    brief: "a team's database: its tables, what goes on, and what a key may be used for",
    operands: [
      {
        name: 'init|status|limit|prune|restored',
        takes: 'nothing',
        oneOf: ['init', 'status', 'limit', 'prune', 'restored'],
        about:
          'make the tables, or bring them up to date; tell; set limits; delete old events; say that a backup was restored',
      },
      {
        name: 'SERVICE',
        takes: 'nothing',
        about:
          'of your settings. `limit`: of its key; alone, all limits are told. `restored`: whose history is looked through',
      },
    ],
    options: {
      ...ON,
      'in-flight': {
        value: 'N',
        about: 'of `limit`: generations under way at once with this key; `none` takes it away',
      },
      'per-second': { value: 'N', about: 'of `limit`: requests a second with this key' },
      'usd-per-day': { value: 'X', about: 'of `limit`: dollars that this key may cost in 24 hours' },
      model: {
        value: 'MODEL=N',
        many: true,
        takes: 'nothing',
        about: 'of `limit`: generations of this model under way at once (may be repeated)',
      },
      before: { value: 'DATE', about: 'of `prune`: runs that came to their end before this day, like 2026-01-31' },
      'print-sql': {
        about:
          'of `init`: print what makes the roles of workers and of persons, for whoever may make roles, and do nothing',
      },
      over: { about: 'of `restored`: all that was sent since the backup is known now, and is looked for no more' },
      since: {
        value: 'TIME',
        about:
          'of `restored`: when the backup was made, like 2026-01-31T21:30:00Z; without it, the newest that the database knows of',
      },
      force: { about: 'of `restored`: also while workers are there' },
      prometheus: { about: 'of `status`: for Prometheus to read' },
      ...JSON_DOCUMENT,
    },
    examples: [
      { line: 'shotlist cluster init --on house', about: 'once, and after each update; twice is harmless' },
      {
        line: 'shotlist cluster limit render-farm --on house --in-flight 40 --model V-T2V-A=8 --usd-per-day 500',
        about: 'for all workers together, at once',
      },
    ],
    exits: [0, 1, 2, 6],
  },
} as const satisfies { readonly [name: string]: CommandHelp };
