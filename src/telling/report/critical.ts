/**
 * What the run waited for, in real time: back from the instance that ended last, each time to the one of its needs that ended last. Only
 * what was worked on, or decided, in this run counts; what is gathered from others takes no time, and what it was gathered from stands in
 * its place. The order of the events says what came last, and no clock.
 */
import type { InstanceKey } from '../../domain/key.ts';
import type { RunStory, Told } from '../../records/views/run-story.ts';
import type { States } from './states.ts';

export function criticalPath(story: RunStory, states: States): readonly InstanceKey[] {
  const { instances } = story;
  const before = lastNeeds(story, states);
  const path: InstanceKey[] = [];
  const seen = new Set<Told>();
  for (let told = latest(instances.values()); told && !seen.has(told); told = before(told)) {
    seen.add(told);
    path.unshift(told.planned.key);
  }
  return path;
}

/** Of each instance, the one that it waited for longest; undefined where it waited for nothing of this run. */
function lastNeeds({ instances }: RunStory, states: States): (told: Told) => Told | undefined {
  const known = new Map<Told, Told | undefined>();
  // A step that is waited for as a whole is looked through once, however many wait for it.
  const wholes = new Map<string, Told | undefined>();
  const counted = (key: InstanceKey): Told | undefined => {
    const told = instances.get(key);
    return told?.step?.isGathered && !told.story.choice ? before(told) : told;
  };
  const lastOf = (keys: readonly InstanceKey[]) => latest(keys.flatMap(key => counted(key) ?? []));
  const lastOfWhole = (name: Parameters<States['all']>[0]) => {
    if (!wholes.has(name)) wholes.set(name, lastOf(states.all(name)));
    return wholes.get(name);
  };
  function before(told: Told): Told | undefined {
    if (known.has(told)) return known.get(told);
    const { needs = [], needsAll = [] } = told.planned;
    // A damaged plan may lead back to itself.
    known.set(told, undefined);
    const last = latest([lastOf(needs), ...needsAll.map(lastOfWhole)].flatMap(one => one ?? []));
    known.set(told, last);
    return last;
  }
  return before;
}

function latest(all: Iterable<Told>): Told | undefined {
  let last: Told | undefined;
  for (const told of all) if (endedAs(told) > (last ? endedAs(last) : 0)) last = told;
  return last;
}

/** Its place among the events of the run; 0 where nothing was done for it. */
const endedAs = ({ story }: Told): number => (story.attempts.length > 0 || story.choice ? story.endedAs : 0);
