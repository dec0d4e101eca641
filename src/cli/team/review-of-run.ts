/** `shotlist review RUN --on TEAM`: the takes of a team's run in a browser here, as they come; a choice has the run go on at once. */

import { whoDecides } from '../../app/choices/who-decides.ts';
import { startReview } from '../../app/review/film-review.ts';
import { catalogNowAndThen } from '../../app/service/models-of-service.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { asTyped, cleanText } from '../../model/text/clean.ts';
import { commandFor } from '../../team/client/team-messages.ts';
import { TeamNews } from '../../team/client/team-news.ts';
import { TeamReview } from '../../team/client/team-review.ts';
import { UsageError } from '../arguments.ts';
import type { Read } from '../command-line/read-arguments.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { sayLine } from '../outlets.ts';
import { openForPerson } from '../review/open-review.ts';
import { commandMessages as messages } from './command-messages.ts';
import { changedSince, filmOfRun, projectOfRun, storeHere } from './film-of-run.ts';
import { oneRun, runNamed, withTeam } from './on-team.ts';

type Values = Read<'review'>['values'];

export async function reviewOfRun(positionals: readonly string[], values: Values, port: number): Promise<ExitCode> {
  const id = oneRun(positionals, 'review');
  const options = filmOptions(values);
  if (options.length > 0) throw new UsageError(messages.notOfTeam('review', options));
  return withTeam(values, async (team, here) => {
    const run = await runNamed(team, id, 'review');
    const project = projectOfRun(run, here, team);
    for (const line of await changedSince(run, project)) sayLine(line);
    const who = await whoDecides({ given: values.as, environment: process.env, folder: project.root });
    await using after = new AsyncDisposableStack();
    const { service, toOpen } = await filmOfRun(run, project, team);
    after.defer(() => service.close());
    const hosted = catalogNowAndThen(service, systemClock);
    const { store, shared } = after.use(await storeHere(project, team));
    const news = after.use(new TeamNews({ team: team.database, clock: systemClock }));
    const place = after.use(new TeamReview({ team, news, run, project, store, shared }));
    const review = await startReview({
      ...{ project, file: `${cleanText(run.path)} (${id})`, profile: run.profile ?? undefined },
      ...{ who, port, clock: systemClock, log: sayLine, place },
      film: async () => toOpen(hosted),
      // A run that waits goes on by itself when it is decided.
      again: () =>
        place.run.status === 'waiting'
          ? `shotlist team watch ${id} --on ${asTyped(team.name)}`
          : commandFor(place.run, team),
    });
    after.defer(() => review.close());
    await openForPerson(review, values, who);
    return 0;
  });
}

/** The run was handed in with them. */
const filmOptions = ({ param, data, service, profile, draft }: Values): readonly string[] =>
  Object.entries({ param: param[0], data: data[0], service, profile, draft: draft || undefined }).flatMap(
    ([option, given]) => (given === undefined ? [] : [option]),
  );
