/** Everything between a file's name and its plan: the project, the settings, what is owned, what things cost. */
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Pricing } from '../api/catalog.ts';
import { modelLibrary } from '../api/models.ts';
import type { Service } from '../api/service.ts';
import { Store } from '../artifacts/store.ts';
import { isError } from '../domain/diagnostic.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { Pipeline } from '../domain/pipeline.ts';
import type { Plan } from '../domain/plan.ts';
import { systemClock } from '../host/clock.ts';
import { findProject } from '../host/project.ts';
import { type PlanContext, plan } from '../plan/plan.ts';
import { Journal } from '../run/journal.ts';
import { digestOf, LockFile, lockPath } from '../run/lock.ts';
import { ownedBy } from '../run/owned.ts';
import { LocalFiles } from './local-files.ts';
import { compileOrStop, readSource, tell } from './sources.ts';
import { Stop } from './stop.ts';

export interface Project {
  /** Absolute. */
  readonly root: string;
  /** Absolute: `.shotlist/runs/<pipeline>` below the root. */
  readonly runs: string;
  readonly store: string;
  readonly studio: string;
}

export function openProject(pipeline: string): Project {
  const root = findProject(resolve(pipeline), process.cwd());
  const hidden = join(root, '.shotlist');
  const slug = slugOf(relative(root, resolve(pipeline)));
  if (!existsSync(hidden)) mkdirSync(hidden, { recursive: true });
  // Journals, results and the studio's state are this machine's own.
  if (!existsSync(join(hidden, '.gitignore'))) writeFileSync(join(hidden, '.gitignore'), '*\n');
  return { root, runs: join(hidden, 'runs', slug), store: join(hidden, 'store'), studio: join(hidden, 'studio', slug) };
}

/** `pipelines/fox.yaml` → `pipelines~fox`. */
function slugOf(path: string): string {
  const inside = !path.startsWith(`..${sep}`) && !isAbsolute(path);
  return inside
    ? path
        .replace(/\.ya?ml$/i, '')
        .split(sep)
        .join('~')
    : `${basename(path)}-${digestOf(path).slice(0, 8)}`;
}

export interface Session {
  readonly project: Project;
  readonly pipeline: Pipeline;
  readonly plan: Plan;
  readonly context: PlanContext;
  readonly journal: Journal;
  readonly store: Store;
  readonly lock: LockFile;
  readonly lockPath: string;
  close(): void;
}

export interface Asked {
  readonly file: string;
  readonly params: JsonObject;
  /** `studio`, or the hosted service's name. */
  readonly service: string;
  /** A hosted service's own catalog tells its prices; the studio's are known without asking. */
  readonly hosted: Service | undefined;
}

/** @throws Stop, JournalRefused, LockRefused. */
export async function openSession(asked: Asked): Promise<Session> {
  const pipeline = compileOrStop(readSource(asked.file));
  const project = openProject(asked.file);
  const journal = Journal.open(join(project.runs, 'journal.db'), systemClock);
  const store = await Store.open(project.store);
  const lockFile = lockPath(resolve(asked.file));
  const lockText = existsSync(lockFile) ? readFileSync(lockFile, 'utf8') : undefined;
  const ours = lockText !== undefined && digestOf(lockText) === journal.note('lock');
  const lock = LockFile.open(lockText, asked.service, relative(process.cwd(), lockFile), ours);
  const files = new LocalFiles(dirname(resolve(asked.file)));
  const context: PlanContext = {
    params: asked.params,
    library: modelLibrary,
    pricing: await prices(asked.hosted),
    service: asked.service,
    env: environment(),
    run: { id: randomUUID(), name: pipeline.name },
    owned: ownedBy(journal, lock, store),
    localMedia: path => files.get(path),
  };
  let planned = plan(pipeline, context);
  // A file's digest and facts take a while: they are read when the first look at the plan has named it.
  if (await files.load()) planned = plan(pipeline, context);
  tell(planned.diagnostics);
  if (!planned.plan || planned.diagnostics.some(isError)) {
    journal.close();
    throw new Stop(2);
  }
  return {
    project,
    pipeline,
    plan: planned.plan,
    context,
    journal,
    store,
    lock,
    lockPath: lockFile,
    close: () => journal.close(),
  };
}

async function prices(hosted: Service | undefined): Promise<ReadonlyMap<string, Pricing>> {
  if (!hosted) {
    return new Map(modelLibrary.labels.map(label => [label, modelLibrary.get(label)?.pricing as unknown as Pricing]));
  }
  const answer = await hosted.models(AbortSignal.timeout(30_000));
  if (answer.is === 'ok') return new Map(answer.value.map(model => [model.id, model.pricing]));
  throw new Stop(6, `${hosted.name}: ${answer.message}`);
}

function environment(): JsonObject {
  const variables: Record<string, Json> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) variables[name] = value;
  return variables;
}
