/**
 * How long a result may become, at most, where its length is not known before. A request may leave its length out, or to the model
 * (`-1`, `auto`), or to a video that is not there yet; then the document's bounds tell, and where it has none, nobody can.
 */
import type { JsonObject } from '../domain/json.ts';
import type { FieldSchema, Model } from '../domain/model.ts';
import { secondsOf } from './expected-facts.ts';

/** Seconds; undefined where nobody can tell. */
export function longestSeconds(model: Model | undefined, request: JsonObject): number | undefined {
  const { from, keep } = model?.returns.duration ?? {};
  const fields = model?.request.properties ?? {};
  const lengths = [
    ...(from === undefined ? [] : [longestOf(fields[from])]),
    // Where nothing is said of the length, it is that of the source.
    ...(keep === undefined || (from !== undefined && request[from] !== undefined)
      ? []
      : [fields[keep]?.media?.maxSeconds]),
  ];
  const known = lengths.filter(length => length !== undefined);
  return known.length === lengths.length && known.length > 0 ? Math.max(...known) : undefined;
}

function longestOf(field: FieldSchema | undefined): number | undefined {
  if (!field) return undefined;
  const { enum: values, maximum, atMost } = field;
  const bounds = [...(values ?? []), maximum, ...(atMost ?? [])].map(bound =>
    bound === undefined ? undefined : secondsOf(bound),
  );
  const known = bounds.filter(bound => bound !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
