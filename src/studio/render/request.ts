/** Reading a request's fields. They were checked against the model's schema; here only "given or not" is left to say. */
import { type LocalInput, type RenderJob, RenderRefusal } from './job.ts';

export function text(job: RenderJob, field: string): string | undefined {
  const value = job.request[field];
  return typeof value === 'string' ? value : undefined;
}

export function number(job: RenderJob, field: string): number | undefined {
  const value = job.request[field];
  return typeof value === 'number' ? value : undefined;
}

/** Absent is false. */
export const flag = (job: RenderJob, field: string): boolean => job.request[field] === true;

/** @throws {RenderRefusal} when the field was not given. */
export function input(job: RenderJob, field: string): LocalInput {
  const [given] = job.inputs[field] ?? [];
  if (!given) throw new RenderRefusal(`${job.label} needs ${field}: give it an address`);
  return given;
}

/** What there is to draw from: the picture without a slate where we made it. */
export const plateOf = (given: LocalInput): string => given.cleanPlate ?? given.path;

/** What is left open is chosen by this: the seed where there is one, else the words. The same request gives the same picture. */
export function seedOf(job: RenderJob): string {
  return String(number(job, 'seed') ?? `${job.label}|${text(job, 'prompt') ?? ''}`);
}
