/** What stands against handing a film in to a team: the same for whoever plans it and for whoever submits it. */
import { isError } from '../../domain/diagnostic.ts';
import type { Team } from '../../session/team/open-team.ts';
import { type FilmToPack, type PackedFilm, packedFilm } from '../../session/team/submit-film.ts';
import { CommandError } from '../errors/command-error.ts';
import { printDiagnostics } from '../session/print-diagnostics.ts';
import type { Session } from '../session/session.ts';

/** What is wrong is printed. @throws CommandError where its commands read what workers would not get; Refusal where it cannot be packed. */
export async function checkedForTeam(session: Session, asked: FilmToPack, team: Team): Promise<PackedFilm> {
  const packed = await packedFilm(session, asked, team);
  printDiagnostics(packed.diagnostics);
  if (packed.diagnostics.some(isError)) throw new CommandError(2, '', packed.diagnostics);
  return packed;
}
