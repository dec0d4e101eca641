/** One row for each kind of result: the fields an expression sees, the media in it, and its facts. */

import { DERIVED_FIELDS, derivedAddress } from '../../model/media/derived-media.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import type { UsedOutput } from '../../model/pipeline.ts';
import { chosenAt } from '../../model/run/choice.ts';
import { groupInside, type InstanceKey, localName, type StepName } from '../../model/run/key.ts';
import {
  type CommandFile,
  contentPath,
  contentUrl,
  everyFile,
  isStored,
  mapFiles,
  type OutputsResult,
  type PickedOne,
  type PickedResult,
  type Result,
  type UsedResult,
} from '../../model/run/result.ts';
import { isObject, type Json, type JsonObject, memoized } from '../../model/text/json.ts';
import { insideOf } from '../graph/need-graph.ts';
import type { PlanGraph, Slot } from '../graph/plan-graph.ts';
import type { KnownMedia } from '../media/media-index.ts';
import type { Gathered, ResultLookup } from '../obstacles.ts';
import { messages } from '../plan-messages.ts';

type ResultOf<Is extends Result['is']> = ResultByKind[Is];
type ResultByKind = { readonly [R in Result as R['is']]: R };

interface KindOfResult<Is extends Result['is']> {
  /** The fields an expression can read. */
  record(result: ResultOf<Is>): JsonObject;
  /** Its media, each by every address or path that a request could name it by. */
  media(result: ResultOf<Is>): readonly (readonly [address: string, media: KnownMedia])[];
  /** What it holds, wherever that lies. */
  content(result: ResultOf<Is>): Json;
  /** Undefined unless the result itself is one piece of media. */
  facts(result: ResultOf<Is>): MediaFacts | undefined;
}

const RESULTS: { readonly [Is in Result['is']]: KindOfResult<Is> } = {
  media: {
    record: ({ is: _, extension, ...fields }) => ({
      ...toJson(fields),
      file: contentPath({ ...fields, extension }),
      ...derivedFields(fields),
    }),
    media: ({ result_url, sha256, extension, bytes, media: facts }) => {
      const path = contentPath({ sha256, extension });
      return [
        [result_url, { sha256, bytes, facts }],
        [path, { sha256, bytes, facts, path }],
      ];
    },
    content: ({ sha256 }) => sha256,
    facts: ({ media }) => media,
  },
  text: {
    record: ({ is: _, ...fields }) => toJson(fields),
    media: () => [],
    content: ({ text }) => ({ text }),
    facts: () => undefined,
  },
  outputs: {
    record: ({ outputs }) => ({
      outputs: Object.fromEntries(
        Object.entries(outputs).map(([name, given]) => [
          name,
          'key' in given ? recordOfUsed(given) : given.map(recordOfUsed),
        ]),
      ),
    }),
    // As the instances inside give it: each keeps its own name.
    media: ({ outputs }) =>
      Object.values(outputs).flatMap(given =>
        usedResults(given).flatMap(({ key, result }) =>
          kindOf(result)
            .media(result)
            .map(([address, media]) => [address, { from: key, ...media }] as const),
        ),
      ),
    content: ({ outputs }) =>
      Object.fromEntries(Object.entries(outputs).map(([name, given]) => [name, usedResults(given).map(contentOfUsed)])),
    facts: () => undefined,
  },
  picked: {
    record: result => {
      const [first] = result.chosen;
      return first ? chosenValue(result, first, 0) : { choice: choiceOf(result, 0) };
    },
    media: ({ chosen }) => chosen.flatMap(({ result }) => kindOf(result).media(result)),
    content: ({ chosen }) => chosen.map(({ result }) => contentIn(result)),
    facts: ({ chosen: [first], isList }) => (first && !isList ? factsIn(first.result) : undefined),
  },
  round: {
    record: ({ result }) => recordOf(result),
    media: ({ result }) => kindOf(result).media(result),
    content: ({ result }) => contentIn(result),
    facts: ({ result }) => factsIn(result),
  },
  approved: {
    record: ({ approved, choice }) => ({
      approved,
      by: choice.who,
      at: chosenAt(choice),
      note: choice.note ?? null,
    }),
    media: () => [],
    content: ({ approved }) => ({ approved }),
    facts: () => undefined,
  },
  fine_tune: {
    record: ({ fine_tune }) => fine_tune,
    media: () => [],
    content: ({ fine_tune }) => fine_tune,
    facts: () => undefined,
  },
  command: {
    record: ({ is: _, effect: __, files, ...fields }) => ({
      ...toJson(fields),
      files: toJson(mapFiles(files, fileRecord)),
    }),
    media: ({ files }) =>
      everyFile(files).flatMap(({ sha256, extension, bytes, media }) => {
        const path = contentPath({ sha256, extension });
        const facts = media ?? undefined;
        return [
          [contentUrl(path), { sha256, bytes, facts }],
          [path, { sha256, bytes, facts, path }],
        ];
      }),
    content: ({ stdout, files }) => ({ stdout, files: toJson(mapFiles(files, ({ sha256 }) => sha256)) }),
    facts: () => undefined,
  },
};

/** The row of a result. Callers give it that same result: the types cannot say so. */
const kindOf = (result: Result): KindOfResult<Result['is']> => RESULTS[result.is];

/** A result as an expression sees it. */
export const recordOf: (result: Result) => JsonObject = memoized(result => kindOf(result).record(result));

/** The same among others: with its coordinates. A pick of several gives a list, each with those that it had as a candidate. */
export function memberValue(result: Result, matrix?: JsonObject): Json {
  if (result.is === 'picked' && result.isList) return result.chosen.map((one, at) => chosenValue(result, one, at));
  return matrix ? { ...recordOf(result), matrix: coordinatesOf(result, matrix) } : recordOf(result);
}

/** One that a pick has chosen: with its coordinates, and who chose it. */
function chosenValue(picked: PickedResult, { result, matrix: own }: PickedOne, at: number): JsonObject {
  const matrix = coordinatesOf(result, own);
  const { take } = matrix;
  return { ...recordOf(result), matrix, ...(take !== undefined && { take }), choice: choiceOf(picked, at) };
}

/** Of a pick: its own beside those of what it has chosen. */
const coordinatesOf = (result: Result, own: JsonObject): JsonObject =>
  result.is === 'picked' ? { ...(recordOf(result).matrix as JsonObject | undefined), ...own } : own;

/** `choice` beside what a pick gives. */
function choiceOf({ choice, chosen }: PickedResult, at: number): JsonObject {
  const place = choice.called.indexOf(chosen[at]?.key as InstanceKey);
  const { score, words } = choice.scores?.[place < 0 ? choice.from.indexOf(choice.chosen[at] ?? '') : place] ?? {};
  return {
    by: choice.by,
    who: choice.who,
    at: chosenAt(choice),
    note: choice.note ?? words ?? null,
    score: score ?? null,
  };
}

/** What a result holds, wherever it lies. */
export const contentIn = (result: Result): Json => kindOf(result).content(result);

const contentOfUsed = ({ result, file, index }: UsedResult): Json => ({
  content: contentIn(result),
  ...(file !== undefined && { file }),
  ...(index !== undefined && { index }),
});

/** The media in the result of an instance, by address and by path. */
export const mediaIn = (result: Result, from: InstanceKey): readonly (readonly [string, KnownMedia])[] =>
  kindOf(result)
    .media(result)
    .map(([address, media]) => [address, { from, ...media }]);

export const factsIn = (result: Result): MediaFacts | undefined => kindOf(result).facts(result);

function recordOfUsed({ part, ...used }: UsedResult): Json {
  const whole = wholeOf(used);
  if (!part || !isObject(whole)) return whole;
  if (part.is !== 'frame_at') return whole[part.is] ?? null;
  const { sha256: of } = whole;
  return typeof of === 'string' ? derivedAddress({ of, what: part }) : null;
}

function wholeOf({ result, file, index }: UsedResult): Json {
  const record = recordOf(result);
  const { files } = record;
  if (file === undefined || !isObject(files)) return record;
  const named = files[file] ?? null;
  return index !== undefined && Array.isArray(named) ? ((named as readonly Json[])[index] ?? null) : named;
}

/** Results are plain data, with names that JSON has. */
const toJson = (fields: object): JsonObject => fields as JsonObject;

/** It lies on this machine alone, and its address is that of its content: a service that reads this machine's files takes it. */
function fileRecord({ extension, ...fields }: CommandFile): JsonObject {
  const file = contentPath({ ...fields, extension });
  return { ...toJson(fields), file, result_url: contentUrl(file), ...derivedFields(fields) };
}

/** Frames and sound of a video, by the names that they have before they are made. A silent one has no sound. */
function derivedFields({ sha256: of, media }: Pick<CommandFile, 'sha256' | 'media'>): JsonObject {
  if (media?.kind !== 'video') return {};
  const there = DERIVED_FIELDS.filter(is => is !== 'sound' || media.audio_codec !== null);
  return Object.fromEntries(there.map(is => [is, derivedAddress({ of, what: { is } })]));
}

// What a `uses` step gives: the results inside that the outputs of its file name.

/** `slot`: of the `uses` step. An output of a skipped step is left out. */
export function gather(graph: PlanGraph, slot: Slot, outputs: readonly UsedOutput[], lookup: ResultLookup): Gathered {
  const { instances } = graph;
  const waiting = insideOf(graph, slot).flatMap(place => missingIn(instances, place, lookup) ?? []);
  const made: Record<string, UsedResult | readonly UsedResult[]> = {};
  let incomplete: string | undefined;
  for (const output of waiting.length > 0 ? [] : outputs) {
    const place = groupInside(slot.key, localName(output.from));
    const given = instances.of(place).map(({ key }) => ({ key, results: resultsOf(key, lookup(key), output) }));
    const skipped = given.filter(({ results }) => results.length === 0).map(one => one.key);
    const results = given.flatMap(one => one.results);
    const [only] = results;
    if (!only) continue;
    if (skipped.length > 0) incomplete ??= messages.incomplete(place, skipped);
    made[output.name] = output.isList ? results : only;
  }
  return { outputs: made, waiting, ...(incomplete !== undefined && { incomplete }) };
}

type Waiting = Gathered['waiting'][number];

/** What has to be waited for of a step inside; undefined where all of it is settled. */
function missingIn(instances: PlanGraph['instances'], place: StepName, lookup: ResultLookup): Waiting | undefined {
  if (instances.isOpen(place)) return { is: 'waiting', on: place, name: place, whole: place };
  const slots = instances.of(place);
  const missing = slots.find(slot => lookup(slot.key) === undefined);
  if (!missing) return undefined;
  const isOne = slots.length === 1;
  return { is: 'waiting', on: missing.key, name: isOne ? missing.key : place, ...(!isOne && { whole: place }) };
}

/** None where it was skipped. */
function resultsOf(
  key: InstanceKey,
  result: Result | 'skipped' | undefined,
  { file, output, part }: { readonly [Of in 'file' | 'output' | 'part']?: UsedOutput[Of] | undefined },
): readonly UsedResult[] {
  if (result === undefined || result === 'skipped') return [];
  const taken = part ? { part } : {};
  if (result.is === 'approved') return [{ key, result }];
  if (isStored(result)) {
    if (file === undefined) return [{ key, result, ...taken }];
    const named = 'files' in result ? result.files[file] : undefined;
    return Array.isArray(named)
      ? named.map((_, index) => ({ key, result, file, index, ...taken }))
      : [{ key, result, file, ...taken }];
  }
  if (result.is === 'round') return resultsOf(result.key, result.result, { file, output, part });
  if (result.is === 'picked')
    return result.chosen.flatMap(one => resultsOf(one.key, one.result, { file, output, part }));
  if (output === undefined || result.is !== 'outputs') return [];
  return usedResults(result.outputs[output]).map(one => ({ ...one, ...taken }));
}

export const usedResults = (given: OutputsResult['outputs'][string] | undefined): readonly UsedResult[] =>
  given === undefined ? [] : 'key' in given ? [given] : given;
