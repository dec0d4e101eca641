/** The media a request came with. */
import { type Footage, openFootage } from '../../../media/decode/footage.ts';
import { type LocalInput, type RenderJob, RenderRefusal } from '../job.ts';

/** @throws {RenderRefusal} when the field was not given. */
export function jobInput(job: RenderJob, field: string): LocalInput {
  const [given] = job.inputs[field] ?? [];
  if (!given) throw new RenderRefusal(`${job.label} needs ${field}: give it an address`);
  return given;
}

/** What there is to draw from: the picture without a slate where we made it. */
export const plateOf = (given: LocalInput): string => given.cleanPlate ?? given.path;

/** The film to work on: its pictures without a slate where we made it, and its sound. */
export const footageOf = (given: LocalInput): Promise<Footage> => openFootage(plateOf(given), given.path);
