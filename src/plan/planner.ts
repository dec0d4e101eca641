/**
 * Decides hit, fetch, run, maybe or skip, one instance after the other in the order of the graph. The instances behind it read the
 * result of one that is owned, and the expected facts of one that must be made.
 */

import { NO_DEMAND, UNKNOWN_DEMAND } from '../model/budget.ts';
import type { MediaFacts } from '../model/media/media.ts';
import type { Step } from '../model/pipeline.ts';
import type { Decision, Instance, SentRequest } from '../model/plan.ts';
import { type Adoption, adoptedFingerprint } from '../model/plan.ts';
import { groupWithin, type InstanceKey, type StepName } from '../model/run/key.ts';
import type { Asked, Result, StoredResult } from '../model/run/result.ts';
import { isFree } from '../model/run/run-money.ts';
import { FREE, type Price } from './cost/request-price.ts';
import { ExpectedResults } from './expected-results.ts';
import { type Waits, waitsOf, waitsOfUsed } from './graph/need-graph.ts';
import type { PlanGraph, Slot } from './graph/plan-graph.ts';
import { inOrderOfRounds } from './graph/round-order.ts';
import { kindOf } from './kinds/index.ts';
import { type ExpectedFacts, knownFacts, type MediaInput } from './media/media-fields.ts';
import { partProblem } from './media/media-origins.ts';
import type { PlanDiagnostics, ResultLookup, UsedReads } from './obstacles.ts';
import {
  adoptedMissing,
  adoptionOf,
  FromTeam,
  Hit,
  isRedone,
  mayBeAway,
  ownedResult,
  runReason,
  sentReason,
} from './owned/owned-result.ts';
import type { PlanContext } from './plan-context.ts';
import { messages } from './plan-messages.ts';
import { isGuarded, isResult, PlannedMistakes, placeOfRead } from './planned-mistakes.ts';
import { approvalsBefore, resolveWithReads } from './values/resolve.ts';
import type { Invalid, Pending, ResolvedDecision, ResolvedRound, ResolvedWork, Skipped } from './values/resolved.ts';
import { factsIn, usedResults } from './values/result-kinds.ts';
import { choosesReads, readsOfStep } from './values/step-reads.ts';
import { outputsOf, readsOf } from './values/value-reads.ts';
import { changedFields } from './why/changes.ts';

/** Ours alone until the plan is returned: `remaining` is filled in when all are decided. */
export type DraftInstance = Omit<Instance, 'remaining'> & { remaining: number };

/** Everything decided before this planner began: nothing for a plan that is made, much for one that grows. */
export interface DecidedBefore {
  readonly results: ResultLookup;
  readonly facts: (key: InstanceKey) => ExpectedFacts | undefined;
  /** The instance that will make the result with this fingerprint. */
  readonly maker?: (fingerprint: string) => InstanceKey | undefined;
  /** Whether it, or one of a group, was skipped because of a result. */
  readonly isSkippedByResult?: (name: string) => boolean;
}

export class Planner {
  readonly #graph: PlanGraph;
  readonly #context: PlanContext;
  readonly #before: DecidedBefore | undefined;
  /** Results that the instances behind can read already. */
  readonly #results = new Map<InstanceKey, Result | 'skipped'>();
  /** Instances that will give a result, and steps of which some instance may not. */
  readonly #certain = new Set<InstanceKey>();
  readonly #uncertain = new Set<StepName>();
  readonly #expected: ExpectedResults;
  readonly #mistakes: PlannedMistakes;
  /** Requests that will be made, by fingerprint: asking twice pays once. */
  readonly #toMake = new Map<string, InstanceKey>();
  /** Results that are known and not on this machine yet. */
  readonly #away = new Set<InstanceKey>();
  /** Instances that will be made, whatever comes of others: nothing can skip them any more. */
  readonly #willBeMade = new Set<InstanceKey>();
  /** Instances, and groups of them, that were skipped because of a result: that was unknown before there was one. */
  readonly #skippedByResult = new Set<string>();
  readonly #waits = new Map<Step, Waits>();
  /** Of the instances that choose between what they read, or are skipped. */
  readonly #used = new WeakMap<Slot, UsedReads>();

  /**
   * @param diagnostics collects the mistakes in instances.
   * @param before absent: this is the whole plan, and an instance with a mistake is planned to fail when its turn comes.
   */
  constructor(graph: PlanGraph, context: PlanContext, diagnostics: PlanDiagnostics, before?: DecidedBefore) {
    this.#graph = graph;
    this.#context = context;
    this.#before = before;
    this.#expected = new ExpectedResults(context, before?.facts);
    this.#mistakes = new PlannedMistakes(graph, context.env, diagnostics, this);
  }

  /** One function for all: instances that read the same share the reading. */
  readonly results: ResultLookup = Object.assign(
    (key: InstanceKey) => this.#results.get(key) ?? this.#before?.results(key),
    { isCertain: (key: InstanceKey) => this.#certain.has(key) },
  );

  /** What is known of a result before it exists. */
  readonly facts = (key: InstanceKey): ExpectedFacts | undefined => this.#expected.of(key);

  /** What the request of an instance asks for, also where it is owned; of one that is chosen, of what is chosen. */
  readonly asked = (key: InstanceKey): MediaFacts | undefined => this.#expected.asked(key);

  readonly isSkippedByResult = (name: string): boolean =>
    this.#skippedByResult.has(name) || this.#before?.isSkippedByResult?.(name) === true;

  readonly willBeMade = (key: InstanceKey): boolean => this.#willBeMade.has(key);

  /** Of steps that are made in the same rounds, each round before the next; of any other alone. */
  decideTogether(
    steps: readonly Step[],
    of: (step: Step) => readonly Slot[],
  ): ReadonlyMap<StepName, readonly DraftInstance[]> {
    const [only, ...others] = steps;
    if (!only) return new Map();
    if (others.length === 0) return new Map([[only.name, of(only).map(slot => this.decide(slot))]]);
    const decided = new Map<InstanceKey, DraftInstance>();
    for (const slot of inOrderOfRounds(this.#graph.pipeline, steps, of)) decided.set(slot.key, this.decide(slot));
    return new Map(steps.map(step => [step.name, of(step).flatMap(({ key }) => decided.get(key) ?? [])]));
  }

  decide(slot: Slot): DraftInstance {
    const { resolved, used } = resolveWithReads(this.#graph, slot, this.results, this.#context);
    // One that is skipped waits for nothing that it would read. Around a used file and inside it, each instance waits for what its own
    // values ask for.
    if (resolved.is === 'skip' || slot.outer || outputsOf(slot.step) || choosesReads(slot.step))
      this.#used.set(slot, used);
    if (resolved.is === 'skip') return this.#decideSkip(slot, resolved);
    const adoption = adoptionOf(slot.key, this.#context);
    if (adoption) return this.#decideAdopted(slot, adoption);
    if (resolved.is === 'invalid') return this.#decideInvalid(slot, resolved);
    return resolved.is === 'pending' ? this.#decidePending(slot, resolved) : this.#decideWork(slot, resolved);
  }

  #decideInvalid(slot: Slot, invalid: Invalid): DraftInstance {
    const { byResult, failure, problems } = invalid;
    const isMistake = problems.length > 0 || !(byResult || this.#mistakes.fallsShortByResult(slot));
    if (isMistake) this.#mistakes.report(slot, invalid);
    const why = isMistake && this.#before ? '' : messages.willFail(this.#mistakes.clean(failure.message));
    const price = why === '' && kindOf(slot.step).isPaid ? NOT_CHECKED : FREE;
    return this.#draft(slot, { is: 'run', why }, price, { expected: 0 });
  }

  #decideSkip(slot: Slot, { why, by, standIn, needless }: Skipped): DraftInstance {
    if (by === undefined ? hasConditionOnResults(slot) : this.isSkippedByResult(by))
      for (const name of [slot.key, groupWithin(slot.step.name, slot.key)]) this.#skippedByResult.add(name);
    const result = standIn === undefined ? 'skipped' : this.results(standIn);
    const facts = standIn === undefined ? undefined : this.#expected.of(standIn);
    if (result) this.#results.set(slot.key, result);
    if (facts) this.#expected.set(slot.key, facts);
    if (standIn !== undefined) this.#expected.ask(slot.key, () => this.asked(standIn));
    const decision = {
      is: 'skip',
      why,
      ...(by !== undefined && { by }),
      ...(standIn !== undefined && { standIn }),
      ...(needless && { needless }),
    } as const;
    return this.#draft(slot, decision, FREE, { facts: facts?.media, ratio: facts?.ratio, expected: 0 });
  }

  #decideWork(slot: Slot, work: ResolvedWork): DraftInstance {
    const { key, step } = slot;
    const { owned } = this.#context;
    const { fingerprint, shown } = work;
    const kind = kindOf(step);
    if (work.is === 'outputs') {
      const from = Object.values(work.result.outputs).flatMap(given => usedResults(given).map(one => one.key));
      return this.#decideTaken(slot, { ...work, why: messages.gathered(), from });
    }
    if (work.is === 'round') return this.#decideTaken(slot, { ...work, from: [work.result.key] });
    if (work.is === 'decision') return this.#decideChoice(slot, work);
    this.#expected.ask(key, () => kind.expectedFacts(step, work, () => undefined, this.#context)?.media);
    const again = isRedone(key, fingerprint, this.#context);
    const isCached = step.cache && !again;
    const result = again ? undefined : ownedResult(step, fingerprint, owned);
    const shared = isCached && mayBeAway(step, result) ? owned.shared?.(fingerprint) : undefined;
    if (shared) return this.#decideAway(slot, work, new FromTeam(shared));
    if (result) return this.#decideHit(slot, work, result);
    const away = isCached && kind.isKeptByService ? owned.atService(fingerprint) : undefined;
    if (away && away.generation_id !== null) {
      const price = isFree(this.#context) ? 'free' : kind.price(step, work, undefined, this.#context).usd;
      return this.#decideAway(slot, work, { is: 'fetch', why: messages.fetched(price), result: away });
    }
    this.#willBeMade.add(key);
    const { own, ...expectations } = this.#expected.expect(slot, work);
    const known = { request: shown, fingerprint, ...expectations };
    const maker = isCached ? (this.#toMake.get(fingerprint) ?? this.#before?.maker?.(fingerprint)) : undefined;
    const sent = owned.sent?.(fingerprint);
    if (away && !sent) {
      const why = maker === undefined ? messages.drawnAgain() : messages.sameAs(maker);
      const price = maker === undefined ? kind.price(step, work, own, this.#context) : FREE;
      if (maker === undefined) this.#toMake.set(fingerprint, key);
      const { expected } = expectations;
      // What it counts in a budget is counted since it was made.
      const again = { price: { ...price, demand: NO_DEMAND }, expected };
      return this.#decideAway(slot, work, { is: 'run', why, result: away }, again);
    }
    if (maker !== undefined) return this.#draft(slot, twinOf(maker, sent), FREE, { ...known, isCertain: true });
    this.#toMake.set(fingerprint, key);
    const certain = { ...known, isCertain: true } as const;
    if (sent && (isCached || sent.film === undefined))
      return this.#draft(slot, { is: 'sent', why: sentReason(sent, this.#context), sent }, FREE, certain);
    const spent = kind.isPaid ? owned.timesSpent?.(fingerprint) : undefined;
    if (spent !== undefined) return this.#draft(slot, { is: 'run', why: messages.sentInVain(spent) }, FREE, certain);
    const why = again
      ? messages.redone()
      : step.cache
        ? this.#mistakes.clean(runReason(key, step, work, owned))
        : messages.cacheOff();
    const approval = this.#openApproval(slot);
    const price = kind.price(step, work, own, this.#context);
    if (approval === undefined) return this.#draft(slot, { is: 'run', why }, price, certain);
    return this.#draft(slot, { is: 'maybe', why: messages.ifApproved(approval) }, price, known);
  }

  #decideHit(slot: Slot, { shown, fingerprint }: ResolvedWork, result: Result): DraftInstance {
    const facts = this.#give(slot.key, result);
    const decision = new Hit(result, slot, fingerprint, this.#context.owned);
    return this.#draft(slot, decision, FREE, { request: shown, fingerprint, facts, expected: 0 });
  }

  /** It needs nothing of what it would be made from. */
  #decideAdopted(slot: Slot, adoption: Adoption): DraftInstance {
    const { key, step } = slot;
    const { result, isHere } = adoption;
    if (!isHere) this.#mistakes.reportAt(step, 'adopted-missing', adoptedMissing(key, adoption), step.at);
    const facts = this.#give(key, result);
    const decision: Decision = { is: 'hit', why: messages.adopted(adoption), result };
    const fingerprint = adoptedFingerprint(adoption.sha256);
    const draft = this.#draft(slot, decision, FREE, { fingerprint, facts, expected: 0 });
    const instances = [
      ...draft.needs,
      ...draft.needsAll.flatMap(name => this.#graph.instances.of(name).map(one => one.key)),
    ];
    const excludes = { instances, why: messages.onlyForAdopted(key) };
    return { ...draft, needs: [], needsAll: [], ...(instances.length > 0 && { excludes }) };
  }

  /** What a `uses` step gathers, and the round or the candidates that are taken: it is there when they are. */
  #decideTaken(
    slot: Slot,
    { shown, result, why, from, excludes }: Pick<ResolvedRound, 'shown' | 'why'> & Taken,
  ): DraftInstance {
    const facts = this.#give(slot.key, result);
    const [first, ...others] = result.is === 'outputs' ? [] : from;
    if (first !== undefined && others.length === 0) this.#expected.ask(slot.key, () => this.asked(first));
    const known = { request: shown, expected: 0, facts, excludes };
    const away = from.filter(key => this.#away.has(key));
    if (away.length === 0) return this.#draft(slot, { is: 'hit', why, result }, FREE, known);
    // Who reads its file waits until that is here.
    this.#away.add(slot.key);
    const waits = result.is === 'outputs' ? messages.waitsFor([...new Set(away)]) : why;
    return this.#draft(slot, { is: 'run', why: waits, result }, FREE, known);
  }

  /** What is chosen is there, and read by the instances behind it; or it is to be chosen. */
  #decideChoice(slot: Slot, { shown, state, decider: why, excludes, options }: ResolvedDecision): DraftInstance {
    if (state.is === 'known') {
      const { result } = state;
      const from = result.is === 'picked' ? result.chosen.map(({ key }) => key) : [];
      return this.#decideTaken(slot, { shown, result, why, from, excludes });
    }
    this.#willBeMade.add(slot.key);
    const isPick = kindOf(slot.step).decides === 'pick';
    const facts = isPick
      ? this.#expected.chooseAmong(
          slot.key,
          options.map(({ key }) => key),
        )
      : undefined;
    return this.#draft(slot, { is: 'run', why }, FREE, { request: shown, expected: 0, facts, excludes });
  }

  /** The instances behind it read it like a hit: its content is known, wherever its bytes are. */
  #decideAway(
    slot: Slot,
    { shown, fingerprint }: ResolvedWork,
    decision: Extract<Decision, { readonly is: 'fetch' | 'run' }> & { readonly result: StoredResult },
    { price, expected } = { price: FREE, expected: 0 },
  ): DraftInstance {
    const facts = this.#give(slot.key, decision.result);
    this.#away.add(slot.key);
    return this.#draft(slot, decision, price, { request: shown, fingerprint, facts, expected });
  }

  /** The instances behind it read this result. Returns its facts. */
  #give(key: InstanceKey, result: Result): MediaFacts | undefined {
    const facts = factsIn(result);
    this.#results.set(key, result);
    if (facts) this.#expected.set(key, knownFacts(facts));
    return facts;
  }

  #decidePending(slot: Slot, pending: Pending): DraftInstance {
    const { step } = slot;
    // A file without outputs gives nothing of what it makes: it is waited for, and its skipped parts are not missed.
    const read = outputsOf(step)?.length === 0 ? [] : pending.waits.steps;
    for (const name of read) {
      const message = this.#mistakes.incompleteness(name);
      if (message !== undefined) this.#mistakes.reportAt(step, 'incomplete', message, placeOfRead(step, name));
    }
    const kind = kindOf(step);
    const { own, ...expectations } = this.#expected.expect(slot, pending);
    const known = { request: pending.shown, ...expectations, excludes: pending.excludes };
    // A 40 s clip into a reframe, before the clip exists.
    const expected = (input: MediaInput) =>
      pending.undecided && isGuarded(slot, input) ? undefined : this.#expected.ofInput(input)?.media;
    const fails: string[] = [];
    for (const { message, at } of kind.problemsExpected(step, pending, expected, this.#context)) {
      this.#mistakes.reportAt(step, 'limit', message, at);
      fails.push(message);
    }
    for (const read of pending.parts ?? []) {
      const video = pending.undecided && isGuarded(slot, read) ? undefined : this.#expected.of(read.from)?.media;
      const message = partProblem(read, video);
      if (message === undefined) continue;
      this.#mistakes.reportAt(step, 'no-frame', message, read.at);
      fails.push(message);
    }
    const price = kind.price(step, pending, own, this.#context);
    const [first] = this.#before ? [] : fails;
    const why = first === undefined ? pending.why : messages.willFail(this.#mistakes.clean(first));
    const isCertain = first === undefined && this.#isCertain(slot, pending);
    if (!isCertain) return this.#draft(slot, { is: 'maybe', why }, price, known);
    const changed = this.#surelyChanged(slot, pending);
    const decision = { is: changed ? 'run' : 'maybe', why: changed ? messages.changed(changed) : why } as const;
    return this.#draft(slot, decision, price, { ...known, isCertain });
  }

  /** All that it waits for will be there, and nothing else decides whether it is made. */
  #isCertain(slot: Slot, { waits, undecided }: Pending): boolean {
    const { step, outer } = slot;
    if (undecided || step.if || step.until || outer || kindOf(step).isGathered) return false;
    if (this.#openApproval(slot) !== undefined) return false;
    return (
      waits.instances.every(key => this.#certain.has(key)) &&
      waits.steps.every(
        name => !name.includes('[') && this.#graph.instances.of(name).length > 0 && !this.#uncertain.has(name),
      )
    );
  }

  /**
   * The fields by which it differs from everything that was ever asked under its name, while others are not known yet: it is made again,
   * whatever those turn out to be. What is paid for may still be owned under another name, and is not promised to cost something.
   */
  #surelyChanged({ key, step }: Slot, { asks }: Pending): readonly string[] | undefined {
    if (kindOf(step).isPaid || !step.cache) return undefined;
    const hidden = (value: Asked[string]) => (typeof value === 'string' ? this.#mistakes.clean(value) : value);
    const hide = (fields: Asked) =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, hidden(value)]));
    const changed = (this.#context.owned.askedBefore?.(key) ?? []).map(one => changedFields(one, asks, hide));
    return changed.every(fields => fields.length > 0) ? changed[0] : undefined;
  }

  /** An approval that it waits for, and that may still be refused. */
  #openApproval(slot: Slot): InstanceKey | undefined {
    for (const one of approvalsBefore(this.#graph, slot))
      if (this.results(one) === undefined && !this.#context.choices?.willApprove?.(one)) return one;
    return undefined;
  }

  #draft(slot: Slot, decision: Decision, price: Price, rest: Rest): DraftInstance {
    const { request, fingerprint, facts, ratio, expected, excludes, isCertain } = rest;
    if (isCertain) this.#certain.add(slot.key);
    else if (!isResult(this.#results.get(slot.key))) this.#uncertain.add(slot.step.name);
    const { needs, needsAll } = this.#waitsOf(slot, decision.is === 'skip' ? decision.standIn : undefined);
    return {
      ...slot,
      needs: withOwn(slot, needs),
      needsAll,
      decision,
      ...(request && { request }),
      ...(fingerprint !== undefined && { fingerprint }),
      price: price.usd,
      priceBasis: price.basis,
      demand: price.demand,
      ...(facts && { facts }),
      ...(ratio !== undefined && { ratio }),
      ...(excludes && { excludes }),
      ...(isCertain && { isCertain }),
      expected,
      remaining: 0,
    };
  }

  /** What an instance waits for beside its own `each`: the same for all of its step, unless it is skipped, or chooses between what it reads. */
  #waitsOf(slot: Slot, standIn: InstanceKey | undefined): Waits {
    const used = this.#used.get(slot);
    if (used) return waitsOfUsed(this.#graph, slot, used, standIn);
    const { step } = slot;
    const waits = this.#waits.get(step) ?? waitsOf(this.#graph, [...step.needs, ...readsOfStep(step).steps]);
    this.#waits.set(step, waits);
    return waits;
  }
}

/** Its own condition or one around it, whichever is false. */
function hasConditionOnResults({ step, outer }: Slot): boolean {
  const asks = step.if && readsOf(step.if);
  if (step.until || (asks && (asks.steps.size > 0 || asks.each || asks.previous))) return true;
  return outer !== undefined && hasConditionOnResults(outer);
}

/** A plan that grows reports no mistakes: this one may be none once a file that it names is read. */
const NOT_CHECKED: Price = { usd: null, basis: 'not known yet', demand: UNKNOWN_DEMAND };

/** It waits for what the other one asks for: only that one is counted. */
function twinOf(maker: InstanceKey, sent: SentRequest | undefined): Decision {
  const why = messages.sameAs(maker);
  return sent ? { is: 'sent', why, sent: { ...sent, usd: 0 } } : { is: 'run', why };
}

/** What it waits for by itself, before what all instances of its step wait for. */
function withOwn({ each, previous }: Slot, needs: readonly InstanceKey[]): readonly InstanceKey[] {
  if (previous !== undefined) return [...(each ?? []), previous, ...needs];
  if (!each) return needs;
  return needs.length === 0 ? each : [...each, ...needs];
}

/** A result that is another instance's, and the instances that the files belong to. */
interface Taken {
  readonly result: Result;
  readonly from: readonly InstanceKey[];
  readonly excludes?: Instance['excludes'];
}

interface Rest {
  readonly isCertain?: true;
  readonly request?: Instance['request'];
  readonly fingerprint?: string;
  readonly facts?: MediaFacts | undefined;
  readonly ratio?: number | undefined;
  readonly expected: number;
  readonly excludes?: Instance['excludes'];
}
