/** `teams`: PostgreSQL databases over which many machines make films together, each by a name. */

import { type Fields, fields, reportUnknown, textOf } from './settings-values.ts';
import { readStore, type StoreSettings } from './store-settings.ts';

export interface TeamSettings {
  /** As it is called under `teams`; the address itself where it was given as one. */
  readonly name: string;
  /** `postgres://shotlist@db.example/films`. A secret where a password is in it. */
  readonly database: string;
  /** Where the team keeps its results; absent: the `store` of the settings. */
  readonly store?: StoreSettings;
  /** What tells this project from others of the team; absent: the name of its folder. */
  readonly project?: string;
  /** Bytes of its results that a worker keeps at hand. */
  readonly cache?: number;
}

/** One entry under `teams` of one file. */
export interface DeclaredTeam {
  readonly database?: string;
  readonly store?: StoreSettings;
  readonly project?: string;
  readonly cache?: number;
}

/** Everything that is wrong is added to `problems`; no password shows in any of it. */
export function readTeams(
  value: unknown,
  { owner, file, mine }: { readonly owner: 'project' | 'user'; readonly file: string; readonly mine: string },
  problems: string[],
): ReadonlyMap<string, DeclaredTeam> {
  const found = new Map<string, DeclaredTeam>();
  for (const [name, declared] of fields(value, `teams in ${file}`, problems)) {
    const where = `teams.${name} in ${file}`;
    const given = fields(declared, where, problems);
    reportUnknown('setting', given, ['database', 'store', 'project', 'cache_gb'], where, problems);
    const database = databaseOf(given, where, problems);
    if (database !== undefined && owner === 'project' && passwordIn(database))
      problems.push(
        `${where} holds a password, and that file is shared: take it out, have the database replace it, and put the new one into ${mine}, into ~/.pgpass, or into the variable PGPASSWORD`,
      );
    const store = given.has('store') ? readStore(given.get('store'), where, problems) : undefined;
    const project = textOf(given.get('project'), `project of ${where}`, 'a name, like `foxes`', problems);
    for (const [what, text] of [
      ['the name', name],
      ['project', project ?? ''],
    ])
      if (text !== undefined && (text.includes('\0') || !text.isWellFormed()))
        problems.push(`${what} of a team in ${file} holds a NUL, or half of a character, which no database takes`);
    const cache = cacheOf(given, where, problems);
    found.set(name, {
      ...{ ...(database && { database }), ...(store && { store }), ...(project && { project }) },
      ...(cache !== undefined && { cache }),
    });
  }
  return found;
}

/**
 * The team that is meant by a name, or by the address of its database. The project's file has the word before the user's, but for the
 * password to the same database. Undefined, and a problem, where there is none.
 */
export function chooseTeam(
  on: string,
  {
    project,
    user,
  }: { readonly project: ReadonlyMap<string, DeclaredTeam>; readonly user: ReadonlyMap<string, DeclaredTeam> },
  problems: string[],
): TeamSettings | undefined {
  if (on.includes('://')) {
    const before = problems.length;
    const database = databaseOf(new Map([['database', on]]), '--on', problems);
    return database === undefined || problems.length > before
      ? undefined
      : { name: withoutPassword(database), database };
  }
  const theirs = project.get(on);
  const mine = user.get(on);
  const known = [...new Set([...project.keys(), ...user.keys()])];
  if (!theirs && !mine) {
    problems.push(
      known.length === 0
        ? `--on ${on}: no team is set; add \`teams: { ${on}: { database: postgres://USER@HOST/DATABASE } }\` to the settings`
        : `--on ${on}: there is no team \`${on}\`; known: ${known.map(name => `\`${name}\``).join(', ')}`,
    );
    return undefined;
  }
  const database = databaseWithPassword(theirs?.database, mine?.database);
  if (database === undefined) {
    problems.push(`team \`${on}\` has no database; add \`database: postgres://USER@HOST/DATABASE\` under teams.${on}`);
    return undefined;
  }
  const store = theirs?.store ?? mine?.store;
  const name = theirs?.project ?? mine?.project;
  // How much room there is, this machine's own settings know best.
  const cache = mine?.cache ?? theirs?.cache;
  return {
    ...{ name: on, database, ...(store && { store }), ...(name !== undefined && { project: name }) },
    ...(cache !== undefined && { cache }),
  };
}

function cacheOf(given: Fields, where: string, problems: string[]): number | undefined {
  const value = given.get('cache_gb');
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value * 1e9;
  problems.push(`cache_gb of ${where} is no number of gigabytes; write it like \`50\``);
  return undefined;
}

/** A password belongs to the address that it was written with. */
function databaseWithPassword(theirs: string | undefined, mine: string | undefined): string | undefined {
  if (theirs === undefined || mine === undefined) return theirs ?? mine;
  return withoutPassword(mine) === withoutPassword(theirs) ? mine : theirs;
}

function databaseOf(given: Fields, where: string, problems: string[]): string | undefined {
  const wanted = '`postgres://USER@HOST/DATABASE`';
  const text = textOf(given.get('database'), where === '--on' ? where : `database of ${where}`, wanted, problems);
  if (text === undefined) return undefined;
  if (/^postgres(ql)?:\/\//i.test(text) && URL.canParse(text)) return text;
  problems.push(`database of ${where} is no address of PostgreSQL; write ${wanted}`);
  return undefined;
}

/** What is never written anywhere; undefined where there is none. */
export function passwordIn(database: string): string | undefined {
  const { password, searchParams } = new URL(database);
  const found = password || searchParams.get('password') || '';
  return found === '' ? undefined : decodeURIComponent(found);
}

export function withoutPassword(database: string): string {
  const url = new URL(database);
  url.password = '';
  url.searchParams.delete('password');
  return url.href;
}
