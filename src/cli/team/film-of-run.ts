/** The film of a team's run as a command on a person's machine opens it: as it was handed in, over the team's journal and store. */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Service } from '../../api/service.ts';
import type { FilmToOpen } from '../../app/film/film-to-open.ts';
import { openShared } from '../../app/results/team-store.ts';
import type { HostedCatalog } from '../../app/service/models-of-service.ts';
import { stateFolders } from '../../app/state-folders.ts';
import type { Project } from '../../machine/files/project.ts';
import type { Selection } from '../../model/selector.ts';
import { digestOf } from '../../records/store/digest.ts';
import { LocalStore } from '../../records/store/local-store.ts';
import type { SharedResults } from '../../records/store/shared/shared-results.ts';
import type { Store } from '../../records/store/store.ts';
import { filmInTeam, type Team } from '../../team/client/open-team.ts';
import { teamMessages } from '../../team/client/team-messages.ts';
import type { RunRow } from '../../team/runs/run-rows.ts';
import { UsageError } from '../arguments.ts';
import type { ServiceChoice } from '../service/choose-service.ts';
import { variableAccess } from '../service/settings-of.ts';
import { commandMessages as messages } from './command-messages.ts';
import { serviceNamed } from './service-named.ts';

interface FilmOfRun {
  readonly choice: ServiceChoice;
  readonly service: Service;
  /** @param hosted who is asked about models, where the key of the service is here. */
  readonly toOpen: (hosted?: HostedCatalog) => Omit<FilmToOpen, 'to' | 'found' | 'compiled'>;
}

/** @param here the project of the current folder. @throws UsageError where that is another one. */
export function projectOfRun(run: RunRow, here: Project, team: Team): Project {
  if (run.project !== team.project) throw new UsageError(messages.otherProject(run.id, run.project, team.project));
  const { root, settingsFile, stateFolder } = here;
  return { root, settingsFile, stateFolder, pipelineFile: resolve(root, run.path) };
}

/** The caller closes the service. @throws UsageError where the settings here do not know it. */
export async function filmOfRun(run: RunRow, project: Project, team: Team): Promise<FilmOfRun> {
  const { options, params, source } = run;
  const chosen = await serviceNamed(run, { project, settingsFile: project.settingsFile, keyless: true });
  const choice = { ...chosen, ...(team.store && { store: team.store }) };
  const service = await choice.connect();
  const access = await variableAccess(project);
  const isAsked = choice.hosted && choice.key != null;
  const toOpen = (hosted: HostedCatalog = service) => ({
    source: { path: relative('', project.pipelineFile), text: source },
    ...{ project, params, environment: process.env, access },
    ...(options.data && { data: options.data }),
    ...(options.selection && { selection: options.selection as unknown as Selection }),
    ...{ service: choice.name, profile: run.profile ?? undefined, draft: choice.draft, key: choice.key },
    ...{ hosted: isAsked ? hosted : undefined, elsewhere: choice.elsewhere, store: choice.store },
    attempts: choice.limits.attempts,
    ...{ chatBy: choice.chatBy, journal: filmInTeam(team, service.account) },
  });
  return { choice, service, toOpen };
}

/** Of what it was handed in with: the run is made from other bytes than those that lie here now. */
export async function changedSince(run: RunRow, project: Project): Promise<readonly string[]> {
  const { id, path: pipeline } = run;
  const changed = await changedFiles(run, project);
  const otherFiles = changed.filter(path => path !== pipeline);
  return [
    ...(changed.includes(pipeline) ? [messages.fileChanged(pipeline, id)] : []),
    ...(otherFiles.length > 0 ? [messages.othersChanged(otherFiles, id)] : []),
  ];
}

/** Files of the run that are not what it was handed in with, without its lock. */
export async function changedFiles(
  { manifest }: Pick<RunRow, 'manifest'>,
  { root }: Pick<Project, 'root'>,
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const [path, { sha256 }] of Object.entries(manifest)) {
    if (path.endsWith('.lock.yaml')) continue;
    const file = join(root, path);
    const now = existsSync(file) ? (await digestOf(file)).sha256 : undefined;
    if (now !== sha256) changed.push(path);
  }
  return changed;
}

interface StoreHere extends AsyncDisposable {
  /** Of this machine. */
  readonly store: Store;
  readonly shared: SharedResults;
}

/** @throws UsageError where the team has no store set. */
export async function storeHere(project: Project, { name, store: choice }: Team): Promise<StoreHere> {
  if (!choice) throw new UsageError(teamMessages.noStore(name));
  const store = await LocalStore.open((await stateFolders(project)).store);
  const shared = await openShared(choice, store);
  return {
    ...{ store, shared },
    [Symbol.asyncDispose]: async () => {
      await shared.end({ wait: 'for nothing' });
    },
  };
}
