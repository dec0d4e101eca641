/** Films of `pipelines/` as a team of two workers makes them. */
import { type Film, type Said, sessionOf } from '../films/films.ts';
import { TeamStage } from './team-world.ts';

export interface FilmsInTeam {
  /** Hands it in, and goes on in the background. */
  make(film: Film): void;
  /** Where it is fetched to. Resolves when it is there; rejects with what went wrong on the way. */
  fetched(film: Film): Promise<TeamStage>;
  close(): Promise<void>;
}

/** The team starts at once. @param env of every process of the team. */
export function filmsInTeam(env: Record<string, string>): FilmsInTeam {
  const opened = open(env);
  opened.catch(() => {});
  const made = new Map<Film, Promise<TeamStage>>();
  return {
    make: film => {
      const making = opened.then(team => makeIn(team, film));
      making.catch(() => {});
      made.set(film, making);
    },
    fetched: film => made.get(film) ?? Promise.reject(new Error(`${film.name} was not handed in`)),
    close: () =>
      opened.then(
        team => team.close(),
        () => {},
      ),
  };
}

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
    const ended = await team.runAsProcess(...name.split(' '), `pipelines/${film.name}.yaml`, ...more, '--on', 'house');
    if (ended.exit !== exit)
      throw new Error(`${name} ${more.join(' ')}: exit ${ended.exit}, not ${exit}:\n${ended.stderr}${ended.stdout}`);
    if (!more.includes('--watch')) continue;
    const [run = ''] = ended.stdout.split('\n');
    const fetched = await team.runAsProcess('team', 'fetch', run, '--on', 'house');
    if (fetched.exit !== exit)
      throw new Error(`fetch ${run}: exit ${fetched.exit}, not ${exit}:\n${fetched.stderr}${fetched.stdout}`);
  }
  return team;
}

/** What makes something hands it in; decisions are said as they are here. */
function inTeam([name, ...more]: Said['command']): Said['command'] {
  switch (name) {
    case 'run':
      return ['team submit', ...more, '--watch'];
    case 'promote':
      return [name, ...more, '--watch'];
    default:
      return [name, ...more];
  }
}
