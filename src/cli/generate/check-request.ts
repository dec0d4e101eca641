/** One request to one model, checked as a pipeline's would be: its schema, and what its media are. */
import { validateRequest } from '../../api/validate-request.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import { fieldOf, type Model } from '../../domain/model.ts';
import { isUrl, type MediaInput } from '../../plan/media-fields.ts';
import { brokenLimits } from '../../plan/media-limits.ts';
import { LocalFiles } from '../session/local-files.ts';

export interface Checked {
  /** Files replaced by addresses the service can read. */
  readonly request: JsonObject;
  /** Everything that is wrong with it; nothing may be sent unless this is empty. */
  readonly reasons: readonly string[];
  /** Those it names, as they were read. */
  readonly files: LocalFiles;
}

/** @param hosted whether the service is elsewhere, and cannot read this machine's files */
export async function checkedRequest(model: Model, written: JsonObject, hosted: boolean): Promise<Checked> {
  const files = new LocalFiles(process.cwd());
  // A file's facts take a while: they are read when the first look has named it.
  let seen = withAddresses(model, written, files, hosted);
  if (await files.load()) seen = withAddresses(model, written, files, hosted);
  const { request, inputs, missing } = seen;
  const reasons = [
    ...validateRequest(model, request),
    ...brokenLimits(NOWHERE, model, request, inputs),
    ...missing.map(message => ({ path: '', message })),
  ];
  return { request, files, reasons: [...new Set(reasons.map(({ message }) => message))] };
}

/** The command line is nobody's file. */
const nothing = { start: 0, end: 0 };
const NOWHERE = { with: { is: 'map', entries: [], at: nothing }, modelAt: nothing } as const;

function withAddresses(model: Model, written: JsonObject, files: LocalFiles, hosted: boolean) {
  const inputs: MediaInput[] = [];
  const missing: string[] = [];
  const address = (name: string, value: Json): Json => {
    const field = fieldOf(model, name.replace(/\[\d+\]$/, ''));
    const limit = field?.media ?? field?.items?.media;
    if (limit === undefined || typeof value !== 'string' || isUrl(value)) return value;
    if (hosted) {
      missing.push(`${name} is a file of this machine, which the service cannot read: give it an https:// address`);
      return 'file:///';
    }
    const media = files.get(value);
    if (media === undefined) missing.push(`${name}: there is no file ${value}`);
    else if ('unusable' in media) missing.push(`${name}: ${value} ${media.unusable}`);
    else inputs.push({ field: name, at: nothing, limit, facts: media.facts, bytes: media.bytes });
    return media && 'url' in media ? media.url : 'file:///';
  };
  const request = Object.fromEntries(
    Object.entries(written).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((item, index) => address(`${name}[${index}]`, item)) : address(name, value),
    ]),
  );
  return { request, inputs, missing };
}
