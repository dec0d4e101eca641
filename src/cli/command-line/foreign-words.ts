/** What other tools call commands, options and values, and how it is said here. A row is enough: the parser asks this table first. */
import { type CommandName, helpOf } from './commands.ts';

/** Names of other tools, and ours of before, with what is typed instead behind `shotlist`. */
export const FOREIGN_COMMANDS: Readonly<Record<string, string>> = {
  ...{ submit: 'team submit', list: 'team list', watch: 'team watch', resume: 'team resume', fetch: 'team fetch' },
  ...{ worker: 'team worker', cluster: 'team', 'cluster init': 'team init', 'cluster status': 'team status' },
  ...{ 'cluster limit': 'team limit', 'cluster prune': 'team prune', 'cluster restored': 'team restored' },
  ...{ activate: 'models activate', deactivate: 'models deactivate', tokenize: 'models tokenize' },
  ...{ import: 'tools import', completion: 'tools completion', lsp: 'tools lsp', repick: 'pick --undo' },
  ...{ render: 'run', make: 'run', build: 'run', start: 'run', exec: 'run', execute: 'run', up: 'run' },
  ...{ apply: 'run', go: 'run', retry: 'run', continue: 'run' },
  ...{ validate: 'check', lint: 'check', verify: 'check', compile: 'check', diagnose: 'doctor' },
  ...{ 'dry-run': 'plan', estimate: 'plan', cost: 'plan', price: 'plan', preview: 'plan', show: 'plan' },
  ...{ new: 'init', create: 'init', scaffold: 'init', setup: 'init' },
  ...{ select: 'pick', choose: 'pick', vote: 'pick', accept: 'approve', confirm: 'approve', unpick: 'pick --undo' },
  ...{ gc: 'clean', prune: 'clean', purge: 'clean', clear: 'clean', rm: 'clean' },
  ...{ abort: 'cancel', stop: 'cancel', kill: 'cancel' },
  ...{ ls: 'models', catalog: 'models', price_list: 'models' },
  ...{ gen: 'generate', image: 'generate', video: 'generate', prompt: 'generate', ask: 'chat', talk: 'chat' },
  ...{ serve: 'studio', server: 'studio', mock: 'studio', daemon: 'studio' },
  ...{ convert: 'tools import', migrate: 'tools import', 'from-comfy': 'tools import' },
  ...{ docs: 'explain', man: 'help', info: 'explain', config: 'explain', settings: 'explain' },
  ...{ autocomplete: 'tools completion', replace: 'adopt', diff: 'why' },
};

interface ForeignOption {
  /** Of other tools, without their dashes. */
  readonly names: readonly string[];
  /** Commands where this is meant; absent: all that have no option of this name. */
  readonly of?: readonly CommandName[];
  /** What to type here. */
  readonly say: string;
}

const MAKING: readonly CommandName[] = ['run', 'promote', 'attach'];

const FOREIGN_OPTIONS: readonly ForeignOption[] = [
  {
    names: ['dry-run', 'dryrun', 'dry', 'n', 'just-print', 'simulate', 'whatif', 'what-if', 'noop', 'estimate', 'cost'],
    of: [...MAKING, 'plan'],
    say: '`shotlist plan FILE` tells what would run and what it costs, and sends nothing',
  },
  {
    names: ['dry-run', 'dryrun', 'dry', 'n'],
    of: ['clean'],
    say: '`clean` removes nothing without --yes, and says what it would free',
  },
  {
    names: ['parallel', 'jobs', 'j', 'concurrency', 'workers', 'threads', 'max-parallel', 'cores'],
    say: 'how many run at once is `limits` in shotlist.config.yaml (`shotlist explain limits`), or `concurrency:` in the file',
  },
  {
    names: ['watch', 'w', 'reload', 'follow', 'live-reload'],
    of: ['check', 'plan'],
    say: 'a file is watched while it is drawn: `shotlist run --watch FILE`',
  },
  {
    names: [
      'force',
      'f',
      'rerun',
      'no-cache',
      'nocache',
      'fresh',
      'always',
      'rerun-triggers',
      'invalidate',
      'force-all',
      'B',
    ],
    of: [...MAKING, 'plan'],
    say: 'what is owned is made once more with `--redo STEP`',
  },
  {
    names: [
      'resume',
      'continue',
      'restart',
      'retry',
      'retry-failed',
      'rerun-failed',
      'rerun-incomplete',
      'from-failure',
    ],
    of: MAKING,
    say: 'the same command goes on where the last one ended; leave it out',
  },
  {
    names: ['verbose', 'v', 'vv', 'debug', 'trace', 'log-level', 'loglevel', 'no-tui', 'no-progress', 'progress'],
    of: MAKING,
    say: '`--ui plain` writes a line for each thing that happens; what a command said is kept below .shotlist/',
  },
  { names: ['quiet', 'q', 'silent', 's'], of: MAKING, say: 'write `--ui quiet`' },
  { names: ['no-pictures', 'no-bell', 'no-title'], of: MAKING, say: 'write `--no-extras`' },
  {
    names: ['no-color', 'no-colour', 'color', 'colour', 'nocolor', 'ansi'],
    say: 'colours are for terminals alone; NO_COLOR=1 in the environment turns them off',
  },
  {
    names: ['output', 'o', 'format', 'output-format'],
    of: ['check', 'plan', 'why', 'models', 'doctor', 'cancel', 'explain', 'pick', 'approve', 'clean'],
    say: '`--json` is the other format; standard output goes into a file with `> FILE`',
  },
  {
    names: ['output', 'o', 'outdir', 'output-dir', 'out-dir', 'dest', 'out'],
    of: MAKING,
    say: 'where films go stands in the file, under `outputs`: `to: out/film.mp4`',
  },
  { names: ['output', 'o', 'to', 'dest', 'file'], of: ['generate'], say: 'write `--out PATH`' },
  { names: ['output', 'o', 'to', 'dest'], of: ['tools import'], say: 'write `--out FILE`' },
  {
    names: ['var', 'set', 'e', 'D', 'P', 'p', 'arg', 'input', 'parameter', 'with', 'define', 'env', 'build-arg'],
    of: [...MAKING, 'plan', 'why', 'pick', 'approve', 'adopt', 'doctor'],
    say: 'write `--param NAME=VALUE`',
  },
  {
    names: ['var-file', 'values', 'vars', 'params', 'params-file', 'input-file', 'configfile', 'inputs', 'env-file'],
    of: [...MAKING, 'plan', 'why', 'pick', 'approve', 'adopt', 'doctor'],
    say: 'write `--param FILE`',
  },
  {
    names: ['target', 't', 'select', 'filter', 'step', 'steps', 'task', 'job', 'goal', 'include', 'tags'],
    of: ['run', 'plan', 'promote'],
    say: 'name steps behind the file: `shotlist run FILE shot best`; `--only STEP` makes these and nothing else',
  },
  {
    names: ['skip', 'ignore', 'except', 'omit', 'exclude-task', 'x', 'without'],
    of: ['run', 'plan', 'promote'],
    say: 'write `--exclude STEP`',
  },
  {
    names: ['start-at', 'start-from', 'downstream', 'begin-with', 'since'],
    of: ['run', 'plan'],
    say: 'write `--from STEP`',
  },
  { names: ['stop-at', 'upstream', 'up-to', 'to', 'end-with'], of: ['run', 'plan'], say: 'write `--until STEP`' },
  {
    names: ['budget', 'max-cost', 'limit', 'spend', 'max-spend', 'cost-limit'],
    of: MAKING,
    say: 'write `--max-usd N`, or `budget: { usd: N }` in the file',
  },
  {
    names: ['continue-on-error', 'ignore-errors', 'k', 'no-fail-fast', 'keep-going', 'keepgoing'],
    of: MAKING,
    say: 'leave it out: a run goes on with what does not need what failed',
  },
  {
    names: ['failfast', 'bail', 'stop-on-error', 'abort-on-error', 'exit-on-error', 'maxfail'],
    of: MAKING,
    say: 'write `--fail-fast`',
  },
  {
    names: ['offline', 'cached', 'locked', 'frozen-lockfile', 'immutable', 'no-spend', 'cache-only', 'only-cached'],
    of: [...MAKING, 'plan'],
    say: 'write `--frozen`: pay for nothing',
  },
  {
    names: ['detailed-exitcode', 'exitcode', 'check', 'ci', 'fail-on-change'],
    of: ['plan'],
    say: 'write `--exit-code`: 3 where something would be paid for',
  },
  {
    names: ['y', 'auto-approve', 'assume-yes', 'no-input', 'non-interactive', 'noconfirm', 'no-prompt', 'defaults'],
    of: ['promote', 'init', 'clean'],
    say: 'write `--yes`',
  },
  {
    names: ['api-key', 'apikey', 'token', 'auth', 'password'],
    say: 'a key stands in SHOTLIST_API_KEY or in your settings, never on a command line, which others on this machine can read',
  },
  {
    names: ['url', 'base-url', 'endpoint', 'host', 'server', 'backend', 'remote', 'provider'],
    say: 'write `--service NAME`, of your settings; or set SHOTLIST_BASE_URL and SHOTLIST_API_KEY',
  },
  {
    names: ['preset', 'environment', 'mode', 'variant', 'configuration', 'stage'],
    of: [...MAKING, 'plan', 'check', 'why'],
    say: 'write `--profile NAME`',
  },
  {
    names: ['preview', 'low-res', 'fast', 'proxy', 'quick', 'animatic'],
    of: [...MAKING, 'plan'],
    say: 'write `--draft`',
  },
  {
    names: ['config', 'c', 'settings', 'rc'],
    say: 'settings are read from shotlist.config.yaml beside or above the file, and from ~/.config/shotlist/config.yaml',
  },
  { names: ['message', 'm', 'reason', 'comment'], of: ['pick', 'approve'], say: 'write `--note TEXT`' },
  { names: ['reject', 'deny', 'decline'], of: ['approve'], say: 'write `--no`' },
  { names: ['base-lock'], of: ['plan'], say: 'write `--base FILE`' },
  { names: ['to'], of: ['promote'], say: 'write `--profile NAME`' },
  { names: ['by'], of: ['adopt'], say: 'write `--as NAME`' },
  { names: ['single'], of: ['report'], say: 'write `--out FILE.html`' },
  { names: ['list', 'runs'], of: ['report'], say: 'write `--all`' },
  { names: ['no-page'], of: ['run'], say: 'leave it out: a page is served at a terminal, or where --open asks for it' },
  { names: ['search'], of: ['models'], say: '`shotlist models search WORD` finds by name and by what they do' },
  {
    names: ['developer', 'action'],
    of: ['models'],
    say: '`shotlist models search developer=NAME action=NAME` narrows it',
  },
  { names: ['key'], of: ['studio'], say: 'set SHOTLIST_API_KEY: a command line is read by others on this machine' },
  { names: ['rate'], of: ['studio'], say: '`--vice busy` answers 429' },
  { names: ['no-commands'], of: ['team worker'], say: 'write `--hands 0`' },
  { names: ['only-commands'], of: ['team worker'], say: 'write `--leads 0`' },
  {
    names: ['in-flight', 'per-second', 'usd-per-day', 'model'],
    of: ['team limit'],
    say: 'a limit is a word: in_flight=40 V-T2V-A=8',
  },
  { names: ['before'], of: ['team prune'], say: 'the day is a word: `shotlist team prune 2026-01-31`' },
  {
    names: ['since'],
    of: ['team restored'],
    say: 'the time is a word: `shotlist team restored farm 2026-01-31T21:30:00Z`',
  },
  { names: ['over'], of: ['team restored'], say: 'write `--forget`' },
  { names: ['prometheus'], of: ['team status'], say: 'write `--format prometheus`' },
  { names: ['print-sql'], of: ['team init'], say: 'write `--format sql`' },
  {
    names: ['on'],
    of: ['status', 'cancel'],
    say: 'of a team: `shotlist team status RUN` and `shotlist team cancel RUN`',
  },
  {
    names: ['fix', 'autofix', 'write'],
    of: ['check'],
    say: '`check --json` tells the fixes; a file is mended by its author',
  },
  {
    names: ['stdin', 'stdin-filename', 'filename', 'stdin-filepath'],
    of: ['check'],
    say: 'write `shotlist check - --name FILE`',
  },
  {
    names: ['all', 'everything', 'a'],
    of: ['clean'],
    say: '`clean` is about all films of a project where no FILE is named',
  },
];

/** What to type instead of an option that other tools have; undefined where nobody has it. */
export function foreignOption(command: CommandName, name: string): string | undefined {
  // An option that the command does not have is no advice.
  const isHere = (say: string) => {
    const flag = /^write `--([\w-]+)/.exec(say)?.[1];
    return flag === undefined || Object.hasOwn(helpOf(command).options, flag);
  };
  const rows = FOREIGN_OPTIONS.filter(({ names, say }) => names.includes(name) && isHere(say));
  return (rows.find(({ of }) => of?.includes(command)) ?? rows.find(({ of }) => of === undefined))?.say;
}

/** Values of options as other tools spell them. */
export const FOREIGN_VALUES: { readonly [option: string]: { readonly [value: string]: string } } = {
  ui: {
    ...{ text: 'plain', log: 'plain', logs: 'plain', stream: 'plain', verbose: 'plain', line: 'plain', dumb: 'plain' },
    ...{ jsonl: 'json', ndjson: 'json', 'json-lines': 'json', events: 'json' },
    ...{ none: 'quiet', silent: 'quiet', off: 'quiet', fancy: 'tui', interactive: 'tui', auto: 'tui', live: 'tui' },
  },
  'on-unknown': {
    ...{ retry: 'resubmit', resend: 'resubmit', again: 'resubmit', redo: 'resubmit', repeat: 'resubmit' },
    ...{ stop: 'fail', abort: 'fail', error: 'fail', skip: 'done', ignore: 'done' },
  },
  'on-interrupt': {
    ...{ kill: 'cancel', stop: 'cancel', abort: 'cancel', end: 'cancel', terminate: 'cancel' },
    ...{ leave: 'detach', keep: 'detach', continue: 'detach', background: 'detach' },
  },
  ratio: { landscape: '16:9', wide: '16:9', portrait: '9:16', vertical: '9:16', square: '1:1' },
  SHELL: { sh: 'bash', pwsh: 'powershell', 'powershell.exe': 'powershell', ps1: 'powershell' },
};
