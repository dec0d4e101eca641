/** One settings file: its text, checked. The project's lies in git for everybody to read, so a key in it is refused. */
import { parseDocument } from 'yaml';
import { type Budget, MEASURES, type Measure } from '../domain/budget.ts';
import { isBracketBomb } from '../domain/json.ts';
import { RATE_NAMES, type RateName, type Rates, type ServiceRates } from '../domain/request-rates.ts';
import { type HookSettings, isVariable, type ProvenanceSettings, readHooks, readProvenance } from './hook-settings.ts';
import { SETTINGS_FILE } from './project.ts';
import { type PublishSettings, readPublish } from './publish-settings.ts';
import { Secret } from './secret.ts';
import {
  CHOICES,
  type Choice,
  type Fields,
  fields,
  LIMITS,
  type LimitName,
  readAmount,
  readChoice,
  readLimit,
  reportUnknown,
  shown,
  textOf,
} from './settings-values.ts';
import { readStore, type StoreSettings } from './store-settings.ts';
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
  /** Who is told when something happens in a run. */
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
  const top = text === null ? new Map() : parse(text, file, problems);
  reportUnknown('setting', top, SETTINGS, file, problems);
  const service = textOf(top.get('service'), `service in ${file}`, 'the name of a service', problems);
  const profile = textOf(top.get('profile'), `profile in ${file}`, 'the name of a profile', problems);
  const ui = readChoice('ui', top.get('ui'), `ui in ${file}`, problems);
  const onUnknown = readChoice('on_unknown', top.get('on_unknown'), `on_unknown in ${file}`, problems);
  const onInterrupt = readChoice('on_interrupt', top.get('on_interrupt'), `on_interrupt in ${file}`, problems);
  const marking = readChoice('marking', top.get('marking'), `marking in ${file}`, problems);
  const history = readChoice('history', top.get('history'), `history in ${file}`, problems);
  const budget = top.has('budget') ? readBudget(top.get('budget'), file, problems) : undefined;
  const publish = top.has('publish') ? readPublish(top.get('publish'), file, problems) : undefined;
  const store = top.has('store') ? readStore(top.get('store'), file, problems) : undefined;
  return {
    ...(service === undefined ? {} : { service }),
    ...(publish === undefined ? {} : { publish }),
    ...(store === undefined ? {} : { store }),
    ...(top.has('provenance') && { provenance: readProvenance(top.get('provenance'), file, problems) }),
    ...(top.has('on') && { on: readHooks(top.get('on'), file, problems) }),
    ...(top.has('expose') && { expose: readExpose(top.get('expose'), file, problems) }),
    ...(budget === undefined ? {} : { budget }),
    ...(profile === undefined ? {} : { profile }),
    teams: readTeams(top.get('teams'), { owner, file, mine: SHOWN.user }, problems),
    services: services(top.get('services'), owner, problems),
    limits: limits(top.get('limits'), file, problems),
    choices: {
      ...(ui === undefined ? {} : { ui }),
      ...(marking === undefined ? {} : { marking }),
      ...(onUnknown === undefined ? {} : { on_unknown: onUnknown }),
      ...(onInterrupt === undefined ? {} : { on_interrupt: onInterrupt }),
      ...(history === undefined ? {} : { history }),
    },
  };
}

/** Mistakes that are told. One slip makes the parser stumble a thousand times, more than anybody reads. */
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

function parse(text: string, file: string, problems: string[]): Fields {
  if (text.length > MAX_CHARACTERS) {
    problems.push(`${file} is larger than ${MAX_CHARACTERS / 1024} kB; settings need a few lines`);
    return new Map();
  }
  const document = parsed(text);
  if (document === undefined) {
    problems.push(`${file}: it is nested too deep to be read; settings need three levels`);
    return new Map();
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
  if (document.errors.length > 0) return new Map();
  try {
    // A Map has no `__proto__` to stumble over.
    return fields(document.toJS({ mapAsMap: true, maxAliasCount: 50 }), file, problems);
  } catch (error) {
    if (!(error instanceof ReferenceError) && !(error instanceof RangeError)) throw error;
    problems.push(`${file}: an alias in it leads nowhere, or to too many values; write the values out`);
    return new Map();
  }
}

function services(value: unknown, owner: Owner, problems: string[]): ReadonlyMap<string, DeclaredService> {
  const file = SHOWN[owner];
  const found = new Map<string, DeclaredService>();
  for (const [name, declared] of fields(value, `services in ${file}`, problems)) {
    if (name === 'studio') problems.push(`${file}: \`studio\` is the built-in one; give the service another name`);
    else found.set(name, service(name, declared, owner, problems));
  }
  return found;
}

function service(name: string, value: unknown, owner: Owner, problems: string[]): DeclaredService {
  const file = SHOWN[owner];
  const where = `services.${name} in ${file}`;
  const declared = fields(value, where, problems);
  reportUnknown('setting', declared, SERVICE_SETTINGS, where, problems);
  const url = textOf(declared.get('url'), `url of ${where}`, 'the base address, https://host', problems);
  const keyEnv = textOf(
    declared.get('key_env'),
    `key_env of ${where}`,
    'the name of an environment variable',
    problems,
  );
  const key = declared.get('key');
  const rates = declared.has('rates') ? readRates(declared.get('rates'), where, problems) : undefined;
  if (key !== undefined && owner === 'project') {
    problems.push(
      `${where} holds a key, and that file is shared: take it out, have the service replace it, and put the new one into ${SHOWN.user} or into a variable named by \`key_env\``,
    );
  } else if (key !== undefined && (typeof key !== 'string' || key === '')) {
    problems.push(`key of ${where} is no text; put quotes around it`);
  }
  const remote = declared.get('remote');
  if (remote !== undefined && typeof remote !== 'boolean')
    problems.push(`remote of ${where} is no yes or no; write \`remote: true\``);
  const idempotency = declared.get('idempotency');
  if (idempotency !== undefined && idempotency !== 'honoured')
    problems.push(`idempotency of ${where} is ${shown(idempotency)}; write \`idempotency: honoured\`, or leave it out`);
  return {
    ...(url === undefined ? {} : { url }),
    ...(keyEnv === undefined ? {} : { keyEnv }),
    ...(declared.get('remote') === true ? { remote: true } : {}),
    ...(typeof key === 'string' && key !== '' && owner === 'user' ? { key: new Secret(key) } : {}),
    models: models(declared.get('models'), where, problems),
    ...(rates && { rates }),
    ...(idempotency === 'honoured' && { idempotent: true }),
  };
}

function readExpose(value: unknown, file: string, problems: string[]): readonly string[] {
  if (Array.isArray(value) && value.every(isVariable)) return value;
  problems.push(`expose in ${file} is no list of variables; write their names, like \`[CDN_TOKEN]\``);
  return [];
}

function readRates(value: unknown, service: string, problems: string[]): ServiceRates {
  const where = `rates of ${service}`;
  const declared = fields(value, where, problems);
  reportUnknown('rate', declared, [...RATE_NAMES, 'models'], where, problems);
  const models = [...fields(declared.get('models'), `models under ${where}`, problems)].map(([model, own]) => {
    const place = `models.${model} under ${where}`;
    const numbers = fields(own, place, problems);
    reportUnknown('rate', numbers, RATE_NAMES, place, problems);
    return [model, numbersOf(numbers, place, problems)] as const;
  });
  return { ...numbersOf(declared, where, problems), ...(models.length > 0 && { models: Object.fromEntries(models) }) };
}

function numbersOf(declared: Fields, where: string, problems: string[]): Rates {
  const found: { [rate in RateName]?: number } = {};
  for (const name of RATE_NAMES) {
    if (!declared.has(name)) continue;
    const limit = readLimit(declared.get(name), `${name} under ${where}`, problems);
    if (limit !== undefined) found[name] = limit;
  }
  return found;
}

function models(value: unknown, where: string, problems: string[]): Record<string, string> {
  const found = Object.create(null) as Record<string, string>;
  for (const [label, id] of fields(value, `models of ${where}`, problems)) {
    const text = textOf(id, `models.${label} of ${where}`, "the model's id at this service", problems);
    if (text !== undefined) found[label] = text;
  }
  return found;
}

function limits(value: unknown, file: string, problems: string[]): FileSettings['limits'] {
  const declared = fields(value, `limits in ${file}`, problems);
  reportUnknown('limit', declared, LIMITS, `limits in ${file}`, problems);
  const found: { [limit in LimitName]?: number } = {};
  for (const name of LIMITS) {
    if (!declared.has(name)) continue;
    const limit = readLimit(declared.get(name), `limits.${name} in ${file}`, problems);
    if (limit !== undefined) found[name] = limit;
  }
  return found;
}

function readBudget(value: unknown, file: string, problems: string[]): Budget {
  const where = `budget in ${file}`;
  const declared = fields(value, where, problems);
  reportUnknown('number', declared, [...MEASURES, 'unpriced'], where, problems);
  const found: { [measure in Measure]?: number } = {};
  for (const measure of MEASURES) {
    if (!declared.has(measure)) continue;
    const amount = readAmount(measure, declared.get(measure), `budget.${measure} in ${file}`, problems);
    if (amount !== undefined) found[measure] = amount;
  }
  const unpriced = declared.get('unpriced');
  if (unpriced !== undefined && unpriced !== 'allow')
    problems.push(`budget.unpriced in ${file} can only be \`allow\`; write that, or take it out`);
  return { ...found, ...(unpriced === 'allow' && { unpriced }) };
}
