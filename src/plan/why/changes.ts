/** The fields in which what an instance asks for now differs from what it asked for before. */

import { valueReads } from '../../language/types/values.ts';
import type { Reference, Value } from '../../model/pipeline.ts';
import type { Instance, Place } from '../../model/plan.ts';
import { groupInside, type InstanceKey } from '../../model/run/key.ts';
import type { Asked, AskedValue } from '../../model/run/result.ts';
import { recordObjectIn } from '../../model/text/json.ts';
import { naturally } from '../../model/text/nearest.ts';
import { kindOf } from '../kinds/index.ts';
import type { KnownMedia } from '../media/media-index.ts';
import {
  type AskedFields,
  asText,
  beforeCut,
  clippedValue,
  fieldOfPath,
  flatten,
  unknownEntries,
} from '../owned/asked-fields.ts';
import { givenBy } from '../values/value-reads.ts';

export interface Difference {
  /** `prompt`, `input_images[0]`, `model`. */
  readonly field: string;
  /** Undefined: it was not there before, or is not there any more. */
  readonly was: AskedValue | undefined;
  readonly now: AskedValue | undefined;
  /** What is there now, where that is known media. */
  readonly media?: KnownMedia | undefined;
  /** `params.idea`, `data.scenes`, `matrix.beat`: what its expressions read beside results. */
  readonly reads: readonly string[];
  /** Instances with results that it reads. */
  readonly from: readonly InstanceKey[];
}

/** @param kept of the request before: long texts may be cut. */
export function differences(
  kept: Asked,
  asks: AskedFields,
  instance: Instance,
  instancesOf: (step: string) => readonly InstanceKey[],
  hide: (asked: Asked) => Asked,
): readonly Difference[] {
  const { before, now, changed } = changedPaths(kept, asks, hide);
  return inAuthorsOrder(changed, instance).map(field => {
    const media = mediaAt(field, asks);
    const value = valueAt(field, instance);
    const references = value ? valueReads(value) : [];
    const reads = references.flatMap(({ root, path: [name] }) =>
      BESIDE_RESULTS.has(root) && name !== undefined && !isInKey(root, name, instance) ? [`${root}.${name}`] : [],
    );
    const read = instancesRead(references, instance, instancesOf);
    const from = media?.from === undefined ? [...new Set(read)] : [media.from];
    return { field, was: before[field], now: now[field], media, reads: [...new Set(reads)], from };
  });
}

/** Of what is known already. */
function changedPaths(kept: Asked, asks: AskedFields, hide: (asked: Asked) => Asked) {
  const now = entriesOf(hide(flatten(asks)), path => beforeCut(kept[path] ?? null) !== undefined);
  const before = entriesOf(kept);
  const isUnknown = unknownPaths(asks);
  const known = [...new Set([...Object.keys(now), ...Object.keys(before)])].filter(path => !isUnknown(path));
  return { before, now, changed: known.filter(path => !isSame(before[path], now[path])) };
}

/**
 * Fields that alone make another result: a value in the place of another, a clip or an item of a list more or less. An option that is new, or gone,
 * may state the default.
 */
export function changedFields(kept: Asked, asks: AskedFields, hide: (asked: Asked) => Asked): readonly string[] {
  const { before, now, changed } = changedPaths(kept, asks, hide);
  const [fieldsBefore, fieldsNow] = [before, now].map(all => new Set(Object.keys(all).map(fieldOfPath)));
  const isItem = (path: string, field: string) =>
    /\[\d+\]$/.test(path) || (field.startsWith('clip ') && !(fieldsBefore?.has(field) && fieldsNow?.has(field)));
  const isSure = (path: string) =>
    (before[path] !== undefined && now[path] !== undefined) || isItem(path, fieldOfPath(path));
  return [...new Set(changed.filter(isSure).map(fieldOfPath))];
}

/** Values that are JSON objects as an entry each: of a clip, the one option that changed is named. */
function entriesOf(asked: Asked, isWhole: (path: string) => boolean = () => false): Asked {
  const entries = ([path, value]: readonly [string, AskedValue]): readonly (readonly [string, AskedValue])[] => {
    const inner = typeof value === 'string' && value.startsWith('{') && !isWhole(path) && recordObjectIn(value);
    if (!inner || Object.keys(inner).length === 0) return [[path, value]];
    return Object.entries(inner).flatMap(([name, item]) => entries([`${path}.${name}`, asText(item) ?? null]));
  };
  return Object.fromEntries(Object.entries(asked).flatMap(entries));
}

/** The instances with results that are read, also those that a param is given where the file is used. */
function instancesRead(
  references: readonly Reference[],
  place: Place,
  instancesOf: (step: string) => readonly InstanceKey[],
): readonly InstanceKey[] {
  const { outer, each = [], previous } = place;
  return references.flatMap(({ root, path: [name = ''] }): readonly InstanceKey[] => {
    if (root === 'steps') return instancesOf(groupInside(outer?.key, name));
    if (root === 'each') return each;
    if (root === 'previous') return previous === undefined ? [] : [previous];
    const given = root === 'params' && outer ? givenBy(outer.step).get(name) : undefined;
    return outer && given ? instancesRead(valueReads(given), outer, instancesOf) : [];
  });
}

/** A coordinate in the instance's name: under the same name it is the same. */
const isInKey = (root: string, name: string, { coordinates, matrix }: Instance): boolean =>
  root === 'take' || (root === 'matrix' && coordinates[name] !== undefined && coordinates[name] === matrix[name]);

const BESIDE_RESULTS: ReadonlySet<string> = new Set(['params', 'data', 'matrix', 'take', 'env', 'run']);

/** As the author wrote them; what the file does not name as a field (its model, what was taken out) comes first. */
function inAuthorsOrder(paths: readonly string[], { step }: Instance): readonly string[] {
  const places = new Map(
    kindOf(step)
      .fields(step)
      .map(({ name }, index) => [name, index]),
  );
  const place = (path: string) => places.get(fieldOfPath(path)) ?? -1;
  return paths.toSorted((a, b) => place(a) - place(b) || naturally(a, b));
}

const isSame = (was: AskedValue | undefined, now: AskedValue | undefined): boolean =>
  was === now || (now !== undefined && was === clippedValue(now));

/** Paths with unknown values, in whole or in part: whether they changed is open. */
function unknownPaths(asks: AskedFields): (path: string) => boolean {
  const unknown = new Set(unknownEntries(asks));
  const fields = new Set([...unknown].map(fieldOfPath));
  const isOpenClip = (field: string) => unknown.has('clips') && /^clip \d/.test(field) && !(field in asks.fields);
  return path => {
    const field = fieldOfPath(path);
    return unknown.has(path) || unknown.has(field) || fields.has(path) || isOpenClip(field);
  };
}

function mediaAt(path: string, { fields, known }: AskedFields): KnownMedia | undefined {
  const { name, at } = placeOf(path);
  const field = fields[name];
  const value =
    at === undefined || typeof field !== 'object' || field === null
      ? field
      : (field as Readonly<Record<string, unknown>>)[at];
  return typeof value === 'string' ? known.get(value) : undefined;
}

/** What the author wrote there. */
function valueAt(path: string, { step }: Instance): Value | undefined {
  const { name, at } = placeOf(path);
  const value = kindOf(step)
    .fields(step)
    .find(field => field.name === name)?.value;
  if (at === undefined || value === undefined) return value;
  if (value.is === 'list') return value.items[Number(at)] ?? value;
  return value.is === 'map' ? (value.entries.find(entry => entry.name === at)?.value ?? value) : value;
}

function placeOf(path: string): { readonly name: string; readonly at: string | undefined } {
  const name = fieldOfPath(path);
  return {
    name,
    at: /^(?:\[(.*)\]|\.(.*))$/s
      .exec(path.slice(name.length))
      ?.slice(1)
      .find(part => part !== undefined),
  };
}

interface AskedField {
  readonly name: string;
  readonly is: 'same' | 'changed' | 'new' | 'gone';
  readonly was: AskedValue | undefined;
  readonly now: AskedValue | undefined;
}

/** Two requests of one instance, field by field, as they were kept. What differs comes first. @param was as it was kept: long texts may be cut. */
export function askedFields(was: Asked, now: Asked): readonly AskedField[] {
  const all = [...new Set([...Object.keys(now), ...Object.keys(was)])].map((name): AskedField => {
    const [before, after] = [was[name], now[name]];
    return { name, is: verdict(before, after), was: before, now: after };
  });
  return [...all.filter(({ is }) => is !== 'same'), ...all.filter(({ is }) => is === 'same')];
}

function verdict(was: AskedValue | undefined, now: AskedValue | undefined): AskedField['is'] {
  if (isSame(was, now)) return 'same';
  if (was === undefined) return 'new';
  return now === undefined ? 'gone' : 'changed';
}
