/**
 * JSON Schemas of everything the studio answers: the types of `api/` once more, for other people's tools. Closed, so that a field too
 * many is noticed; the contract suite holds every answer to them.
 */
import type { Json, JsonObject } from '../../../model/text/json.ts';

export const text = { type: 'string' } as const;
const number = { type: 'number' } as const;
const whole = { type: 'integer' } as const;
const unixSeconds = { type: 'integer', description: 'Unix seconds.' } as const;
const uri = { type: 'string', format: 'uri' } as const;
const list = (items: Json): JsonObject => ({ type: 'array', items });
const orNull = (schema: JsonObject): JsonObject => ({
  ...schema,
  type: [schema.type, 'null'].flat() as readonly Json[],
});
export const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** All required but those named. */
function closed(properties: JsonObject, optional: readonly string[] = []): JsonObject {
  const required = Object.keys(properties).filter(name => !optional.includes(name));
  return { type: 'object', required, properties, additionalProperties: false };
}

/** @param strict without anything the document does not promise. */
export function shapes(strict: boolean): { readonly [name: string]: JsonObject } {
  return {
    Error: error,
    Model: model,
    ModelList: closed({ object: { const: 'list' }, data: list(ref('Model')) }),
    FoundModels: closed({ data: list(ref('Model')) }),
    Pricing: pricing(strict),
    Generation: strict ? documentedGeneration : generation,
    Enqueued: closed({
      generations: {
        ...list(strict ? closed({ generation_id: text }) : closed({ generation_id: text, status })),
        minItems: 1,
      },
    }),
    Tokenized: strict ? closed({ fine_tune: closed({ id: text }) }) : tokenized,
    ChatCompletion: completion,
    ChatChunk: chunk,
    ChatUsage: usage,
    ...(strict ? { Made: made } : observed),
  };
}

const error = {
  ...closed({
    error: closed(
      {
        message: { type: 'string', description: 'Every reason, in one sentence each.' },
        type: { type: 'string', description: 'A stable word for programs.' },
        details: {
          ...list(closed({ path: { type: 'string', description: 'The field: `input_image[2]`.' }, message: text })),
          minItems: 1,
        },
      },
      ['details'],
    ),
  }),
};

const status = { enum: ['queued', 'processing', 'succeeded', 'failed', 'cancelled'] } as const;

const record = {
  generation_id: text,
  model_name: text,
  media_type: { enum: ['image', 'video'] },
  status,
  enqueued_at: unixSeconds,
  started_at: orNull(unixSeconds),
  completed_at: orNull(unixSeconds),
  result_url: orNull(uri),
  error_message: orNull(text),
  target_namespace: orNull(text),
  target_repo: orNull(text),
  target_directory: orNull(text),
  position: { type: ['integer', 'null'], minimum: 1, description: 'Place in the queue: 1 is next.' },
  progress: { type: ['number', 'null'], minimum: 0, maximum: 1 },
  preview_url: { ...uri, description: 'The first picture of what is being drawn, once it is.' },
  idempotency_key: { ...orNull(text), description: 'The `Idempotency-Key` it was enqueued with.' },
} as const;
/** There only while something is drawn and its first picture is. */
const OPTIONAL = ['preview_url'];
const generation = closed(record, OPTIONAL);
const documentedGeneration = closed(
  {
    generation_id: text,
    status: { type: 'string', description: '`succeeded`, `failed` and `cancelled` are final; any other word is not.' },
    result_url: uri,
    error_message: text,
  },
  ['result_url', 'error_message'],
);

/** It holds the request's own parameters too, of any kind. */
const historyRow = {
  ...closed({ ...record, cost: orNull(text), user_id: text, username: text }, OPTIONAL),
  additionalProperties: true,
};

/** Not closed: an answer that is passed on is its author's, and the common format has grown before. */
const open = (properties: JsonObject, optional: readonly string[] = []): JsonObject => ({
  ...closed(properties, optional),
  additionalProperties: true,
});
const usage = open({ prompt_tokens: whole, completion_tokens: whole, total_tokens: whole });
const ending = { type: 'string', description: '`stop`, or `length` where `max_tokens` cut it off.' };
const completion = open(
  {
    id: text,
    object: { const: 'chat.completion' },
    created: unixSeconds,
    model: text,
    choices: {
      ...list(
        open({
          index: whole,
          message: open({ role: { const: 'assistant' }, content: orNull(text) }),
          finish_reason: orNull(ending),
        }),
      ),
      minItems: 1,
    },
    usage: ref('ChatUsage'),
  },
  ['usage'],
);
const chunk = open(
  {
    id: text,
    object: { const: 'chat.completion.chunk' },
    created: unixSeconds,
    model: text,
    choices: list(
      open({
        index: whole,
        delta: open({ role: { const: 'assistant' }, content: orNull(text) }, ['role', 'content']),
        finish_reason: orNull(ending),
      }),
    ),
    usage: { anyOf: [ref('ChatUsage'), { type: 'null' }] },
  },
  ['usage'],
);

const made = closed({ result_url: uri });
const url = { url: uri };
const fineTuneRead = closed({
  status: { const: 'success' },
  status_message: text,
  fine_tune: closed({ id: text, status: text, base_model: text, progress: number, error_message: text }, [
    'progress',
    'error_message',
  ]),
});

const observed = {
  Queue: closed({ count: whole, generations: list(ref('Generation')) }),
  Cancelled: closed({ generation_id: text, status: { const: 'success' } }),
  HistoryRow: historyRow,
  History: closed({
    count: whole,
    page_number: whole,
    page_size: whole,
    total_pages: whole,
    total_entries: whole,
    total_cost: { type: ['string', 'null'], description: 'US dollars, a decimal.' },
    generations: list(ref('HistoryRow')),
  }),
  FineTuneRead: fineTuneRead,
  HistoryEntry: closed({
    status: { const: 'success' },
    status_message: { const: 'resource_found' },
    generation: ref('HistoryRow'),
  }),
  Videos: closed({ created: unixSeconds, model: text, videos: { ...list(closed(url)), minItems: 1 } }),
  Images: closed({
    created: unixSeconds,
    model: text,
    images: { ...list(closed({ ...url, revised_prompt: text }, ['revised_prompt'])), minItems: 1 },
  }),
};

const tokenized = closed({
  status: { const: 'success' },
  status_message: text,
  fine_tune: closed({ id: text, status: text, base_model: text }),
});

const model = closed({
  id: text,
  object: { const: 'model' },
  created: unixSeconds,
  owned_by: text,
  display_name: text,
  description: orNull(text),
  summary: orNull(text),
  model_type: { enum: ['base', 'custom'] },
  endpoint: { enum: ['/chat/completions', '/images/generate', '/videos/generate'] },
  capabilities: closed({ input: list(text), output: list(text) }),
  pricing: ref('Pricing'),
  fine_tuning: { ...closed({ actions: list(text), cost_per_second: number }), type: ['object', 'null'] },
  deployments: list(
    closed({ status: { enum: ['active', 'inactive', 'deploying', 'deactivating', 'error', 'unknown'] } }),
  ),
  developer: { ...closed({ name: text, logo: orNull(text) }), type: ['object', 'null'] },
  source_model: orNull(text),
  image_url: orNull(uri),
  released_at: orNull(text),
  request_schema: { type: ['object', 'null'], description: "JSON Schema of the model's own parameters." },
});

function pricing(strict: boolean): JsonObject {
  const price = { type: ['number', 'null'], minimum: 0 };
  const documented = {
    input_cost_per_token: price,
    output_cost_per_token: price,
    cost_per_second: price,
    cost_per_image: price,
    cost_per_second_high_res: price,
    cost_per_second_with_audio: price,
  };
  const rates = { type: 'object', additionalProperties: number };
  const byResolution = {
    cost_per_second_by_resolution: rates,
    cost_per_image_grid: { type: 'object', additionalProperties: rates },
  };
  const method = { enum: ['token', 'time', 'per_image', 'per_video_output_second'] };
  const prices = strict ? documented : { ...documented, ...byResolution };
  return closed({ method, ...prices }, Object.keys(prices));
}
