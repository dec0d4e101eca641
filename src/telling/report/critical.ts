/**
 * What the run waited for, in real time: back from the instance that ended last, each time to the one of its needs that ended last. Only
 * what was worked on in this run counts; the order of the events says what came last, and no clock.
 */
import type { InstanceKey } from '../../domain/key.ts';
import type { RunStory, Told } from './run-story.ts';
import type { States } from './states.ts';

export function criticalPath({ instances }: RunStory, states: States): readonly InstanceKey[] {
  const ended = (told: Told | undefined): number => told?.story.endedAs ?? 0;
  const lastOf = (keys: Iterable<InstanceKey>): Told | undefined => {
    let last: Told | undefined;
    for (const key of keys) {
      const told = instances.get(key);
      if (ended(told) > ended(last)) last = told;
    }
    return last;
  };
  const lastOfWhole = new Map<string, Told | undefined>();
  const before = ({ planned: { needs = [], needsAll = [] } }: Told): Told | undefined => {
    const wholes = needsAll.map(name => {
      if (!lastOfWhole.has(name)) lastOfWhole.set(name, lastOf(states.all(name)));
      return lastOfWhole.get(name);
    });
    return lastOf([...needs, ...wholes.flatMap(told => told?.planned.key ?? [])]);
  };
  const path: InstanceKey[] = [];
  const seen = new Set<InstanceKey>();
  const worked = [...instances.values()].filter(({ story }) => story.isWorkedOn).map(({ planned }) => planned.key);
  for (let told = lastOf(worked); told && !seen.has(told.planned.key); told = through(told)) {
    seen.add(told.planned.key);
    path.unshift(told.planned.key);
  }
  return path;

  /** What is gathered from others takes no time: behind it stands what it was gathered from. */
  function through(told: Told): Told | undefined {
    const need = before(told);
    if (need) return need;
    const gathered = [...(told.planned.needs ?? [])]
      .flatMap(key => instances.get(key) ?? [])
      .filter(one => one.step?.isGathered);
    return gathered
      .map(before)
      .reduce<Told | undefined>((last, one) => (ended(one) > ended(last) ? one : last), undefined);
  }
}
