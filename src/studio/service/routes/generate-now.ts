/**
 * "POST /api/ai/videos/generate", "/images/generate", "/images/edit": answered when the media is there. They go through the queue like
 * everything else, so a request with a broken connection is found in the history.
 */
import type { ImagesResponse, VideosResponse } from '../../../api/generated-media.ts';
import { type MediaEndpoint, routes } from '../../../api/routes.ts';
import { fieldOf, type Model } from '../../../model/model.ts';
import type { Json } from '../../../model/text/json.ts';
import { HttpRefusal, invalid, ok } from '../../shared/http-refusal.ts';
import { resultUrl } from '../generation-json.ts';
import { WITH_BODY } from '../openapi/document.ts';
import type { Generation } from '../records/generations.ts';
import type { ApiRoute, Handler, Services } from '../route.ts';
import { enqueue } from './queue.ts';

const generateAt =
  (endpoint: MediaEndpoint): Handler =>
  async (call, studio) => {
    const ids = await enqueue(call, studio, model =>
      serves(endpoint, model)
        ? undefined
        : `${model.label} is not made at ${routes.generateNow(endpoint)}: send it to /api/ai${model.endpoint}`,
    );
    return ok(made(await Promise.all(ids.map(id => toTheEnd(id, studio))), studio));
  };

/** @throws {HttpRefusal} for everything but a success. */
async function toTheEnd(id: string, studio: Services): Promise<Generation> {
  const ended = await studio.queue.ended(id);
  if (ended === undefined) throw closing(id);
  if (ended.status === 'succeeded') return ended;
  const message = ended.error_message ?? `generation ${id} ${ended.status}`;
  if (ended.status === 'cancelled') throw new HttpRefusal(409, 'generation_cancelled', message);
  if (ended.blame !== 'request') throw new HttpRefusal(500, 'generation_failed', message);
  const model = studio.library.get(ended.model);
  throw invalid([{ path: model ? fieldIn(message, model) : '', message }]);
}

const MEDIA = [
  { endpoint: '/videos/generate', id: 'makeVideo', summary: 'Make a video', schema: 'Videos' },
  { endpoint: '/images/generate', id: 'makeImage', summary: 'Make an image', schema: 'Images' },
  { endpoint: '/images/edit', id: 'editImage', summary: 'Edit images', schema: 'Images' },
] as const satisfies readonly { readonly endpoint: MediaEndpoint; [more: string]: string }[];

export const mediaRoutes: readonly ApiRoute[] = MEDIA.map(({ endpoint, id, summary, schema }) => ({
  method: 'POST',
  path: routes.generateNow(endpoint),
  answer: generateAt(endpoint),
  id,
  tag: 'Media',
  summary,
  description: 'Blocks until the media is there.',
  takes: model => serves(endpoint, model),
  repeatable: true,
  gives: { schema, strict: 'Made' },
  errors: [...WITH_BODY, 404, 409, 503],
}));

/** The field that a sentence about an input begins with: `input_image[2] is …`. Empty where it names none. */
function fieldIn(message: string, model: Model): string {
  const [path = '', name = ''] = /^([a-z]\w*)(?:\[\d+\])?(?=[ :])/.exec(message) ?? [];
  return fieldOf(model, name) === undefined ? '' : path;
}

/** The document's catalog knows no `/images/edit` as an `endpoint`: a client that goes by it may send an edit to `/images/generate`. */
const serves = (endpoint: MediaEndpoint, model: Model): boolean =>
  endpoint === model.endpoint || (endpoint === '/images/generate' && model.endpoint === '/images/edit');

/** "Response body: not shown": strict mode returns the media in the document's own word, and nothing of what was observed. */
function made(generations: readonly Generation[], studio: Services): Json {
  const media = generations.map(generation => {
    const url = resultUrl(generation, studio);
    if (url === null) throw new Error(`generation ${generation.id} succeeded without a file`);
    return { url };
  });
  const [first] = generations;
  if (!first) throw new Error('nothing was asked for');
  if (studio.strict) return { result_url: media[0]?.url ?? null };
  const { completed_at, enqueued_at, model, media_type } = first;
  const answer = { created: completed_at ?? enqueued_at, model };
  const response: VideosResponse | ImagesResponse =
    media_type === 'video' ? { ...answer, videos: media } : { ...answer, images: media };
  return response as unknown as Json;
}

const closing = (id: string) =>
  new HttpRefusal(503, 'closing', `the studio is closing; generation ${id} is finished when it is started again`, {
    headers: { 'retry-after': '5', connection: 'close' },
  });
