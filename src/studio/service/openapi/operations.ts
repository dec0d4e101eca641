/** Every operation the studio serves, as `/openapi.json` tells it: one line of the interface for each, with all its statuses. */
import { MEDIA_ENDPOINTS, routes } from '../../../api/routes.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Model } from '../../../domain/model.ts';
import type { Method } from '../route.ts';
import { ref, text } from './shapes.ts';

export interface Operation {
  readonly path: string;
  readonly method: Method;
  /** Stable name for generated clients. */
  readonly id: string;
  readonly tag: Tag;
  readonly summary: string;
  readonly description?: string;
  readonly query?: { readonly [name: string]: JsonObject };
  readonly required?: readonly string[];
  /** Beyond the document: takes an `Idempotency-Key`, and refuses one that stands for another request with 422. */
  readonly repeatable?: true;
  /** Which models' requests it takes as its body. */
  readonly takes?: (model: Model) => boolean;
  /** What a 200 holds: a schema by name, with another one in strict mode; or content that is not JSON. */
  readonly gives: Gives;
  /** Statuses beside 200 that are no errors and say it all themselves. */
  readonly also?: { readonly [status: number]: Also };
  readonly errors: readonly number[];
}

export type Gives =
  | { readonly schema: string; readonly strict?: string }
  | { readonly content: { readonly [type: string]: JsonObject } };

export interface Also {
  readonly description: string;
  /** Holds what a 200 holds, or a part of it. */
  readonly isPart?: true;
  readonly headers?: readonly string[];
}

export const TAGS = {
  Queue: 'Asynchronous generations: enqueue, look, cancel, history, and the stream that announces completion.',
  Media: 'Media at once: these answer when it is there.',
  Chat: 'Chat completions.',
  Catalog: 'Models, and the deployments of custom ones.',
  'Fine-tunes': 'Fine-tunes of a repository.',
  Studio: 'What the studio serves beside the interface.',
} as const;
type Tag = keyof typeof TAGS;

const BODY = [400, 413, 415];
const makesMedia = (model: Model) => model.produces !== 'text';

/** Observed: the filters of the queue's list and of the history. */
const FILTERS: Operation['query'] = {
  model: text,
  media_type: { enum: ['image', 'video'] },
  status: text,
  namespace: text,
  repo: text,
  folder: text,
};

const UNCHANGED: Also = { description: 'The file is the one that `If-None-Match` names.', headers: ['ETag'] };
const wholeFrom1 = { type: 'integer', minimum: 1 };

export const operations: readonly Operation[] = [
  {
    path: routes.queue,
    method: 'POST',
    id: 'enqueue',
    tag: 'Queue',
    summary: 'Enqueue a generation',
    takes: makesMedia,
    repeatable: true,
    gives: { schema: 'Enqueued' },
    errors: [...BODY, 404, 409],
  },
  {
    path: routes.queue,
    method: 'GET',
    id: 'listQueue',
    tag: 'Queue',
    summary: 'Generations that are still to be finished',
    query: FILTERS,
    gives: { schema: 'Queue' },
    errors: [],
  },
  {
    path: '/api/ai/queue/{id}',
    method: 'GET',
    id: 'getGeneration',
    tag: 'Queue',
    summary: 'One generation',
    gives: { schema: 'Generation' },
    errors: [404],
  },
  {
    path: '/api/ai/queue/{id}',
    method: 'DELETE',
    id: 'cancelGeneration',
    tag: 'Queue',
    summary: 'Cancel a generation that has not finished',
    gives: { schema: 'Cancelled' },
    errors: [404, 409],
  },
  {
    path: routes.generations,
    method: 'GET',
    id: 'listHistory',
    tag: 'Queue',
    summary: 'All generations, newest first, in pages',
    query: { ...FILTERS, page: wholeFrom1, page_number: wholeFrom1, page_size: { ...wholeFrom1, maximum: 500 } },
    gives: { schema: 'History' },
    errors: [400],
  },
  {
    path: '/api/ai/generations/{id}',
    method: 'GET',
    id: 'getHistoryEntry',
    tag: 'Queue',
    summary: 'One generation with its request and its cost',
    gives: { schema: 'HistoryEntry' },
    errors: [404],
  },
  {
    path: routes.events,
    method: 'GET',
    id: 'events',
    tag: 'Queue',
    summary: 'The event stream',
    description:
      'Stays open. `event: media_generation_completed` with `data: {"generation_id": "…"}` for each generation that completes. Nothing is replayed.',
    gives: { content: { 'text/event-stream': text } },
    errors: [],
  },
  ...MEDIA_ENDPOINTS.map(
    (endpoint): Operation => ({
      path: routes.generateNow(endpoint),
      method: 'POST',
      id: { '/videos/generate': 'makeVideo', '/images/generate': 'makeImage', '/images/edit': 'editImage' }[endpoint],
      tag: 'Media',
      summary: {
        '/videos/generate': 'Make a video',
        '/images/generate': 'Make an image',
        '/images/edit': 'Edit images',
      }[endpoint],
      description: 'Blocks until the media is there.',
      takes: model =>
        model.endpoint === endpoint || (endpoint === '/images/generate' && model.endpoint === '/images/edit'),
      repeatable: true,
      gives: { schema: endpoint === '/videos/generate' ? 'Videos' : 'Images', strict: 'Made' },
      errors: [...BODY, 404, 409, 503],
    }),
  ),
  {
    path: routes.chat,
    method: 'POST',
    id: 'chat',
    tag: 'Chat',
    summary: 'A chat completion, whole or streamed',
    description:
      'With `stream: true` the answer comes as server-sent events: each `data:` is a ChatChunk, and the last is `[DONE]`. Fields of the common format that are not listed pass: `response_format`, `seed`, `stop`, `stream_options`.',
    takes: model => model.produces === 'text',
    repeatable: true,
    gives: {
      content: {
        'application/json': ref('ChatCompletion'),
        'text/event-stream': { ...text, contentMediaType: 'text/event-stream', contentSchema: ref('ChatChunk') },
      },
    },
    errors: [...BODY, 404, 502, 503],
  },
  {
    path: routes.models,
    method: 'GET',
    id: 'listModels',
    tag: 'Catalog',
    summary: 'All models',
    query: { developer_name: text, action: text },
    gives: { schema: 'ModelList' },
    errors: [],
  },
  {
    path: routes.searchModels,
    method: 'GET',
    id: 'searchModels',
    tag: 'Catalog',
    summary: 'Models whose names match',
    query: { search: { ...text, minLength: 1 } },
    required: ['search'],
    gives: { schema: 'FoundModels' },
    errors: [400],
  },
  {
    path: '/api/ai/models/{id}',
    method: 'GET',
    id: 'getModel',
    tag: 'Catalog',
    summary: 'One model in full',
    query: { deployment_status: { const: 'live', description: "Refreshes the deployment's status first." } },
    gives: { schema: 'Model' },
    errors: [400, 404],
  },
  {
    path: '/api/ai/models/{id}/activate',
    method: 'POST',
    id: 'activateModel',
    tag: 'Catalog',
    summary: 'Activate an inactive custom deployment',
    gives: { schema: 'Model' },
    errors: [400, 404, 409],
  },
  {
    path: '/api/ai/models/{id}/deactivate',
    method: 'POST',
    id: 'deactivateModel',
    tag: 'Catalog',
    summary: 'Deactivate an active custom deployment, which stops its billing',
    gives: { schema: 'Model' },
    errors: [400, 404, 409],
  },
  {
    path: '/api/repos/{namespace}/{repo_name}/fine_tunes/{id}/tokenize',
    method: 'POST',
    id: 'tokenize',
    tag: 'Fine-tunes',
    summary: 'Trigger the tokenization of a fine-tune that is in the state `created`',
    gives: { schema: 'Tokenized' },
    errors: [404, 409],
  },
  {
    path: '/results/{id}/{name}',
    method: 'GET',
    id: 'getResult',
    tag: 'Studio',
    summary: 'A result file; ranges are served',
    gives: { content: { 'video/*': {}, 'image/*': {} } },
    also: {
      206: { description: 'The bytes that `Range` asks for.', isPart: true, headers: ['Content-Range', 'ETag'] },
      304: UNCHANGED,
      416: { description: '`Range` begins past the end of the file.', headers: ['Content-Range'] },
    },
    errors: [404],
  },
  {
    path: '/results/{id}/{name}',
    method: 'HEAD',
    id: 'headResult',
    tag: 'Studio',
    summary: 'Length and type of a result file',
    gives: { content: {} },
    also: { 304: UNCHANGED },
    errors: [404],
  },
  {
    path: '/openapi.json',
    method: 'GET',
    id: 'describe',
    tag: 'Studio',
    summary: 'This description',
    gives: {
      content: { 'application/json': { type: 'object', required: ['openapi'], properties: { openapi: text } } },
    },
    errors: [],
  },
];

export interface ErrorAnswer {
  readonly name: string;
  readonly description: string;
  /** The stable words for programs that come with this status. */
  readonly types: readonly string[];
}

export const errorAnswers: { readonly [status: number]: ErrorAnswer } = {
  400: {
    name: 'Invalid',
    description: 'The request is not one that can be carried out: every reason, with the path of its field.',
    types: ['invalid_request', 'invalid_json'],
  },
  401: {
    name: 'Unauthenticated',
    description: 'No valid credential: `unauthenticated`.',
    types: ['unauthenticated'],
  },
  404: {
    name: 'NotFound',
    description: 'No such model (`Model not found: <name>`), generation, fine-tune or file.',
    types: ['model_not_found', 'generation_not_found', 'fine_tune_not_found', 'route_not_found'],
  },
  409: {
    name: 'WrongState',
    description: 'It exists, and is not in a state in which this can be done.',
    types: ['model_not_active', 'wrong_state', 'already_finished', 'generation_cancelled'],
  },
  413: { name: 'TooLarge', description: 'The body is too large.', types: ['body_too_large'] },
  415: {
    name: 'WrongType',
    description: 'The body is not `application/json`.',
    types: ['unsupported_media_type'],
  },
  421: { name: 'WrongHost', description: 'Asked for under the name of another machine.', types: ['wrong_host'] },
  422: {
    name: 'KeyReused',
    description: 'The `Idempotency-Key` was sent before with another request.',
    types: ['idempotency_key_reused'],
  },
  429: {
    name: 'TooFast',
    description: 'Too many requests: `Retry-After` tells how many seconds to wait.',
    types: ['rate_limited'],
  },
  500: {
    name: 'Broken',
    description: "The studio's own mistake, or a render that failed through no fault of the request.",
    types: ['internal', 'generation_failed'],
  },
  502: {
    name: 'UpstreamFailed',
    description: 'The service that chat is passed on to failed.',
    types: ['upstream_failed'],
  },
  503: {
    name: 'Unavailable',
    description: 'The studio is closing, or has nobody to pass this on to.',
    types: ['closing', 'upstream_unreachable'],
  },
};

/** Answered under every operation. */
export const ANYWHERE = [421, 500];
/** A request is named by whoever sends it. */
export const NAME: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A name of your own for this request (draft-ietf-httpapi-idempotency-key-header). Sent again under it, the same body gets the answer of the first, and nothing is begun twice.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};
/** Answered wherever a credential is asked for. */
export const BEHIND_THE_DOOR = [401, 429];
