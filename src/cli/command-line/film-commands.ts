/** Commands about a film: what it is, what it would cost, making it, and putting right what is around it. */
import type { CommandHelp } from './option.ts';
import {
  DATA,
  FILE,
  FILM,
  FROZEN,
  JSON_DOCUMENT,
  JSON_EVENTS,
  PROFILE,
  RUNNING,
  SAID,
  SELECTION,
  SERVICE,
  STEPS,
  UI,
} from './shared-options.ts';

const { from: _from, until: _until, ...PART } = SELECTION;
const { profile: _profile, ...FILM_OF_PROMOTE } = FILM;
const KEY = { name: 'KEY', takes: 'step', about: "one instance: `'shot[beat=3]'`" } as const;

const onTeam = (about: string) => ({ on: { value: 'TEAM', takes: 'nothing', about } }) as const;

export const FILM_COMMANDS = {
  init: {
    usage: 'init [DIR]',
    brief: 'begin a film: a file that runs at once on the built-in studio',
    operands: [
      { name: 'DIR', takes: 'folder', about: 'where it is written (default: here); it is made where it is not there' },
    ],
    options: {
      name: { value: 'NAME', about: "what the film is called (default: the folder's name)" },
      idea: { value: 'TEXT', about: 'what is seen in it' },
      ratio: {
        value: 'RATIO',
        oneOf: ['16:9', '9:16', '1:1', '4:3', '3:4'],
        about: 'the shape of its picture (default: 16:9)',
      },
      shots: { value: 'N', about: 'how many shots it is cut from, 1 to 12 (default: 3)' },
      yes: { about: 'ask nothing: what no option says is the default' },
      ...JSON_DOCUMENT,
    },
    examples: [
      { line: 'shotlist init fox', about: 'fox/fox.yaml and fox/.gitignore; at a terminal, with a few questions' },
      {
        line: 'shotlist init fox --idea "a red fox crossing a frozen river" --ratio 9:16 --shots 2',
        about: 'the same, with the answers',
      },
    ],
    exits: [0, 1, 2, 130],
  },
  check: {
    usage: 'check FILE…',
    brief: 'find every mistake in a pipeline file, before anything runs',
    operands: [{ name: 'FILE…', takes: 'pipeline', about: 'pipeline files; `-` is one that comes on standard input' }],
    options: {
      name: {
        value: 'FILE',
        takes: 'pipeline',
        about: 'what `-` is called, and where the files lie that it names (default: stdin.yaml, here)',
      },
      ...SERVICE,
      ...PROFILE,
      ...DATA,
      ...JSON_DOCUMENT,
    },
    examples: [
      { line: 'shotlist check film.yaml', about: 'every mistake with its place, and what to write instead' },
      {
        line: 'shotlist check - --name film.yaml --json < film.yaml',
        about: 'for an editor: unsaved text, and diagnostics in the shape of schema/diagnostics.schema.json',
      },
    ],
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
      all: { about: 'every instance of a large fan-out' },
      format: {
        value: 'NAME',
        oneOf: ['text', 'json', 'markdown'],
        about: 'markdown is what a bot posts under a change',
      },
      base: { value: 'REF', about: 'with --format markdown: against the lock of this branch or commit' },
      'base-lock': { value: 'FILE', takes: 'file', about: 'with --format markdown: against this lock' },
      on: {
        value: 'TEAM',
        takes: 'nothing',
        about: 'over what a team has, with its limits; what commands read, and workers would not get, is a mistake',
      },
      'exit-code': { about: 'exit 3 where something would be paid for, or may be; 0 where nothing is' },
      ...FROZEN,
      ...JSON_DOCUMENT,
    },
    examples: [
      { line: 'shotlist plan film.yaml --service render-farm', about: 'what is owned, what would run, and its price' },
      {
        line: 'shotlist plan film.yaml --exit-code > plan.txt',
        about: 'for a script: exit 3 means that a run would pay for something',
      },
    ],
    exits: [0, 2, 3, 6],
  },
  run: {
    usage: 'run FILE [STEP…]',
    brief: 'make the film, or these steps; the same command goes on after any interruption',
    operands: [FILE, STEPS],
    options: {
      ...FILM,
      ...SELECTION,
      ...SAID,
      ...RUNNING,
      watch: {
        about: 'save the file, and what changed is drawn again, in the page and here; by the built-in studio alone',
      },
      'no-page': { about: 'with --watch: without the page' },
      open: { about: 'with --watch: opens the page' },
    },
    examples: [
      { line: 'shotlist run film.yaml --draft', about: 'see it as an animatic in seconds, for nothing' },
      {
        line: "shotlist run film.yaml 'shot[beat=3]' --redo 'shot[beat=3]' --max-usd 5",
        about: 'one shot once more, for at most five dollars',
      },
    ],
    exits: [0, 1, 2, 3, 4, 5, 6, 130],
  },
  promote: {
    usage: 'promote FILE [STEP…]',
    brief: 'make in final quality what was picked in a draft, and nothing of what lost',
    operands: [FILE, STEPS],
    options: {
      to: { value: 'NAME', about: 'the profile it is made in (default: final)' },
      from: { value: 'NAME', about: 'the profile it was picked in (default: the only other one, or `draft`)' },
      yes: { about: 'without asking, where nobody is there' },
      on: {
        value: 'TEAM',
        takes: 'nothing',
        about: 'picked for a team, and handed in to it as `shotlist submit` does',
      },
      watch: { about: 'with --on: then watch it, as `shotlist watch` does' },
      ...FILM_OF_PROMOTE,
      ...PART,
      ...SAID,
      ...RUNNING,
    },
    examples: [
      { line: 'shotlist promote film.yaml --to final', about: 'both prices are shown, then it asks' },
      {
        line: 'shotlist promote film.yaml --to final --from draft --yes --max-usd 20',
        about: 'where nobody is there to say yes',
      },
      { line: 'shotlist promote film.yaml --on house --watch', about: "the same, made by a team's workers" },
    ],
    exits: [0, 1, 2, 3, 4, 5, 6, 130],
  },
  why: {
    usage: 'why FILE [KEY…]',
    brief: 'why shot[beat=3] is owned, or would be made again, field by field',
    operands: [FILE, { name: 'KEY…', takes: 'step', about: 'instances, or a step for all of its own (default: all)' }],
    options: { ...FILM, ...JSON_DOCUMENT },
    examples: [
      { line: "shotlist why film.yaml 'shot[beat=3]'", about: 'what changed since it was made' },
      { line: 'shotlist why film.yaml shot --json', about: 'the same of all shots, for a program' },
    ],
    exits: [0, 2, 6],
  },
  adopt: {
    usage: 'adopt FILE KEY MEDIA',
    brief: 'a file of your own stands in for what shot[beat=3] would make; --undo gives it up',
    operands: [
      FILE,
      KEY,
      { name: 'MEDIA', takes: 'file', about: 'looked at, kept, free; it stays until it is given up or --redo' },
    ],
    options: {
      undo: { about: 'what was there before is there again' },
      by: { value: 'NAME', about: 'who says so, in the lock (default: who is logged in)' },
      ...FILM,
      ...JSON_DOCUMENT,
    },
    examples: [
      { line: "shotlist adopt film.yaml 'shot[beat=3]' my.mp4", about: 'your clip in the place of a paid one' },
      { line: "shotlist adopt film.yaml 'shot[beat=3]' --undo", about: 'its step makes it again' },
    ],
    exits: [0, 1, 2, 6],
  },
  attach: {
    usage: 'attach FILE KEY ID',
    brief: 'a generation that is at the service already becomes the result of shot[beat=3]',
    operands: [
      FILE,
      KEY,
      {
        name: 'ID',
        takes: 'nothing',
        about: "the generation's id: compared field by field, fetched, not paid for again",
      },
    ],
    options: {
      force: { about: 'also where it was asked for something else, or nobody can tell' },
      ...FILM,
      ...UI,
      ...JSON_EVENTS,
    },
    examples: [
      { line: "shotlist attach film.yaml 'shot[beat=3]' gen_123", about: 'bring home what was paid for elsewhere' },
      { line: 'shotlist attach film.yaml shot gen_123 --force', about: 'though it was asked for something else' },
    ],
    exits: [0, 1, 2, 3, 6, 130],
  },
  report: {
    usage: 'report FILE|RUN [RUN]',
    brief: 'what a run did, why, and what it cost, as a page: the newest run, or an older one',
    operands: [
      { ...FILE, name: 'FILE|RUN', about: 'the pipeline file; with --on: a run, as `shotlist list` names it' },
      { name: 'RUN', takes: 'nothing', about: 'the id of a run, or how it begins (default: the newest)' },
    ],
    options: {
      out: {
        value: 'PLACE',
        takes: 'folder',
        about: 'where the page goes (default: `report north-light.yaml` writes north-light-report/)',
      },
      open: { about: 'shows it, too' },
      proxies: { about: 'with H.264 copies of what many browsers cannot show (HEVC, ProRes)' },
      single: { about: 'one file of at most 10 MB, of stills: for what shows one file' },
      ...onTeam('of this RUN of a team, over all workers that led it; what it shows is fetched'),
      list: { about: 'the runs of the film: when, how each ended, what it spent' },
      profile: { value: 'NAME', about: 'only runs in this profile (default: in any)' },
      json: { about: 'everything, in one document' },
    },
    examples: [
      { line: 'shotlist report film.yaml --open', about: 'the newest run, as a page' },
      { line: 'shotlist report film.yaml 8c41 --out /srv/www/8c41', about: 'a run of before, where others see it' },
      { line: 'shotlist report fox-7k3m9q --on house --open', about: "a team's run, in fox-7k3m9q-report/" },
    ],
    exits: [0, 1, 2, 6, 130],
  },
  review: {
    usage: 'review FILE|RUN',
    brief: 'takes side by side in a browser, chosen by a key; also while a run goes on, which follows',
    operands: [
      { ...FILE, name: 'FILE|RUN', about: 'the pipeline file; with --on: a run, as `shotlist list` names it' },
    ],
    options: {
      ...onTeam('of this RUN of a team: its takes are fetched as they come, and what is chosen has it go on'),
      as: { value: 'NAME', about: "whose name decisions bear (default: git's user.name, then who is logged in)" },
      port: { value: 'N', default: '0', about: 'where it listens (default: a free port)' },
      'no-open': { about: 'print the link and open no browser; so it is without a desktop' },
      ...FILM,
      json: { about: 'the link as JSON' },
    },
    examples: [
      {
        line: 'shotlist review film.yaml',
        about: 'opened, closed and opened again at any moment, on this machine alone',
      },
      { line: 'shotlist review film.yaml --as Ada --no-open', about: 'the link alone' },
      {
        line: 'shotlist review fox-7k3m9q --on house',
        about: "a team's run, in the project that it was handed in from",
      },
    ],
    exits: [0, 1, 2, 6, 130],
  },
  graph: {
    usage: 'graph FILE',
    brief: 'the steps and who reads whom, as mermaid, dot or svg',
    operands: [FILE],
    options: {
      format: { value: 'NAME', oneOf: ['mermaid', 'dot', 'svg'], about: 'which of them (default: mermaid)' },
      ...PROFILE,
      ...DATA,
      ...JSON_DOCUMENT,
    },
    examples: [
      { line: 'shotlist graph film.yaml', about: 'for a page of Markdown' },
      { line: 'shotlist graph film.yaml --format svg > film.svg', about: 'a picture' },
    ],
    exits: [0, 2],
  },
  provenance: {
    usage: 'provenance FILE [RUN]',
    brief: 'where every output comes from, as an RO-Crate and a JSON file beside each',
    operands: [
      FILE,
      { name: 'RUN', takes: 'nothing', about: 'the id of a run, or how it begins (default: the newest)' },
    ],
    options: {
      out: { value: 'DIR', takes: 'folder', about: 'where it is written' },
      license: { value: 'URL', about: 'of what the film is licensed under' },
      profile: { value: 'NAME', about: 'only runs in this profile (default: in any)' },
      ...JSON_DOCUMENT,
    },
    examples: [
      { line: 'shotlist provenance film.yaml --out crate', about: 'of the newest run' },
      {
        line: 'shotlist provenance film.yaml 8c41 --out crate --license https://creativecommons.org/licenses/by/4.0/',
        about: 'of a run of before',
      },
    ],
    exits: [0, 1, 2],
  },
  status: {
    usage: 'status [FILE|RUN]',
    brief: 'what runs at this moment, what waits for whom, what is open at the service',
    operands: [
      { ...FILE, name: 'FILE|RUN', about: 'one film (default: all of the project); with --on: one run of the team' },
    ],
    options: {
      profile: { value: 'NAME', about: 'only in this profile (default: in any)' },
      ...onTeam('of all that this team has under way, or of one run of it'),
      ...JSON_DOCUMENT,
    },
    examples: [
      {
        line: 'shotlist status',
        about: 'from any terminal, also while a run goes on: nothing is sent, no run is held up',
      },
      { line: 'shotlist status film.yaml --json', about: 'the same of one film, for a program' },
      { line: 'shotlist status --on house', about: 'who leads what, what waits for whom, on all machines' },
    ],
    exits: [0, 1, 2, 6],
  },
  logs: {
    usage: 'logs FILE|RUN KEY',
    brief: 'all that the command of an instance said, or what the service said of it',
    operands: [{ ...FILE, name: 'FILE|RUN', about: 'the pipeline file; with --on: a run' }, KEY],
    options: {
      ...onTeam("of this RUN of a team, on whichever worker it was made: from the team's store"),
      follow: { short: 'f', about: 'goes on while the instance does' },
      profile: { value: 'NAME', about: 'only in this profile (default: in any)' },
      ...JSON_DOCUMENT,
    },
    examples: [
      { line: "shotlist logs film.yaml 'voice[beat=3]'", about: 'its newest attempt' },
      { line: 'shotlist logs film.yaml voice -f', about: 'as it is written' },
      { line: "shotlist logs fox-7k3m9q 'voice[beat=3]' --on house", about: 'what a worker has kept of it' },
    ],
    exits: [0, 1, 2, 6, 130],
  },
  store: {
    usage: 'store check|push [FILE…]',
    brief: "what the team's store has of the results that the lock names; push sends what it lacks",
    operands: [
      {
        name: 'check|push',
        takes: 'nothing',
        oneOf: ['check', 'push'],
        about: 'tell what is missing there; or send it',
      },
      { ...FILE, name: 'FILE…', about: 'these films (default: every lock file of the project)' },
    ],
    options: JSON_DOCUMENT,
    examples: [
      { line: 'shotlist store check', about: 'what is there, and what would go up; exit 1 where something is missing' },
      {
        line: 'shotlist store push film.yaml',
        about: 'also what was made before `store` was set; nothing there is deleted',
      },
    ],
    exits: [0, 1, 2, 130],
  },
  doctor: {
    usage: 'doctor FILE',
    brief: 'what is open, unknown, billing or missing, each with the command that settles it',
    operands: [FILE],
    options: { ...FILM, ...JSON_DOCUMENT },
    examples: [
      {
        line: 'shotlist doctor film.yaml --service render-farm',
        about: 'it only looks; exit 1 where it finds something',
      },
      { line: 'shotlist doctor film.yaml --json', about: 'the same for a program' },
    ],
    exits: [0, 1, 2, 6],
  },
  cancel: {
    usage: 'cancel FILE|RUN [KEY…]',
    brief: "end what earlier runs left going on at the service, or with --on a team's run",
    operands: [
      { ...FILE, name: 'FILE|RUN', about: 'the pipeline file; with --on: a run, as `shotlist list` names it' },
      { name: 'KEY…', takes: 'step', about: 'these alone (default: all, with the deployments it brought up)' },
    ],
    options: {
      on: {
        value: 'TEAM',
        takes: 'nothing',
        about: 'the team whose run is ended, with all that it has at the service',
      },
      ...SERVICE,
      ...PROFILE,
      draft: FILM.draft,
      forget: { about: 'KEY is waited for no more: its fate cannot be told, or its result is gone for good' },
      ...JSON_DOCUMENT,
    },
    examples: [
      { line: 'shotlist cancel film.yaml --service render-farm', about: 'end all that still bills' },
      { line: "shotlist cancel film.yaml 'shot[beat=3]' --forget", about: 'one that nobody can tell of' },
    ],
    exits: [0, 1, 2, 6, 130],
  },
  clean: {
    usage: 'clean [FILE]',
    brief: 'what can be freed of .shotlist/, by kind; --yes frees it; what was paid for stays',
    operands: [{ ...FILE, about: 'whose frames, logs and old results (default: of all films of this project)' }],
    options: {
      yes: { about: 'do it; without it, nothing is removed' },
      paid: { about: 'also results that a service billed, and no lock and no film names any more' },
      ...JSON_DOCUMENT,
    },
    examples: [
      { line: 'shotlist clean', about: 'what it would free, by kind' },
      { line: 'shotlist clean film.yaml --yes', about: 'free what can be made again of this film, at no cost' },
    ],
    exits: [0, 1, 2],
  },
} as const satisfies { readonly [name: string]: CommandHelp };
