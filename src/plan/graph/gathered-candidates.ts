import { evaluate } from '../../language/types/evaluate.ts';
import type { JudgeStep, PickStep, Scope, Value } from '../../model/pipeline.ts';
import type { Asking, Score } from '../../model/run/choice.ts';
import type { Option } from '../../model/run/event.ts';
import { groupInside, type InstanceKey, type StepName } from '../../model/run/key.ts';
import { pieceOf, type Result } from '../../model/run/result.ts';
import { parseSelector, selects } from '../../model/selector.ts';
import { isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import { nearest } from '../../model/text/nearest.ts';
import type { MediaIndex } from '../media/media-index.ts';
import type { ResultLookup, UsedReads } from '../obstacles.ts';
import { digest } from '../owned/instance-fingerprint.ts';
import type { PlanContext } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import { messages as selectorMessages } from '../selector-messages.ts';
import type { PartialEvaluator } from '../values/partial-evaluation.ts';
import type { Skipped, Waiting } from '../values/resolved.ts';
import { memberValue, recordOf, usedResults } from '../values/result-kinds.ts';
import { readsOf } from '../values/value-reads.ts';
import { fansOut, type PlanGraph, type Slot } from './plan-graph.ts';

export interface Candidate {
  readonly key: InstanceKey;
  /** `skipped` never will be there. */
  readonly result: Result | 'skipped' | undefined;
  /** As an expression reads it; null while it is not there. */
  readonly value: Json;
  readonly matrix: JsonObject;
}

type Candidates =
  | { readonly is: 'known'; readonly all: readonly Candidate[] }
  /** Which they are depends on results that are not there: steps that are read as a whole. */
  | { readonly is: 'waiting'; readonly steps: readonly StepName[] }
  | { readonly is: 'wrong'; readonly message: string };

interface Asked {
  readonly graph: PlanGraph;
  readonly slot: Slot;
  readonly values: PartialEvaluator;
  readonly lookup: ResultLookup;
}

/** @param from absent: the takes that the slot gathers. */
export function candidatesOf(from: Value | undefined, asked: Asked): Candidates {
  const found = from ? keysIn(from, asked) : gatheredBy(asked.slot);
  if (found.is !== 'known') return found;
  return { is: 'known', all: [...new Set(found.keys)].map(key => candidateAt(key, asked)) };
}

/** All of them but those that were skipped. */
export const liveIn = (all: readonly Candidate[]): readonly Candidate[] =>
  all.filter(({ result }) => result !== 'skipped');

/** What is chosen from candidates that were all skipped is skipped as well. */
export const allSkipped = ([first]: readonly Candidate[]): Skipped => ({
  is: 'skip',
  why: messages.allCandidatesSkipped(),
  ...(first && { by: first.key }),
});

type Readable = Exclude<Candidates, { readonly is: 'wrong' }>;

/** Records what a choice from them reads. */
export function noteRead(found: Readable, used: UsedReads): void {
  if (found.is === 'waiting') for (const name of found.steps) used.addStep(name);
  else for (const { key } of found.all) used.addInstance(key);
}

/** Candidates that are not there yet, or the steps of which they depend. */
export const missingIn = (found: Readable): readonly Waiting[] =>
  found.is === 'waiting'
    ? found.steps.map(name => ({ is: 'waiting', on: name, name, whole: name }))
    : found.all.flatMap(({ key, result }) => (result === undefined ? [{ is: 'waiting', on: key, name: key }] : []));

function candidateAt(key: InstanceKey, { graph, lookup }: Pick<Asked, 'graph' | 'lookup'>): Candidate {
  const result = lookup(key);
  const matrix = graph.instances.get(key)?.matrix ?? {};
  return {
    key,
    result,
    matrix,
    value: result === undefined || result === 'skipped' ? null : memberValue(result, matrix),
  };
}

type Keys =
  | { readonly is: 'known'; readonly keys: readonly InstanceKey[] }
  | { readonly is: 'waiting'; readonly steps: readonly StepName[] }
  | { readonly is: 'wrong'; readonly message: string };

function keysIn(from: Value, asked: Asked): Keys {
  const keys: InstanceKey[] = [];
  const waiting: StepName[] = [];
  for (const part of from.is === 'list' ? from.items : [from]) {
    const found = wholeStep(part, asked) ?? evaluated(part, asked);
    if (found.is === 'wrong') return found;
    if (found.is === 'waiting') waiting.push(...found.steps);
    else keys.push(...found.keys);
  }
  return waiting.length > 0 ? { is: 'waiting', steps: waiting } : { is: 'known', keys };
}

/** The sample of an open step gathers none: its takes are to come. */
function gatheredBy({ gathered, step }: Slot): Keys {
  if (gathered) return { is: 'known', keys: gathered };
  return { is: 'waiting', steps: step.fanOut.each.map(source => source.step) };
}

/** `steps.shot`, `each`: its instances are known whatever becomes of them. */
function wholeStep(part: Value, { graph, slot }: Asked): Keys | undefined {
  if (part.is !== 'expression') return undefined;
  // `steps.shot[0]` and the like are of results, and are evaluated.
  const [, root, name] = /^(steps|each)(?:\.(\w+))?$/.exec(part.code.trim()) ?? [];
  if (root === 'steps' && name !== undefined) {
    const place = groupInside(slot.outer?.key, name);
    if (graph.instances.isOpen(place)) return { is: 'waiting', steps: [place] };
    return { is: 'known', keys: graph.instances.of(place).map(({ key }) => key) };
  }
  if (root !== 'each') return undefined;
  const key = slot.each?.[name === undefined ? 0 : slot.step.fanOut.each.findIndex(source => source.name === name)];
  return key === undefined ? undefined : { is: 'known', keys: [key] };
}

/**
 * Results that are not there yet stand in the list with their coordinates alone: a filter that asks for nothing else is decided before
 * they are made.
 */
function evaluated(part: Value, asked: Asked): Keys {
  const { graph, slot } = asked;
  const places = [...readsOf(part).steps].map(name => [name, groupInside(slot.outer?.key, name)] as const);
  const open = places.flatMap(([, place]) => (graph.instances.isOpen(place) ? [place] : []));
  if (open.length > 0) return { is: 'waiting', steps: open };
  const { scope, isWhole } = withPlaceholders(places, asked);
  const waiting: Keys = { is: 'waiting', steps: places.map(([, place]) => place) };
  // Whether something is there cannot be asked of what is only to come.
  if (!isWhole && part.is === 'expression' && /\bhas\s*\(|\bnull\b/.test(part.code)) return waiting;
  const answer = evaluate(part, scope);
  if (answer.is === 'error') return isWhole ? { is: 'wrong', message: answer.message } : waiting;
  const given = (Array.isArray(answer.value) ? answer.value : [answer.value]) as readonly Json[];
  const keys = given.flatMap(one => (isObject(one) ? (keysOfRecords.get(one) ?? []) : []));
  return keys.length === given.length ? { is: 'known', keys } : { is: 'wrong', message: messages.notACandidate() };
}

function withPlaceholders(
  places: readonly (readonly [StepName, StepName])[],
  { graph, slot, values, lookup }: Asked,
): { readonly scope: Scope; readonly isWhole: boolean } {
  let isWhole = true;
  const recordAt = (key: InstanceKey): readonly Json[] => {
    const { result, value, matrix } = candidateAt(key, { graph, lookup });
    if (result === 'skipped') return [];
    if (result === undefined) isWhole = false;
    else noteUsed(result);
    // What is chosen of several is a list itself.
    return Array.isArray(value) ? [value] : [recordFrom((value as JsonObject | null) ?? { matrix }, key)];
  };
  const steps: Record<string, Json> = { ...values.scope.steps };
  for (const [name, place] of places) {
    const given = graph.instances.of(place).flatMap(({ key }) => recordAt(key));
    if (fansOut(graph.pipeline, place)) steps[name] = given;
    else if (given[0] !== undefined) steps[name] = given[0];
  }
  const each = (slot.each ?? []).map(key => recordAt(key)[0] ?? null);
  const [first] = slot.step.fanOut.each;
  const named = slot.step.fanOut.each.map(({ name = '' }, at) => [name, each[at] ?? null] as const);
  const joined = first?.name === undefined ? (each[0] ?? null) : Object.fromEntries(named);
  return { scope: { ...values.scope, steps, each: joined }, isWhole };
}

/** Which instance gave a record that an expression reads: expressions hand objects on as they are, through filters and into lists. */
const keysOfRecords = new WeakMap<JsonObject, InstanceKey>();

/** The record, or a copy of it where another instance has given the very same. */
function recordFrom(record: JsonObject, key: InstanceKey): JsonObject {
  const before = keysOfRecords.get(record);
  if (before === key) return record;
  const own = before === undefined ? record : { ...record };
  keysOfRecords.set(own, key);
  return own;
}

/** The results inside a used file that its outputs are: each may be chosen by itself. */
function noteUsed(result: Result): void {
  const given = result.is === 'round' ? result.result : result;
  if (given.is !== 'outputs') return;
  for (const used of Object.values(given.outputs).flatMap(usedResults))
    if (used.file === undefined && !keysOfRecords.has(recordOf(used.result)))
      keysOfRecords.set(recordOf(used.result), used.key);
}

// How a person names one of the candidates of a pick: by its number in the list, `2`; by the coordinates that tell it from the others,
// `take=2`; or by its whole name, `shot[beat=3,take=2]`.

type NamedCandidate =
  /** From 0. */
  { readonly is: 'found'; readonly place: number } | { readonly is: 'mistaken'; readonly message: string };

export function candidateNamed(word: string, { key, called }: Pick<Asking, 'key' | 'called'>): NamedCandidate {
  const places = placesOf(word.trim(), called);
  const [place, ...more] = places;
  if (place === undefined)
    return { is: 'mistaken', message: selectorMessages.noCandidate(word, key, nearName(word, called), called) };
  if (more.length === 0) return { is: 'found', place };
  return {
    is: 'mistaken',
    message: selectorMessages.several(
      word,
      places.flatMap(one => called[one] ?? []),
    ),
  };
}

/** Whether it could be one of these, so that it is not another question. */
export const namesCandidate = (word: string, called: Asking['called']): boolean =>
  placesOf(word.trim(), called).length > 0 || isCoordinates(word);

/** `take=2`, and no `best[beat=3]`. */
const isCoordinates = (word: string): boolean => /^[^[\]=]+=/.test(word);

function placesOf(word: string, called: Asking['called']): readonly number[] {
  const exact = (called as readonly string[]).indexOf(word);
  if (exact >= 0) return [exact];
  if (/^\d+$/.test(word)) return Number(word) >= 1 && Number(word) <= called.length ? [Number(word) - 1] : [];
  const wanted = isCoordinates(word) ? parseSelector(`candidate[${word}]`)?.coordinates[0] : undefined;
  const selector = wanted ? undefined : parseSelector(word);
  return called.flatMap((key, place) => {
    if (selector) return selects(selector, key) ? [place] : [];
    const own = parseSelector(key)?.coordinates.at(-1);
    return wanted && wanted.size > 0 && [...wanted].every(([name, value]) => own?.get(name) === value) ? [place] : [];
  });
}

function nearName(word: string, called: Asking['called']): string | undefined {
  const isOwn = !isCoordinates(word);
  const names = called.flatMap(key => {
    if (isOwn) return [key as string];
    return [...(parseSelector(key)?.coordinates.at(-1) ?? [])].map(([name, value]) => `${name}=${value}`);
  });
  return nearest(word, new Set(names));
}

interface ChoiceContext {
  readonly graph: PlanGraph;
  readonly values: PartialEvaluator;
  readonly inputs: { readonly known: MediaIndex };
  readonly localMedia: PlanContext['localMedia'];
}

/** Undefined where a person is asked: there is nothing to ask but "which?". */
export function askedDigest({ rule, judge, count }: PickStep, { graph }: ChoiceContext): string | undefined {
  if (rule) return digest({ rule: rule.code, count });
  const step = judge === undefined ? undefined : graph.pipeline.steps.find(({ name }) => name === judge);
  return step && 'pick' in step ? digest({ ...wordsOfJudge(step), count }) : undefined;
}

/** As in the file: what its expressions give is asked for when the judge is. */
const wordsOfJudge = ({ model, frames, words }: JudgeStep): { readonly [name: string]: Json } => ({
  ...{ model, frames },
  words: words.entries.map(({ name, value }) => [name, JSON.parse(JSON.stringify(withoutPlaces(value))) as Json]),
});

function withoutPlaces(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPlaces);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !['at', 'codeAt', 'nameAt', 'reads'].includes(name));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutPlaces(inner)]));
}

export const digestOfWords = (ask: string): string => digest({ ask });

/** None while it is not there. */
export function optionOf({ key, result }: Candidate, id: string): readonly Option[] {
  if (result === undefined || result === 'skipped') return [];
  const piece = pieceOf(result);
  if (piece.is === 'media') return [{ id, key, sha256: piece.sha256, media: piece.media }];
  return piece.is === 'text' ? [{ id, key, text: piece.text }] : [{ id, key }];
}

/** The judge of one instance of a pick: `best[beat=3]/judge`. */
export const judgeKey = (pick: InstanceKey): InstanceKey => groupInside(pick, 'judge') as string as InstanceKey;

const MOST = 10;

export const scoresSchema = (candidates: number): JsonObject => ({
  type: 'object',
  properties: {
    scores: {
      type: 'array',
      minItems: candidates,
      maxItems: candidates,
      items: {
        type: 'object',
        properties: {
          candidate: { type: 'integer', minimum: 1, maximum: candidates },
          score: { type: 'number', minimum: 0, maximum: MOST },
          words: { type: 'string' },
        },
        required: ['candidate', 'score', 'words'],
        additionalProperties: false,
      },
    },
  },
  required: ['scores'],
  additionalProperties: false,
});

/** In the order of the candidates; or why there are none. */
export function scoresIn(
  answer: Result | 'skipped',
  candidates: readonly InstanceKey[],
): { readonly scores: readonly Score[] } | { readonly message: string } {
  const json = answer !== 'skipped' && answer.is === 'text' && isObject(answer.json) ? answer.json : {};
  const { scores: given } = json;
  if (!Array.isArray(given)) return { message: messages.judgeUnread() };
  const scores = new Map<InstanceKey, Score>();
  for (const one of given as readonly Json[]) {
    const { candidate = null, score = null, words } = isObject(one) ? one : {};
    const key = typeof candidate === 'number' ? candidates[candidate - 1] : undefined;
    if (key === undefined) return { message: messages.judgeUnknown(candidate) };
    if (scores.has(key)) return { message: messages.judgeTwice(key) };
    if (typeof score !== 'number' || !(score >= 0 && score <= MOST))
      return { message: messages.judgeOutOfRange(key, score) };
    scores.set(key, { score, ...(typeof words === 'string' && words !== '' && { words }) });
  }
  const missing = candidates.filter(key => !scores.has(key));
  if (missing.length > 0) return { message: messages.judgeMissed(missing) };
  return { scores: candidates.flatMap(key => scores.get(key) ?? []) };
}
