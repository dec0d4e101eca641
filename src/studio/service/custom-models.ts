/**
 * The studio's custom models, so that activation and fine-tuning have something to act on. There are no weights here: each draws like its source
 * model, once its deployment is active.
 */
import type { Model, ModelLibrary } from '../../model/model.ts';
import { HttpRefusal } from '../shared/http-refusal.ts';
import type { Deployments, NewDeployment } from './records/deployments.ts';

/** Who owns them, and the repository their fine-tunes belong to. */
export const OWNER = 'film-house';

interface CustomModel extends Model {
  /** Label of the model it was fine-tuned from. */
  readonly source: string;
}

interface Seed extends NewDeployment, Pick<Model, 'forTests'> {
  readonly source: string;
  readonly summary: string;
}

const SEEDS: readonly Seed[] = [
  {
    model: 'fox-look',
    source: 'V-T2V-A',
    summary: 'text to video, tuned to one fox',
    status: 'inactive',
    becomes: 'active',
  },
  {
    model: 'river-look',
    source: 'I-GEN-A',
    summary: 'text to image, tuned to one river',
    status: 'active',
    becomes: 'active',
    forTests: true,
  },
  {
    model: 'storm-look',
    source: 'I-EDIT-A',
    summary: 'image editing, tuned to one storm; its deployment always ends in an error',
    status: 'inactive',
    becomes: 'error',
    forTests: true,
  },
];

/** What an active deployment costs: US dollars for each second. */
const PRICE = { method: 'time', cost_per_second: 0.0011 };

export interface StudioLibrary extends ModelLibrary {
  readonly custom: readonly CustomModel[];
}

/** The library with its custom models beside it, each on record with a deployment. */
export function withCustomModels(library: ModelLibrary, deployments: Pick<Deployments, 'register'>): StudioLibrary {
  deployments.register(SEEDS.filter(({ source }) => library.get(source) !== undefined));
  const custom = customModels(library);
  const byLabel = new Map(custom.map(model => [model.label, model]));
  return {
    get: label => byLabel.get(label) ?? library.get(label),
    labels: [...library.labels, ...byLabel.keys()],
    custom,
  };
}

/** Those with a source in the library. */
export const customModels = (library: ModelLibrary): readonly CustomModel[] =>
  SEEDS.flatMap(({ model, source, summary, forTests }) => {
    const base = library.get(source);
    return base ? [{ ...base, label: model, summary, pricing: PRICE, source, ...(forTests && { forTests }) }] : [];
  });

export const isCustom = (model: Model): model is CustomModel => 'source' in model;

/** The label of the renderer that draws it. */
export const drawnAs = (model: Model): string => (isCustom(model) ? model.source : model.label);

/** @throws {HttpRefusal} 409 unless requests to this model can be served. */
export function checkActive(model: Model, deployments: Deployments): void {
  const status = isCustom(model) ? deployments.live(model.label) : 'active';
  if (status === 'active') return;
  throw new HttpRefusal(
    409,
    'model_not_active',
    `model ${model.label} cannot be used: its deployment is ${status}; activate it and wait until it is active`,
  );
}
