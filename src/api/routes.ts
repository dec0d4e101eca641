import type { FineTunePlace } from './fine-tunes.ts';

/** Paths of the interface, once, for both ends. Relative to the base address. */
export const routes = {
  queue: '/api/ai/queue',
  generation: (id: string) => `/api/ai/queue/${encodeURIComponent(id)}`,
  /** Observed, not promised. */
  generations: '/api/ai/generations',
  events: '/api/events',
  models: '/api/ai/models',
  model: (id: string) => `/api/ai/models/${encodeURIComponent(id)}`,
  searchModels: '/api/ai/models/search',
  activate: (id: string) => `/api/ai/models/${encodeURIComponent(id)}/activate`,
  deactivate: (id: string) => `/api/ai/models/${encodeURIComponent(id)}/deactivate`,
  /** Blocks until the media is there; `endpoint` as the catalog spells it: `/videos/generate`. */
  generateNow: (endpoint: MediaEndpoint) => `/api/ai${endpoint}`,
  chat: '/api/ai/chat/completions',
  /** Neither promised nor observed everywhere: the place that `tokenize` is below. */
  fineTune,
  tokenize: (place: FineTunePlace) => `${fineTune(place)}/tokenize`,
} as const;

function fineTune({ namespace, repo, id }: FineTunePlace): string {
  return `/api/repos/${[namespace, repo].map(encodeURIComponent).join('/')}/fine_tunes/${encodeURIComponent(id)}`;
}

/** The endpoints that make media at once, as the catalog's `endpoint` and `schema/models/` spell them. */
export const MEDIA_ENDPOINTS = ['/videos/generate', '/images/generate', '/images/edit'] as const;
export type MediaEndpoint = (typeof MEDIA_ENDPOINTS)[number];

/** The one event the document names. */
export const COMPLETED = 'media_generation_completed';
