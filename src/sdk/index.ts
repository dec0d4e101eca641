/**
 * The service, the studio and the language for programs: `import { connect, serveStudio } from 'shotlist'`.
 *
 *     const studio = await serveStudio({ folder: '.studio', key: 'local', speed: 'draft' });
 *     const service = connect({ name: 'studio', baseUrl: studio.url, key: 'local' });
 *     const answer = await service.enqueue({ model: 'V-T2V-A', prompt: 'a fox' }, AbortSignal.timeout(30_000));
 *
 * Nothing here throws for what a network or a service does: every answer says in `is` what became of the question, and a POST that
 * moves money is sent exactly once.
 */
import type { Service } from '../api/service.ts';
import { type ConnectOptions, connect as connectWith } from '../client/connect.ts';
import { systemClock } from '../host/clock.ts';
import { serveStudio as serve } from '../studio/index.ts';
import type { Studio, StudioOptions } from '../studio/service/options.ts';

export type { CatalogModel, DeploymentStatus, ModelList, Pricing } from '../api/catalog.ts';
export type {
  ChatChunk,
  ChatCompletion,
  ChatMessage,
  ChatRequest,
  ChatUsage,
  FinishReason,
} from '../api/chat-completions.ts';
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
export type { Diagnostic } from '../domain/diagnostic.ts';
export type { Json, JsonObject } from '../domain/json.ts';
export type { Model, ModelLibrary } from '../domain/model.ts';
export type { Pipeline } from '../domain/pipeline.ts';
export { type Compiled, compile } from '../language/compile.ts';
export { formatDiagnostics } from '../language/excerpt.ts';
export type { Studio, StudioOptions } from '../studio/service/options.ts';
export { VICES, type ViceName } from '../studio/service/vices/vice-table.ts';

/** Connects to nothing yet: that happens with the first question. @throws SettingError for an address or key that cannot be used. */
export const connect = (options: Omit<ConnectOptions, 'clock'>): Service =>
  connectWith({ ...options, clock: systemClock });

/** @throws Error when the folder is in use, the port taken or a vice none; the message says what to do. */
export const serveStudio = (options: StudioOptions): Promise<Studio> => serve(options);
