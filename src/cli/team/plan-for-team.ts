/** `shotlist plan FILE --on TEAM`: the film is planned over what the team has, held against what it allows, and checked as `submit` does. */
import { resolve } from 'node:path';
import { LookedAt } from '../../app/film/film-to-open.ts';
import { findProject } from '../../machine/files/project.ts';
import { type Diagnostic, isError } from '../../model/diagnostic.ts';
import type { RateInUse } from '../../model/request-rates.ts';
import type { TeamPlanFacts } from '../../show/plan/plan-json.ts';
import { type Team, teamAllows } from '../../team/client/open-team.ts';
import { type FilmToPack, type PackedFilm, packedFilm } from '../../team/client/submit-film.ts';
import { CommandError } from '../errors/command-error.ts';
import type { ExitCode } from '../errors/exit-codes.ts';
import { printDiagnostics } from '../session/print-diagnostics.ts';
import type { FilmAtService, Session } from '../session/session.ts';
import { withTeam } from './on-team.ts';

/** What a plan for a team needs beside the film. */
export interface PlanForTeam {
  readonly team: Team;
  /** Hears of every file that the film is made from. */
  readonly looking: LookedAt;
  /** Gives what is shown beside the plan. @throws CommandError where it could not be submitted. */
  readonly check: (film: FilmAtService) => Promise<TeamPlan>;
}

interface TeamPlan {
  readonly team: TeamPlanFacts;
  /** Of the team, beside those of the service. */
  readonly rates: readonly RateInUse[];
  readonly diagnostics: readonly Diagnostic[];
}

export async function planForTeam(
  file: string,
  on: string,
  plan: (forTeam: PlanForTeam) => Promise<ExitCode>,
): Promise<ExitCode> {
  const project = await findProject(file, resolve());
  return withTeam(
    { on },
    team => {
      const looking = new LookedAt([]);
      const check = async ({ session, service, choice, asked }: FilmAtService): Promise<TeamPlan> => {
        const { diagnostics } = await checkedForTeam(
          session,
          { project, params: asked.params, looked: looking.files },
          team,
        );
        const isAsked = choice.key !== null && choice.key !== undefined;
        const key = { account: isAsked ? service.account : undefined, name: choice.name };
        const { rates, day } = choice.hosted ? await teamAllows(team, key) : { rates: [] };
        const models = choice.hosted && isAsked ? 'service' : 'built_in';
        return { rates, diagnostics, team: { name: team.name, models, ...(day && { day }) } };
      };
      return plan({ team, looking, check });
    },
    project,
  );
}

/** What is wrong is printed. @throws CommandError where its commands read what workers would not get; Refusal where it cannot be packed. */
export async function checkedForTeam(session: Session, asked: FilmToPack, team: Team): Promise<PackedFilm> {
  const packed = await packedFilm(session, asked, team);
  printDiagnostics(packed.diagnostics);
  if (packed.diagnostics.some(isError)) throw new CommandError(2, '', packed.diagnostics);
  return packed;
}
