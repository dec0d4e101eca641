/** A film that is open here, handed in to a team: its files are in the team's store, and its run and the turn of it in the database. */

import type { Film } from '../../app/film/open-film.ts';
import { VERSION } from '../../app/service/version.ts';
import { filmOf } from '../../app/state-folders.ts';
import { isInside, type Project } from '../../machine/files/project.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import type { JsonObject } from '../../model/text/json.ts';
import { unstorableIn } from '../database/storable-text.ts';
import { type HandedIn, type Manifest, type RunRow, sameRun, submitRun } from '../runs/run-rows.ts';
import { manifestOf, send } from '../worker/pack-project.ts';
import { storeMark } from '../worker/store-mark.ts';
import { shownIn, undeclaredFiles } from '../worker/undeclared-files.ts';
import type { Team } from './open-team.ts';
import { teamMessages as messages } from './team-messages.ts';

/** What is handed in, but for what the team and this version of the program call it. */
interface FilmToSubmit extends Omit<HandedIn, 'project' | 'path' | 'profile' | 'film' | 'shotlist'> {
  readonly project: Project;
  readonly profile: string | undefined;
}

export type Submitted =
  | { readonly is: 'handed_in'; readonly run: string; readonly manifest: Manifest }
  /** The same is made already, or waits for its turn. */
  | { readonly is: 'same'; readonly run: RunRow };

export interface FilmToPack {
  readonly project: Project;
  readonly params: JsonObject;
  /** Absolute paths of what it was read from. */
  readonly looked: Iterable<string>;
}

export interface PackedFilm {
  readonly manifest: Manifest;
  /** What its commands read, and workers would not get. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What would be submitted: asked by the plan of a film for a team, and by the submission. @throws Refusal: it cannot be. */
export async function packedFilm(
  film: Film,
  asked: FilmToPack,
  team: Pick<Team, 'name' | 'store'>,
): Promise<PackedFilm> {
  const { project, params, looked } = asked;
  if (!team.store) throw new Refusal(messages.noStore(team.name));
  if (!team.store.settings.write) throw new Refusal(messages.readOnlyStore(team.store.settings.where));
  const secret = film.pipeline.params.filter(one => one.secret && Object.hasOwn(params, one.name)).map(one => one.name);
  if (secret.length > 0) throw new Refusal(messages.secretParams(secret));
  stopIfUnsound({ params });
  if (!isInside(project.pipelineFile, project.root))
    throw new Refusal(messages.outsidePipeline(project.pipelineFile, project.root));
  const manifest = await manifestOf({ project, film, looked });
  return { manifest, diagnostics: undeclaredFiles(film.pipeline, project, manifest) };
}

/** @param manifest of the film as it was packed. @throws Refusal; nothing was handed in then. */
export async function submitFilm(
  film: Pick<Film, 'store' | 'lockPath'>,
  { project, profile, ...asked }: FilmToSubmit,
  { team, say, signal }: { readonly team: Team; readonly say: (line: string) => void; readonly signal: AbortSignal },
): Promise<Submitted> {
  const { manifest } = asked;
  const { store: choice } = team;
  if (!choice) throw new Refusal(messages.noStore(team.name));
  const given: HandedIn = {
    ...{ ...asked, project: team.project, path: shownIn(project.root, project.pipelineFile), shotlist: VERSION },
    ...{ film: filmOf(project, profile), profile: profile ?? null },
  };
  stopIfUnsound(given);
  const lock = shownIn(project.root, film.lockPath);
  const same = await sameRun(team.database, given, lock);
  if (same) return { is: 'same', run: same };
  await send(manifest, { store: film.store, choice, project, film, say }, signal);
  signal.throwIfAborted();
  await using mark = await storeMark(team);
  await mark?.compare();
  await team.queue.start();
  const handed = await submitRun(team.database, team.queue, given, lock);
  return handed.is === 'same' ? handed : { ...handed, manifest };
}

function stopIfUnsound(given: Partial<HandedIn>): void {
  const unsound = unstorableIn(given);
  if (unsound) throw new Refusal(messages.unsound(unsound.at, unsound.holds));
}
