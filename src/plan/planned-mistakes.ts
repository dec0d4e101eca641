/** Mistakes in instances, as a plan finds them: each with its place, without secrets, and only where more than a result shows it. */

import { valueExpressions } from '../language/types/values.ts';
import type { Span } from '../model/diagnostic.ts';
import type { Reference, Step } from '../model/pipeline.ts';
import { groupInside, groupOf, type InstanceKey, localName, type StepName } from '../model/run/key.ts';
import type { JsonObject } from '../model/text/json.ts';
import { insideOf } from './graph/need-graph.ts';
import { type PlanGraph, type Slot, sourceOf } from './graph/plan-graph.ts';
import { kindOf } from './kinds/index.ts';
import type { MediaInput } from './media/media-fields.ts';
import type { PlanDiagnostics, ResultLookup } from './obstacles.ts';
import { messages } from './plan-messages.ts';
import { type NamedSecret, namedSecrets, withoutSecrets } from './values/redaction.ts';
import type { Invalid } from './values/resolved.ts';
import { readsOfStep } from './values/step-reads.ts';
import { outputsOf, readsOf } from './values/value-reads.ts';

/** What the planner has decided so far. */
interface DecidedSoFar {
  readonly results: ResultLookup;
  readonly isSkippedByResult: (name: string) => boolean;
  /** Whatever comes of others. */
  readonly willBeMade: (key: InstanceKey) => boolean;
}

export class PlannedMistakes {
  readonly #graph: PlanGraph;
  readonly #env: JsonObject;
  readonly #diagnostics: PlanDiagnostics;
  readonly #state: DecidedSoFar;
  /** Of the steps that were asked about: why they can never be whole. */
  readonly #incomplete = new Map<StepName, string | undefined>();
  #secrets: readonly NamedSecret[] | undefined;

  constructor(graph: PlanGraph, env: JsonObject, diagnostics: PlanDiagnostics, state: DecidedSoFar) {
    this.#graph = graph;
    this.#env = env;
    this.#diagnostics = diagnostics;
    this.#state = state;
  }

  report({ step }: Slot, { failure, problems, place }: Invalid): void {
    if (problems.length === 0)
      this.reportAt(step, 'incomplete', this.clean(failure.message), place?.at ?? step.at, place?.source);
    const code = failure.code === 'expression_failed' ? 'expression-failed' : 'invalid-request';
    for (const { message, at, code: own, source } of problems)
      this.reportAt(step, own ?? code, this.clean(message), at, source);
  }

  reportAt(step: Step, code: string, message: string, at: Span, source = sourceOf(this.#graph.pipeline, step)): void {
    this.#diagnostics.in(source).error(code, message, at);
  }

  clean(text: string): string {
    this.#secrets ??= namedSecrets(this.#graph.pipeline, { env: this.#env, params: this.#graph.params });
    return withoutSecrets(text, this.#secrets);
  }

  /**
   * What it reads is incomplete, and only a result of an earlier run has shown that. It was reported then: it fails as it did, and
   * keeps nothing else from being made.
   */
  fallsShortByResult(slot: Slot): boolean {
    const { instances } = this.#graph;
    const names = outputsOf(slot.step)
      ? insideOf(this.#graph, slot)
      : [...readsOfStep(slot.step).steps].map(name => groupInside(slot.outer?.key, name));
    const skipped = names
      .filter(name => !instances.isOpen(name))
      .flatMap(name => instances.of(name).filter(({ key }) => this.#state.results(key) === 'skipped'));
    return skipped.length > 0 && skipped.every(({ key }) => this.#state.isSkippedByResult(key));
  }

  /**
   * Why a step will never give all of its results, once it is certain: some of it is skipped, and some of it will be made. It is asked
   * when all of that step is decided. What only a result has shown is no mistake to refuse a film for.
   */
  incompleteness(name: StepName): string | undefined {
    if (this.#graph.instances.isOpen(name)) return undefined;
    if (!this.#incomplete.has(name)) {
      const keys = this.#graph.instances.of(name).map(({ key }) => key);
      const skipped = keys.filter(key => this.#state.results(key) === 'skipped');
      const isSome =
        skipped.length > 0 &&
        !skipped.every(this.#state.isSkippedByResult) &&
        keys.some(key => this.#state.willBeMade(key) || isResult(this.#state.results(key)));
      this.#incomplete.set(name, isSome ? messages.incomplete(name, skipped) : undefined);
    }
    return this.#incomplete.get(name);
  }
}

/** The value that reads this step; the step where none does. */
export function placeOfRead(step: Step, name: StepName): Span {
  const local = localName(name);
  const reads = ({ root, path }: Reference) => root === 'steps' && path[0] === local;
  return (
    kindOf(step)
      .values(step)
      .flatMap(valueExpressions)
      .find(one => one.reads.some(reads))?.at ?? step.at
  );
}

export const isResult = (result: ReturnType<ResultLookup>): boolean => result !== undefined && result !== 'skipped';

/** Its condition, which waits, asks about these very media: `if: ${{ each.media.duration <= 30 }}`. */
export function isGuarded(
  { step, each, previous, outer }: Slot,
  { from, either }: Pick<MediaInput, 'from' | 'either'>,
): boolean {
  const asks = step.if && readsOf(step.if);
  if (!asks) return false;
  const steps = new Set([...asks.steps].map(name => groupInside(outer?.key, name)));
  const origins = either ? either.map(origin => origin.from) : [from];
  return origins.some(
    key =>
      key !== undefined &&
      (steps.has(groupOf(key)) || (asks.each && each?.includes(key)) || (asks.previous && previous === key)),
  );
}
