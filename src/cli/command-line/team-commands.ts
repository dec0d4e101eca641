/** Commands about a team: many machines that make films together, over a database. */
import {
  type CommandHelp,
  FILE,
  FILM,
  JSON_DOCUMENT,
  JSON_EVENTS,
  onTeam,
  operand,
  option,
  SELECTION,
  STEPS,
  UI,
} from './option.ts';

const ON = onTeam('a team of your settings, or postgres://USER@HOST/DATABASE (default: the only team that is set)');
const RUN = operand('RUN', 'nothing', 'as `submit` and `list` name it: fox-7k3m9q');

export const TEAM_COMMANDS = {
  'team submit': {
    usage: 'team submit FILE [STEP…]',
    brief: "hand the film in: a team's workers make it, and this machine may go",
    operands: [FILE, STEPS],
    options: {
      ...ON,
      ...FILM,
      ...SELECTION,
      priority: option('N', 'before others with less, in whole numbers (default: 0)'),
      'max-usd': option('N', "dollars that this run alone may spend, beside the file's budget"),
      'on-unknown': option('WHAT', 'a submission, or a command that acts outside, of unknown outcome: as for `run`', {
        oneOf: ['fail', 'resubmit', 'done'],
      }),
      'fail-fast': { about: 'after a failure: begin nothing new' },
      watch: { about: 'then watch it, as `shotlist team watch` does' },
      ...UI,
      json: { about: 'one JSON document on standard output; with --watch: every event, a line of JSON each' },
    },
    examples: {
      'shotlist team submit film.yaml --on house': 'prints the run, and what to type next',
      'shotlist team submit film.yaml --on house --priority 5 --watch': 'before others, and watched',
    },
    exits: [0, 1, 2, 4, 5, 6, 130],
  },
  'team list': {
    usage: 'team list',
    brief: "a team's runs: what waits, is led, and was made",
    operands: [],
    options: {
      ...ON,
      all: { about: 'also what came to its end: the newest 200 (default: the newest 20)' },
      ...JSON_DOCUMENT,
    },
    examples: {
      'shotlist team list --on house': 'who handed in what, how far it is, and what it has cost',
      'shotlist team list --on house --all --json': 'for a script',
    },
    exits: [0, 2, 6],
  },
  'team watch': {
    usage: 'team watch RUN',
    brief: "a team's run as `run` shows its own; Ctrl-C leaves it alone",
    operands: [RUN],
    options: { ...ON, ...UI, ...JSON_EVENTS },
    examples: {
      'shotlist team watch fox-7k3m9q --on house': "until it is over, with the run's own exit code",
      'shotlist team watch fox-7k3m9q --on house --ui json': 'every event, a line of JSON each',
    },
    exits: [0, 1, 2, 3, 4, 5, 6, 130],
  },
  'team resume': {
    usage: 'team resume RUN',
    brief: "a team's run that failed, waits or was cancelled goes on",
    operands: [RUN],
    options: {
      ...ON,
      'on-unknown': option(
        'WHAT',
        'a submission, or a command that acts outside, of unknown outcome: until it is resumed again, as for `run`',
        { oneOf: ['fail', 'resubmit', 'done'] },
      ),
      attach: option(
        'KEY=GENERATION',
        'a generation that is at the service already becomes the result of that instance (may be repeated)',
        { many: true },
      ),
      force: { about: 'of --attach: also where its request was another, or is unknown' },
      ...JSON_DOCUMENT,
    },
    examples: {
      'shotlist team resume fox-7k3m9q --on house': 'after what stopped it was put right',
      "shotlist team resume fox-7k3m9q --on house --attach 'shot[beat=3]=gen_123'":
        'what is there already is not paid for again',
      'shotlist team resume fox-7k3m9q --on house --json': 'the status that it had',
    },
    exits: [0, 1, 2, 6],
  },
  'team cancel': {
    usage: 'team cancel RUN',
    brief: "end a team's run, with all that it has at the service",
    operands: [RUN],
    options: { ...ON, ...JSON_DOCUMENT },
    examples: {
      'shotlist team cancel fox-7k3m9q --on house': 'its worker ends what still bills',
      'shotlist team cancel fox-7k3m9q --json': 'what it was before, for a script',
    },
    exits: [0, 1, 2, 6],
  },
  'team fetch': {
    usage: 'team fetch RUN',
    brief: "the outputs and the lock of a team's run, put beside the file here; nothing is paid for",
    operands: [RUN],
    options: { ...ON, ...UI, ...JSON_EVENTS },
    examples: {
      'shotlist team fetch fox-7k3m9q --on house': 'in the project that it was handed in from',
      'shotlist team fetch fox-7k3m9q --on house --ui quiet': 'only errors are printed',
    },
    exits: [0, 1, 2, 3, 5, 6, 130],
  },
  'team worker': {
    usage: 'team worker',
    brief: 'make what is handed in to a team, until SIGTERM: then it goes on at others',
    operands: [],
    options: {
      ...ON,
      leads: option('N', 'runs that are led at once (default: 16); 0: none, and no key is needed'),
      hands: option(
        'N',
        'commands and cuts of any run at once (default: one for each core); 0: no command of a film runs here',
      ),
      expose: option(
        'NAME',
        'an environment variable that films may read, in addition to `expose` in the settings (may be repeated)',
        { many: true },
      ),
      folder: option('DIR', 'what it keeps of results and projects (default: shotlist/worker in XDG_STATE_HOME)', {
        takes: 'folder',
      }),
      name: option('NAME', 'how it is shown (default: the machine and the process)'),
      json: { about: 'its log as JSON, a line each, on standard output' },
    },
    examples: {
      'shotlist team worker --on house': 'with the services, and keys, of the settings here',
      'shotlist team worker --on house --leads 0 --hands 8': 'on a machine that has many cores and no key',
    },
    exits: [0, 1, 2, 6, 130],
  },
  'team init': {
    usage: 'team init',
    brief: "make a team's tables, or bring them up to date",
    operands: [],
    options: {
      ...ON,
      format: option(
        'NAME',
        'sql: print what makes the roles of workers and of persons, for an administrator, and do nothing',
        { oneOf: ['text', 'sql'] },
      ),
      ...JSON_DOCUMENT,
    },
    examples: {
      'shotlist team init --on house': 'once, and after each update; twice is harmless',
      'shotlist team init --on house --format sql > roles.sql': 'for the owner of the database',
    },
    exits: [0, 1, 2, 6],
  },
  'team status': {
    usage: 'team status [RUN]',
    brief: 'who works, what waits for whom, what is sent and spent; or one run in full',
    operands: [{ ...RUN, about: 'one run (default: the team, and all that it has under way)' }],
    options: {
      ...ON,
      format: option('NAME', 'prometheus: the figures of the team, for Prometheus to read', {
        oneOf: ['text', 'prometheus'],
      }),
      ...JSON_DOCUMENT,
    },
    examples: {
      'shotlist team status --on house': 'workers, runs, limits, and who leads what',
      'shotlist team status fox-7k3m9q --on house --json': 'one run, for a program',
    },
    exits: [0, 1, 2, 6],
  },
  'team limit': {
    usage: 'team limit [SERVICE [LIMIT=N…]]',
    brief: 'what a key may be used for by all workers together; alone: what is set',
    operands: [
      operand('SERVICE', 'nothing', 'of your settings; its key is read here'),
      operand(
        'LIMIT=N…',
        'nothing',
        'in_flight=40: generations under way at once; V-T2V-A=8: of one model; per_second=10: requests; usd_per_day=500: dollars in 24 hours; `none` takes one away',
      ),
    ],
    options: { ...ON, ...JSON_DOCUMENT },
    examples: {
      'shotlist team limit render-farm in_flight=40 V-T2V-A=8 usd_per_day=500 --on house':
        'for all workers together, at once',
      'shotlist team limit --on house': 'what is set',
    },
    exits: [0, 1, 2, 6],
  },
  'team prune': {
    usage: 'team prune DAY',
    brief: 'delete the events of old runs; results, what they cost and choices stay',
    operands: [operand('DAY', 'nothing', 'runs that came to their end before this day, like 2026-01-31')],
    options: { ...ON, ...JSON_DOCUMENT },
    examples: {
      'shotlist team prune 2026-01-31 --on house': 'it prints what it deleted',
      'shotlist team prune 2026-01-31 --on house --json': 'for a script',
    },
    exits: [0, 1, 2, 6],
  },
  'team drop': {
    usage: 'team drop CHOICE',
    brief: 'delete a choice that cannot be read; any other stays',
    operands: [operand('CHOICE', 'nothing', 'its number, as the warning about it names it')],
    options: { ...ON, ...JSON_DOCUMENT },
    examples: {
      'shotlist team drop 17 --on house': 'exit 1 where there is none, or it can be read',
      'shotlist team drop 17 --on house --json': 'for a script',
    },
    exits: [0, 1, 2, 6],
  },
  'team restored': {
    usage: 'team restored [SERVICE] [TIME]',
    brief: 'say that a backup of the database was restored: what was sent since is looked for',
    operands: [
      operand('SERVICE', 'nothing', 'of your settings: its history is looked through'),
      operand(
        'TIME',
        'nothing',
        'when the backup was made, like 2026-01-31T21:30:00Z (default: the newest that the database knows of)',
      ),
    ],
    options: {
      ...ON,
      force: { about: 'also while workers are there' },
      forget: { about: 'all that was sent since the backup is known now, and is looked for no more' },
      ...JSON_DOCUMENT,
    },
    examples: {
      'shotlist team restored render-farm --on house': 'exit 1 where something is not known here',
      'shotlist team restored --forget --on house': 'when all is well',
    },
    exits: [0, 1, 2, 6],
  },
} as const satisfies { readonly [name: string]: CommandHelp };
