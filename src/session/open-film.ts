/**
 * Everything between a film's text and its plan: its models, its journal, its store, its lock, what is owned, what things cost. What is
 * wrong with the film is a value; what is wrong with this machine is thrown.
 */
import { randomUUID } from 'node:crypto';
import { dirname, relative, resolve } from 'node:path';
import { modelLibrary } from '../api/model-library.ts';
import type { Service } from '../api/service.ts';
import type { SharedResults } from '../artifacts/shared/shared-results.ts';
import type { Store } from '../artifacts/store.ts';
import { type Diagnostic, isError, type Source } from '../domain/diagnostic.ts';
import type { Json, JsonObject } from '../domain/json.ts';
import type { Pipeline } from '../domain/pipeline.ts';
import type { Plan } from '../domain/plan.ts';
import type { Promotion } from '../domain/promotion.ts';
import type { Selection } from '../domain/selection.ts';
import { readableVariables, type VariableAccess } from '../domain/variable-access.ts';
import { systemClock } from '../host/clock.ts';
import type { Project } from '../host/project.ts';
import type { Redactor } from '../host/redactor.ts';
import type { Secret } from '../host/secret.ts';
import { compile } from '../language/compile.ts';
import { localFilesInPlan, publishingWithoutKey, unpublishableInPlan } from '../plan/local-file-check.ts';
import { type PlanContext, plan } from '../plan/plan.ts';
import { unpricedIn } from '../plan/plan-context.ts';
import { shortLivedAddresses } from '../plan/published-files.ts';
import { type SaidBeforehand, SaidChoices } from '../run/choices/said-choices.ts';
import { setAsideDamaged } from '../run/damaged-results.ts';
import { hiddenInJournal } from '../run/hide-secrets.ts';
import { isRunning } from '../run/local/film-lease.ts';
import { openJournal } from '../run/local/journal-file.ts';
import { LocalChoices } from '../run/local/local-choices.ts';
import { digestOf, LockFile, lockPath, readLockText } from '../run/lock/lock-file.ts';
import { lockSection } from '../run/lock/lock-sections.ts';
import { ownedBy } from '../run/owned.ts';
import type { Choices } from '../run/ports/choices.ts';
import { bringAdopted } from './adopted-files.ts';
import { deploymentMistakes } from './deployment-statuses.ts';
import { diskProjectFiles } from './disk-project-files.ts';
import type { FilmJournal } from './film-journal.ts';
import { LocalFiles } from './local-files.ts';
import { type HostedCatalog, modelsOf } from './models-of-service.ts';
import { takenPlaces } from './output-places.ts';
import { profileMistake } from './profile-mistake.ts';
import { notedPromotion, notePromotion } from './promoted.ts';
import { noteRedone, withRedone } from './redone.ts';
import { saidOfNothing } from './said-of-nothing.ts';
import { secretTexts } from './secret-texts.ts';
import type { Elsewhere, PublishChoice } from './service-choice.ts';
import { openStores, type StoreChoice } from './shared-results.ts';
import { filmOf, stateFolders } from './state-folders.ts';
import type { LookedAt } from './watch/looked-at.ts';

export interface Film {
  readonly root: string;
  /** Absolute: the folder of the content store. */
  readonly keptIn: string;
  /** Absolute: what is private to this pipeline's runs. */
  readonly runs: string;
  readonly pipeline: Pipeline;
  readonly plan: Plan;
  readonly context: PlanContext;
  /** What was decided for it. */
  readonly choices: Choices;
  /** Of these, what the command line said; nothing of it is kept yet. */
  readonly said: SaidChoices | undefined;
  /** The media that the file names by path. */
  readonly files: LocalFiles;
  readonly journal: FilmJournal;
  readonly store: Store;
  /** A team's results, which the store brings what is not here from; absent: it has no place for them. */
  readonly shared: SharedResults | undefined;
  readonly lock: LockFile;
  readonly lockPath: string;
  /** Whether another film of the project is being run at the moment. */
  readonly isRunning: (film: string) => boolean;
  /** What is neither shown nor kept. The journal keeps to it already. */
  readonly secrets: Redactor;
  /** A run of it is done: what was made once more is no concern of the next one. */
  ended(): Promise<void>;
  close(): Promise<void>;
}

export interface FilmToOpen {
  readonly source: Source;
  /** `pipelineFile` need not be there: paths are relative to its folder, and the lock stands beside it. */
  readonly project: Project;
  readonly params: JsonObject;
  /** Which file stands in for which name under `data:`, relative to the pipeline's folder. */
  readonly data?: { readonly [name: string]: string };
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What of it the film may read. */
  readonly access: VariableAccess;
  /** The service's key, where it has one. */
  readonly key?: Secret | null | undefined;
  /** Opens the journal of this film; absent: that of this machine. */
  readonly journal?: (film: string) => Promise<FilmJournal>;
  /** `run`: nobody else may run this film meanwhile. */
  readonly to: 'run' | 'look';
  /** `studio`, or the hosted service's name. */
  readonly service: string;
  /** In which profile of the file; `final` where absent. */
  readonly profile?: string | undefined;
  /** Nothing of it acts outside of this machine. */
  readonly draft?: boolean | undefined;
  /** A hosted service's own catalog tells its prices; the studio's are known without asking. */
  readonly hosted: HostedCatalog | undefined;
  /** Asked about deployments, and only where a custom model is used that the run does not activate; absent: not even then. */
  readonly deployments?: Pick<Service, 'model'>;
  readonly elsewhere: Elsewhere;
  /** Where a team keeps its results. */
  readonly store?: StoreChoice | undefined;
  /** Who answers chat, where the built-in studio passes it on. */
  readonly chatBy?: string | undefined;
  /** What was picked in another profile; absent: what the journal has noted of that. */
  readonly promotion?: Promotion | undefined;
  /** Which part of the film is made; absent: all of it. */
  readonly selection?: Selection | undefined;
  /** What is chosen and approved beforehand. */
  readonly said?: SaidBeforehand | undefined;
  /** Called when a group of events is written, and not durable yet. */
  readonly committing?: () => void;
  /** Hears what is wrong with the film, and what is odd about it, as it is found. */
  readonly found: (diagnostics: readonly Diagnostic[]) => void;
  /** Hears of every file that the film is made from, as it is looked for: whoever waits for changes looks at them. */
  readonly looking?: LookedAt;
  /** Called with the reason when the service makes it wait. */
  readonly waiting?: ((message: string) => void) | undefined;
  /** Ends the wait for the service; absent: it waits as long as its patience lasts. */
  readonly signal?: AbortSignal | undefined;
  /** Called once the film is read, before it is planned. */
  readonly compiled?: (pipeline: Pipeline, secrets: Redactor) => void | Promise<void>;
}

export type OpenedFilm =
  | { readonly is: 'open'; readonly film: Film }
  /** `found` has heard why. */
  | { readonly is: 'mistaken' }
  /** Nothing is wrong with the film; what is to be made of it cannot be told. */
  | { readonly is: 'unselectable'; readonly messages: readonly string[] }
  /** The service does not tell its models and prices; the message says what to do. */
  | { readonly is: 'unreachable'; readonly message: string };

/** @throws JournalRefused, LockRefused, FilmBusy, and the system's errors. */
export async function openFilm(asked: FilmToOpen): Promise<OpenedFilm> {
  const { source, project, found } = asked;
  const file = project.pipelineFile;
  const { profile } = asked;
  const { looking } = asked;
  const onDisk = diskProjectFiles(file, project.root);
  const beside = looking?.noting(onDisk, dirname(resolve(file))) ?? onDisk;
  const compiling = { files: beside, data: asked.data ?? {}, profile, access: asked.access };
  // A service is asked only about a film that has nothing else wrong with it.
  if (asked.hosted) {
    const { diagnostics } = compile(source, modelLibrary, compiling);
    if (!diagnostics.filter(isError).every(({ code }) => code === 'unknown-model')) {
      found(diagnostics);
      return { is: 'mistaken' };
    }
  }
  const models = await modelsOf(asked.hosted, asked);
  if (models.is === 'unreachable') return models;
  const { library, pricing, catalog } = models;
  const { pipeline, diagnostics, profiles } = compile(source, library, compiling);
  const unknown = pipeline && profileMistake(profile, profiles);
  if (unknown !== undefined) return { is: 'unselectable', messages: [unknown] };
  found(diagnostics);
  if (!pipeline) return { is: 'mistaken' };
  const secrets = secretTexts(asked.key, pipeline, { environment: asked.environment, params: asked.params });
  await asked.compiled?.(pipeline, secrets);
  const { runs, store: storeFolder } = await stateFolders(project, profile);
  const folder = project.stateFolder;
  const { to, committing } = asked;
  const name = filmOf(project, profile);
  const journal: FilmJournal =
    (await asked.journal?.(name)) ?? openJournal({ folder, film: name, clock: systemClock, to, committing });
  const isMade = (film: string) => journal.isRunning?.(film) ?? isRunning(folder, film);
  let isOpen = false;
  let shared: SharedResults | undefined;
  try {
    journal.hiding(value => hiddenInJournal(value, secrets));
    const stores = await openStores(storeFolder, asked.store);
    const { store } = stores;
    shared = stores.shared;
    const lockFile = lockPath(file);
    const shownLock = relative('', lockFile);
    const lockText = readLockText(lockFile, shownLock);
    const ours = lockText !== undefined && digestOf(lockText) === journal.getNote('lock');
    const lock = LockFile.open(lockText, lockSection(asked.service, profile), shownLock, ours);
    await journal.pullLocked?.(lock.charges());
    await bringAdopted(lock, { store, shared }, project.root);
    const files = new LocalFiles(
      dirname(resolve(file)),
      looking && { looking: path => looking.files.add(path), found: (path, sha256) => looking.found(path, sha256) },
      project.root,
    );
    const names = new Set(pipeline.steps.map(({ name }) => name));
    const promotion = asked.promotion ?? notedPromotion(journal);
    const kept = new LocalChoices({ journal, locked: lock.choices(), hasStep: name => names.has(name), promotion });
    const said = asked.said && new SaidChoices(kept, asked.said);
    const choices = said ?? kept;
    const context: PlanContext = {
      choices,
      params: asked.params,
      library,
      pricing,
      unpriced: unpricedIn(pipeline),
      service: asked.service,
      isDraft: asked.draft ?? false,
      chatBy: asked.chatBy,
      env: withoutGaps(readableVariables(asked.environment, asked.access)),
      run: { id: randomUUID(), name: pipeline.name },
      owned: ownedBy(
        journal,
        lock,
        store,
        {
          account: asked.hosted?.account,
          isRunning: film => (to === 'look' || film !== journal.film) && isMade(film),
        },
        shared,
      ),
      localMedia: path => files.get(path),
      selection: asked.selection && withRedone(asked.selection, journal, systemClock.now()),
      expected: usual(journal, asked.hosted !== undefined),
    };
    let planned = plan(pipeline, context);
    // Reading a file's digest and facts takes a while: the first plan names the files, and the second knows them. By what they are it may
    // name more.
    const isDamaged = async () =>
      to === 'run' && planned.plan !== undefined && (await setAsideDamaged(planned.plan, store, project.root));
    while ((await files.load()) || (await shared?.look()) || (await journal.pullMissing?.()) || (await isDamaged()))
      planned = plan(pipeline, context);
    if (planned.unselectable) return { is: 'unselectable', messages: planned.unselectable };
    const unsaid = said && planned.plan ? [...said.mistakes, ...saidOfNothing(asked.said, planned.plan)] : [];
    if (unsaid.length > 0) return { is: 'unselectable', messages: unsaid };
    if (planned.plan && asked.elsewhere) {
      const { publish } = asked.elsewhere;
      const diagnostics = publish
        ? [
            ...unpublishableInPlan(planned.plan, library),
            ...shortLivedAddresses(planned.plan, publish.settings.expires),
            ...withoutKey(planned.plan, publish, to),
          ]
        : localFilesInPlan(planned.plan);
      planned = { ...planned, diagnostics };
    }
    if (planned.plan && planned.plan.outputs.length > 0) {
      const places = { root: project.root, inputs: files.read, store: async () => store };
      planned = { ...planned, diagnostics: [...planned.diagnostics, ...(await takenPlaces(planned.plan, places))] };
    }
    if (asked.deployments && planned.plan && !planned.diagnostics.some(isError))
      planned = {
        ...planned,
        diagnostics: [...planned.diagnostics, ...(await deploymentMistakes(planned.plan, asked.deployments, catalog))],
      };
    found(planned.diagnostics);
    if (!planned.plan || planned.diagnostics.some(isError)) return { is: 'mistaken' };
    if (to === 'run') await noteRedone(context.selection, journal);
    isOpen = true;
    return {
      is: 'open',
      film: {
        ...{
          root: project.root,
          keptIn: storeFolder,
          runs,
          pipeline,
          plan: planned.plan,
          files,
          context,
          choices,
          said,
          journal,
          store,
          shared,
          lock,
          secrets,
        },
        lockPath: lockFile,
        isRunning: isMade,
        ended: async () => {
          await noteRedone(undefined, journal);
          await notePromotion(undefined, journal);
        },
        close: async () => {
          await shared?.end({ wait: 'for nothing' });
          await journal.close();
        },
      },
    };
  } finally {
    if (!isOpen) {
      await shared?.end({ wait: 'for nothing' });
      await journal.close();
    }
  }
}

/** Who only looks needs no key. */
function withoutKey(plan: Plan, { settings, credentials }: PublishChoice, to: FilmToOpen['to']): readonly Diagnostic[] {
  if (credentials?.is !== 'none') return [];
  const key = { where: settings.where, why: credentials.message };
  return publishingWithoutKey(plan, key, to === 'run' ? 'error' : 'warning');
}

/** Seconds that anything takes in the studio, as long as the journal does not know better. */
const STUDIO_USUAL = 10;

/** Seconds that each model took on average, as journalled. The journal is read with the first question. */
function usual(journal: FilmJournal, hosted: boolean): (model: string) => number | undefined {
  let seen: ReadonlyMap<string, readonly number[]> | undefined;
  return model => {
    seen ??= journal.durations();
    const took = seen.get(model);
    if (took) return took.reduce((sum, ms) => sum + ms, 0) / took.length / 1000;
    return hosted || model === 'run' ? undefined : STUDIO_USUAL;
  };
}

function withoutGaps(environment: FilmToOpen['environment']): JsonObject {
  const variables: Record<string, Json> = {};
  for (const [name, value] of Object.entries(environment)) if (value !== undefined) variables[name] = value;
  return variables;
}
