/** Which service the film is sent to, and how it is used: from flags, environment, project file and user file. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { CatalogModel } from '../../api/catalog.ts';
import type { Answer, Service } from '../../api/service.ts';
import { type StoreChoice, storeChoice } from '../../app/results/team-store.ts';
import { builtInStudio } from '../../app/service/built-in-studio.ts';
import { keyOf } from '../../app/service/secret-texts.ts';
import {
  type ServiceChoice as CommonChoice,
  HOSTED_PACE,
  type PublishChoice,
  publishChoice,
  STUDIO_PACE,
} from '../../app/service/service-choice.ts';
import { filmOf } from '../../app/state-folders.ts';
import { readIfThere } from '../../machine/files/files.ts';
import { findProject, type Project } from '../../machine/files/project.ts';
import { Redactor } from '../../machine/redactor.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { isProfileName } from '../../model/profile.ts';
import { DEFAULT_LIMITS } from '../../run/engine/limits.ts';
import { HOSTED_PROOF, STUDIO_PROOF } from '../../run/requests/proof-of-absence.ts';
import type { FoundCredentials } from '../../settings/aws-credentials.ts';
import type { PublishSettings, StoreSettings } from '../../settings/publish-settings.ts';
import { resolveSettings, type Settings } from '../../settings/settings.ts';
import { settingsMistakes, UsageError } from '../arguments.ts';
import { addRedactions } from '../outlets.ts';
import { chatUpstream, settingSources, studioCache } from './settings-of.ts';

export interface ServiceChoice extends CommonChoice {
  /** In which films are made; absent: without one. */
  readonly profile?: string;
  readonly ui: Settings['ui'];
  /** What is called at events of a run; absent: nothing. */
  readonly hooks?: NonNullable<Settings['on']>;
  /** A sidecar is written beside each output. */
  readonly sidecars?: true;
}

interface Flags {
  readonly service?: string | undefined;
  readonly draft?: boolean | undefined;
  readonly profile?: string | undefined;
  /** Nothing is asked of the service from here, or only what it answers to anybody. */
  readonly keyless?: true;
  /** The studio's renderers are kept warm. */
  readonly standBy?: boolean;
}

/** @throws UsageError with every mistake in the settings. */
export async function chooseService(file: string, flags: Flags): Promise<ServiceChoice> {
  const project = await findProject(file, process.cwd());
  return chooseServiceFor(project, flags, project.settingsFile);
}

/** @param settingsFile of the settings that hold: on a worker its own, not those of the film's project. @throws UsageError */
export async function chooseServiceFor(project: Project, flags: Flags, settingsFile: string): Promise<ServiceChoice> {
  const { settings, problems } = resolveSettings({
    flags: {
      ...(flags.service !== undefined && { service: flags.service }),
      ...(flags.profile !== undefined && { profile: flags.profile }),
      ...(flags.keyless && { keyless: true as const }),
    },
    ...(await settingSources(settingsFile)),
  });
  if (problems.length > 0) throw settingsMistakes(problems);
  const { profile } = settings;
  if (profile !== undefined && !isProfileName(profile))
    throw new UsageError(`\`${profile}\` can be no profile; one is called like \`draft\``);
  const common = {
    ...(profile !== undefined && { profile }),
    limits: { ...DEFAULT_LIMITS, ...settings.limits },
    onUnknown: settings.onUnknown === 'resubmit' ? 'resubmit' : 'fail',
    onInterrupt: settings.onInterrupt ?? 'detach',
    ui: settings.ui,
    ...(settings.on && { hooks: settings.on }),
    ...(settings.provenance?.sidecars && { sidecars: true as const }),
    ...(settings.budget && { budget: settings.budget }),
    ...(settings.store && { store: await teamStore(settings.store, project.root) }),
  } as const;
  const { service } = settings;
  if (service.kind === 'hosted') addRedactions(new Redactor(keyOf(service.key)));
  if (service.kind === 'studio') return { ...common, ...studioChoice(project, flags, profile) };
  if (flags.draft) throw new UsageError(`--draft is for the built-in studio, and this film goes to ${service.name}`);
  return { ...common, ...(await hostedChoice(service, settings)) };
}

type OfService = Omit<ServiceChoice, 'profile' | 'limits' | 'onUnknown' | 'onInterrupt' | 'ui'>;

function studioChoice(project: Project, flags: Flags, profile: string | undefined): OfService {
  const speed = flags.draft || process.env.SHOTLIST_STUDIO_SPEED === 'draft' ? 'draft' : 'full';
  const name = speed === 'draft' ? 'studio-draft' : 'studio';
  const folder = join(project.stateFolder, name, filmOf(project, profile));
  const connect = async () =>
    builtInStudio({
      ...{ name, folder, speed, standBy: flags.standBy === true },
      // On a worker, what is private to the project lies beside it.
      localFiles: [project.root, project.stateFolder],
      ...studioCache(process.env),
      ...chatUpstream(process.env),
    });
  const { chatUpstream: passed } = chatUpstream(process.env);
  return {
    ...{ name, hosted: false, elsewhere: false, baseUrl: undefined, pace: STUDIO_PACE, connect },
    proof: STUDIO_PROOF,
    ...(speed === 'draft' && { draft: true }),
    // What it passes on may be paid for there, and a studio that was killed meanwhile does not know the answer.
    ...(passed ? { chatBy: [passed.url, passed.model].join(' ').trim() } : { idempotent: true }),
  };
}

async function hostedChoice(
  service: Extract<Settings['service'], { readonly kind: 'hosted' }>,
  { publish, history }: Settings,
): Promise<OfService> {
  const { name, url, keyFrom } = service;
  return {
    ...{ name, hosted: true, key: service.key, baseUrl: url, pace: HOSTED_PACE },
    ...(service.rates && { rates: service.rates }),
    ...(service.idempotent && { idempotent: true }),
    elsewhere: service.remote && { ...(publish && { publish: await publishing(publish) }) },
    proof: history === 'trusted' ? STUDIO_PROOF : HOSTED_PROOF,
    connect: async () => {
      const { connect, SettingError } = await import('../../client/connect.ts');
      try {
        const key = service.key?.reveal() ?? '';
        return withModelIds(connect({ name, baseUrl: url, key, keyFrom, clock: systemClock }), service.models);
      } catch (error) {
        throw error instanceof SettingError ? new UsageError(error.message) : error;
      }
    },
  };
}

async function teamStore(settings: StoreSettings, root: string): Promise<StoreChoice> {
  const choice = await storeChoice(settings, root, { env: process.env, home: homedir(), read: readIfThere });
  keepOut(choice.credentials);
  return choice;
}

async function publishing(settings: PublishSettings): Promise<PublishChoice> {
  const choice = await publishChoice(settings, { env: process.env, home: homedir(), read: readIfThere });
  keepOut(choice.credentials);
  return choice;
}

function keepOut(found: FoundCredentials | undefined): void {
  if (found?.is !== 'found') return;
  const { key, session } = found.credentials;
  addRedactions(new Redactor([...keyOf(key), ...keyOf(session)]));
}

/** The same service, addressed by the interface document's labels, which the settings map to the service's own ids. */
function withModelIds(service: Service, ids: Readonly<Record<string, string>>): Service {
  // Several labels may map to one id: it is listed under each.
  const labels = Map.groupBy(Object.keys(ids), label => ids[label] ?? label);
  const id = (label: string): string => ids[label] ?? label;
  const labelled = (answer: Answer<readonly CatalogModel[]>): Answer<readonly CatalogModel[]> =>
    answer.is === 'ok'
      ? {
          ...answer,
          value: answer.value.flatMap(model => (labels.get(model.id) ?? [model.id]).map(id => ({ ...model, id }))),
        }
      : answer;
  return {
    ...service,
    modelId: id,
    enqueue: (request, signal, nonce) => service.enqueue({ ...request, model: id(request.model) }, signal, nonce),
    generateNow: (endpoint, request, signal, nonce) =>
      service.generateNow(endpoint, { ...request, model: id(request.model) }, signal, nonce),
    chat: (request, signal, written, nonce) =>
      service.chat({ ...request, model: id(request.model) }, signal, written, nonce),
    model: (name, signal, how) => service.model(id(name), signal, how),
    activate: (name, signal) => service.activate(id(name), signal),
    deactivate: (name, signal) => service.deactivate(id(name), signal),
    models: async (signal, filters) => labelled(await service.models(signal, filters)),
    searchModels: async (text, signal) => labelled(await service.searchModels(text, signal)),
  };
}
