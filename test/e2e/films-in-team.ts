/** The films of `pipelines/` as a team of two workers makes them, side by side with whoever makes them here. */
import { type Film, type Said, sessionOf } from '../films/films.ts';
import { TeamStage } from './team-world.ts';

export interface FilmsInTeam {
  /** Where they are fetched to. Resolves when this one is there; rejects with what went wrong on the way. */
  fetched(film: Film): Promise<TeamStage>;
  close(): Promise<void>;
}

/** Sessions at once: each is a process of its own beside those of the workers. */
const AT_ONCE = 3;
/** Those that take longest, which go first; the others in the order of their names. */
const LONG = ['story', 'reference-to-video', 'draft-to-final', 'approval', 'product-from-csv', 'talking-head'];

/** Begins at once. @param env of every process of the team. */
export function filmsInTeam(films: readonly Film[], env: Record<string, string>): FilmsInTeam {
  const opened = open(env);
  const made = new Map(films.map(({ name }) => [name, Promise.withResolvers<TeamStage>()]));
  for (const { promise } of made.values()) promise.catch(() => {});
  const waiting = [...films].sort((a, b) => rank(a) - rank(b));
  const turn = async () => {
    for (let film = waiting.shift(); film; film = waiting.shift()) {
      const fetched = opened.then(team => makeIn(team, film));
      await fetched.then(made.get(film.name)?.resolve, made.get(film.name)?.reject);
    }
  };
  for (let n = 0; n < AT_ONCE; n++) void turn();
  return {
    fetched: ({ name }) => made.get(name)?.promise ?? Promise.reject(new Error(`${name} was not handed in`)),
    close: async () => {
      waiting.length = 0;
      await opened.then(
        team => team.close(),
        () => {},
      );
    },
  };
}

const rank = ({ name }: Film): number => (LONG.includes(name) ? LONG.indexOf(name) : LONG.length);

async function open(env: Record<string, string>): Promise<TeamStage> {
  const team = await TeamStage.open();
  team.env = env;
  await Promise.all([team.worker(), team.worker()]);
  return team;
}

/** What a person says who has the film made by a team, and fetches what there is whenever a run is over or waits. */
async function makeIn(team: TeamStage, film: Film): Promise<TeamStage> {
  for (const { command, exit } of sessionOf(film)) {
    const [name, ...more] = inTeam(command);
    const ended = await team.run(name, `pipelines/${film.name}.yaml`, ...more, '--on', 'house');
    if (ended.exit !== exit)
      throw new Error(`${name} ${more.join(' ')}: exit ${ended.exit}, not ${exit}:\n${ended.stderr}${ended.stdout}`);
    if (!more.includes('--watch')) continue;
    const [run = ''] = ended.stdout.split('\n');
    const fetched = await team.run('fetch', run, '--on', 'house');
    if (fetched.exit !== exit)
      throw new Error(`fetch ${run}: exit ${fetched.exit}, not ${exit}:\n${fetched.stderr}${fetched.stdout}`);
  }
  return team;
}

/** What makes something hands it in; decisions are said as they are here. */
function inTeam([name, ...more]: Said['command']): Said['command'] {
  switch (name) {
    case 'run':
      return ['submit', ...more, '--watch'];
    case 'promote':
      return [name, ...more, '--watch'];
    default:
      return [name, ...more];
  }
}
