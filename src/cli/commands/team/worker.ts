/** `shotlist team worker --on TEAM`: makes what is handed in to a team, until SIGTERM. */
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { availableParallelism, homedir, hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Service } from '../../../api/service.ts';
import { keptThere, openStores, type StoreChoice } from '../../../app/results/team-store.ts';
import { VERSION } from '../../../app/service/version.ts';
import { SETTINGS_FILE } from '../../../machine/files/project.ts';
import { CommandRunner } from '../../../machine/process/command-runner.ts';
import { systemClock } from '../../../machine/time/clock.ts';
import { isFree } from '../../../model/run/run-money.ts';
import { cleanText, safeJson } from '../../../model/text/clean.ts';
import { counted, formatUsd } from '../../../model/text/format.ts';
import type { VariableAccess } from '../../../model/variable-access.ts';
import type { ResultCache } from '../../../records/store/shared/result-cache.ts';
import { Watcher } from '../../../run/requests/watcher.ts';
import type { Team } from '../../../team/client/open-team.ts';
import { teamMessages } from '../../../team/client/team-messages.ts';
import { TeamNews } from '../../../team/client/team-news.ts';
import { projectOf, shortOf } from '../../../team/client/team-project.ts';
import { TeamOutdated } from '../../../team/database/database-identity.ts';
import type { RunRow } from '../../../team/runs/run-rows.ts';
import type { Leading, Led } from '../../../team/worker/lead-run.ts';
import { storeMark } from '../../../team/worker/store-mark.ts';
import { TaskWorker } from '../../../team/worker/task-worker.ts';
import { TeamClock } from '../../../team/worker/team-clock.ts';
import { type WorkerNews, whenReachable, work } from '../../../team/worker/worker.ts';
import { accessOnWorker, newerVersion, type WorkerDuties, workerDuties } from '../../../team/worker/worker-duties.ts';
import { nothingBehind, UsageError } from '../../arguments.ts';
import { command } from '../../command-line/read-arguments.ts';
import { CommandError } from '../../errors/command-error.ts';
import type { ExitCode } from '../../errors/exit-codes.ts';
import { print, sayLine } from '../../outlets.ts';
import type { ServiceChoice } from '../../service/choose-service.ts';
import { variablesIn } from '../../service/settings-of.ts';
import { commandMessages as messages } from '../../team/command-messages.ts';
import { projectHere, withTeam } from '../../team/on-team.ts';
import { serviceNamed } from '../../team/service-named.ts';
import { untilInterrupted } from '../../terminal/signals.ts';

/** Connections of leads, of work and of the queue. One more listens. */
const CONNECTIONS = 3;

export const main = command('team worker', async ({ values, positionals }) => {
  nothingBehind(positionals, 'team worker', 'no file');
  const wanted = { leads: countIn('leads', values.leads), hands: countIn('hands', values.hands) };
  const read = workerDuties(wanted, availableParallelism());
  if (read.is === 'mistaken') throw new UsageError(read.message);
  const { duties } = read;
  const project = await projectHere();
  const { access, expose } = await variablesIn(project);
  const reading = accessOnWorker([...expose, ...values.expose], access.secrets);
  if (reading.is === 'mistaken') throw new UsageError(reading.message);
  const folder = resolve(
    values.folder ?? join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'shotlist', 'worker'),
  );
  await mkdir(folder, { recursive: true });
  const name = values.name ?? `${hostname()}-${process.pid}`;
  const show = (news: WorkerNews) => {
    if (values.json) print(`${workerJson(news, systemClock.now())}\n`);
    else for (const line of workerText(news)) sayLine(line);
  };
  using stop = untilInterrupted();
  let isReady = false;
  const onNews = (news: WorkerNews) => {
    isReady ||= news.is === 'ready';
    show(news);
  };
  const settingsFile = join(project.root, SETTINGS_FILE);
  const begin = () =>
    withTeam(
      {
        ...{ on: values.on, works: true, most: CONNECTIONS },
        trouble: message => show({ is: 'trouble', message }),
      },
      team => workFor(team, { folder, name, duties, settingsFile, access: reading.access, onNews }, stop.signal),
    );
  const exit = await whenReachable(begin, {
    isAway: error =>
      !isReady && (error instanceof TeamOutdated || (error instanceof CommandError && error.exitCode === 6)),
    onTrouble: message => show({ is: 'trouble', message: messages.waitsForDatabase(message) }),
    ...{ clock: systemClock, signal: stop.signal },
  });
  return exit ?? 0;
});

interface ThisWorker {
  /** Absolute. */
  readonly folder: string;
  readonly name: string;
  readonly duties: WorkerDuties;
  readonly settingsFile: string;
  readonly access: VariableAccess;
  readonly onNews: (news: WorkerNews) => void;
}

async function workFor(team: Team, worker: ThisWorker, signal: AbortSignal): Promise<ExitCode> {
  if (!team.store) throw new UsageError(teamMessages.noStore(team.name));
  const { folder, name, duties, onNews } = worker;
  const cache = await cacheIn(folder, team.store, team.cache);
  const store = { ...team.store, cache };
  await using after = new AsyncDisposableStack();
  const mark = after.use(await storeMark(team));
  await mark?.compare();
  const news = after.use(new TeamNews({ team: team.database, clock: systemClock }));
  const leading = leadingHere({ name: team.name, store }, worker, after.use(new Services()));
  await work(
    {
      ...{ team: team.database, queue: team.queue, news, clock: new TeamClock(systemClock), duties, name, onNews },
      ...{ shotlist: VERSION, tasks: duties.hands === 0 ? undefined : taskWorkerHere({ ...team, store }, worker) },
      leading: { ...leading, ...(mark && { beforePaying: mark.renew }) },
      atWork: () => cache.atWork(),
    },
    signal,
  );
  return 0;
}

function leadingHere(
  team: Pick<Team, 'name' | 'store'>,
  { folder, settingsFile, access }: ThisWorker,
  services: Services,
) {
  const folders = { root: folder };
  const choiceFor = async (run: RunRow): Promise<ServiceChoice> => {
    const choice = await serviceNamed(run, { project: projectOf(folders, run), settingsFile });
    return services.shared({ ...choice, ...(team.store && { store: team.store }) });
  };
  return {
    ...{ on: team.name, folders, environment: process.env, access },
    storeFor: async run => (await openStores(join(projectOf(folders, run).stateFolder, 'store'), team.store)).store,
    serviceFor: choiceFor,
    commandsFor: ({ secrets }, { limits }) =>
      new CommandRunner({ environment: process.env, atOnce: limits.commands, secrets }),
    watcherFor: (service, choice) => services.watcher(service, choice.pace),
    refuses: async run => {
      if (newerVersion(run.shotlist, VERSION)) return teamMessages.newer(run.shotlist, VERSION);
      return choiceFor(run).then(
        () => undefined,
        (error: Error) => error.message,
      );
    },
  } satisfies Partial<Leading>;
}

/** What is kept here of all projects, and is too much of it, goes before work begins. */
async function cacheIn(folder: string, store: StoreChoice, most: number): Promise<ResultCache> {
  const { ResultCache } = await import('../../../records/store/shared/index.ts');
  const kept = (digests: readonly string[]) => keptThere(store, digests);
  const cache = new ResultCache({
    ...{ folder: join(folder, 'state'), most, kept, clock: systemClock, newId: randomUUID },
  });
  // A store that does not answer is no reason to do nothing.
  void cache.tidy().catch(() => {});
  return cache;
}

/** The folder of its commands is that of no other worker of this machine. */
function taskWorkerHere(
  team: Pick<Team, 'database' | 'queue' | 'store'>,
  { folder, name, duties }: ThisWorker,
): TaskWorker {
  const folders = { root: folder };
  return new TaskWorker({
    ...{
      team: team.database,
      queue: team.queue,
      worker: name,
      atOnce: duties.hands,
      clock: systemClock,
      newId: randomUUID,
    },
    ...{ folder: join(folder, 'hands', shortOf(name)), environment: process.env },
    storesFor: run => openStores(join(projectOf(folders, run).stateFolder, 'store'), team.store),
  });
}

/** A hosted service is spoken to over one connection, and followed over one stream, however many runs are led. */
class Services implements AsyncDisposable {
  readonly #services = new Map<string, Service>();
  readonly #watchers = new Map<Service, Watcher>();

  shared(choice: ServiceChoice): ServiceChoice {
    if (!choice.hosted) return choice;
    return {
      ...choice,
      connect: async () => {
        const connected = await choice.connect();
        const known = this.#services.get(connected.account);
        if (known) await connected.close();
        const service = known ?? { ...connected, close: async () => {} };
        if (!known) this.#services.set(connected.account, service);
        return service;
      },
    };
  }

  /** Undefined for one that ends with its run. */
  watcher(service: Service, pace: ServiceChoice['pace']): Watcher | undefined {
    if (this.#services.get(service.account) !== service) return undefined;
    const watcher = this.#watchers.get(service) ?? new Watcher(service, systemClock, pace);
    this.#watchers.set(service, watcher);
    return watcher;
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

function countIn(option: 'leads' | 'hands', text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new UsageError(messages.badNumber(option, text, 'a whole number, 0 or more'));
}

export function workerText(news: WorkerNews): readonly string[] {
  switch (news.is) {
    case 'ready':
      return [`ready: ${[leadsText(news.leads), slotsText(news.hands)].filter(text => text !== '').join(', ')}`];
    case 'led':
      return ledText(news.run, news.led);
    case 'began':
      return [`${news.run}: led here`];
    case 'took_up':
      return [`no worker had the turn of ${news.runs.join(', ')}: put into the queue again`];
    case 'ended_deployment': {
      const { run, ended } = news;
      const model = cleanText(news.model);
      const up = `is up and bills, and could not be deactivated: ${ended.is === 'billing' ? cleanText(ended.reason) : ''}`;
      const end = ended.is === 'down' ? (ended.how === 'not_up' ? 'is not up' : 'is deactivated') : up;
      return [`${run}: no worker has led its film for ten minutes: ${model} ${end}`];
    }
    case 'trouble':
      return [`trouble: ${news.message}`];
    case 'well_again':
      return ['the database is there again'];
    case 'leaving':
      return [
        news.leads === 0
          ? 'leaving'
          : `leaving: ${news.leads} ${news.leads === 1 ? 'run goes' : 'runs go'} on elsewhere`,
      ];
    case 'gone':
      return ['gone'];
  }
}

const leadsText = (leads: number): string => (leads === 0 ? '' : `leads up to ${counted(leads, 'run')}`);
const slotsText = (hands: number): string =>
  hands === 0 ? '' : `does up to ${hands} ${hands === 1 ? 'command or cut' : 'commands and cuts'} of others`;

function ledText(id: string, led: Led): readonly string[] {
  switch (led.is) {
    case 'nothing to do':
      return [];
    case 'left to others':
      return [`${id}: left to others: ${cleanText(led.why)}`];
    case 'superseded':
      return [`${id}: another worker leads it now`];
    case 'ended': {
      const { usd, reason } = led.outcome;
      const cost = typeof usd === 'number' && usd > 0 && !isFree(led.run) ? `, ${formatUsd(usd)}` : '';
      const why = typeof reason === 'string' ? `: ${reason}` : '';
      return [`${id}: ${led.status === 'queued' ? 'goes on later, or elsewhere' : led.status}${cost}${why}`];
    }
  }
}

/** One line. `at`: Unix milliseconds. */
function workerJson(news: WorkerNews, at: number): string {
  const time = new Date(at).toISOString();
  if (news.is !== 'led') return safeJson({ at: time, ...news });
  const { run, led } = news;
  if (led.is !== 'ended')
    return safeJson({ at: time, is: led.is.replaceAll(' ', '_'), run, ...('why' in led && { why: led.why }) });
  return safeJson({ at: time, is: 'ended', run, status: led.status, outcome: led.outcome });
}
