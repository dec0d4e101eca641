/** One row for each kind of result: the fields an expression sees, the media in it, and its facts. */
import type { JsonObject } from '../domain/json.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { MediaFacts } from '../domain/media.ts';
import type { CommandFile, Result } from '../domain/result.ts';
import type { KnownMedia } from './media-index.ts';

type ResultOf<Is extends Result['is']> = ResultByKind[Is];
type ResultByKind = { readonly [R in Result as R['is']]: R };

interface KindOfResult<Is extends Result['is']> {
  /** The fields an expression can read. */
  record(result: ResultOf<Is>): JsonObject;
  /** Its media, each by every address or path that a request could name it by. */
  media(result: ResultOf<Is>): readonly (readonly [address: string, media: KnownMedia])[];
  /** Undefined unless the result itself is one piece of media. */
  facts(result: ResultOf<Is>): MediaFacts | undefined;
}

const RESULTS: { readonly [Is in Result['is']]: KindOfResult<Is> } = {
  media: {
    record: fieldsOf,
    media: ({ result_url, file, sha256, bytes, media: facts }) => [
      [result_url, { sha256, bytes, facts }],
      [file, { sha256, bytes, facts, path: file }],
    ],
    facts: ({ media }) => media,
  },
  text: { record: fieldsOf, media: () => [], facts: () => undefined },
  fine_tune: { record: ({ fine_tune }) => fine_tune, media: () => [], facts: () => undefined },
  command: {
    record: fieldsOf,
    media: ({ files }) => Object.values(files).map(file => [file.file, mediaOfFile(file)]),
    facts: () => undefined,
  },
};

/** The row of a result. Callers give it that same result: the types cannot say so. */
const kindOf = (result: Result): KindOfResult<Result['is']> => RESULTS[result.is];

const records = new WeakMap<Result, JsonObject>();

/** A result as an expression sees it. */
export function recordOf(result: Result): JsonObject {
  let record = records.get(result);
  if (!record) {
    record = kindOf(result).record(result);
    records.set(result, record);
  }
  return record;
}

/** The media in the result of an instance, by address and by path. */
export const mediaIn = (result: Result, from: InstanceKey): readonly (readonly [string, KnownMedia])[] =>
  kindOf(result)
    .media(result)
    .map(([address, media]) => [address, { from, ...media }]);

export const factsIn = (result: Result): MediaFacts | undefined => kindOf(result).facts(result);

function fieldsOf({ is: _, ...fields }: Result): JsonObject {
  return fields as unknown as JsonObject;
}

const mediaOfFile = ({ file, sha256, bytes, media }: CommandFile): KnownMedia => ({
  sha256,
  bytes,
  facts: media ?? undefined,
  path: file,
});
