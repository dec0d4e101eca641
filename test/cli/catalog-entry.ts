import type { CatalogModel } from '../../src/api/catalog.ts';

/** A model that only the catalog of a hosted service knows. */
export const entry: Omit<CatalogModel, 'request_schema'> = {
  id: 'vendor/new',
  object: 'model',
  created: 0,
  owned_by: 'vendor',
  display_name: 'New',
  description: null,
  summary: null,
  model_type: 'base',
  endpoint: '/videos/generate',
  capabilities: { input: [], output: [] },
  pricing: { method: 'time' },
  fine_tuning: null,
  deployments: [],
  developer: null,
  source_model: null,
  image_url: null,
  released_at: null,
};
