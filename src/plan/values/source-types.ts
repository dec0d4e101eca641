/** What a result is made of, through the whole graph: what models made, what the studio drew, footage of the author's. */

import { kindOfPath } from '../../language/types/types.ts';
import type { Instance, Plan } from '../../model/plan.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { isFree } from '../../model/run/run-money.ts';
import { type Origin, originOf, type SourceType, sourceTypeOf } from '../../model/source-type.ts';
import { kindOf } from '../kinds/index.ts';
import type { MediaInput } from '../media/media-fields.ts';
import type { ResultLookup } from '../obstacles.ts';
import type { ResolveContext } from '../plan-context.ts';
import { resolve } from './resolve.ts';
import type { Resolved, Skipped } from './resolved.ts';
import { mediaIn, usedResults } from './result-kinds.ts';

/** Undefined where nothing synthetic is in what the instance gives. */
export type SourceTypeOf = (key: InstanceKey) => SourceType | undefined;

export function sourceTypes(plan: Plan, settled: ResultLookup, context: ResolveContext): SourceTypeOf {
  const origins = new OriginsInPlan(plan, settled, context);
  return key => sourceTypeOf(origins.of([key]));
}

class OriginsInPlan {
  readonly #plan: Plan;
  readonly #settled: ResultLookup;
  readonly #context: ResolveContext;
  readonly #known = new Map<InstanceKey, ReadonlySet<Origin>>();

  constructor(plan: Plan, settled: ResultLookup, context: ResolveContext) {
    this.#plan = plan;
    this.#settled = settled;
    this.#context = context;
  }

  of(keys: Iterable<InstanceKey>): ReadonlySet<Origin> {
    return new Set([...keys].flatMap(key => [...this.#ofInstance(key)]));
  }

  /** A run that only fetches outputs has no results of what they were made from; the plan knows those that are owned. */
  readonly #lookup: ResultLookup = key => {
    const decision = this.#plan.instances.get(key)?.decision;
    return this.#settled(key) ?? (decision && 'result' in decision ? decision.result : undefined);
  };

  #ofInstance(key: InstanceKey): ReadonlySet<Origin> {
    const result = this.#lookup(key);
    const found = this.#known.get(key) ?? this.#look(key, result);
    if (result !== undefined) this.#known.set(key, found);
    return found;
  }

  #look(key: InstanceKey, result: ReturnType<ResultLookup>): ReadonlySet<Origin> {
    const instance = this.#plan.instances.get(key);
    if (!instance || result === undefined || result === 'skipped') return new Set();
    if (result.is === 'picked') return this.of(result.chosen.map(one => one.key));
    if (result.is === 'round') return this.of([result.key]);
    if (result.is === 'outputs') {
      const used = Object.values(result.outputs).flatMap(usedResults);
      return this.of(used.map(one => one.key));
    }
    return mediaIn(result, key).length === 0 ? new Set() : this.#ofWork(instance);
  }

  #ofWork(instance: Instance): ReadonlySet<Origin> {
    const work = resolve(this.#plan, instance, this.#lookup, this.#context);
    if (work.is === 'skip') return this.of(work.standIn === undefined ? [] : [work.standIn]);
    const given = 'media' in work ? this.#ofMedia(work.media) : this.#ofFiles(instance, work);
    if (kindOf(instance.step).sent(instance.step) === undefined) return given;
    // What a model makes of media that models made is that model's; of an author's footage it is an edit.
    const maker = isFree(this.#plan) ? 'studio' : 'model';
    if (!given.has('own') && !given.has('edited')) return new Set([maker]);
    return new Set(maker === 'model' ? ['edited'] : ['studio', 'own']);
  }

  #ofMedia(inputs: readonly MediaInput[]): ReadonlySet<Origin> {
    const originsOf = ({ from, facts }: MediaInput) =>
      from === undefined ? [originOf(facts?.source_type)] : [...this.#ofInstance(from)];
    return new Set(inputs.flatMap(originsOf));
  }

  /** A command is handed paths: whatever it reads may be in what it leaves. */
  #ofFiles({ needs, needsAll }: Instance, work: Exclude<Resolved, Skipped>): ReadonlySet<Origin> {
    const whole = needsAll.flatMap(step => this.#plan.instances.of(step).map(({ key }) => key));
    const own = 'authorFiles' in work && work.authorFiles.some(path => kindOfPath(path) !== undefined);
    return new Set([...this.of([...needs, ...whole]), ...(own ? (['own'] as const) : [])]);
  }
}
