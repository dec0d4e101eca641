/**
 * What will run, why, and what it costs. In the order of the graph each instance is resolved with what is owned; what is
 * owned already goes on to those behind it, what must be made leaves them pending with expected facts in its place.
 */
import type { Pricing } from '../api/catalog.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { JsonObject } from '../domain/json.ts';
import type { InstanceKey, StepName } from '../domain/key.ts';
import type { MediaFacts } from '../domain/media.ts';
import type { ModelLibrary } from '../domain/model.ts';
import type { Pipeline, Step } from '../domain/pipeline.ts';
import type { Decision, Instance, Owned, Plan } from '../domain/plan.ts';
import type { Result } from '../domain/result.ts';
import { FREE, type Price, priceOf, rounded } from './cost.ts';
import { type ExpectedFacts, expectedFacts, knownFacts } from './facts.ts';
import { fanOut, fansOut, type Slot } from './fan-out.ts';
import { Findings } from './findings.ts';
import { inOrder, schedule, usualSeconds } from './graph.ts';
import type { Wiring } from './inputs.ts';
import { brokenLimits } from './limits.ts';
import type { LocalMedia, MediaInput } from './media-fields.ts';
import { planOutputs } from './outputs.ts';
import { readParams } from './params.ts';
import { readsOfStep } from './reads.ts';
import { type Resolved, type ResolvedCommand, type ResolvedRequest, resolve, shownCommand } from './resolve.ts';
import { whyHit, whyRun } from './why.ts';
import { words } from './words.ts';

export type { LocalMedia } from './media-fields.ts';

export interface PlanContext {
  /** As given on the command line: texts are read as what the file declares. */
  readonly params: JsonObject;
  readonly library: ModelLibrary;
  /** From the service's catalog, by model id. */
  readonly pricing: ReadonlyMap<string, Pricing>;
  /** Part of every fingerprint. */
  readonly service: string;
  readonly env: JsonObject;
  readonly run: JsonObject;
  readonly owned: Owned;
  /** For a path relative to the pipeline file; undefined when nothing is there. */
  readonly localMedia: (path: string) => LocalMedia | undefined;
  /** Seconds this model (`run` for a local command) was seen to take; undefined where nothing has been learnt. */
  readonly expected?: (model: string) => number | undefined;
}

export interface Planned {
  /** Absent when a diagnostic is an error. */
  readonly plan?: Plan;
  readonly diagnostics: readonly Diagnostic[];
}

export function plan(pipeline: Pipeline, context: PlanContext): Planned {
  const findings = new Findings(pipeline.source);
  const params = readParams(pipeline, context.params, findings);
  if (findings.any) return { diagnostics: findings.diagnostics };
  const byStep = fanOutAll(pipeline, params, context, findings);
  if (findings.any) return { diagnostics: findings.diagnostics };
  const outputs = planOutputs(pipeline, byStep, findings);
  const planner = new Planner({ pipeline, params, service: context.service, byStep }, context, findings);
  const instances = [...byStep.values()].flatMap(slots => slots.map(slot => planner.decide(slot)));
  if (findings.any) return { diagnostics: findings.diagnostics };

  const { remaining, criticalPath } = schedule(instances);
  // Ours alone until they are returned: copying 10,000 of them to add one number costs 10 MB.
  for (const [index, instance] of instances.entries()) instance.remaining = remaining[index] ?? 0;
  return {
    plan: {
      pipeline,
      params,
      service: context.service,
      instances,
      byKey: new Map(instances.map(instance => [instance.key, instance])),
      byStep: groupedByStep(byStep, instances),
      outputs,
      totals: totalsOf(instances),
      criticalPath,
    },
    diagnostics: [],
  };
}

type Draft = Omit<Instance, 'remaining'> & { remaining: number };

/** In topological order of the steps. */
function fanOutAll(
  pipeline: Pipeline,
  params: JsonObject,
  { run, env }: PlanContext,
  findings: Findings,
): ReadonlyMap<StepName, readonly Slot[]> {
  const byStep = new Map<StepName, readonly Slot[]>();
  const scope = { params, run, env, steps: {}, matrix: {}, each: null };
  for (const step of inOrder(pipeline)) {
    const upstream = step.fanOut.each === undefined ? undefined : byStep.get(step.fanOut.each);
    byStep.set(step.name, fanOut(step, upstream, scope, findings));
  }
  return byStep;
}

class Planner {
  readonly #wiring: Wiring;
  readonly #context: PlanContext;
  readonly #findings: Findings;
  /** What those behind can read already. */
  readonly #results = new Map<InstanceKey, Result | 'skipped'>();
  readonly #facts = new Map<InstanceKey, ExpectedFacts>();
  /** Requests that will be made, by fingerprint: asking twice pays once. */
  readonly #toMake = new Map<string, InstanceKey>();
  readonly #waits = new Map<Step, Waits>();

  constructor(wiring: Wiring, context: PlanContext, findings: Findings) {
    this.#wiring = wiring;
    this.#context = context;
    this.#findings = findings;
  }

  decide(slot: Slot): Draft {
    const resolved = resolve(this.#wiring, slot, key => this.#results.get(key), this.#context);
    switch (resolved.is) {
      case 'skip':
        this.#results.set(slot.key, 'skipped');
        return this.#draft(slot, { is: 'skip', why: resolved.why }, FREE, { expected: 0 });
      case 'invalid':
        this.#complain(slot, resolved);
        return this.#draft(slot, { is: 'run', why: '' }, FREE, { expected: 0 });
      case 'pending':
        return this.#later(slot, resolved);
      case 'request':
      case 'command':
        return this.#now(slot, resolved);
    }
  }

  #now(slot: Slot, resolved: ResolvedRequest | ResolvedCommand): Draft {
    const { key, step } = slot;
    const { owned } = this.#context;
    const { fingerprint } = resolved;
    const request = requestOf(resolved);
    const result = step.cache ? owned.find(fingerprint) : undefined;
    if (result) {
      this.#results.set(key, result);
      if (result.is === 'media') this.#facts.set(key, knownFacts(result.media));
      const decision: Decision = { is: 'hit', why: whyHit(key, fingerprint, owned), result };
      const facts = result.is === 'media' ? result.media : undefined;
      return this.#draft(slot, decision, FREE, { request, fingerprint, facts, expected: 0 });
    }
    const facts = resolved.is === 'request' ? this.#expect(slot, request, resolved.media) : undefined;
    const twin = step.cache ? this.#toMake.get(fingerprint) : undefined;
    if (twin !== undefined) {
      const decision: Decision = { is: 'run', why: words.sameAs(twin) };
      return this.#draft(slot, decision, FREE, { request, fingerprint, facts, expected: this.#seconds(step, facts) });
    }
    this.#toMake.set(fingerprint, key);
    const why = step.cache ? whyRun(key, resolved, owned) : words.cacheOff();
    return this.#draft(slot, { is: 'run', why }, this.#price(step, request, facts), {
      request,
      fingerprint,
      facts,
      expected: this.#seconds(step, facts),
    });
  }

  #later(slot: Slot, resolved: Resolved & { is: 'pending' }): Draft {
    const { step } = slot;
    const { request, why } = resolved;
    const decision: Decision = { is: 'maybe', why };
    const facts = this.#expect(slot, request, resolved.media);
    this.#checkExpected(slot, request, resolved.media);
    return this.#draft(slot, decision, this.#price(step, request, facts), {
      request,
      facts,
      expected: this.#seconds(step, facts),
    });
  }

  #expect(slot: Slot, request: JsonObject, media: readonly MediaInput[]): MediaFacts | undefined {
    const model = this.#modelOf(slot.step);
    const facts = model && expectedFacts(model, request, field => this.#factsOfField(field, media));
    if (facts) this.#facts.set(slot.key, facts);
    return facts?.media;
  }

  #factsOfField(field: string, media: readonly MediaInput[]): ExpectedFacts | undefined {
    const input = media.find(candidate => candidate.field === field || candidate.field === `${field}[0]`);
    if (input?.facts) return knownFacts(input.facts);
    return input?.from === undefined ? undefined : this.#facts.get(input.from);
  }

  /** A 40 s clip into a reframe, before the clip exists. */
  #checkExpected({ step }: Slot, request: JsonObject, media: readonly MediaInput[]): void {
    const model = this.#modelOf(step);
    if (!model || step.kind !== 'generate') return;
    const expected = (input: MediaInput) => (input.from === undefined ? undefined : this.#facts.get(input.from)?.media);
    for (const { message, at } of brokenLimits(step, model, request, media, expected))
      this.#findings.error('limit', message, at);
  }

  #complain({ step }: Slot, { failure, problems }: Resolved & { is: 'invalid' }): void {
    if (problems.length === 0) this.#findings.error('incomplete', failure.message, step.at);
    const code = failure.code === 'expression_failed' ? 'expression-failed' : 'invalid-request';
    for (const { message, at } of problems) this.#findings.error(code, message, at);
  }

  #price(step: Step, request: JsonObject, facts: MediaFacts | undefined): Price {
    if (step.kind === 'run') return FREE;
    return priceOf(this.#context.pricing.get(step.model), this.#modelOf(step), request, facts);
  }

  #seconds(step: Step, facts: MediaFacts | undefined): number {
    const learnt = this.#context.expected?.(step.kind === 'run' ? 'run' : step.model);
    return learnt ?? usualSeconds(step.kind === 'run' ? 'run' : this.#modelOf(step)?.kind, facts?.duration);
  }

  #modelOf(step: Step) {
    return step.kind === 'generate' ? this.#context.library.get(step.model) : undefined;
  }

  #draft(slot: Slot, decision: Decision, price: Price, rest: Rest): Draft {
    const { request, fingerprint, facts, expected } = rest;
    const { needs, needsAll } = this.#waitsOf(slot.step);
    return {
      ...slot,
      needs: slot.each === undefined ? needs : needs.length === 0 ? [slot.each] : [slot.each, ...needs],
      needsAll,
      decision,
      ...(request && { request }),
      ...(fingerprint !== undefined && { fingerprint }),
      price: price.usd,
      priceBasis: price.basis,
      ...(facts && { facts }),
      expected,
      remaining: 0,
    };
  }

  /** What every instance of a step waits for, beside its own `each`. Shared by all of them. */
  #waitsOf(step: Step): Waits {
    let waits = this.#waits.get(step);
    if (!waits) {
      const names = [...new Set([...step.needs, ...readsOfStep(step).steps])];
      const { pipeline, byStep } = this.#wiring;
      const [groups, single] = [
        names.filter(name => fansOut(pipeline, name)),
        names.filter(name => !fansOut(pipeline, name)),
      ];
      waits = { needs: single.flatMap(name => byStep.get(name)?.map(slot => slot.key) ?? []), needsAll: groups };
      this.#waits.set(step, waits);
    }
    return waits;
  }
}

interface Waits {
  readonly needs: readonly InstanceKey[];
  readonly needsAll: readonly StepName[];
}

interface Rest {
  readonly request?: JsonObject | undefined;
  readonly fingerprint?: string | undefined;
  readonly facts?: MediaFacts | undefined;
  readonly expected: number;
}

function requestOf(resolved: ResolvedRequest | ResolvedCommand): JsonObject {
  if (resolved.is === 'request') return resolved.request;
  const { command, env, files } = resolved;
  return shownCommand('argv' in command ? command.argv : command.script, env, files);
}

function groupedByStep(
  order: ReadonlyMap<StepName, readonly Slot[]>,
  instances: readonly Instance[],
): ReadonlyMap<StepName, readonly Instance[]> {
  const grouped = new Map<StepName, Instance[]>([...order.keys()].map(name => [name, []]));
  for (const instance of instances) grouped.get(instance.step.name)?.push(instance);
  return grouped;
}

function totalsOf(instances: readonly Instance[]): Plan['totals'] {
  const counts = { hit: 0, run: 0, maybe: 0, skip: 0 };
  let usd = 0;
  let unpriced = 0;
  for (const { decision, price } of instances) {
    counts[decision.is] += 1;
    if (decision.is !== 'run' && decision.is !== 'maybe') continue;
    if (price === null) unpriced += 1;
    else usd += price;
  }
  return { instances: instances.length, ...counts, usd: rounded(usd), unpriced };
}
