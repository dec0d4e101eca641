/** The model catalog (interface document: "Model object", "Pricing object", "GET /api/ai/models…"). */
import type { JsonObject } from '../model/text/json.ts';

export interface CatalogModel {
  readonly id: string;
  readonly object: 'model';
  /** Unix seconds. */
  readonly created: number;
  readonly owned_by: string;
  readonly display_name: string;
  readonly description: string | null;
  readonly summary: string | null;
  readonly model_type: 'base' | 'custom';
  readonly endpoint: string;
  readonly capabilities: { readonly input: readonly string[]; readonly output: readonly string[] };
  readonly pricing: Pricing;
  readonly fine_tuning: JsonObject | null;
  readonly deployments: readonly { readonly status: DeploymentStatus }[];
  readonly developer: { readonly name: string; readonly logo: string | null } | null;
  readonly source_model: string | null;
  readonly image_url: string | null;
  readonly released_at: string | null;
  readonly request_schema: JsonObject | null;
}

export type DeploymentStatus = 'active' | 'inactive' | 'deploying' | 'deactivating' | 'error' | 'unknown';

/** US dollars. Every number may be null or absent. */
export interface Pricing {
  readonly method: 'token' | 'time' | 'per_image' | 'per_video_output_second';
  readonly input_cost_per_token?: number | null;
  readonly output_cost_per_token?: number | null;
  readonly cost_per_second?: number | null;
  readonly cost_per_image?: number | null;
  readonly cost_per_second_high_res?: number | null;
  readonly cost_per_second_with_audio?: number | null;
  /** Observed: `{ "480p": 0.096 }`; the most specific price that applies wins. */
  readonly cost_per_second_by_resolution?: { readonly [resolution: string]: number };
  /** Observed: by quality, then by resolution: `{ "high": { "4K": 0.19 } }`. */
  readonly cost_per_image_grid?: { readonly [quality: string]: { readonly [resolution: string]: number } };
}

export interface ModelList {
  readonly object: 'list';
  readonly data: readonly CatalogModel[];
}
