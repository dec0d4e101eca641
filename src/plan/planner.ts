/**
 * Hit, fetch, run, maybe or skip, one instance after the other in the order of the graph. What is owned goes on to those behind
 * it as a result; what must be made goes on as facts that are expected of it.
 */
import type { JsonObject } from '../domain/json.ts';
import type { InstanceKey, StepName } from '../domain/key.ts';
import type { MediaFacts } from '../domain/media.ts';
import type { Step } from '../domain/pipeline.ts';
import type { Decision, Instance } from '../domain/plan.ts';
import type { MediaResult, Result } from '../domain/result.ts';
import { hitReason, runReason } from './decision-reasons.ts';
import { namedSecrets, withoutSecrets } from './env-secrets.ts';
import { type ExpectedFacts, expectedFacts, knownFacts } from './expected-facts.ts';
import { inputOf, type MediaInput } from './media-fields.ts';
import { brokenLimits } from './media-limits.ts';
import type { PlanContext } from './plan-context.ts';
import type { PlanDiagnostics } from './plan-diagnostics.ts';
import { fansOut, type PlanGraph, type Slot } from './plan-graph.ts';
import { messages } from './plan-messages.ts';
import { FREE, type Price, priceOf } from './request-price.ts';
import { type Resolved, type ResolvedCommand, type ResolvedRequest, type ResolvedTuning, resolve } from './resolve.ts';
import { usualSeconds } from './schedule.ts';
import type { ResultLookup } from './step-inputs.ts';
import { readsOfStep } from './step-reads.ts';

/** Ours alone until the plan is returned: `remaining` is filled in when all are decided. */
export type DraftInstance = Omit<Instance, 'remaining'> & { remaining: number };

export class Planner {
  readonly #graph: PlanGraph;
  readonly #context: PlanContext;
  readonly #diagnostics: PlanDiagnostics;
  /** What those behind can read already. */
  readonly #results = new Map<InstanceKey, Result | 'skipped'>();
  readonly #facts = new Map<InstanceKey, ExpectedFacts>();
  /** Requests that will be made, by fingerprint: asking twice pays once. */
  readonly #toMake = new Map<string, InstanceKey>();
  readonly #waits = new Map<Step, Waits>();
  /** One for all: those who read the same share what was read. */
  readonly #lookup: ResultLookup = key => this.#results.get(key);

  #secrets: ReturnType<typeof namedSecrets> | undefined;

  constructor(graph: PlanGraph, context: PlanContext, diagnostics: PlanDiagnostics) {
    this.#graph = graph;
    this.#context = context;
    this.#diagnostics = diagnostics;
  }

  decide(slot: Slot): DraftInstance {
    const resolved = resolve(this.#graph, slot, this.#lookup, this.#context);
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
      case 'tokenize':
        return this.#now(slot, resolved);
    }
  }

  #now(slot: Slot, resolved: ResolvedRequest | ResolvedCommand | ResolvedTuning): DraftInstance {
    const { key, step } = slot;
    const { owned } = this.#context;
    const { fingerprint } = resolved;
    const { shown } = resolved;
    const result = step.cache ? owned.find(fingerprint) : undefined;
    if (result) {
      this.#results.set(key, result);
      if (result.is === 'media') this.#facts.set(key, knownFacts(result.media));
      const decision: Decision = { is: 'hit', why: hitReason(key, fingerprint, owned), result };
      const facts = result.is === 'media' ? result.media : undefined;
      return this.#draft(slot, decision, FREE, { request: shown, fingerprint, facts, expected: 0 });
    }
    const away = step.cache && resolved.is === 'request' ? owned.atService(fingerprint) : undefined;
    if (away && resolved.is === 'request') return this.#bringBack(slot, resolved, away);
    const facts = resolved.is === 'request' ? this.#expect(slot, resolved.request, resolved.media) : undefined;
    const known = { request: shown, fingerprint, facts, expected: this.#seconds(step, facts) };
    const twin = step.cache ? this.#toMake.get(fingerprint) : undefined;
    if (twin !== undefined) return this.#draft(slot, { is: 'run', why: messages.sameAs(twin) }, FREE, known);
    this.#toMake.set(fingerprint, key);
    const why = step.cache ? this.#clean(runReason(key, resolved, owned)) : messages.cacheOff();
    return this.#draft(slot, { is: 'run', why }, priceIn(resolved), known);
  }

  /** Those behind it read it like a hit: what it holds is known, wherever its bytes are. */
  #bringBack(slot: Slot, { shown, fingerprint, price }: ResolvedRequest, away: MediaResult): DraftInstance {
    const result = { ...away, file: away.file || `sha256:${away.sha256}` };
    this.#results.set(slot.key, result);
    this.#facts.set(slot.key, knownFacts(result.media));
    const decision: Decision = { is: 'fetch', why: messages.fetched(price), result };
    return this.#draft(slot, decision, FREE, { request: shown, fingerprint, facts: result.media, expected: 0 });
  }

  #later(slot: Slot, resolved: Resolved & { is: 'pending' }): DraftInstance {
    const { step } = slot;
    const { request, shown, why } = resolved;
    const decision: Decision = { is: 'maybe', why };
    const facts = this.#expect(slot, request, resolved.media);
    this.#checkExpected(slot, request, resolved.media);
    return this.#draft(slot, decision, this.#price(step, request, facts), {
      request: shown,
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
    const input = inputOf(field, media);
    if (input?.facts) return knownFacts(input.facts);
    return input?.from === undefined ? undefined : this.#facts.get(input.from);
  }

  /** A 40 s clip into a reframe, before the clip exists. */
  #checkExpected({ step }: Slot, request: JsonObject, media: readonly MediaInput[]): void {
    const model = this.#modelOf(step);
    if (!model || step.kind !== 'generate') return;
    const expected = (input: MediaInput) => (input.from === undefined ? undefined : this.#facts.get(input.from)?.media);
    for (const { message, at } of brokenLimits(step, model, request, media, expected))
      this.#diagnostics.error('limit', message, at);
  }

  #complain({ step }: Slot, { failure, problems }: Resolved & { is: 'invalid' }): void {
    if (problems.length === 0) this.#diagnostics.error('incomplete', this.#clean(failure.message), step.at);
    const code = failure.code === 'expression_failed' ? 'expression-failed' : 'invalid-request';
    for (const { message, at } of problems) this.#diagnostics.error(code, this.#clean(message), at);
  }

  #clean(text: string): string {
    this.#secrets ??= namedSecrets(this.#graph.pipeline, this.#context.env);
    return withoutSecrets(text, this.#secrets);
  }

  #price(step: Step, request: JsonObject, facts: MediaFacts | undefined): Price {
    if (step.kind !== 'generate') return FREE;
    return priceOf(this.#context.pricing.get(step.model), this.#modelOf(step), request, facts);
  }

  #seconds(step: Step, facts: MediaFacts | undefined): number {
    if (step.kind === 'tokenize') return 0;
    const learnt = this.#context.expected?.(step.kind === 'run' ? 'run' : step.model);
    return learnt ?? usualSeconds(step.kind === 'run' ? 'run' : this.#modelOf(step)?.kind, facts?.duration);
  }

  #modelOf(step: Step) {
    return step.kind === 'generate' ? this.#context.library.get(step.model) : undefined;
  }

  #draft(slot: Slot, decision: Decision, price: Price, rest: Rest): DraftInstance {
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
      const { pipeline, instances } = this.#graph;
      const [groups, single] = [
        names.filter(name => fansOut(pipeline, name)),
        names.filter(name => !fansOut(pipeline, name)),
      ];
      waits = { needs: single.flatMap(name => instances.of(name).map(slot => slot.key)), needsAll: groups };
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

const priceIn = (resolved: ResolvedRequest | ResolvedCommand | ResolvedTuning): Price =>
  resolved.is === 'request' ? { usd: resolved.price, basis: resolved.priceBasis } : FREE;
