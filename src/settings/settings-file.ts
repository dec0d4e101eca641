/** One settings file: its text, checked. The project's lies in git for everybody to read, so a key in it is refused. */
import { parseDocument } from 'yaml';
import { SETTINGS_FILE } from '../machine/files/project.ts';
import { Secret } from '../machine/redactor.ts';
import { type Budget, MEASURES } from '../model/budget.ts';
import { RATE_NAMES, type Rates, type ServiceRates } from '../model/request-rates.ts';
import { isBracketBomb } from '../model/text/json.ts';
import { BASE_VARIABLES } from '../model/variable-access.ts';
import { type HookSettings, type ProvenanceSettings, readHooks, readProvenance } from './hook-settings.ts';
import {
  type BucketAccess,
  type PublishSettings,
  readPublish,
  readStore,
  type StoreSettings,
} from './publish-settings.ts';
import {
  CHOICES,
  type Choice,
  given,
  LIMITS,
  type LimitName,
  readAmount,
  readChoice,
  readLimit,
  Section,
  shown,
} from './settings-values.ts';
import { type DeclaredTeam, readTeams } from './team-settings.ts';

type Owner = 'project' | 'user';
export const SHOWN: Readonly<Record<Owner, string>> = {
  project: SETTINGS_FILE,
  user: '~/.config/shotlist/config.yaml',
};

export interface FileSettings {
  readonly service?: string;
  readonly services: ReadonlyMap<string, DeclaredService>;
  readonly limits: { readonly [limit in LimitName]?: number };
  /** What all films of the project may come to together. */
  readonly budget?: Budget;
  /** How a service on another machine comes to read files of this one. */
  readonly publish?: PublishSettings;
  /** Where a team keeps its results. */
  readonly store?: StoreSettings;
  /** Databases over which many machines make films together. */
  readonly teams: ReadonlyMap<string, DeclaredTeam>;
  /** Commands and webhooks for events of a run. */
  readonly on?: HookSettings;
  /** Variables that a worker of a team lets films read. */
  readonly expose?: readonly string[];
  /** What films are handed on with. */
  readonly provenance?: ProvenanceSettings;
  /** In which films are made. */
  readonly profile?: string;
  readonly choices: { readonly [name in keyof typeof CHOICES]?: Choice<name> };
}

/** One entry under `services`. */
export interface DeclaredService {
  readonly url?: string;
  readonly key?: Secret;
  /** Name of the environment variable that holds the key. */
  readonly keyEnv?: string;
  /** It runs on another machine, though its address is one of this machine: through a tunnel. */
  readonly remote?: true;
  /** Label of the interface document → id at this service. */
  readonly models: Readonly<Record<string, string>>;
  /** What it allows. */
  readonly rates?: ServiceRates;
  /** It makes one generation of all requests that are sent under one `Idempotency-Key`. */
  readonly idempotent?: true;
}

const SETTINGS = [
  'service',
  'services',
  'limits',
  'budget',
  'publish',
  'store',
  'teams',
  'expose',
  'on',
  'provenance',
  'profile',
  ...Object.keys(CHOICES),
];
const SERVICE_SETTINGS = ['url', 'key', 'key_env', 'models', 'remote', 'rates', 'idempotency'];

/** Reads what can be read; every mistake is added to `problems`. */
export function readSettingsFile(text: string | null, owner: Owner, problems: string[]): FileSettings {
  const file = SHOWN[owner];
  const top = text === null ? new Section(undefined, file, problems) : parse(text, file, problems);
  top.expects(SETTINGS);
  const value = (name: string) => top.get(name);
  /** Read only where it is given: an empty one may be a mistake. */
  const part = <T>(name: string, read: (value: unknown, file: string, problems: string[]) => T): T | undefined =>
    top.has(name) ? read(value(name), file, problems) : undefined;
  const texts = given({
    service: top.text('service', 'the name of a service', `service in ${file}`),
    profile: top.text('profile', 'the name of a profile', `profile in ${file}`),
  });
  const choices = given({
    ui: readChoice('ui', value('ui'), `ui in ${file}`, problems),
    on_unknown: readChoice('on_unknown', value('on_unknown'), `on_unknown in ${file}`, problems),
    on_interrupt: readChoice('on_interrupt', value('on_interrupt'), `on_interrupt in ${file}`, problems),
    marking: readChoice('marking', value('marking'), `marking in ${file}`, problems),
    history: readChoice('history', value('history'), `history in ${file}`, problems),
  });
  return {
    ...{ ...texts, choices },
    ...given({
      budget: part('budget', readBudget),
      publish: part('publish', readPublish),
      store: part('store', readStore),
      provenance: part('provenance', readProvenance),
      on: part('on', readHooks),
      expose: top.has('expose') ? top.variables('expose', 'CDN_TOKEN', `expose in ${file}`) : undefined,
    }),
    teams: readTeams(value('teams'), { owner, file, mine: SHOWN.user }, problems),
    services: services(value('services'), owner, problems),
    limits: new Section(value('limits'), `limits in ${file}`, problems)
      .expects(LIMITS, 'limit')
      .numbers(LIMITS, readLimit, name => `limits.${name} in ${file}`),
  };
}

/** Mistakes that are reported. One slip makes the parser stumble a thousand times. */
const MAX_PROBLEMS = 10;

/** Characters. The parser looks for double keys by comparing each with each. */
const MAX_CHARACTERS = 64 * 1024;

/** Undefined where it is nested deeper than the parser's own calls may be. */
function parsed(text: string): ReturnType<typeof parseDocument> | undefined {
  if (isBracketBomb(text)) return undefined;
  try {
    const document = parseDocument(text, { merge: false });
    // At some depths the parser reports the stack as if that were a mistake in the text.
    return document.errors.some(({ message }) => message.startsWith('Maximum call stack')) ? undefined : document;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function parse(text: string, file: string, problems: string[]): Section {
  const nothing = () => new Section(undefined, file, problems);
  if (text.length > MAX_CHARACTERS) {
    problems.push(`${file} is larger than ${MAX_CHARACTERS / 1024} kB; settings need a few lines`);
    return nothing();
  }
  const document = parsed(text);
  if (document === undefined) {
    problems.push(`${file}: it is nested too deep to be read; settings need three levels`);
    return nothing();
  }
  for (const error of document.errors.slice(0, MAX_PROBLEMS)) {
    // The parser's own message goes on with the offending lines, where a key might stand.
    const what = error.message.split(/ at line |\n/)[0] ?? '';
    problems.push(
      `${file}:${error.linePos?.[0].line ?? 1}: ${what.charAt(0).toLowerCase()}${what.slice(1)}; mend the YAML there`,
    );
  }
  const more = document.errors.length - MAX_PROBLEMS;
  if (more > 0) problems.push(`${file}: and ${more} more like these; mend the first, then look again`);
  if (document.errors.length > 0) return nothing();
  try {
    return new Section(document.toJS({ mapAsMap: true, maxAliasCount: 50 }), file, problems);
  } catch (error) {
    if (!(error instanceof ReferenceError) && !(error instanceof RangeError)) throw error;
    problems.push(`${file}: an alias in it leads nowhere, or to too many values; write the values out`);
    return nothing();
  }
}

function services(value: unknown, owner: Owner, problems: string[]): ReadonlyMap<string, DeclaredService> {
  const file = SHOWN[owner];
  const found = new Map<string, DeclaredService>();
  for (const [name, declared] of new Section(value, `services in ${file}`, problems).entries()) {
    if (name === 'studio') problems.push(`${file}: \`studio\` is the built-in one; give the service another name`);
    else found.set(name, service(new Section(declared, `services.${name} in ${file}`, problems), owner));
  }
  return found;
}

function service(declared: Section, owner: Owner): DeclaredService {
  const { where, problems } = declared.expects(SERVICE_SETTINGS);
  const url = declared.text('url', 'the base address, https://host');
  const keyEnv = declared.text('key_env', 'the name of an environment variable');
  const rates = declared.has('rates') ? readRates(declared.get('rates'), where, problems) : undefined;
  if (declared.has('key') && owner === 'project')
    declared.report(
      `${where} holds a key, and that file is shared: take it out, have the service replace it, and put the new one into ${SHOWN.user} or into a variable named by \`key_env\``,
    );
  const key = owner === 'user' ? declared.text('key', 'it in quotes') : undefined;
  const remote = declared.flag('remote') || undefined;
  const idempotency = declared.get('idempotency');
  if (idempotency !== undefined && idempotency !== 'honoured')
    declared.report(
      `idempotency of ${where} is ${shown(idempotency)}; write \`idempotency: honoured\`, or leave it out`,
    );
  return {
    ...given({ url, keyEnv, remote, key: key === undefined ? undefined : new Secret(key) }),
    models: models(declared.get('models'), where, problems),
    ...given({ rates, idempotent: idempotency === 'honoured' || undefined }),
  };
}

function readRates(value: unknown, service: string, problems: string[]): ServiceRates {
  const where = `rates of ${service}`;
  const declared = new Section(value, where, problems).expects([...RATE_NAMES, 'models'], 'rate');
  const models = [...new Section(declared.get('models'), `models under ${where}`, problems).entries()].map(
    ([model, own]) => {
      const rates = new Section(own, `models.${model} under ${where}`, problems).expects(RATE_NAMES, 'rate');
      return [model, numbersOf(rates)] as const;
    },
  );
  return { ...numbersOf(declared), ...(models.length > 0 && { models: Object.fromEntries(models) }) };
}

const numbersOf = (rates: Section): Rates =>
  rates.numbers(RATE_NAMES, readLimit, name => `${name} under ${rates.where}`);

function models(value: unknown, where: string, problems: string[]): Record<string, string> {
  const found = Object.create(null) as Record<string, string>;
  const declared = new Section(value, `models of ${where}`, problems);
  for (const [label] of declared.entries()) {
    const text = declared.text(label, "the model's id at this service", `models.${label} of ${where}`);
    if (text !== undefined) found[label] = text;
  }
  return found;
}

function readBudget(value: unknown, file: string, problems: string[]): Budget {
  const declared = new Section(value, `budget in ${file}`, problems).expects([...MEASURES, 'unpriced'], 'number');
  const amounts = declared.numbers(MEASURES, readAmount, measure => `budget.${measure} in ${file}`);
  const unpriced = declared.get('unpriced');
  if (unpriced !== undefined && unpriced !== 'allow')
    declared.report(`budget.unpriced in ${file} can only be \`allow\`; write that, or take it out`);
  return { ...amounts, ...(unpriced === 'allow' && { unpriced }) };
}

/** The parts of a settings file, or of a program's options, that name variables with secrets. */
type NamesSecrets = Partial<Pick<FileSettings, 'services' | 'publish' | 'store' | 'teams' | 'on'>>;

/** The variables that hold secrets of Shotlist's own, keys and passwords, each with the setting that names it. */
export function secretVariables({
  project,
  user = {},
}: {
  readonly project: NamesSecrets;
  readonly user?: NamesSecrets;
}): ReadonlyMap<string, string> {
  const found = new Map<string, string>([
    ['SHOTLIST_API_KEY', 'the key of the service'],
    ['SHOTLIST_CHAT_UPSTREAM_KEY', 'the key of the chat service'],
  ]);
  for (const [name, where] of [...namedIn(project, SHOWN.project), ...namedIn(user, SHOWN.user)])
    if (!found.has(name) && !BASE_VARIABLES.includes(name)) found.set(name, where);
  return found;
}

function* namedIn(settings: NamesSecrets, file: string): Generator<readonly [name: string, where: string]> {
  for (const [name, { keyEnv }] of settings.services ?? [])
    if (keyEnv !== undefined) yield [keyEnv, `\`key_env\` of services.${name} in ${file}`];
  const { publish, store, on = {}, teams = new Map() } = settings;
  if (publish) {
    const names = publish.is === 's3' ? keysOf(publish) : publish.env;
    for (const name of names) yield [name, publish.where];
  }
  for (const one of [store, ...[...teams.values()].map(team => team.store)])
    if (one?.is === 's3') for (const name of keysOf(one)) yield [name, one.where];
  for (const hook of Object.values(on)) {
    if (hook.is === 'webhook_in') yield [hook.variable, `\`url_env\` of ${hook.where}`];
    if (hook.is === 'command') for (const name of hook.env) yield [name, `\`env\` of ${hook.where}`];
  }
  // PostgreSQL clients read it for any database.
  if (teams.size > 0) yield ['PGPASSWORD', `teams in ${file}`];
}

const keysOf = ({ keyEnv, keyIdEnv, profile }: BucketAccess): readonly string[] => {
  if (keyEnv !== undefined) return [keyEnv, ...(keyIdEnv === undefined ? [] : [keyIdEnv])];
  return profile === undefined ? ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] : [];
};
