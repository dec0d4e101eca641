/**
 * Why an instance is owned, or would be made again: what it asks for now is held against what it asked for when its result was made, field by
 * field; and where a field holds another instance's result, the same is asked of that one, as it was then.
 *
 * What it was held against is, in this order: the lock's entry for the instance, in full from the journal where that has it;
 * the newest result that the journal has of the instance. The newest *request* was considered and dropped: one that failed made nothing.
 */

import { type Instance, isDrawnAgain, type Plan } from '../../model/plan.ts';
import { type KeptRejection, rejectionOf } from '../../model/run/choice.ts';
import type { InstanceKey, StepName } from '../../model/run/key.ts';
import type { Asked } from '../../model/run/result.ts';
import { kindOf } from '../kinds/index.ts';
import type { ResultLookup } from '../obstacles.ts';
import { type AskedFields, contentNamed, shortDigest } from '../owned/asked-fields.ts';
import { resultsIn } from '../owned/owned-result.ts';
import type { PlanContext } from '../plan-context.ts';
import { resolve } from '../values/resolve.ts';
import type { Pending } from '../values/resolved.ts';
import { type Difference, differences } from './changes.ts';

export interface Why {
  readonly instance: Instance;
  /** Of what is owned: who made it. */
  readonly owned?: Ownership | undefined;
  /** Of what would be made: the result it is held against; undefined where none is known under this name. */
  readonly before?: Before | undefined;
  readonly changes: readonly Change[];
  /** Why no field can be named although it would be made again. */
  readonly untold?: Untold | undefined;
  /** All instances that must be made first, in the order of its reads. */
  readonly waitsFor: readonly InstanceKey[];
  /** Of the first of them: why. An instance that is waited for in several ways is one object. */
  readonly waits: readonly Why[];
  /** Steps that it waits for, with unknown instances. */
  readonly open: readonly StepName[];
  /** Of what was never made on this service: another one that has made it. */
  readonly otherService?: string | undefined;
  /** A person's rejection of it as a candidate of a pick. */
  readonly rejected?: KeptRejection | undefined;
  /** The plan's reason, where that is neither a change nor a result it waits for: it will fail, or waits for an approval. */
  readonly reason?: string | undefined;
  /** The last try failed. */
  readonly failed?: { readonly at: number; readonly message: string } | undefined;
}

/**
 * `gone`: nothing has changed, and its bytes are nowhere. `not_kept`: the lock and the journal are from before it was kept. `not_shown`:
 * what has changed is neither shown nor kept: a variable of the environment, who answers, the name of the service. `cache_off`: asked for.
 */
export type Untold = 'gone' | 'not_kept' | 'not_shown' | 'cache_off';

export interface Ownership {
  readonly made: Made | undefined;
  readonly locked: Locked | undefined;
  /** The other name that it was made under. */
  readonly as?: InstanceKey | undefined;
  /** What it reads and was made again since: it gave the same bytes, so nothing was to be done here. */
  readonly confirmed: readonly Made[];
}

export interface Before {
  readonly from: 'lock' | 'journal';
  readonly fingerprint: string;
  readonly asked: Asked | undefined;
  /** Unix milliseconds; the lock records no time. */
  readonly at?: number | undefined;
  readonly run?: string | undefined;
  readonly cost: number | null;
}

export interface Change extends Difference {
  readonly because: readonly Cause[];
}

/** An instance that gives something else than it gave then. */
export interface Cause {
  readonly key: InstanceKey;
  /** Unix milliseconds of what it gives now; undefined where the journal does not know it. */
  readonly at?: number | undefined;
  /** What it asks for otherwise; empty where unknown. */
  readonly changes: readonly Change[];
}

/** Instances that are looked into of those that one waits for, or of a whole step; the rest would read the same. */
const MOST = 12;
/** Instances that are waited for one behind the other, as far as that is followed. */
const DEEPEST = 50;

export function whyOf(key: InstanceKey, plan: Plan, context: PlanContext, history: History): Why {
  return new Inquiry(plan, context, history).why(key);
}

class Inquiry {
  readonly #plan: Plan;
  readonly #context: PlanContext;
  readonly #history: History;
  readonly #results: ResultLookup;
  /** Explained already: a graph may lead to one instance in many ways. */
  readonly #known = new Map<InstanceKey, Why>();
  /** The same of what gives something else now. */
  readonly #seen = new Set<InstanceKey>();

  constructor(plan: Plan, context: PlanContext, history: History) {
    this.#plan = plan;
    this.#context = context;
    this.#history = history;
    this.#results = resultsIn(plan);
  }

  /** @param depth how many instances lead to it. */
  why(key: InstanceKey, depth = 0): Why {
    let known = this.#known.get(key);
    if (!known) {
      const why = this.#explain(key, depth);
      const rejected = rejectionOf(this.#context.rejections?.(), why.instance);
      known = rejected ? { ...why, rejected } : why;
      this.#known.set(key, known);
    }
    return known;
  }

  #explain(key: InstanceKey, depth: number): Why {
    this.#seen.add(key);
    const instance = this.#plan.instances.get(key);
    if (!instance) throw new Error(`no instance ${key} in this plan`);
    const nothing = { instance, changes: [], waitsFor: [], waits: [], open: [] };
    // Who chooses, or has chosen, is all there is to say.
    if (kindOf(instance.step).isDecided) return nothing;
    switch (instance.decision.is) {
      case 'skip':
      case 'sent':
      case 'left_out':
        return nothing;
      case 'hit':
      case 'fetch':
        return { ...nothing, owned: this.#ownership(instance) };
      case 'run':
      case 'maybe':
        if (isDrawnAgain(instance.decision)) return { ...nothing, owned: this.#ownership(instance) };
        return this.#toBeMade(instance, depth);
    }
  }

  #ownership(instance: Instance): Ownership {
    const { key, fingerprint = '' } = instance;
    const made = this.#history.owner(fingerprint);
    const own = this.#history.locked(key);
    const isOwn = own?.fingerprint === fingerprint;
    const [other] = isOwn ? [] : this.#history.lockedAs(fingerprint);
    const as = other ?? (made && made.key !== key ? made.key : undefined);
    const locked = isOwn ? own : other && this.#history.locked(other);
    return { made, locked, as, confirmed: made ? this.#confirmed(instance, made) : [] };
  }

  /** What it reads and was made again after it, with the same bytes. */
  #confirmed({ needs, needsAll }: Instance, { at }: Made): readonly Made[] {
    const all = needsAll.flatMap(step => this.#instancesOf(step).slice(0, MOST));
    return [...new Set([...needs, ...all])].flatMap(key => {
      const made = this.#history.madeBy(key);
      const then = made.find(one => one.at <= at);
      const [now] = made;
      const isAgain = then && now && now.at > at && now.fingerprint !== then.fingerprint;
      return isAgain && now.contents.length > 0 && now.contents.join() === then.contents.join() ? [now] : [];
    });
  }

  #toBeMade(instance: Instance, depth: number): Why {
    const { key, step, decision } = instance;
    const resolved = resolve(this.#plan, instance, this.#results, this.#context);
    const asks = 'asks' in resolved ? resolved.asks : undefined;
    const fingerprint = 'fingerprint' in resolved ? resolved.fingerprint : undefined;
    const before = this.#before(key);
    const waiting = resolved.is === 'pending' ? resolved : undefined;
    const waitsFor = waiting ? this.#toBeMadeIn(waiting.waits) : [];
    const explained = depth < DEEPEST ? waitsFor.slice(0, MOST) : [];
    const waits = explained.map(one => this.why(one, depth + 1));
    const open = waiting?.waits.steps.filter(name => this.#plan.instances.isOpen(name)) ?? [];
    const changes = before?.asked && asks ? this.#changes(before.asked, asks, instance, before.at) : [];
    // It will fail, or waits for an approval alone.
    const isOpen = decision.is === 'maybe';
    const hasOwnReason = resolved.is === 'invalid' || (isOpen && waiting?.why !== decision.why);
    const isUntold = before !== undefined && changes.length === 0 && !waiting && !hasOwnReason;
    return {
      ...{ instance, before, changes, waitsFor, waits, open, failed: this.#history.failed(key) },
      reason: hasOwnReason ? decision.why : undefined,
      otherService: before ? undefined : this.#history.otherService(key),
      untold: isUntold ? untold(before, fingerprint, step.cache) : undefined,
    };
  }

  #before(key: InstanceKey): Before | undefined {
    const locked = this.#history.locked(key);
    const [newest] = this.#history.madeBy(key);
    if (!locked) return newest && { ...newest, from: 'journal', asked: newest.asked };
    const made = this.#history.owner(locked.fingerprint);
    const { fingerprint, cost } = locked;
    return { from: 'lock', fingerprint, cost, asked: made?.asked ?? locked.asked, at: made?.at, run: made?.run };
  }

  #changes(before: Asked, asks: AskedFields, instance: Instance, at: number | undefined): readonly Change[] {
    const { hide } = this.#history;
    const found = differences(before, asks, instance, step => this.#instancesOf(step).slice(0, MOST), hide);
    return found.map(one => ({ ...one, because: one.from.flatMap(key => this.#cause(key, one, at)) }));
  }

  /** What an instance gave when this one was last made, and what it gives now. */
  #cause(key: InstanceKey, { was, media }: Difference, at: number | undefined): readonly Cause[] {
    const made = this.#history.madeBy(key);
    const content = typeof was === 'string' && media ? (contentNamed(was) ?? was) : undefined;
    const gave = content === undefined ? undefined : made.find(({ contents }) => contents.includes(content));
    const then = gave ?? (at === undefined ? undefined : made.find(one => one.at <= at));
    const instance = this.#plan.instances.get(key);
    if (!instance || then?.fingerprint === instance.fingerprint) return [];
    if (!then && !media) return [];
    const now = instance.fingerprint === undefined ? undefined : this.#history.owner(instance.fingerprint);
    if (!then?.asked || this.#seen.has(key)) return [{ key, at: now?.at, changes: [] }];
    this.#seen.add(key);
    const resolved = resolve(this.#plan, instance, this.#results, this.#context);
    const changes = 'asks' in resolved ? this.#changes(then.asked, resolved.asks, instance, then.at) : [];
    return [{ key, at: now?.at, changes }];
  }

  /** Of single instances, and of steps with instances that must all be there: those that must be made. */
  #toBeMadeIn({ instances, steps }: Pending['waits']): readonly InstanceKey[] {
    const all = [...instances, ...steps.flatMap(step => this.#instancesOf(step))].map(key => this.#standIn(key));
    return [...new Set(all)].filter(key => isToBeMade(this.#plan.instances.get(key)));
  }

  /** The instance with the result that is read: another one where this one is off. */
  #standIn(key: InstanceKey): InstanceKey {
    const decision = this.#plan.instances.get(key)?.decision;
    return decision?.is === 'skip' && decision.standIn !== undefined ? this.#standIn(decision.standIn) : key;
  }

  #instancesOf(step: string): readonly InstanceKey[] {
    return this.#plan.instances.of(step as StepName).map(({ key }) => key);
  }
}

const isToBeMade = (instance: Instance | undefined): boolean =>
  instance !== undefined && ['run', 'maybe', 'sent'].includes(instance.decision.is);

function untold(before: Before, fingerprint: string | undefined, cache: boolean): Untold {
  if (!cache) return 'cache_off';
  if (before.fingerprint === fingerprint) return 'gone';
  return before.asked === undefined ? 'not_kept' : 'not_shown';
}

/** Short digests of the media in a result, in a steady order. */
export const contentsOf = (digests: Iterable<string>): readonly string[] => [...digests].map(shortDigest).sort();

export interface History {
  /** The lock's entry for this instance. */
  locked(key: InstanceKey): Locked | undefined;
  /** Instances that the lock has this fingerprint for. */
  lockedAs(fingerprint: string): readonly InstanceKey[];
  /** Who made the newest result with this fingerprint, in any film of the project. */
  owner(fingerprint: string): Made | undefined;
  /** What this instance of this film gave on this service, newest first. */
  madeBy(key: InstanceKey): readonly Made[];
  /** Another service that this instance was made on, where this one has never made it. */
  otherService(key: InstanceKey): string | undefined;
  /** The last time this instance failed, where it has given nothing since. */
  failed(key: InstanceKey): { readonly at: number; readonly message: string } | undefined;
  /** Takes secrets out, as they were taken out of what is kept. */
  hide(asked: Asked): Asked;
}

/** One result, as the journal records it. */
export interface Made {
  readonly fingerprint: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly run: string;
  readonly key: InstanceKey;
  /** The other film of the project that it was made for. */
  readonly film?: string | undefined;
  /** `used`: a run found it in a lock, or fetched it again. */
  readonly how: 'made' | 'used';
  /** US dollars; null where no price is known. */
  readonly cost: number | null;
  /** Short digests of the media in it; a text is compared as it is. */
  readonly contents: readonly string[];
  /** Undefined in journals from before it was kept. */
  readonly asked?: Asked | undefined;
}

/** One result, as the lock records it: it knows no time, and no run. */
interface Locked {
  readonly fingerprint: string;
  readonly generation: string | null;
  readonly cost: number | null;
  readonly contents: readonly string[];
  /** Long texts cut; undefined in locks from before it was kept. */
  readonly asked?: Asked | undefined;
}
