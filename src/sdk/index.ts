/**
 * Films, the service, the studio and the language for programs.
 *
 *     const film = definePipeline({ shotlist: 1, name: 'fox', steps: { shot: { model: 'V-T2V-A', with: { prompt: 'a fox' } } } });
 *     const making = run(film, { folder: 'films', environment: process.env });
 *     for await (const event of making) console.log(event.type);
 *     const { is } = await making.outcome;
 *
 *     const planned = await plan(film, { folder: 'films' });
 *
 * And beneath that, the service itself: `import { connect, serveStudio } from 'shotlist'`.
 *
 *     const studio = await serveStudio({ folder: '.studio', key: 'local', speed: 'draft' });
 *     const service = connect({ name: 'studio', baseUrl: studio.url, key: 'local' });
 *     const answer = await service.enqueue({ model: 'V-T2V-A', prompt: 'a fox' }, AbortSignal.timeout(30_000));
 *
 * Nothing here throws for what a network or a service does: every answer has its outcome in `is`, and a POST that
 * moves money is sent exactly once.
 */
import type { Service } from '../api/service.ts';
import { type ConnectOptions, connect as connectWith } from '../client/connect.ts';
import { systemClock } from '../machine/time/clock.ts';
import { serveStudio as serve } from '../studio/index.ts';
import type { Studio, StudioOptions } from '../studio/service/studio-options.ts';
import type { PlanOptions, RunOptions } from './film-options.ts';
import type { FilmOutcome, FilmRun, PlannedFilm } from './film-outcome.ts';
import type { PipelineInput } from './pipeline-source.ts';
import { EventQueue } from './run-film.ts';

export type { CatalogModel, DeploymentStatus, ModelList, Pricing } from '../api/catalog.ts';
export type { ChatChunk, ChatCompletion, ChatMessage, ChatRequest } from '../api/chat-completions.ts';
export type { FineTune, FineTunePlace } from '../api/fine-tunes.ts';
export type { ImagesResponse, VideosResponse } from '../api/generated-media.ts';
export { modelLibrary } from '../api/model-library.ts';
export type {
  EnqueueRequest,
  EnqueueResponse,
  GenerationRecord,
  History,
  HistoryRow,
  QueueList,
  Status,
} from '../api/queue.ts';
export { isTerminal } from '../api/queue.ts';
export type { MediaEndpoint } from '../api/routes.ts';
export type {
  Answer,
  CatalogFilters,
  Changed,
  ChatAnswer,
  Enqueued,
  GeneratedNow,
  NotTaken,
  Service,
  StreamListener,
} from '../api/service.ts';
export { type Reason, validateRequest } from '../api/validate-request.ts';
export { SettingError } from '../client/connect.ts';
export { type Compiled, compile } from '../language/compile.ts';
export { formatDiagnostics } from '../language/yaml/excerpt.ts';
export type { Diagnostic } from '../model/diagnostic.ts';
export type { Model, ModelLibrary } from '../model/model.ts';
export type { Pipeline } from '../model/pipeline.ts';
export type { RecordedEvent, Reporter } from '../model/run/event.ts';
export type { ChatUsage, FinishReason, Result } from '../model/run/result.ts';
export type { Json, JsonObject } from '../model/text/json.ts';
export type { Studio, StudioOptions } from '../studio/service/studio-options.ts';
export { VICES, type ViceName } from '../studio/service/vices/vice-table.ts';
export {
  definePipeline,
  type Expression,
  type ModelLabel,
  type PipelineDefinition,
  type StepDefinition,
} from './define-pipeline.ts';
export type {
  HookOptions,
  HookWay,
  PlanOptions,
  PublishOptions,
  ReportTo,
  RunOptions,
  ServiceOptions,
  StoreOptions,
} from './film-options.ts';
export type { FilmOutcome, FilmRun, PlannedFilm } from './film-outcome.ts';
export type { Mistake, PipelineInput } from './pipeline-source.ts';

/** Connects to nothing yet: that happens with the first question. @throws SettingError for an address or key that cannot be used. */
export const connect = (options: Omit<ConnectOptions, 'clock'>): Service =>
  connectWith({ ...options, clock: systemClock });

/** @throws Error when the folder is in use, the port taken or a vice unknown; the message has the advice. */
export const serveStudio = (options: StudioOptions): Promise<Studio> => serve(options);

/**
 * What would run, why, and what it costs; or everything that is wrong with the pipeline, as values. @throws for what is wrong with
 * this machine: a file that cannot be read, a journal of payments that is damaged.
 */
export async function plan(pipeline: PipelineInput, options: PlanOptions = {}): Promise<PlannedFilm> {
  const { planFilm } = await import('./plan-film.ts');
  return planFilm(pipeline, options);
}

/**
 * Makes the film, or goes on with it. Its events can be iterated, by one reader; leaving the loop detaches the run. Nothing is thrown for
 * what is wrong with the pipeline: that is an outcome.
 */
export function run(pipeline: PipelineInput, options: RunOptions = {}): FilmRun {
  const events = new EventQueue();
  const stopping = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stopping.signal]) : stopping.signal;
  const outcome: Promise<FilmOutcome> = import('./run-film.ts').then(({ carryOut }) =>
    carryOut(pipeline, options, events, signal),
  );
  const settled = outcome.then(
    () => events.end(),
    (error: unknown) => events.end({ error }),
  );
  const detach = () => stopping.abort();
  const leave = async () => {
    detach();
    await settled;
  };
  return { outcome, detach, [Symbol.asyncIterator]: () => events.read(leave) };
}
