/** One request, made ready to be sent: checked against the model's schema and the facts of its media, its files replaced by addresses. */
import { validateRequest } from '../../api/validate-request.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import { fieldOf, type Model } from '../../domain/model.ts';
import { isUrl } from '../../plan/media-address.ts';
import { brokenLimits, type MediaInput } from '../../plan/media-fields.ts';
import { LocalFiles } from '../../session/local-files.ts';
import type { ServiceChoice } from '../service/choose-service.ts';

type Receiver = Pick<ServiceChoice, 'hosted'>;

interface PreparedRequest {
  /** Files replaced by addresses the service can read. */
  readonly request: JsonObject;
  /** Everything that is wrong with it; nothing may be sent unless this is empty. */
  readonly reasons: readonly string[];
  /** The files that it names, read already. */
  readonly files: LocalFiles;
}

/** A hosted service cannot read this machine's files. */
export async function prepareRequest(model: Model, written: JsonObject, service: Receiver): Promise<PreparedRequest> {
  const files = new LocalFiles(process.cwd());
  // Reading a file's facts takes a while: the first pass names the files, and the second knows them.
  let seen = withAddresses(model, written, files, service);
  if (await files.load()) seen = withAddresses(model, written, files, service);
  const { request, inputs, missing } = seen;
  const reasons = [
    ...validateRequest(model, request),
    ...brokenLimits(NOWHERE, model, request, inputs),
    ...missing.map(message => ({ path: '', message })),
  ];
  return { request, files, reasons: [...new Set(reasons.map(({ message }) => message))] };
}

/** The command line has no places in a file. */
const NO_PLACE = { start: 0, end: 0 };
const NOWHERE = { with: { is: 'map', entries: [], at: NO_PLACE }, modelAt: NO_PLACE } as const;

function withAddresses(model: Model, written: JsonObject, files: LocalFiles, { hosted }: Receiver) {
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
    else inputs.push({ field: name, at: NO_PLACE, limit, facts: media.facts, bytes: media.bytes });
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
