/**
 * The events of a team's run, as its lead sends them, for a watcher on another machine. Each turn of a run is shown from its beginning:
 * a run that goes on at another worker is one more turn. That a turn was let go of is shown only where no other follows.
 */

import type { Clock } from '../../machine/time/clock.ts';
import type { RecordedEvent } from '../../model/run/event.ts';
import type { TeamDatabase } from '../database/team-database.ts';
import { whileReachable } from '../database/while-reachable.ts';
import { broadcastAfter, isBroadcastAfter, newestTurn } from '../runs/broadcast-events.ts';
import { type RunRow, runRow } from '../runs/run-rows.ts';
import type { TeamNews } from './team-news.ts';

interface Watching {
  readonly team: Pick<TeamDatabase, 'query' | 'warnUnreadable'>;
  readonly clock: Clock;
  readonly news: Pick<TeamNews, 'next'>;
  readonly signal: AbortSignal;
  /** A turn begins; events before it belong to an earlier one. */
  readonly turn: () => Promise<void>;
  readonly event: (event: RecordedEvent) => void;
  /** The database is out of reach, with the reason; undefined: it is reachable again. */
  readonly trouble: (message: string | undefined) => void;
  readonly queued: (run: RunRow) => void;
}

/** Milliseconds between two looks for new events, and how many of them find nothing before the run is looked at again. */
const POLL = 100;
const MAX_POLLS = 20;

/** Resolves with the run when it is over or waits for a person, or when the signal aborts; undefined: there is no such run. */
export async function watchRun(id: string, watching: Watching): Promise<RunRow | undefined> {
  const { team, news, signal, turn, event, queued } = watching;
  let last = await whileReachable(() => newestTurn(team, id), watching);
  let held: RecordedEvent[] = [];
  let isQueueShown = false;
  for (;;) {
    // Read before the events: once the run is over, they are complete.
    const run = await whileReachable(() => runRow(team, id), watching);
    if (!run) return undefined;
    const after = last;
    const broadcast = await whileReachable(() => broadcastAfter(team, id, after), watching);
    last = broadcast.last;
    for (const one of broadcast.events) {
      if (one.type === 'run_started') {
        held = [];
        await turn();
      }
      if (held.length > 0 || isLetGo(one)) held.push(one);
      else event(one);
    }
    const isOver = run.status !== 'queued' && run.status !== 'led';
    if ((isOver && broadcast.events.length === 0) || signal.aborted) {
      for (const one of held) event(one);
      return run;
    }
    if (run.status === 'queued' && last === 0 && !isQueueShown) {
      isQueueShown = true;
      queued(run);
    }
    let isChanged = broadcast.events.length > 0;
    for (let polls = 0; polls < MAX_POLLS && !isChanged && !signal.aborted; polls++) {
      const ofRun = (topic: string) => {
        isChanged ||= topic === `run:${id}`;
        return isChanged;
      };
      await news.next(ofRun, POLL, signal);
      isChanged ||= await whileReachable(() => isBroadcastAfter(team, id, broadcast.last), watching);
    }
  }
}

/** The end of a turn: another may follow. */
const isLetGo = ({ type }: RecordedEvent): boolean => type === 'run_detached' || type === 'run_finished';
