/** `teams`: PostgreSQL databases over which many machines make films together, each by a name. */

import { readStore, type StoreSettings } from './publish-settings.ts';
import { given, Section } from './settings-values.ts';

export interface TeamSettings {
  /** As it is called under `teams`; the address itself where it was given as one. */
  readonly name: string;
  /** `postgres://shotlist@db.example/films`. A secret where a password is in it. */
  readonly database: string;
  /** Where the team keeps its results; absent: the `store` of the settings. */
  readonly store?: StoreSettings;
  /** Names this project among others of the team; absent: the name of its folder. */
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
  for (const [name, declared] of new Section(value, `teams in ${file}`, problems).entries()) {
    const where = `teams.${name} in ${file}`;
    const team = new Section(declared, where, problems).expects(['database', 'store', 'project', 'cache_gb']);
    const database = databaseOf(team.text('database', DATABASE), `database of ${where}`, problems);
    if (database !== undefined && owner === 'project' && hasPassword(database))
      team.report(
        `${where} holds a password, and that file is shared: take it out, have the database replace it, and put the new one into ${mine}, into ~/.pgpass, or into the variable PGPASSWORD`,
      );
    const store = team.has('store') ? readStore(team.get('store'), where, problems) : undefined;
    const project = team.text('project', 'a name, like `foxes`');
    for (const [what, text] of [
      ['the name', name],
      ['project', project ?? ''],
    ] as const)
      if (text.includes('\0') || !text.isWellFormed())
        team.report(`${what} of a team in ${file} holds a NUL, or half of a character, which no database takes`);
    found.set(name, given({ database, store, project, cache: cacheOf(team) }));
  }
  return found;
}

/**
 * The team that is meant by a name, or by the address of its database. The project's file has the word before the user's, but for the
 * password to the same database. Undefined, and a problem, where there is none.
 */
export function chooseTeam(
  on: string,
  project: ReadonlyMap<string, DeclaredTeam>,
  user: ReadonlyMap<string, DeclaredTeam>,
  problems: string[],
): TeamSettings | undefined {
  if (on.includes('://')) {
    const database = databaseOf(on, '--on', problems);
    return database === undefined ? undefined : { name: withoutPassword(database), database };
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
  return {
    ...{ name: on, database },
    ...given({
      store: theirs?.store ?? mine?.store,
      project: theirs?.project ?? mine?.project,
      // How much room there is, this machine's own settings know best.
      cache: mine?.cache ?? theirs?.cache,
    }),
  };
}

function cacheOf(team: Section): number | undefined {
  const value = team.get('cache_gb');
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value * 1e9;
  team.report(`cache_gb of ${team.where} is no number of gigabytes; write it like \`50\``);
  return undefined;
}

/** A password belongs to the address that it was written with. */
function databaseWithPassword(theirs: string | undefined, mine: string | undefined): string | undefined {
  if (theirs === undefined || mine === undefined) return theirs ?? mine;
  return withoutPassword(mine) === withoutPassword(theirs) ? mine : theirs;
}

const DATABASE = '`postgres://USER@HOST/DATABASE`';

function databaseOf(address: string | undefined, where: string, problems: string[]): string | undefined {
  if (address === undefined || (/^postgres(ql)?:\/\//i.test(address) && URL.canParse(address))) return address;
  problems.push(`${where} is no address of PostgreSQL; write ${DATABASE}`);
  return undefined;
}

function hasPassword(database: string): boolean {
  const { password, searchParams } = new URL(database);
  return Boolean(password || searchParams.get('password'));
}

function withoutPassword(database: string): string {
  const url = new URL(database);
  url.password = '';
  url.searchParams.delete('password');
  return url.href;
}
