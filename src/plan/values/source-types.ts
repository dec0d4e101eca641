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
  const maker = isFree(plan) ? 'studio' : 'model';
  const known = new Map<InstanceKey, ReadonlySet<Origin>>();
  // A run that only fetches outputs has no results of what they were made from; the plan knows those that are owned.
  const lookup: ResultLookup = key => {
    const decision = plan.instances.get(key)?.decision;
    return settled(key) ?? (decision && 'result' in decision ? decision.result : undefined);
  };
  const origins = (keys: Iterable<InstanceKey>) => new Set([...keys].flatMap(key => [...ofInstance(key)]));

  function ofInstance(key: InstanceKey): ReadonlySet<Origin> {
    const before = known.get(key);
    if (before) return before;
    const found = look(key);
    if (lookup(key) !== undefined) known.set(key, found);
    return found;
  }

  function look(key: InstanceKey): ReadonlySet<Origin> {
    const instance = plan.instances.get(key);
    const result = lookup(key);
    if (!instance || result === undefined || result === 'skipped') return new Set();
    if (result.is === 'picked') return origins(result.chosen.map(one => one.key));
    if (result.is === 'round') return origins([result.key]);
    if (result.is === 'outputs')
      return origins(
        Object.values(result.outputs)
          .flatMap(usedResults)
          .map(one => one.key),
      );
    if (mediaIn(result, key).length === 0) return new Set();
    return ofWork(instance);
  }

  function ofWork(instance: Instance): ReadonlySet<Origin> {
    const { step } = instance;
    const work = resolve(plan, instance, lookup, context);
    if (work.is === 'skip') return origins(work.standIn === undefined ? [] : [work.standIn]);
    const given = 'media' in work ? ofMedia(work.media) : ofFiles(instance, work);
    if (kindOf(step).sent(step) === undefined) return given;
    // What a model makes of media that models made is that model's; of an author's footage it is an edit.
    if (!given.has('own') && !given.has('edited')) return new Set([maker]);
    return new Set(maker === 'model' ? ['edited'] : ['studio', 'own']);
  }

  const ofMedia = (inputs: readonly MediaInput[]): ReadonlySet<Origin> =>
    new Set(
      inputs.flatMap(({ from, facts }) =>
        from === undefined ? [originOf(facts?.source_type)] : [...ofInstance(from)],
      ),
    );

  /** A command is handed paths: whatever it reads may be in what it leaves. */
  function ofFiles({ needs, needsAll }: Instance, work: Exclude<Resolved, Skipped>): ReadonlySet<Origin> {
    const whole = needsAll.flatMap(step => plan.instances.of(step).map(({ key }) => key));
    const own = 'authorFiles' in work && work.authorFiles.some(path => kindOfPath(path) !== undefined);
    return new Set([...origins([...needs, ...whole]), ...(own ? (['own'] as const) : [])]);
  }

  return key => sourceTypeOf(ofInstance(key));
}
