/** What a render is known by: everything that reaches its pictures, and nothing else. Neither its id nor where its files lie does. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { arch, cpus, platform } from 'node:os';
import { extname } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { canonical, type Json } from '../../../model/text/json.ts';
import { digestOf } from '../../../records/store/digest.ts';
import type { LocalInput, RenderJob } from '../job.ts';
import { withoutMedia } from '../request/request-fields.ts';
import { drawingCode } from './drawing-code.ts';

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

/**
 * The kind of machine that a digest of a film holds for. Libav and the canvas choose their code by what the processor can do, and the
 * same picture comes out one bit brighter or darker by it; V8 does the arithmetic of a scene.
 */
function machineClass(): string {
  // V8's tag changes with its version, its flags and the features of the processor that it compiles for.
  return [platform(), arch(), cpus()[0]?.model ?? '', ...features(), cachedDataVersionTag()].join('\n');
}

/** Lines of `/proc/cpuinfo` that say what the processor is and can do, not how fast it runs at the moment. */
const FEATURES =
  /^(vendor_id|cpu family|model|stepping|flags|Features|CPU (implementer|architecture|variant|part))\s*:/;

/** Of the first processor; empty where the system does not tell. */
function features(): readonly string[] {
  try {
    const [first = ''] = readFileSync('/proc/cpuinfo', 'utf8').split('\n\n');
    return first.split('\n').filter(line => FEATURES.test(line));
  } catch {
    return [];
  }
}
