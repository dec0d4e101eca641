/** What a render is known by: everything that reaches its pictures, and nothing else. Neither its id nor where its files lie does. */
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import { digestOf } from '../../../artifacts/digest.ts';
import { canonical, type Json } from '../../../domain/json.ts';
import type { LocalInput, RenderJob } from '../job.ts';
import { withoutMedia } from '../request/request-fields.ts';
import { drawingCode } from './drawing-code.ts';
import { machineClass } from './machine-class.ts';

/** The key of what a renderer makes of this job. @param drawing see {@link drawnBy}. */
export async function jobKey(drawing: string, job: RenderJob): Promise<string> {
  const media: { [field: string]: Json } = {};
  for (const [field, given] of Object.entries(job.inputs)) media[field] = await Promise.all(given.map(contentOf));
  return keyOf({ render: job.label, request: withoutMedia(job), inputs: media, speed: job.speed, drawing });
}

/** The key of what is learned of a file. */
export const fileKey = async (drawing: string, of: string, path: string): Promise<string> =>
  keyOf({ of, ...(await bytesOf(path)), drawing });

/** Names the code that draws and the kind of processor it runs on: both decide the bytes of a result. */
export const drawnBy = async (): Promise<string> => keyOf([await drawingCode(), machineClass()]);

async function contentOf({ path, cleanPlate, facts }: LocalInput): Promise<Json> {
  const plate = cleanPlate === undefined ? null : await bytesOf(cleanPlate);
  return { ...(await bytesOf(path)), plate, facts: { ...facts } };
}

/** Libav also goes by how a name ends when it finds out what a file is. */
const bytesOf = async (path: string) => ({ sha256: (await digestOf(path)).sha256, ending: extname(path) });

const keyOf = (value: Json): string => createHash('sha256').update(canonical(value)).digest('hex');
