/** The media a request came with. */
import { type LocalInput, type RenderJob, RenderRefusal } from '../job.ts';

/** @throws {RenderRefusal} when the field was not given. */
export function jobInput(job: RenderJob, field: string): LocalInput {
  const [given] = job.inputs[field] ?? [];
  if (!given) throw new RenderRefusal(`${job.label} needs ${field}: give it an address`);
  return given;
}

/** What there is to draw from: the picture without a slate where we made it. */
export const plateOf = (given: LocalInput): string => given.cleanPlate ?? given.path;
