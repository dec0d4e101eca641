/** `on`: who is told when something happens in a run: a command, or an address that takes JSON. */
import { isLoopback } from '../domain/loopback.ts';
import { type Fields, fields, reportUnknown, textOf } from './settings-values.ts';

const HOOKS = ['waiting', 'failed', 'finished', 'budget'] as const;
export type HookName = (typeof HOOKS)[number];

export type HookSettings = { readonly [name in HookName]?: Hook };

export type Hook =
  /** It is handed the path of a JSON file as its last argument. */
  | {
      readonly is: 'command';
      /** Where it is written: `on.failed in shotlist.config.yaml`. */
      readonly where: string;
      readonly command: readonly [string, ...string[]];
      /** Names of the variables that it is given beside the few that every command gets. */
      readonly env: readonly string[];
    }
  | { readonly is: 'webhook'; readonly where: string; readonly url: string }
  /** The address is a secret, as those of chats are: it stands in this variable. */
  | { readonly is: 'webhook_in'; readonly where: string; readonly variable: string };

export function readHooks(value: unknown, file: string, problems: string[]): HookSettings {
  const where = `on in ${file}`;
  const declared = fields(value, where, problems);
  reportUnknown('event', declared, HOOKS, where, problems);
  const found: { [name in HookName]?: Hook } = {};
  for (const name of HOOKS) {
    if (!declared.has(name)) continue;
    const hook = readHook(declared.get(name), `on.${name} in ${file}`, problems);
    if (hook) found[name] = hook;
  }
  return found;
}

function readHook(value: unknown, where: string, problems: string[]): Hook | undefined {
  // A list alone is a command, and a text alone an address.
  const declared: Fields = Array.isArray(value)
    ? new Map([['command', value]])
    : typeof value === 'string'
      ? new Map([['url', value]])
      : fields(value, where, problems);
  reportUnknown('setting', declared, ['command', 'env', 'url', 'url_env'], where, problems);
  const ways = ['command', 'url', 'url_env'].filter(way => declared.has(way));
  if (ways.length !== 1) {
    problems.push(
      `${where} names ${ways.length === 0 ? 'nobody to tell; write' : 'several ways; keep one of'} \`command\`, \`url\` or \`url_env\``,
    );
    return undefined;
  }
  const before = problems.length;
  const hook = declared.has('command') ? command(declared, where, problems) : webhook(declared, where, problems);
  return problems.length === before ? hook : undefined;
}

function command(declared: Fields, where: string, problems: string[]): Hook {
  const [program, ...rest] = textsOf(declared.get('command')) ?? [];
  if (program === undefined)
    problems.push(`command of ${where} is no list of words; write it like \`[./notify.sh]\`, without a shell`);
  const env = declared.has('env') ? textsOf(declared.get('env')) : [];
  if (env === undefined || !env.every(isVariable))
    problems.push(`env of ${where} is no list of variables; write their names, like \`[SLACK_TOKEN]\``);
  return { is: 'command', where, command: [program ?? '', ...rest], env: env ?? [] };
}

function webhook(declared: Fields, where: string, problems: string[]): Hook {
  if (declared.has('env')) problems.push(`env of ${where} is for a command; take it out`);
  if (declared.has('url_env')) {
    const variable = textOf(declared.get('url_env'), `url_env of ${where}`, 'the name of a variable', problems) ?? '';
    if (variable !== '' && !isVariable(variable))
      problems.push(`url_env of ${where} is no name of a variable; write one, like \`SLACK_WEBHOOK\``);
    return { is: 'webhook_in', where, variable };
  }
  const url = textOf(declared.get('url'), `url of ${where}`, 'its address, https://host/path', problems) ?? '';
  const wrong = url === '' ? undefined : whyNoWebhook(url);
  if (wrong !== undefined) problems.push(`url of ${where} ${wrong}`);
  return { is: 'webhook', where, url };
}

/** What keeps an address from being told anything; the address itself may be a secret, and is not repeated. */
export function whyNoWebhook(address: string): string | undefined {
  const url = URL.parse(address);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
  if (!url || !isSafe) return 'is no https:// address; write one';
  if (url.username !== '' || url.password !== '')
    return 'holds a password; put the address into a variable, as `url_env`';
  return undefined;
}

/** The name of a variable of the environment. */
export const isVariable = (name: unknown): name is string => typeof name === 'string' && /^[a-z_]\w*$/i.test(name);

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every(word => typeof word === 'string' && word !== '') ? value : undefined;
}

/** `provenance`: what a film is handed on with. */
export interface ProvenanceSettings {
  /** A `.provenance.json` beside each output of a run. */
  readonly sidecars: boolean;
  /** Signs a film: it is handed the film, a C2PA manifest, and where the signed film goes. */
  readonly c2pa?: readonly [string, ...string[]];
}

export function readProvenance(value: unknown, file: string, problems: string[]): ProvenanceSettings {
  const where = `provenance in ${file}`;
  const declared = fields(value, where, problems);
  reportUnknown('setting', declared, ['sidecars', 'c2pa'], where, problems);
  const sidecars = declared.get('sidecars') ?? false;
  if (typeof sidecars !== 'boolean') problems.push(`sidecars of ${where} is no yes or no; write \`sidecars: true\``);
  const words = declared.get('c2pa');
  const isCommand =
    Array.isArray(words) && words.length > 0 && words.every(word => typeof word === 'string' && word !== '');
  if (words !== undefined && !isCommand)
    problems.push(`c2pa of ${where} is no list of words; write it like \`[./sign.sh]\`, without a shell`);
  return { sidecars: sidecars === true, ...(isCommand && { c2pa: words as [string, ...string[]] }) };
}
