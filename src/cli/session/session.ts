/** Everything between a file's name and its plan: the project, the settings, what is owned, what things cost. */

import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { CatalogModel, Pricing } from '../../api/catalog.ts';
import { modelLibrary } from '../../api/model-library.ts';
import type { Answer, Service } from '../../api/service.ts';
import { LocalStore } from '../../artifacts/local-store.ts';
import type { Store } from '../../artifacts/store.ts';
import { isError } from '../../domain/diagnostic.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import type { ModelLibrary } from '../../domain/model.ts';
import type { Pipeline, Value } from '../../domain/pipeline.ts';
import type { Plan } from '../../domain/plan.ts';
import { backoff } from '../../host/backoff.ts';
import { systemClock } from '../../host/clock.ts';
import { findProject } from '../../host/project.ts';
import type { Redactor } from '../../host/redactor.ts';
import type { Secret } from '../../host/secret.ts';
import { localFilesInPlan } from '../../plan/local-file-check.ts';
import { type PlanContext, plan } from '../../plan/plan.ts';
import { hiddenInJournal } from '../../run/hide-secrets.ts';
import { isRunning } from '../../run/local/film-lease.ts';
import { openJournal } from '../../run/local/journal-file.ts';
import type { LocalJournal } from '../../run/local/local-journal.ts';
import { digestOf, LockFile, lockPath } from '../../run/lock/lock-file.ts';
import { ownedBy } from '../../run/owned.ts';
import { CommandError } from '../errors/command-error.ts';
import { catalogLibrary, studioLibrary } from '../models/available-models.ts';
import { neverWrite } from '../outlets.ts';
import { deploymentMistakes } from './deployment-statuses.ts';
import { diskProjectFiles } from './disk-project-files.ts';
import { LocalFiles } from './local-files.ts';
import { takenPlaces } from './output-places.ts';
import { besidePipeline } from './param-options.ts';
import { compileOrThrow, printDiagnostics, readSource, throwUnlessUnknownModels } from './pipeline-file.ts';
import { secretTexts } from './secret-texts.ts';
import { slugOf, stateFolders } from './state-folders.ts';

export interface Session {
  readonly root: string;
  /** Absolute: the folder of the content store. */
  readonly keptIn: string;
  /** Absolute: what is private to this pipeline's runs. */
  readonly runs: string;
  readonly pipeline: Pipeline;
  readonly plan: Plan;
  readonly context: PlanContext;
  /** The media that the file names by path. */
  readonly files: LocalFiles;
  readonly journal: LocalJournal;
  readonly store: Store;
  readonly lock: LockFile;
  readonly lockPath: string;
  /** Whether another film of the project is being run at the moment. */
  readonly isRunning: (film: string) => boolean;
  /** What is neither shown nor kept. The journal and this process's outlets keep to it already. */
  readonly secrets: Redactor;
  close(): Promise<void>;
}

export interface SessionOptions {
  readonly file: string;
  readonly params: JsonObject;
  /** `--data`: which file stands in for which name, from where one stands. */
  readonly data?: { readonly [name: string]: string };
  /** The service's key, where it has one. */
  readonly key?: Secret | null | undefined;
  /** `run`: nobody else may run this film meanwhile. */
  readonly to: 'run' | 'look';
  /** `studio`, or the hosted service's name. */
  readonly service: string;
  /** Nothing of it acts outside of this machine. */
  readonly draft?: boolean | undefined;
  /** A hosted service's own catalog tells its prices; the studio's are known without asking. */
  readonly hosted: Service | undefined;
  /** Asked about deployments, and only where a custom model is used that the run does not activate; absent: not even then. */
  readonly deployments?: Pick<Service, 'model'>;
  /** It is on another machine, and cannot read this one's files. */
  readonly elsewhere: boolean;
  /** Who answers chat, where the built-in studio passes it on. */
  readonly chatBy?: string | undefined;
  /** Called when a group of events is written, and not durable yet. */
  readonly committing?: () => void;
}

/** @throws CommandError, JournalRefused, LockRefused. */
export async function openSession(asked: SessionOptions): Promise<Session> {
  const source = readSource(asked.file);
  if (source.text.length >= LARGE_TEXT) await keepYoungObjectsSmall();
  const project = await findProject(asked.file, process.cwd());
  const compiling = {
    files: diskProjectFiles(asked.file, project.root),
    data: besidePipeline(asked.data ?? {}, asked.file),
  };
  // A service is asked only about a file that has nothing else wrong with it.
  if (asked.hosted) throwUnlessUnknownModels(source, modelLibrary, compiling);
  const { library, pricing, catalog } = await modelsOf(asked.hosted);
  const pipeline = compileOrThrow(source, library, compiling);
  const secrets = secretTexts(asked.key, pipeline, { environment: process.env, params: asked.params });
  neverWrite(secrets);
  const { runs, store: storeFolder } = await stateFolders(project);
  const folder = project.stateFolder;
  const journal = openJournal({
    folder,
    film: slugOf(project),
    clock: systemClock,
    to: asked.to,
    committing: asked.committing,
  });
  journal.hiding(value => hiddenInJournal(value, secrets));
  const store = await LocalStore.open(storeFolder);
  const lockFile = lockPath(resolve(asked.file));
  const lockText = existsSync(lockFile) ? readFileSync(lockFile, 'utf8') : undefined;
  const ours = lockText !== undefined && digestOf(lockText) === journal.getNote('lock');
  const lock = LockFile.open(lockText, asked.service, relative(process.cwd(), lockFile), ours);
  const files = new LocalFiles(dirname(resolve(asked.file)), {}, project.root);
  const context: PlanContext = {
    params: asked.params,
    library,
    pricing,
    service: asked.service,
    isDraft: asked.draft ?? false,
    chatBy: asked.chatBy,
    env: environment(),
    run: { id: randomUUID(), name: pipeline.name },
    owned: ownedBy(journal, lock, store, {
      account: asked.hosted?.account,
      isRunning: film => (asked.to === 'look' || film !== journal.film) && isRunning(folder, film),
    }),
    localMedia: path => files.get(path),
    expected: usual(journal, asked.hosted !== undefined),
  };
  if (source.text.length < LARGE_TEXT && isLarge(pipeline)) await keepYoungObjectsSmall();
  let planned = plan(pipeline, context);
  // Reading a file's digest and facts takes a while: the first plan names the files, and the second knows them.
  if (await files.load()) planned = plan(pipeline, context);
  if (planned.plan && asked.elsewhere) planned = { ...planned, diagnostics: localFilesInPlan(planned.plan) };
  if (planned.plan && planned.plan.outputs.length > 0) {
    const places = { root: project.root, inputs: files.read, store: async () => store };
    planned = { ...planned, diagnostics: [...planned.diagnostics, ...(await takenPlaces(planned.plan, places))] };
  }
  if (asked.deployments && planned.plan && !planned.diagnostics.some(isError))
    planned = {
      ...planned,
      diagnostics: [...planned.diagnostics, ...(await deploymentMistakes(planned.plan, asked.deployments, catalog))],
    };
  printDiagnostics(planned.diagnostics);
  if (!planned.plan || planned.diagnostics.some(isError)) {
    await journal.close();
    throw new CommandError(2);
  }
  return {
    root: project.root,
    keptIn: storeFolder,
    runs,
    pipeline,
    plan: planned.plan,
    context,
    files,
    journal,
    store,
    lock,
    lockPath: lockFile,
    isRunning: film => isRunning(folder, film),
    secrets,
    close: () => journal.close(),
  };
}

interface Models {
  readonly library: ModelLibrary;
  readonly pricing: ReadonlyMap<string, Pricing>;
  /** Undefined for the studio, which is not asked. */
  readonly catalog: readonly CatalogModel[] | undefined;
}

async function modelsOf(hosted: Service | undefined): Promise<Models> {
  if (!hosted) {
    const price = (label: string) => studioLibrary.get(label)?.pricing as unknown as Pricing;
    const pricing = new Map(studioLibrary.labels.map(label => [label, price(label)]));
    return { library: studioLibrary, pricing, catalog: undefined };
  }
  const answer = await patientModels(hosted);
  if (answer.is === 'ok')
    return {
      library: catalogLibrary(answer.value),
      pricing: new Map(answer.value.map(model => [model.id, model.pricing])),
      catalog: answer.value,
    };
  throw new CommandError(6, whyNoPrices(hosted.name, answer));
}

/** How often the catalog is asked for: one bad moment is no reason to end a run before it begins. */
const TRIES = 4;

async function patientModels(hosted: Service): ReturnType<Service['models']> {
  for (let attempt = 0; ; attempt++) {
    const answer = await hosted.models(AbortSignal.timeout(30_000));
    if (answer.is !== 'unavailable' || attempt + 1 === TRIES) return answer;
    await systemClock.sleep(Math.min(backoff(attempt, answer), LONGEST_WAIT));
  }
}

/** Milliseconds that a busy service is waited for between two tries. */
const LONGEST_WAIT = 10_000;

function whyNoPrices(name: string, { is, message }: Exclude<Answer<unknown>, { is: 'ok' }>): string {
  // The client's messages begin with the host, which may be all the name there is.
  const what = message.startsWith(name) ? message : `${name}: ${message}`;
  switch (is) {
    case 'unauthenticated':
      return `${what}: the key is missing or wrong; set SHOTLIST_API_KEY to a key of this service`;
    case 'absent':
      return `${what}: it has no catalog of models; check the base address`;
    case 'unavailable':
      return `${what}; check the base address, and that the service is up`;
  }
}

/** Seconds that anything takes in the studio, as long as the journal does not know better. */
const STUDIO_USUAL = 10;

/** Seconds that each model took on average, as journalled. The journal is read with the first question. */
function usual(journal: LocalJournal, hosted: boolean): (model: string) => number | undefined {
  let seen: ReadonlyMap<string, readonly number[]> | undefined;
  return model => {
    seen ??= journal.durations();
    const took = seen.get(model);
    if (took) return took.reduce((sum, ms) => sum + ms, 0) / took.length / 1000;
    return hosted || model === 'run' ? undefined : STUDIO_USUAL;
  };
}

function environment(): JsonObject {
  const variables: Record<string, Json> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) variables[name] = value;
  return variables;
}

/** Instances from which a film is planned and run for so long that the room for new objects matters. */
const LARGE = 1_000;
/** Characters: a text of this size says as much before it is read. */
const LARGE_TEXT = 20_000;

/** As far as it can be seen before it is planned: lists that come from params are not counted. */
const isLarge = ({ steps }: Pipeline): boolean =>
  steps.length >= LARGE ||
  steps.some(({ fanOut }) => product(fanOut.matrix.map(axis => lengthOf(axis.values))) >= LARGE);

const product = (factors: readonly number[]): number => factors.reduce((result, factor) => result * factor, 1);
const lengthOf = (values: Value): number => (values.is === 'list' ? values.items.length : 1);

/**
 * New objects get no more room than at the start. V8 would give them 50 MB in a long run, and nothing here is sooner done for it. For a
 * small film, loading `node:v8` would cost more than it saves.
 */
async function keepYoungObjectsSmall(): Promise<void> {
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--semi-space-growth-factor=1');
}
