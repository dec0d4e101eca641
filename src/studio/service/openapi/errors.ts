/** What a refusal is called in `/openapi.json`, by its status, and where it may come from. */

interface ErrorAnswer {
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
/** Answered wherever a credential is asked for. */
export const WITH_CREDENTIAL = [401, 429];
/** Answered wherever a body is read. */
export const WITH_BODY = [400, 413, 415];
