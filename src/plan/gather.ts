/** What a `uses` step gives: the results inside that the outputs of its file name. */
import { groupInside, type InstanceKey, localName, type StepName } from '../domain/key.ts';
import type { UsedOutput } from '../domain/pipeline.ts';
import { isStored, type OutputsResult, type Result, type UsedResult } from '../domain/result.ts';
import type { PlanGraph, Slot } from './plan-graph.ts';
import { messages } from './plan-messages.ts';
import type { Gathered, ResultLookup } from './step-inputs.ts';
import { insideOf } from './waits.ts';

/** `slot`: of the `uses` step. An output whose step was skipped is left out. */
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
