/**
 * Places of finished films. Coordinates may come from anywhere (a param, a model's text), so a coordinate in a path becomes
 * one plain file name's worth of characters: nothing in it can climb out of the project or start a hidden file.
 */

import { messages as languageMessages } from '../language/messages/index.ts';
import { foldersOf, outputProblem, samePath } from '../language/output-path.ts';
import { derivedFacts } from '../model/media/derived-media.ts';
import type { MediaFacts } from '../model/media/media.ts';
import { type Format, formatOf, MEDIA_EXTENSIONS } from '../model/media/media.ts';
import type { Output, Pipeline } from '../model/pipeline.ts';
import type { Plan, PlannedOutput, RoundOf } from '../model/plan.ts';
import type { InstanceKey, StepName } from '../model/run/key.ts';
import type { Result } from '../model/run/result.ts';
import { countStems, endOf, fittingPath, isFileList } from '../model/run/result.ts';
import { isObject, type Json } from '../model/text/json.ts';
import type { Slot } from './graph/plan-graph.ts';
import { roundsAround } from './graph/round-order.ts';
import type { PlanDiagnostics } from './obstacles.ts';
import { messages } from './plan-messages.ts';
import { factsIn } from './values/result-kinds.ts';

/** `already`: outputs of instances that were known before; their paths are taken. Only new ones are given back. */
export function planOutputs(
  { outputs, source }: Pipeline,
  slotsOf: (step: StepName) => readonly Slot[],
  already: readonly PlannedOutput[],
  diagnostics: PlanDiagnostics,
): PlannedOutput[] {
  const taken = takenBy(already, outputs);
  const planned: PlannedOutput[] = [];
  for (const output of outputs) {
    const slots = slotsOf(output.from);
    for (const slot of slots) {
      const empty = emptyPlace(output, slot);
      if (empty !== undefined) {
        diagnostics.error('output-empty', messages.outputEmpty(empty, slot.key), output.toAt);
        break;
      }
      const path = pathOf(output, slot);
      const problem = outputProblem(path, source.path);
      if (problem) {
        diagnostics.error(problem.code, problem.message, output.toAt);
        break;
      }
      const folded = samePath(path);
      const other = taken.get(folded);
      const rounds = roundsAround(slot);
      if (other && !isAnotherRound(rounds, other.rounds)) {
        const missing = other.output === output ? unnamed(output, slot) : [];
        diagnostics.error(
          'output-collision',
          messages.outputCollision(path, other.key, slot.key, missing),
          output.toAt,
        );
        break;
      }
      taken.set(folded, { key: slot.key, output, rounds });
      planned.push({
        name: output.name,
        instance: slot.key,
        ...(rounds.length > 0 && { rounds }),
        path,
        ...(output.file !== undefined && { file: output.file }),
        ...(output.list && { list: true }),
        ...(output.part && { part: output.part }),
        ...(output.as && { as: output.as }),
        ...(output.unmarked && { unmarked: true }),
      });
    }
  }
  for (const [path, { key, output }] of taken) {
    const list = listThatMayTake(path, taken);
    if (list) diagnostics.error('output-collision', messages.outputCollision(path, list.key, key, []), output.toAt);
  }
  for (const [path, { output }] of taken)
    for (const folder of foldersOf(path))
      if (taken.has(folder)) {
        const { code, message } = languageMessages.outputIsFolder(path, folder);
        diagnostics.error(code, message, output.toAt);
      }
  return planned;
}

/** As they are shown: what is made in rounds has one place, whichever round is taken. */
export function onePlaceEach(outputs: readonly PlannedOutput[]): readonly Omit<PlannedOutput, 'rounds'>[] {
  const paths = new Set<string>();
  return outputs.flatMap(output => {
    const { rounds: [first] = [], ...place } = output;
    if (!first) return [place];
    if (paths.has(place.path)) return [];
    paths.add(place.path);
    return [{ ...place, instance: first.taken }];
  });
}

/** Why an output will not be there: its instance is skipped, and nothing replaces it. */
export function unmadeBecause(
  { instance }: Pick<PlannedOutput, 'instance'>,
  { instances }: Pick<Plan, 'instances'>,
): string | undefined {
  const decision = instances.get(instance)?.decision;
  return decision?.is === 'skip' && decision.standIn === undefined ? decision.why : undefined;
}

/**
 * Endings that the format of what was asked for rules out. Unknown formats fit every ending.
 * @param asked what the request of an instance asks for, whatever was delivered: that is no mistake of the author's. `askedOpen`: of a step with
 * unknown instances.
 */
export function checkEndings(
  { outputs }: Pipeline,
  planned: readonly PlannedOutput[],
  {
    asked,
    askedOpen,
  }: {
    readonly asked: (instance: InstanceKey) => MediaFacts | undefined;
    readonly askedOpen: (step: StepName) => MediaFacts | undefined;
  },
  diagnostics: PlanDiagnostics,
): void {
  const byName = new Map(outputs.map(output => [output.name, output]));
  const check = (output: Output, path: string, facts: MediaFacts | undefined): void => {
    const format = output.file === undefined ? formatIn(output, facts) : undefined;
    const end = endOf(path);
    if (format && MEDIA_EXTENSIONS.has(end) && !format.ends.includes(end))
      diagnostics.error('output-extension', messages.outputEnding(path, format), output.toAt);
  };
  for (const output of outputs) check(output, output.to, askedOpen(output.from));
  for (const { name, path, instance } of planned) {
    const output = byName.get(name);
    if (output) check(output, path, asked(instance));
  }
}

/** Each output at the path that it gets by what is owned: `asked` is the file's path, where that is another one. */
export function withFittingPaths(
  planned: readonly PlannedOutput[],
  owned: (instance: InstanceKey) => Result | 'skipped' | undefined,
): PlannedOutput[] {
  const stems = countStems(planned.map(({ path }) => path));
  return planned.map(output => {
    const path = fittingPath(output.path, formatIn(output, factsOf(output, owned(output.instance))), stems);
    return path === output.path ? output : { ...output, path, asked: output.path };
  });
}

/** Undefined of what is not owned, of texts, and of lists: each of their files has a format of its own. */
function factsOf({ file, list, as }: PlannedOutput, result: Result | 'skipped' | undefined): MediaFacts | undefined {
  if (result === undefined || result === 'skipped' || list || as) return undefined;
  if (file === undefined) return factsIn(result);
  const made = 'files' in result ? result.files[file] : undefined;
  return made && !isFileList(made) ? (made.media ?? undefined) : undefined;
}

function formatIn({ part }: Pick<PlannedOutput, 'part'>, own: MediaFacts | undefined): Format | undefined {
  const facts = part ? derivedFacts(part, own) : own;
  return facts && formatOf(facts);
}

/** In the order of the file, whenever their instances became known. */
export function inFileOrder(planned: PlannedOutput[], { outputs }: Pipeline): PlannedOutput[] {
  const places = new Map(outputs.map(({ name }, place) => [name, place]));
  return planned.sort((a, b) => (places.get(a.name) ?? 0) - (places.get(b.name) ?? 0));
}

/** A list of files that may come to be written to this path, too: `out/part-{n}.mp4` beside `out/part-2.mp4`. */
function listThatMayTake(path: string, taken: ReadonlyMap<string, Taken>): Taken | undefined {
  for (const { 0: number, index } of path.matchAll(/\d+/g)) {
    const numbered = taken.get(`${path.slice(0, index)}{n}${path.slice(index + number.length)}`);
    if (numbered?.output.list) return numbered;
  }
  return undefined;
}

interface Taken {
  readonly key: string;
  readonly output: Output;
  readonly rounds: readonly RoundOf[];
}

/** Of several rounds one is taken: they do not meet in its place. */
const isAnotherRound = (rounds: readonly RoundOf[], others: readonly RoundOf[]): boolean =>
  rounds.some(({ round, taken }) => others.some(other => other.taken === taken && other.round !== round));

function takenBy(already: readonly PlannedOutput[], outputs: readonly Output[]): Map<string, Taken> {
  const byName = new Map(outputs.map(output => [output.name, output]));
  const taken = new Map<string, Taken>();
  for (const { name, instance: key, path, rounds = [] } of already) {
    const output = byName.get(name);
    if (output) taken.set(samePath(path), { key, output, rounds });
  }
  return taken;
}

const BRACES = /\{([^{}]*)\}/g;

/** `language/` has checked that the author's own part of the path stays inside. */
const pathOf = ({ to, list }: Output, slot: Slot): string =>
  to.replaceAll(BRACES, (braces, place: string) => (list && place === 'n' ? braces : fileName(valueAt(place, slot))));

/** The first placeholder that this instance has no text for: a cell of its row is empty. */
const emptyPlace = ({ to, list }: Output, slot: Slot): string | undefined =>
  [...to.matchAll(BRACES)]
    .map(([, place = '']) => place)
    .find(place => !(list && place === 'n') && ['', null].includes(valueAt(place, slot) as string | null));

/** `{scene}` is the coordinate as it reads in keys, `{scene.slug}` a column of its row. */
function valueAt(place: string, slot: Slot): Json {
  const [name = '', ...columns] = place.split('.');
  const { coordinates, matrix } = standsIn(slot, name);
  if (columns.length === 0) return coordinates[name] ?? null;
  return columns.reduce<Json>((value, column) => (isObject(value) && value[column]) ?? null, matrix[name] ?? null);
}

/** Of a step of a used file, an axis may be that of the step which uses it. */
const standsIn = (slot: Slot, axis: string): Slot =>
  slot.outer && !Object.hasOwn(slot.coordinates, axis) ? standsIn(slot.outer, axis) : slot;

/** `9:16` → `9x16`, `a fox/dusk` → `a-fox-dusk`. */
function fileName(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const plain = text
    .normalize('NFC')
    .replace(/^(\d+):(\d+)$/, '$1x$2')
    .replaceAll(/[^\p{L}\p{N}\p{M}._+-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  return [...plain].slice(0, 80).join('') || 'x';
}

function unnamed(output: Output, slot: Slot): readonly string[] {
  const around = slot.outer ? unnamed(output, slot.outer) : [];
  const own = Object.keys(slot.coordinates).filter(
    name => !output.to.includes(`{${name}}`) && !output.to.includes(`{${name}.`),
  );
  return [...around, ...own];
}
