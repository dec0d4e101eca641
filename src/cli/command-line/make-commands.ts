/** Making a film: what it is, what it would cost, its pictures, and what a person decides. */
import {
  AS,
  type CommandHelp,
  FILE,
  FILM,
  FROZEN,
  JSON_DOCUMENT,
  type Options,
  onTeam,
  operand,
  option,
  PARAMS,
  PROFILE,
  RUNNING,
  SAID,
  SELECTION,
  SERVICE,
  STEPS,
} from './option.ts';

const { from: _from, until: _until, ...PART } = SELECTION;
const DECIDING = {
  ...onTeam('of the film as a team makes it: its runs that wait go on'),
  undo: { about: 'forget what was decided: the next run asks again' },
  note: option('TEXT', 'why: kept in the lock with the choice'),
  ...AS,
  ...FILM,
  ...JSON_DOCUMENT,
} as const satisfies Options;

export const MAKE_COMMANDS = {
  init: {
    usage: 'init [DIR]',
    brief: 'begin a film: a file that runs at once on the built-in studio',
    operands: [operand('DIR', 'folder', 'where it is written (default: here); it is made where it is not there')],
    options: {
      name: option('NAME', "what the film is called (default: the folder's name)"),
      idea: option('TEXT', 'what is seen in it'),
      ratio: option('RATIO', 'the shape of its picture (default: 16:9)', {
        oneOf: ['16:9', '9:16', '1:1', '4:3', '3:4'],
      }),
      shots: option('N', 'how many shots it is cut from, 1 to 12 (default: 3)'),
      yes: { about: 'ask nothing: what no option says is the default' },
      ...JSON_DOCUMENT,
    },
    examples: {
      'shotlist init fox': 'fox/fox.yaml and fox/.gitignore; at a terminal, with a few questions',
      'shotlist init fox --idea "a red fox crossing a frozen river" --ratio 9:16 --shots 2':
        'the same, with the answers',
    },
    exits: [0, 1, 2, 130],
  },
  check: {
    usage: 'check FILE…',
    brief: 'find every mistake in a pipeline file, before anything runs',
    operands: [operand('FILE…', 'pipeline', 'pipeline files; `-` is one that comes on standard input')],
    options: {
      name: option('FILE', 'what `-` is called, and where the files lie that it names (default: stdin.yaml, here)', {
        takes: 'pipeline',
      }),
      format: option(
        'NAME',
        'github: annotations on the lines of a pull request; sarif: a document for code scanning',
        { oneOf: ['text', 'json', 'github', 'sarif'] },
      ),
      ...SERVICE,
      ...PROFILE,
      ...PARAMS,
      ...JSON_DOCUMENT,
    },
    examples: {
      'shotlist check film.yaml': 'every mistake with its place, and what to write instead',
      'shotlist check - --name film.yaml --json < film.yaml':
        'for an editor: unsaved text, and diagnostics in the shape of schema/diagnostics.schema.json',
      'shotlist check films/*.yaml --format sarif > shotlist.sarif': 'for the code scanning of a forge',
    },
    exits: [0, 2],
  },
  plan: {
    usage: 'plan FILE [STEP…]',
    brief: 'what would run, why, and what it costs',
    operands: [FILE, STEPS],
    options: {
      ...FILM,
      ...SELECTION,
      ...SAID,
      all: { about: 'each instance in a row of its own; otherwise a step is one row' },
      format: option('NAME', 'markdown is what a bot posts under a change', { oneOf: ['text', 'json', 'markdown'] }),
      base: option(
        'REF|FILE',
        'with --format markdown: against the lock of this branch or commit, or this lock (a .yaml file)',
        { takes: 'file' },
      ),
      on: option(
        'TEAM',
        'over what a team has, with its limits; what commands read, and workers would not get, is a mistake',
      ),
      'exit-code': { about: 'exit 3 where something would be paid for, or may be; 0 where nothing is' },
      ...FROZEN,
      ...JSON_DOCUMENT,
    },
    examples: {
      'shotlist plan film.yaml --service render-farm': 'what is owned, what would run, and its price',
      'shotlist plan film.yaml --exit-code > plan.txt': 'for a script: exit 3 means that a run would pay for something',
      'shotlist plan film.yaml --on house': 'over what a team has, checked as `submit` does',
    },
    exits: [0, 2, 3, 6],
  },
  run: {
    usage: 'run FILE [STEP…]',
    brief: 'make the film; the same command goes on after an interruption',
    operands: [FILE, STEPS],
    options: {
      ...FILM,
      ...SELECTION,
      ...SAID,
      ...RUNNING,
      watch: {
        about: 'save the file, and what changed is drawn again, in the page and here; by the built-in studio alone',
      },
      open: { about: 'with --watch: opens the page; a terminal shows its link' },
    },
    examples: {
      'shotlist run film.yaml --draft': 'see it as an animatic in seconds, for nothing, in out/draft/',
      "shotlist run film.yaml 'shot[beat=3]' --redo 'shot[beat=3]' --max-usd 5":
        'one shot once more, for at most five dollars',
    },
    exits: [0, 1, 2, 3, 4, 5, 6, 130],
  },
  review: {
    usage: 'review FILE|RUN',
    brief: 'takes side by side in a browser, chosen by a key',
    operands: [
      { ...FILE, name: 'FILE|RUN', about: 'the pipeline file; with --on: a run, as `shotlist team list` names it' },
    ],
    options: {
      ...onTeam('of this RUN of a team: its takes are fetched as they come, and what is chosen has it go on'),
      as: option('NAME', "the name on decisions (default: git's user.name, then the login)"),
      port: option('N', 'where it listens (default: a free port)', { default: '0' }),
      'no-open': { about: 'print the link and open no browser; so it is without a desktop' },
      ...FILM,
      json: { about: 'the link as JSON' },
    },
    examples: {
      'shotlist review film.yaml': 'opened, closed and opened again at any moment, on this machine alone',
      'shotlist review film.yaml --as Ada --no-open': 'the link alone',
      'shotlist review fox-7k3m9q --on house': "a team's run, in the project that it was handed in from",
    },
    exits: [0, 1, 2, 6, 130],
  },
  pick: {
    usage: 'pick FILE [PICK WHICH…]',
    brief: 'choose a take; alone: what is open is asked; --undo asks again',
    operands: [
      FILE,
      operand(
        'PICK WHICH…',
        'step',
        'a pick, and what is chosen in it: by coordinates, a number, or a name; best first where several are',
      ),
    ],
    options: DECIDING,
    examples: {
      "shotlist pick film.yaml 'best[beat=3]' take=2": 'the second take of the third beat',
      'shotlist pick film.yaml best 1 other \'shot[take=3]\' --note "the calm one"': 'two at once',
      "shotlist pick film.yaml 'best[beat=3]' --undo": 'one of them is open again',
    },
    exits: [0, 1, 2, 6, 130],
  },
  approve: {
    usage: 'approve FILE [STEP…]',
    brief: 'say yes, or --no; alone: what is open is asked; --undo asks again',
    operands: [FILE, operand('STEP…', 'step', 'approvals, or instances of them')],
    options: { no: { about: 'say no' }, ...DECIDING },
    examples: {
      'shotlist approve film.yaml ok': 'yes',
      'shotlist approve film.yaml ok final --no --note "the logo is bent"': 'no, and why',
    },
    exits: [0, 1, 2, 6, 130],
  },
  promote: {
    usage: 'promote FILE [STEP…]',
    brief: 'make in final quality what was picked in a draft',
    operands: [FILE, STEPS],
    options: {
      from: option('NAME', 'the profile it was picked in (default: the only other one, or `draft`)'),
      yes: { about: 'without asking, where no person is there' },
      on: option('TEAM', 'picked for a team, and handed in to it as `shotlist team submit` does'),
      watch: { about: 'with --on: then watch it, as `shotlist team watch` does' },
      ...FILM,
      profile: option('NAME', 'the profile it is made in (default: final)'),
      ...PART,
      ...SAID,
      ...RUNNING,
    },
    examples: {
      'shotlist promote film.yaml': 'both prices are shown, then it asks',
      'shotlist promote film.yaml --profile final --from draft --yes --max-usd 20': 'without a person to confirm',
      'shotlist promote film.yaml --on house --watch': "the same, made by a team's workers",
    },
    exits: [0, 1, 2, 3, 4, 5, 6, 130],
  },
  report: {
    usage: 'report FILE|RUN [RUN]',
    brief: 'what a run did, why, and what it cost, as a page',
    operands: [
      { ...FILE, name: 'FILE|RUN', about: 'the pipeline file; with --on: a run, as `shotlist team list` names it' },
      operand('RUN', 'nothing', 'the id of a run, or how it begins (default: the newest)'),
    ],
    options: {
      out: option(
        'PLACE',
        'where the page goes (default: `report north-light.yaml` writes north-light-report/); a name that ends in .html: one file of at most 10 MB, of stills, for what shows one file',
        { takes: 'folder' },
      ),
      open: { about: 'shows it, too' },
      proxies: { about: 'with H.264 copies of what many browsers cannot show (HEVC, ProRes)' },
      ...onTeam('of this RUN of a team, over all workers that led it; what it shows is fetched'),
      all: { about: 'the runs of the film instead: when, how each ended, what it spent' },
      profile: option('NAME', 'only runs in this profile (default: in any)'),
      json: { about: 'everything, in one document' },
    },
    examples: {
      'shotlist report film.yaml --open': 'the newest run, as a page',
      'shotlist report film.yaml 8c41 --out /srv/www/8c41': 'a run of before, where others see it',
      'shotlist report fox-7k3m9q --on house --open': "a team's run, in fox-7k3m9q-report/",
    },
    exits: [0, 1, 2, 6, 130],
  },
} as const satisfies { readonly [name: string]: CommandHelp };
