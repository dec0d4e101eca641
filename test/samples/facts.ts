/** What a film of a sample owns, shows and costs, before a run takes it up and after: by what commands print as JSON. */
import type { Json, JsonObject } from '../../src/model/text/json.ts';
import type { OpenSample, OpenTeam } from './open-sample.ts';

/** In the order in which they are taken up. */
const FILMS = ['finished', 'choosing', 'failing', 'growing', 'cut-off'] as const;
type Film = (typeof FILMS)[number];

/** Of the failing one a model is left out that takes eight seconds to come up, and does not. */
const more = (film: Film): readonly string[] => (film === 'failing' ? ['--exclude', 'stormy'] : []);

/** Of all films of a sample, in the shape of its `expected.json`. */
export async function factsOf(sample: OpenSample): Promise<JsonObject> {
  const facts: [Film, JsonObject][] = [];
  for (const film of FILMS)
    facts.push([film, { before: await before(sample, film), after: await after(sample, film) }]);
  return Object.fromEntries(facts);
}

/** What `plan`, `status` and `report` print. `instances`: what the next run does with each, and what the last one did. */
async function before(sample: OpenSample, film: Film): Promise<JsonObject> {
  const plan = await document(sample, 'plan', film);
  const report = await document(sample, 'report', film);
  const { outcome, counts, money, open, questions, failed } =
    list((await document(sample, 'status', film)).films)[0] ?? {};
  const did = by(report.instances, ({ state, cost }) => `${state} for $${cost}`);
  return {
    instances: by(plan.instances, row => `${next(row)}; was ${did[String(row.key)]}`),
    budget: budgetIn(plan),
    ...{ outcome: outcome ?? null, counts: counts ?? null, money: money ?? null },
    open: by(open, ({ is, price }) => `${is}, $${price}`),
    asks: by(questions, ({ ask }) => ask),
    failed: by(failed, ({ message }) => message),
  };
}

/** The run that takes it up, and what is to be paid after it. `sent`: POSTs that the service took. */
async function after(sample: OpenSample, film: Film): Promise<JsonObject> {
  const sentBefore = await sample.studio.submits();
  const { exit, stdout } = await sample.stage.run('run', `${film}.yaml`, '--json', ...more(film));
  const { outcome, counts, usd } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  const sent = (await sample.studio.submits()) - sentBefore;
  const plan = await document(sample, 'plan', film);
  // The time of a custom model is billed, which is another one each time.
  const spent = film === 'growing' ? {} : { usd };
  return { exit, sent, outcome, counts, ...spent, instances: by(plan.instances, next), budget: budgetIn(plan) };
}

async function document({ stage }: OpenSample, command: string, film: Film): Promise<JsonObject> {
  const args = [command, `${film}.yaml`, '--json', ...(command === 'plan' ? more(film) : [])];
  const { stdout, stderr } = await stage.run(...args);
  if (stdout === '') throw new Error(`${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout);
}

const next = ({ decision, sent }: JsonObject): string =>
  sent ? `${decision}, ${(sent as JsonObject).is}` : String(decision);

const budgetIn = ({ budget }: JsonObject): Json => {
  const [film] = list(budget);
  return film ? { spent: film.spent ?? null, in_flight: film.in_flight ?? null } : null;
};

const list = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonObject[]) : [];

const by = (rows: Json | undefined, fact: (row: JsonObject) => Json | undefined, name = 'key'): JsonObject =>
  Object.fromEntries(list(rows).map(row => [String(row[name]), fact(row) ?? null]));

/** The same of a team's runs, in the shape of `team/expected.json`: before a new worker takes them up, and after; a person says yes meanwhile. */
export async function factsOfTeam(sample: OpenTeam): Promise<JsonObject> {
  const here = async (exit: number, ...args: readonly string[]): Promise<string> => {
    const ended = await sample.stage.run(...args, '--on', 'house');
    if (ended.exit !== exit) throw new Error(`${args.join(' ')}: ${ended.exit}\n${ended.stderr}`);
    return ended.stdout;
  };
  const json = async (...args: readonly string[]): Promise<JsonObject> => JSON.parse(await here(0, ...args, '--json'));
  const facts = async (): Promise<JsonObject> => {
    const { runs, films, accounts } = await json('team', 'status');
    const [farm] = list(accounts);
    return {
      sent: await sample.studio.submits(),
      runs: runs ?? null,
      films: by((await json('team', 'list')).runs, row => `${row.status} for $${row.usd}`, 'pipeline'),
      money: by(films, ({ money }) => money, 'file'),
      open: by(films, ({ open }) => by(open, ({ is, price }) => `${is}, $${price}`), 'file'),
      limits: farm ? { of: farm.limit ?? null, models: farm.models ?? null } : null,
    };
  };
  await here(0, 'team', 'init');
  const before = await facts();
  const runs = by((await json('team', 'list')).runs, ({ run }) => run, 'pipeline');
  await sample.stage.worker();
  await here(5, 'team', 'fetch', String(runs['picked.yaml']), '--ui', 'quiet');
  await here(0, 'approve', 'picked.yaml', 'ok', '--as', 'Bea');
  for (const film of ['led.yaml', 'picked.yaml']) await here(0, 'team', 'watch', String(runs[film]));
  return { before, after: await facts() };
}
