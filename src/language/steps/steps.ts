/** `steps:`: first what each step is and gives, so that expressions can be typed; then every step on its own. */
import type { Span } from '../../model/diagnostic.ts';
import type { ExpressionValue, Step, Value } from '../../model/pipeline.ts';
import type { StepName } from '../../model/run/key.ts';
import { nearest } from '../../model/text/nearest.ts';
import type { Edges } from '../checks/cycles.ts';
import type { Offer } from '../checks/file-offer.ts';
import type { Findings } from '../checks/findings.ts';
import { refuseSecrets } from '../checks/secret-uses.ts';
import { kindOf } from '../kinds/index.ts';
import type { BodyContext, DerivedResult, Signature, StepResult } from '../kinds/kind.ts';
import { withCoordinates } from '../kinds/pick-candidates.ts';
import { messages } from '../messages/index.ts';
import type { SavedStep } from '../output-declarations.ts';
import type { OutputSource } from '../output-sources.ts';
import { isWithin } from '../profiles.ts';
import { readCode } from '../types/cel.ts';
import { typeOf } from '../types/infer.ts';
import type { StepType, TypeScope } from '../types/path-types.ts';
import { ANY, INT, type Type, WRONG, withFields } from '../types/types.ts';
import { placeInCode, valueExpressions } from '../types/values.ts';
import { type FileContext, readContextOf, typeScopeOf } from '../yaml/file-context.ts';
import { child, type MapNode } from '../yaml/syntax-tree.ts';
import { readCommon } from './common-keys.ts';
import { fanOutOf, type ResolvedFanOut, resolveFanOuts } from './fan-out-inheritance.ts';
import { countInstances, INSTANCE_LIMITS, type Product, placeOfExcess } from './instance-counts.ts';
import { listInRound, readUntil, sameEachRound, sameFromSecondRound } from './until.ts';

interface Steps {
  /** The file's own, sound ones only; all of them when there is no error. */
  readonly list: readonly Step[];
  /** What the files offer that they use, by step. */
  readonly offers: ReadonlyMap<string, Offer>;
  readonly edges: Edges;
  readonly types: ReadonlyMap<string, StepType>;
  readonly sources: ReadonlyMap<string, OutputSource>;
  readonly saves: readonly SavedStep[];
  /** What the expressions of a step can see; of one that is not sound, what those of any step can. */
  readonly scopeOf: (step: string) => TypeScope;
}

export function readSteps(section: MapNode | undefined, file: FileContext): Steps {
  const names = section?.entries.map(entry => entry.name) ?? [];
  const signatures = readSignatures(section, file);
  const results = resolveResults(signatures);
  const fanOuts = resolveFanOuts(names, signatures, results, file);
  checkCounts(fanOuts, signatures, file.findings);
  checkPicks(fanOuts, signatures, file.findings);
  const types = typesOfSteps(names, signatures, results, fanOuts);
  const edges = new Map<string, ReadonlyMap<string, Span>>();
  const list: Step[] = [];
  const saves: SavedStep[] = [];
  const offers = new Map<string, Offer>();
  const scopeOf = (name: string) => scopeIn(signatures.get(name), name, fanOuts.get(name), types, file);
  for (const [name, signature] of signatures) {
    const { step, judge, upstream } = readStep(signature, fanOuts.get(name)!, types, file);
    edges.set(name, upstream);
    if (step) list.push(step);
    if (judge) list.push(judge);
    if (signature.offer) offers.set(name, signature.offer);
    const save = signature.node.entries.find(entry => entry.name === 'save');
    if (save) saves.push({ step: name, at: save.nameAt, node: save.value });
  }
  checkUnusedDefaults(file, [...signatures.values()]);
  const sources = new Map(names.map(name => [name, sourceOf(results.get(name), fanOuts.get(name))]));
  return { list, offers, edges, types, sources, saves, scopeOf };
}

/** A pick gives the coordinates of what it has chosen: they are known once those of all steps are. */
function typesOfSteps(
  names: readonly string[],
  signatures: ReadonlyMap<string, StepSignature>,
  results: ReadonlyMap<string, StepResult>,
  fanOuts: ReadonlyMap<string, ResolvedFanOut>,
): ReadonlyMap<string, StepType> {
  const types = new Map<string, StepType>();
  const coordinatesOf = (name: string, readers: readonly string[]): ReadonlyMap<string, Type> => {
    const { coordinates = [], types: axes = new Map<string, Type>() } = fanOuts.get(name) ?? {};
    const own = [...axes, ...(coordinates.includes('take') ? [['take', INT] as const] : [])];
    const picks = readers.includes(name) ? undefined : signatures.get(name)?.picks;
    const chosen = picks?.map(step => coordinatesOf(step, [...readers, name])) ?? [];
    return new Map([...chosen.flatMap(one => [...one]), ...own]);
  };
  for (const name of names) {
    const type = typeOfStep(results.get(name), fanOuts.get(name));
    const picks = signatures.get(name)?.picks;
    const result = picks
      ? withCoordinates(
          type.result,
          picks.map(step => coordinatesOf(step, [name])),
        )
      : type.result;
    types.set(name, { ...type, result });
  }
  return types;
}

const typeOfStep = (result: StepResult | undefined, fanOut: ResolvedFanOut | undefined): StepType => ({
  result: result === undefined || fanOut?.broken ? WRONG : result.type,
  coordinates: fanOut?.coordinates ?? [],
  ...(fanOut && { matrix: fanOut.types }),
});

const sourceOf = (result: StepResult | undefined, fanOut: ResolvedFanOut | undefined): OutputSource => ({
  coordinates: fanOut?.coordinates ?? [],
  axes: fanOut?.types,
  several: fanOut?.several ?? new Set(),
  creates: result?.creates,
  produces: result?.produces,
  forms: result?.forms,
  outputs: result?.outputs,
  isMany: result?.isMany,
  result: result?.type,
  broken: !result || !fanOut || fanOut.broken,
});

function readStep(
  signature: StepSignature,
  fanOut: ResolvedFanOut,
  types: ReadonlyMap<string, StepType>,
  file: FileContext,
) {
  const { name, at } = signature;
  const untilEntry = untilOf(signature, file);
  const scope = scopeIn(signature, name, fanOut, types, file);
  const context = {
    ...readContextOf(file, fanOut.types),
    names: scope,
    scope,
    typeOf: (expression: ExpressionValue) => typeOf(expression, scope, file.findings),
    typeOfStep: (other: string) => types.get(other)?.result,
    typeOfRule: (expression: ExpressionValue, candidate: Type) =>
      typeOf(expression, { ...scope, candidate: withMatrix(candidate) }, file.findings),
  };
  const common = readCommon(signature, types, file, context);
  const body = signature.readBody(context);
  const { each, matrix, include, exclude, key } = fanOut;
  const upstream = new Map<string, Span>(each.map(({ step, at: eachAt }) => [step, eachAt]));
  for (const [need, needAt] of common.needs) if (!upstream.has(need)) upstream.set(need, needAt);
  for (const value of [...matrix.map(axis => axis.values), ...include, ...exclude])
    collectEdges(value, name, types, file.findings, upstream);
  const until = untilEntry && readUntil(untilEntry, types.get(name)?.result ?? WRONG, context);
  checkStandIn(common.step.else, types.get(name)?.result, context);
  const askedOfRounds = until ? [until.holds, ...(until.otherwise === 'last' ? [] : [until.otherwise])] : [];
  for (const value of [common.step.if, common.step.else, ...askedOfRounds, ...(body?.values ?? [])])
    if (value) collectEdges(value, name, types, file.findings, upstream);
  const named = [...matrix.map(axis => axis.values), ...include, ...exclude, ...(key ? [key.value] : [])];
  refuseSecrets(named, `the name of an instance of \`${name}\``, file.findings);
  const shared = { at, ...common.step, fanOut: fanOutOf(fanOut) };
  const before = [...upstream.keys()] as StepName[];
  const own = name as StepName;
  if (!body?.judge) {
    const once: Step | undefined = body && { name: own, ...shared, upstream: before, ...body.step };
    if (!once || !until) return { step: untilEntry ? undefined : once, upstream };
    if ('effect' in once && once.effect) file.findings.add(messages.untilOfEffect(), until.at);
    const listed = signature.offer && 'outputs' in once ? listInRound(signature.offer, once.with.entries) : undefined;
    if (listed !== undefined) file.findings.add(messages.listInRound(listed), until.at);
    const same = sameEachRound(once, body?.values ?? [], signature.offer, file.library);
    if (same) file.findings.add(messages.sameRounds(same), until.at);
    const whole: Step = { ...once, until };
    // In a file that is used a person may decide otherwise in each round.
    if (!signature.offer && sameFromSecondRound(whole, body?.values ?? [], file.library)) {
      const asks = signature.node.entries.find(({ name: key }) => key === 'with');
      file.findings.add(messages.sameFromSecondRound(), asks?.nameAt ?? until.at);
    }
    return { step: whole, upstream };
  }
  const inner = judgeOf(own);
  // The stand-in of the pick is not judged.
  const { else: _, ...alike } = shared;
  const judge: Step = { name: inner, ...alike, upstream: before, ...body.judge, pick: own };
  const step = { name: own, ...shared, upstream: [...before, inner], ...body.step, judge: inner } as Step;
  return { step, judge, upstream };
}

const untilOf = ({ node }: StepSignature, file: FileContext) =>
  node.entries.find(entry => entry.name === 'until' && !file.wrong.has(entry.value));

const scopeIn = (
  signature: StepSignature | undefined,
  name: string,
  fanOut: ResolvedFanOut | undefined,
  types: ReadonlyMap<string, StepType>,
  file: FileContext,
): TypeScope => ({
  ...typeScopeOf(name, types, file, fanOut),
  ...(signature?.node.entries.some(entry => entry.name === 'until') && { repeats: true as const }),
});

const judgeOf = (pick: StepName): StepName => `${pick}/judge` as StepName;

/** A candidate has its coordinates, as a member of a list has. */
function withMatrix(candidate: Type): Type {
  if (candidate.is !== 'record' || candidate.fields.has('matrix')) return candidate;
  return withFields(candidate, [['matrix', ANY]]);
}

/** What reads the step reads one or the other, and must find the same fields. */
function checkStandIn(standIn: Step['else'], own: Type | undefined, { typeOf: typeIn, findings }: BodyContext): void {
  const other = standIn && typeIn(standIn);
  if (!own || !other || own.is !== 'record' || other.is !== 'record') return;
  const isSame = own.cel === other.cel && (own.leadsTo === other.leadsTo || [own, other].some(isOfAnyKind));
  if (!isSame && standIn) findings.add(messages.elseOfOtherKind(own, other), standIn.at);
}

const isOfAnyKind = (type: Type): boolean => type.is === 'record' && type.leadsTo === 'media';

function checkUnusedDefaults(
  { defaults, findings, profileAt }: FileContext,
  signatures: readonly StepSignature[],
): void {
  const section = defaults && child(defaults, 'with');
  if (section?.is !== 'map') return;
  const fields = [];
  for (const signature of signatures) {
    // While a step's fields are unknown, a default may still have a use.
    if (signature.fields === 'unknown') return;
    if (signature.fields) fields.push(signature.fields);
  }
  const known = new Set(fields.flatMap(({ names }) => names));
  for (const { name, nameAt } of section.entries)
    if (isWrittenHere(nameAt, profileAt) && !fields.some(({ has }) => has(name)))
      findings.add(messages.unusedDefault(name, nearest(name, known)), nameAt);
}

/** A default of the file may be for the models of another profile. */
const isWrittenHere = (at: Span, profileAt: Span | undefined): boolean => !profileAt || isWithin(at, profileAt);

/** The edges of the graph: what the expressions of a step read of other steps, and where. */

/** Adds to `upstream` what this value of `step` reads; what is there already keeps its place. */
function collectEdges(
  value: Value,
  step: string,
  steps: ReadonlyMap<string, StepType>,
  findings: Findings,
  upstream: Map<string, Span>,
): void {
  for (const expression of valueExpressions(value))
    for (const { root, path } of expression.reads) {
      const name = path[0];
      if (root !== 'steps' || name === undefined || name === step || !steps.has(name) || upstream.has(name)) continue;
      upstream.set(name, referenceAt(expression, name, findings));
    }
}

function referenceAt(expression: ExpressionValue, step: string, findings: Findings): Span {
  const read = readCode(expression.code);
  const selection =
    read.is === 'broken'
      ? undefined
      : read.selections.find(({ segments }) => segments[0].name === 'steps' && segments[1]?.name === step);
  const segment = selection?.segments[1];
  return segment ? placeInCode(findings.source.text, expression, segment.start, segment.end) : expression.at;
}

/**
 * Instances are counted before any is made. An axis with an expression as its list counts as one here, and as what it gives
 * when the plan is made.
 */

/** `steps` in an order in which `each` always names an earlier one. */
function checkCounts(
  steps: ReadonlyMap<string, ResolvedFanOut>,
  places: ReadonlyMap<string, { readonly at: Span }>,
  findings: Findings,
): void {
  const counts = new Map<string, number>();
  let sum = 0;
  for (const [name, { each, matrix, include, takes, broken }] of steps) {
    const at = places.get(name)?.at;
    if (broken || !at) continue;
    const product: Product = {
      each: largest(each.map(({ step }) => ({ step, count: counts.get(step) ?? 1 }))),
      axes: matrix.map(axis => ({
        name: axis.name,
        at: axis.at,
        count: axis.values.is === 'list' ? axis.values.items.length : 1,
      })),
      include: include.length,
      takes: takes?.is === 'literal' && typeof takes.value === 'number' ? takes.value : 1,
      at,
    };
    const count = countInstances(product);
    const isTooMany = count > INSTANCE_LIMITS.step;
    if (isTooMany)
      findings.add(messages.tooManyInstances(name, product, count, INSTANCE_LIMITS.step), placeOfExcess(product));
    // An excess reported at one step is not reported again at the steps made from it.
    counts.set(name, isTooMany ? 1 : count);
    sum += isTooMany ? 1 : count;
    if (sum > INSTANCE_LIMITS.film && sum - count <= INSTANCE_LIMITS.film)
      findings.add(messages.filmTooLarge(name, sum, INSTANCE_LIMITS.film), at);
  }
}

/** A pick that chooses more than there are, where the candidates are the takes of one step, and nothing else fans it out. */
function checkPicks(
  steps: ReadonlyMap<string, ResolvedFanOut>,
  signatures: ReadonlyMap<string, StepSignature>,
  findings: Findings,
): void {
  for (const { name, node, picks, gathers } of signatures.values()) {
    const [source, ...others] = gathers ? (steps.get(name)?.each.map(({ step }) => step) ?? []) : (picks ?? []);
    const fanOut = source === undefined || others.length > 0 ? undefined : steps.get(source);
    const count = child(node, 'count');
    if (!fanOut || fanOut.broken || count?.is !== 'scalar' || typeof count.value !== 'number') continue;
    const { each, matrix, include, takes } = fanOut;
    const isAlone = gathers !== undefined || each.length + matrix.length + include.length === 0;
    if (!isAlone || takes?.is !== 'literal' || typeof takes.value !== 'number' || count.value <= takes.value) continue;
    findings.add(messages.pickBeyond(name, count.value, String(source), takes.value), count.at);
  }
}

/** Steps that meet give at least as many as the largest of them has, when each meets one of every other. */
const largest = <One extends { readonly count: number }>(sources: readonly One[]): One | undefined =>
  sources.reduce<One | undefined>((most, one) => (most && most.count >= one.count ? most : one), undefined);

/** What each step is and gives, before any of its expressions is looked at: enough to type everybody else's. */
interface StepSignature extends Signature {
  readonly name: string;
  readonly at: Span;
  readonly node: MapNode;
}

/** Of the steps of a sound shape and a known kind: mistakes in the others are reported already. */
function readSignatures(steps: MapNode | undefined, file: FileContext): ReadonlyMap<string, StepSignature> {
  const signatures = new Map<string, StepSignature>();
  for (const { name, nameAt, value: node } of steps?.entries ?? []) {
    const kind = node.is === 'map' && !file.wrong.has(node) ? kindOf(node) : undefined;
    if (node.is === 'map' && kind) signatures.set(name, { name, at: nameAt, node, ...kind.readSignature(node, file) });
  }
  return signatures;
}

/** The result of each step. One that derives from itself, or from a step that is not sound, is wrong, which is reported elsewhere. */
export function resolveResults(steps: ReadonlyMap<string, Pick<Signature, 'result'>>): ReadonlyMap<string, StepResult> {
  const resolved = new Map<string, StepResult>();
  for (const first of steps.keys()) {
    // An explicit walk to the steps that know their results: such chains may be as long as the file.
    const open = new Set<string>();
    const stack = [first];
    for (let name = stack.at(-1); name !== undefined; name = stack.at(-1)) {
      const result = steps.get(name)?.result;
      const missing = isDerived(result) && !resolved.has(name) ? result.from.find(one => isMissing(one)) : undefined;
      if (missing !== undefined) {
        open.add(name);
        stack.push(missing);
        continue;
      }
      stack.pop();
      open.delete(name);
      if (result !== undefined && !resolved.has(name)) resolved.set(name, resultOf(result, resolved));
    }
    function isMissing(name: string): boolean {
      return steps.has(name) && !resolved.has(name) && !open.has(name);
    }
  }
  return resolved;
}

function resultOf(result: Signature['result'], resolved: ReadonlyMap<string, StepResult>): StepResult {
  if (!isDerived(result)) return result;
  const others = result.from.map(name => resolved.get(name) ?? NOT_SOUND);
  return others.some(({ type }) => type.is === 'wrong') ? NOT_SOUND : result.derive(others);
}

const isDerived = (result: Signature['result'] | undefined): result is DerivedResult =>
  result !== undefined && 'derive' in result;

const NOT_SOUND: StepResult = { type: WRONG };
