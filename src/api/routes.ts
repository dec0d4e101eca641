/** Paths of the interface, once, for both ends. Relative to the base address. */
export const routes = {
  queue: '/api/ai/queue',
  generation: (id: string) => `/api/ai/queue/${encodeURIComponent(id)}`,
  /** Observed, not promised. */
  generations: '/api/ai/generations',
  events: '/api/events',
  models: '/api/ai/models',
  model: (id: string) => `/api/ai/models/${encodeURIComponent(id)}`,
} as const;

/** The one event the document names, and its data. */
export const COMPLETED = 'media_generation_completed';
export interface CompletedData {
  readonly generation_id: string;
}
