/** What each view of a run's events costs: all of them folded, event by event, as a run holds it. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import type { InstanceKey, RunId } from '../../src/model/run/key.ts';
import { type InstanceState, isOfInstance, nextState, WAITING } from '../../src/records/views/instance-state.ts';
import { InstanceStory } from '../../src/records/views/instance-story.ts';
import { Ledger } from '../../src/records/views/ledger.ts';
import { asOneRun } from '../../src/records/views/merged-turns.ts';
import { applyProgress, type Progress } from '../../src/records/views/progress.ts';
import { reduce } from '../../src/records/views/reduce.ts';
import { runStory } from '../../src/records/views/run-story.ts';
import { emptyRunView } from '../../src/records/views/run-view.ts';
import { manyEvents } from '../text/many-events.ts';
import type { Case, Measured } from './measure.ts';

const MANY = 10_000;
const RUN = 'run' as RunId;

export const viewCases: readonly Case[] = [{ name: 'views of 10,000 instances', measure: costs }];

/** Each gives what is held afterwards. */
const VIEWS: { readonly [file: string]: (events: readonly RecordedEvent[]) => unknown } = {
  'instance-state.ts': events => {
    const states = new Map<InstanceKey, InstanceState>();
    for (const event of events)
      if (isOfInstance(event)) states.set(event.key, nextState(states.get(event.key) ?? WAITING, event));
    return states;
  },
  'instance-story.ts': events => {
    const stories = new Map<InstanceKey, InstanceStory>();
    for (const event of events) {
      if (!isOfInstance(event)) continue;
      const story = stories.get(event.key) ?? new InstanceStory(null);
      stories.set(event.key, story);
      story.apply(event);
    }
    return stories;
  },
  'reduce.ts': events => events.reduce(reduce, emptyRunView()),
  'run-story.ts': events => runStory({ events, plan: undefined, isRunning: true }),
  'turns.ts': events => {
    const half = events.length / 2;
    const turns = [events.slice(0, half), events.slice(half)].map(some => ({ events: some, plan: undefined }));
    return asOneRun(turns, []);
  },
  'progress.ts': events => {
    const now = new Map<InstanceKey, Progress>();
    for (const event of events) applyProgress(now, event);
    return now;
  },
  'ledger.ts': events => {
    const ledger = new Ledger();
    for (const event of events) ledger.apply(RUN, event);
    return ledger;
  },
};

async function costs({ quick }: { readonly quick: boolean }): Promise<readonly Measured[]> {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const events = [...manyEvents(MANY)];
  return Object.entries(VIEWS).map(([file, fold]): Measured => {
    const held = () => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = held();
    const kept = [fold(events)];
    const megabytes = (held() - before) / 1024 ** 2;
    const ours = Array.from({ length: quick ? 1 : 7 }, () => {
      const began = process.cpuUsage();
      kept[0] = fold(events);
      return process.cpuUsage(began).user / 1_000;
    });
    const note = `holds ${megabytes.toFixed(1)} MB beside its events`;
    return { name: `views/${file}, ${events.length.toLocaleString('en')} events`, unit: 'ms', ours, note };
  });
}
