/** What other tools call commands, options and values, and what to type here. A row is enough: the parser reads this table first. */
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

/**
 * Names that other tools have, without their dashes; the commands where this is meant (`any`: all that have no option of that name); and
 * what to type here.
 */
type ForeignOption = readonly [names: string, of: readonly CommandName[] | 'any', say: string];

const MAKING: readonly CommandName[] = ['run', 'promote', 'attach'];

const FOREIGN_OPTIONS: readonly ForeignOption[] = [
  [
    'dry-run dryrun dry n just-print simulate whatif what-if noop estimate cost',
    [...MAKING, 'plan'],
    '`shotlist plan FILE` shows what would run and what it costs, and sends nothing',
  ],
  ['dry-run dryrun dry n', ['clean'], '`clean` removes nothing without --yes, and says what it would free'],
  [
    'parallel jobs j concurrency workers threads max-parallel cores',
    'any',
    'how many run at once is `limits` in shotlist.config.yaml (`shotlist explain limits`), or `concurrency:` in the file',
  ],
  [
    'watch w reload follow live-reload',
    ['check', 'plan'],
    'a file is watched while it is drawn: `shotlist run --watch FILE`',
  ],
  [
    'f',
    [...MAKING, 'plan'],
    'a file is named without an option: `shotlist run FILE`; what is owned is made once more with `--redo STEP`',
  ],
  [
    'file filename pipeline workflow snakefile',
    [...MAKING, 'plan', 'check', 'why', 'status', 'pick', 'approve', 'cancel', 'logs', 'report', 'doctor'],
    'a file is named without an option: `shotlist run FILE`',
  ],
  [
    'force rerun no-cache nocache fresh always rerun-triggers invalidate force-all B',
    [...MAKING, 'plan'],
    'what is owned is made once more with `--redo STEP`',
  ],
  [
    'resume continue restart retry retry-failed rerun-failed rerun-incomplete from-failure',
    MAKING,
    'the same command goes on where the last one ended; leave it out',
  ],
  [
    'verbose v vv debug trace log-level loglevel no-tui no-progress progress',
    MAKING,
    '`--ui plain` writes a line for each thing that happens; the output of commands is kept below .shotlist/',
  ],
  ['quiet q silent s', MAKING, 'write `--ui quiet`'],
  ['no-pictures no-bell no-title', MAKING, 'write `--no-extras`'],
  [
    'no-color no-colour color colour nocolor ansi',
    'any',
    'colours are for terminals alone; NO_COLOR=1 in the environment turns them off',
  ],
  [
    'output o format output-format',
    ['check', 'plan', 'why', 'models', 'doctor', 'cancel', 'explain', 'pick', 'approve', 'clean'],
    '`--json` is the other format; standard output goes into a file with `> FILE`',
  ],
  [
    'output o outdir output-dir out-dir dest out',
    MAKING,
    'the places of films are in the file, under `outputs`: `to: out/film.mp4`',
  ],
  ['output o to dest file', ['generate'], 'write `--out PATH`'],
  ['output o to dest', ['tools import'], 'write `--out FILE`'],
  [
    'var set e D P p arg input parameter with define env build-arg',
    [...MAKING, 'plan', 'why', 'pick', 'approve', 'adopt', 'doctor'],
    'write `--param NAME=VALUE`',
  ],
  [
    'var-file values vars params params-file input-file configfile inputs env-file',
    [...MAKING, 'plan', 'why', 'pick', 'approve', 'adopt', 'doctor'],
    'write `--param FILE`',
  ],
  [
    'target t select filter step steps task job goal include tags',
    ['run', 'plan', 'promote'],
    'name steps behind the file: `shotlist run FILE shot best`; `--only STEP` makes these and nothing else',
  ],
  ['skip ignore except omit exclude-task x without', ['run', 'plan', 'promote'], 'write `--exclude STEP`'],
  ['start-at start-from downstream begin-with since', ['run', 'plan'], 'write `--from STEP`'],
  ['stop-at upstream up-to to end-with', ['run', 'plan'], 'write `--until STEP`'],
  [
    'budget max-cost limit spend max-spend cost-limit',
    MAKING,
    'write `--max-usd N`, or `budget: { usd: N }` in the file',
  ],
  [
    'continue-on-error ignore-errors k no-fail-fast keep-going keepgoing',
    MAKING,
    'leave it out: a run goes on with what does not need what failed',
  ],
  ['failfast bail stop-on-error abort-on-error exit-on-error maxfail', MAKING, 'write `--fail-fast`'],
  [
    'offline cached locked frozen-lockfile immutable no-spend cache-only only-cached',
    [...MAKING, 'plan'],
    'write `--frozen`: pay for nothing',
  ],
  [
    'detailed-exitcode exitcode check ci fail-on-change',
    ['plan'],
    'write `--exit-code`: 3 where something would be paid for',
  ],
  [
    'y auto-approve assume-yes no-input non-interactive noconfirm no-prompt defaults',
    ['promote', 'init', 'clean'],
    'write `--yes`',
  ],
  [
    'api-key apikey token auth password',
    'any',
    'a key belongs in SHOTLIST_API_KEY or in your settings, never on a command line, which others on this machine can read',
  ],
  [
    'url base-url endpoint host server backend remote provider',
    'any',
    'write `--service NAME`, of your settings; or set SHOTLIST_BASE_URL and SHOTLIST_API_KEY',
  ],
  [
    'preset environment mode variant configuration stage',
    [...MAKING, 'plan', 'check', 'why'],
    'write `--profile NAME`',
  ],
  ['preview low-res fast proxy quick animatic', [...MAKING, 'plan'], 'write `--draft`'],
  [
    'config c settings rc',
    'any',
    'settings are read from shotlist.config.yaml beside or above the file, and from ~/.config/shotlist/config.yaml',
  ],
  ['message m reason comment', ['pick', 'approve'], 'write `--note TEXT`'],
  ['reject deny decline', ['approve'], 'write `--no`'],
  ['base-lock', ['plan'], 'write `--base FILE`'],
  ['to', ['promote'], 'write `--profile NAME`'],
  ['by', ['adopt'], 'write `--as NAME`'],
  ['single', ['report'], 'write `--out FILE.html`'],
  ['list runs', ['report'], 'write `--all`'],
  ['no-page', ['run'], 'leave it out: a page is served at a terminal, or where --open asks for it'],
  ['search', ['models'], '`shotlist models search WORD` finds by name and by what they do'],
  ['developer action', ['models'], '`shotlist models search developer=NAME action=NAME` narrows it'],
  ['key', ['studio'], 'set SHOTLIST_API_KEY: a command line is read by others on this machine'],
  ['rate', ['studio'], '`--vice busy` answers 429'],
  ['no-commands', ['team worker'], 'write `--hands 0`'],
  ['only-commands', ['team worker'], 'write `--leads 0`'],
  ['in-flight per-second usd-per-day model', ['team limit'], 'a limit is a word: in_flight=40 V-T2V-A=8'],
  ['before', ['team prune'], 'the day is a word: `shotlist team prune 2026-01-31`'],
  ['since', ['team restored'], 'the time is a word: `shotlist team restored farm 2026-01-31T21:30:00Z`'],
  ['over', ['team restored'], 'write `--forget`'],
  ['prometheus', ['team status'], 'write `--format prometheus`'],
  ['print-sql', ['team init'], 'write `--format sql`'],
  ['on', ['status', 'cancel'], 'of a team: `shotlist team status RUN` and `shotlist team cancel RUN`'],
  ['fix autofix write', ['check'], '`check --json` lists the fixes; a file is mended by its author'],
  ['stdin stdin-filename filename stdin-filepath', ['check'], 'write `shotlist check - --name FILE`'],
  ['all everything a', ['clean'], '`clean` is about all films of a project where no FILE is named'],
];

/** What to type instead of an option of another tool; undefined where the table has none. */
export function foreignOption(command: CommandName, name: string): string | undefined {
  // An option that the command does not have is no advice.
  const isHere = (say: string) => {
    const flag = /^write `--([\w-]+)/.exec(say)?.[1];
    return flag === undefined || Object.hasOwn(helpOf(command).options, flag);
  };
  const rows = FOREIGN_OPTIONS.filter(([names, , say]) => names.split(' ').includes(name) && isHere(say));
  return (rows.find(([, of]) => of !== 'any' && of.includes(command)) ?? rows.find(([, of]) => of === 'any'))?.[2];
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
