/** `on`: commands and addresses that are called when something happens in a run; and `provenance`: what films are handed on with. */
import { isLoopback } from '../model/loopback.ts';
import { isVariable, Section } from './settings-values.ts';

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
  /** The address is a secret, as those of chats are: it is in this variable. */
  | { readonly is: 'webhook_in'; readonly where: string; readonly variable: string };

export function readHooks(value: unknown, file: string, problems: string[]): HookSettings {
  const declared = new Section(value, `on in ${file}`, problems).expects(HOOKS, 'event');
  const found: { [name in HookName]?: Hook } = {};
  for (const name of HOOKS) {
    const hook = declared.has(name) ? readHook(declared.get(name), `on.${name} in ${file}`, problems) : undefined;
    if (hook) found[name] = hook;
  }
  return found;
}

function readHook(value: unknown, where: string, problems: string[]): Hook | undefined {
  // A list alone is a command, and a text alone an address.
  const short = Array.isArray(value) ? 'command' : typeof value === 'string' ? 'url' : undefined;
  const declared = new Section(short ? new Map([[short, value]]) : value, where, problems);
  declared.expects(['command', 'env', 'url', 'url_env']);
  const ways = ['command', 'url', 'url_env'].filter(way => declared.has(way));
  if (ways.length !== 1) {
    declared.report(
      `${where} names ${ways.length === 0 ? 'no receiver; write' : 'several ways; keep one of'} \`command\`, \`url\` or \`url_env\``,
    );
    return undefined;
  }
  return declared.unlessWrong(() => (declared.has('command') ? command(declared) : webhook(declared)));
}

function command(declared: Section): Hook {
  const words = declared.command('command', './notify.sh') ?? [''];
  return { is: 'command', where: declared.where, command: words, env: declared.variables('env', 'SLACK_TOKEN') };
}

function webhook(declared: Section): Hook {
  const { where } = declared;
  if (declared.has('env')) declared.report(`env of ${where} is for a command; take it out`);
  if (declared.has('url_env')) {
    const variable = declared.text('url_env', 'the name of a variable') ?? '';
    if (variable !== '' && !isVariable(variable))
      declared.report(`url_env of ${where} is no name of a variable; write one, like \`SLACK_WEBHOOK\``);
    return { is: 'webhook_in', where, variable };
  }
  const url = declared.text('url', 'its address, https://host/path') ?? '';
  const wrong = url === '' ? undefined : whyNoWebhook(url);
  if (wrong !== undefined) declared.report(`url of ${where} ${wrong}`);
  return { is: 'webhook', where, url };
}

/** Why an address cannot be called; the address itself may be a secret, and is not repeated. */
export function whyNoWebhook(address: string): string | undefined {
  const url = URL.parse(address);
  if (!url || !isSafeAddress(url)) return 'is no https:// address; write one';
  if (url.username !== '' || url.password !== '')
    return 'holds a password; put the address into a variable, as `url_env`';
  return undefined;
}

/** Encrypted, or on this machine. */
export const isSafeAddress = (url: URL): boolean =>
  url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));

export interface ProvenanceSettings {
  /** A `.provenance.json` beside each output of a run. */
  readonly sidecars: boolean;
  /** Signs a film: it is handed the film, a C2PA manifest, and where the signed film goes. */
  readonly c2pa?: readonly [string, ...string[]];
}

export function readProvenance(value: unknown, file: string, problems: string[]): ProvenanceSettings {
  const declared = new Section(value, `provenance in ${file}`, problems).expects(['sidecars', 'c2pa']);
  const sidecars = declared.flag('sidecars') === true;
  const c2pa = declared.has('c2pa') ? declared.command('c2pa', './sign.sh') : undefined;
  return { sidecars, ...(c2pa && { c2pa }) };
}
