/** What a result is made of, through the whole graph: what models made, what the studio drew, footage of the author's. */
import type { InstanceKey } from '../domain/key.ts';
import type { Instance, Plan } from '../domain/plan.ts';
import { type Origin, originOf } from '../domain/source-type.ts';
import { kindOfPath } from '../language/types.ts';
import { usedResults } from './gather.ts';
import type { ResolveContext } from './plan-context.ts';
import { resolve } from './resolve.ts';
import type { ResultLookup } from './step-inputs.ts';

export interface MadeOf {
  /** Of what these instances have given, as a whole; empty where nothing of it is media. */
  origins(keys: Iterable<InstanceKey>): ReadonlySet<Origin>;
}

/** @param maker of what the service of this plan gives. */
export function madeOf(plan: Plan, lookup: ResultLookup, context: ResolveContext, maker: 'model' | 'studio'): MadeOf {
  const known = new Map<InstanceKey, ReadonlySet<Origin>>();
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
    if (result.is !== 'media' && result.is !== 'command') return new Set();
    return ofWork(instance);
  }

  function ofWork(instance: Instance): ReadonlySet<Origin> {
    const work = resolve(plan, instance, lookup, context);
    if (work.is === 'skip') return origins(work.standIn === undefined ? [] : [work.standIn]);
    if (work.is === 'command') {
      const own = work.authorFiles.some(path => kindOfPath(path) !== undefined);
      const before = [
        ...instance.needs,
        ...instance.needsAll.flatMap(step => plan.instances.of(step).map(({ key }) => key)),
      ];
      return new Set([...origins(before), ...(own ? (['own'] as const) : [])]);
    }
    const inputs = 'media' in work ? work.media : [];
    const given = new Set<Origin>(
      inputs.flatMap(({ from, facts }) =>
        from === undefined ? [originOf(facts?.source_type)] : [...ofInstance(from)],
      ),
    );
    if (work.is === 'cut') return given;
    // What a model made of its own kind's media is that model's; of an author's footage it is an edit.
    if (!given.has('own') && !given.has('edited')) return new Set([maker]);
    return new Set(maker === 'model' ? ['edited'] : ['studio', 'own']);
  }

  return { origins };
}
