/** A film that is open here, handed in to a team: its files are in the team's store, and its run and the turn of it in the database. */

import { relative, sep } from 'node:path';
import { unsoundIn } from '../../cluster/database/sound-text.ts';
import {
  type HandedIn,
  handIn,
  type Manifest,
  type RunChoices,
  type RunRow,
  sameRun,
} from '../../cluster/runs/run-rows.ts';
import type { Budget } from '../../domain/budget.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Promotion } from '../../domain/promotion.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Selection } from '../../domain/selection.ts';
import { isInside, type Project } from '../../host/project.ts';
import type { Film } from '../film/open-film.ts';
import { filmOf } from '../state-folders.ts';
import { VERSION } from '../version.ts';
import type { Team } from './open-team.ts';
import { manifestOf, send } from './pack-project.ts';
import { storeMark } from './store-mark.ts';
import { teamMessages as messages } from './team-messages.ts';
import { undeclaredFiles } from './undeclared-files.ts';

export interface FilmToSubmit {
  readonly project: Project;
  readonly profile: string | undefined;
  /** By the name that the workers' settings know. */
  readonly service: string;
  readonly source: string;
  readonly params: JsonObject;
  readonly data: { readonly [name: string]: string };
  readonly selection: Selection | undefined;
  readonly maxUsd: number | undefined;
  /** Of the project's settings. */
  readonly budget: Budget | undefined;
  readonly onUnknown: RunChoices['onUnknown'];
  readonly failFast: boolean;
  /** What was picked in another profile, and is made in this one. */
  readonly promotion: Promotion | undefined;
  readonly priority: number;
  /** US dollars that it may come to; null: nobody can tell. */
  readonly price: number | null;
  readonly manifest: Manifest;
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

/** What would be handed in: asked by whoever plans a film for a team, and by whoever submits it. @throws Refusal: it cannot be. */
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
  const unsound = unsoundIn({ params });
  if (unsound) throw new Refusal(messages.unsound(unsound.at, unsound.holds));
  if (!isInside(project.pipelineFile, project.root))
    throw new Refusal(messages.outsidePipeline(project.pipelineFile, project.root));
  const manifest = await manifestOf({ project, film, looked });
  return { manifest, diagnostics: undeclaredFiles(film.pipeline, project, manifest) };
}

/** @param manifest of the film as it was packed. @throws Refusal; nothing was handed in then. */
export async function submitFilm(
  film: Pick<Film, 'store' | 'lockPath'>,
  { manifest, ...asked }: FilmToSubmit,
  { team, say, signal }: { readonly team: Team; readonly say: (line: string) => void; readonly signal: AbortSignal },
): Promise<Submitted> {
  const { project } = asked;
  const { store: choice } = team;
  if (!choice) throw new Refusal(messages.noStore(team.name));
  const given = handedIn(asked, team.project, manifest);
  const unsound = unsoundIn(given);
  if (unsound) throw new Refusal(messages.unsound(unsound.at, unsound.holds));
  const lock = pathIn(project, film.lockPath);
  const same = await sameRun(team.database, given, lock);
  if (same) return { is: 'same', run: same };
  await send(manifest, { store: film.store, choice, project, film, say }, signal);
  signal.throwIfAborted();
  await using mark = await storeMark(team);
  await mark?.compare();
  await team.queue.start();
  const handed = await handIn(team.database, team.queue, given, lock);
  return handed.is === 'same' ? handed : { ...handed, manifest };
}

const pathIn = ({ root }: Project, file: string): string => relative(root, file).split(sep).join('/');

function handedIn(asked: Omit<FilmToSubmit, 'manifest'>, project: string, manifest: Manifest): HandedIn {
  const { profile, service, source, params, data, selection, maxUsd, budget, onUnknown, failFast, priority, price } =
    asked;
  const { promotion } = asked;
  return {
    ...{ project, path: pathIn(asked.project, asked.project.pipelineFile), profile: profile ?? null },
    ...{ film: filmOf(asked.project, profile), service, source, params, manifest, price, priority, shotlist: VERSION },
    options: {
      ...(Object.keys(data).length > 0 && { data }),
      ...(selection && { selection: selection as unknown as JsonObject }),
      ...(maxUsd !== undefined && { maxUsd }),
      ...(budget && { budget }),
      ...(onUnknown && { onUnknown }),
      ...(failFast && { failFast: true }),
      ...(promotion && { promotion: promotion as unknown as JsonObject }),
    },
  };
}
