/**
 * A team's run, under review on a person's machine: its events are read as they come, its takes are downloaded from the team's store, and a
 * decision here lets it go on, wherever it is led. While the database is unreachable, the page stays as it was.
 */

import { type ReviewPlace, signOf } from '../../app/review/local-place.ts';
import type { Project } from '../../machine/files/project.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { RunReport } from '../../model/run/run-report.ts';
import { lockPath } from '../../records/lock/lock-file.ts';
import type { SharedResults } from '../../records/store/shared/shared-results.ts';
import type { Store } from '../../records/store/store.ts';
import { applyProgress, type Progress } from '../../records/views/progress.ts';
import type { ReviewQuestion } from '../../show/pages/review/review-state.ts';
import { broadcastAfter, newestTurn } from '../runs/broadcast-events.ts';
import { type RunRow, runRow, signOfRun } from '../runs/run-rows.ts';
import { requeueFilm, type Team } from './open-team.ts';
import { isGoing, openRun, reportOfTeamRun } from './run-in-team.ts';
import type { TeamNews } from './team-news.ts';

interface TeamReviewTerms {
  readonly team: Team;
  readonly news: Pick<TeamNews, 'next'>;
  readonly run: RunRow;
  readonly project: Project;
  readonly store: Store;
  readonly shared: SharedResults;
}

/** Milliseconds between two looks where nothing is heard. */
const LOOK = 2_000;

export class TeamReview implements ReviewPlace, AsyncDisposable {
  readonly store: Store;
  readonly toForget = 'look';
  readonly #terms: TeamReviewTerms;
  readonly #closing = new AbortController();
  readonly #bringing = new Map<string, Promise<unknown>>();
  /** Takes that came here since the page was opened. */
  #downloaded = 0;
  #run: RunRow;
  #news = new AbortController();
  readonly #progress: BroadcastProgress;

  constructor(terms: TeamReviewTerms) {
    this.#terms = terms;
    this.#run = terms.run;
    this.store = terms.store;
    this.#progress = new BroadcastProgress(terms.team, terms.run.id);
  }

  get run(): RunRow {
    return this.#run;
  }

  async isGoing(): Promise<boolean> {
    const { team, run } = this.#terms;
    this.#run = (await runRow(team.database, run.id)) ?? this.#run;
    return isGoing(this.#run);
  }

  async report(): Promise<RunReport | undefined> {
    const { team, project, run } = this.#terms;
    const opened = await openRun(team, run.id);
    if (!opened) return undefined;
    await using one = opened;
    return await reportOfTeamRun(one, { team, project });
  }

  async progress(): Promise<ReadonlyMap<string, Progress>> {
    await this.#progress.look();
    return this.#progress.now;
  }

  async signs(): Promise<string> {
    const { team, run, project } = this.#terms;
    await this.#progress.look();
    const sign = await signOfRun(team.database, run);
    return [sign, this.#progress.last, this.#downloaded, await signOf(lockPath(project.pipelineFile))].join('\n');
  }

  async pause(signal: AbortSignal): Promise<void> {
    const { news, run } = this.#terms;
    const topics = new Set([...['told', 'events', 'run'].map(topic => `${topic}:${run.id}`), `choice:${run.filmId}`]);
    this.#news = new AbortController();
    const over = AbortSignal.any([signal, this.#news.signal, this.#closing.signal]);
    await news.next(topic => topics.has(topic), LOOK, over);
  }

  async decided(): Promise<void> {
    if (!(await this.#wake())) void this.#wakeLater();
  }

  /** Notifies the page when one of them is here. What the team's store has not is asked for again with the next look. */
  prefetch(questions: readonly ReviewQuestion[]): void {
    const wanted = questions.flatMap(({ options }) =>
      options.flatMap(({ media, isHere }) => (media && !isHere ? [media.sha256] : [])),
    );
    for (const sha256 of wanted) {
      if (this.#bringing.has(sha256)) continue;
      const coming = this.#download(sha256).finally(() => this.#bringing.delete(sha256));
      this.#bringing.set(sha256, coming);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#bringing.values());
  }

  async #wake(): Promise<boolean> {
    return await requeueFilm(this.#terms.team, this.#run.filmId).then(
      () => true,
      () => false,
    );
  }

  /** A decision is kept, and its waiters hear of it as soon as the database is back; from a worker, if this ends before. */
  async #wakeLater(): Promise<void> {
    const { signal } = this.#closing;
    do await this.#terms.news.next(() => false, LOOK, signal);
    while (!signal.aborted && !(await this.#wake()));
  }

  async #download(sha256: string): Promise<void> {
    try {
      const outcome = await this.#terms.shared.download(sha256, this.#closing.signal);
      if (outcome.is !== 'ok') return;
    } catch {
      // An unreadable disk is read again by the next look, which reports the fault.
      return;
    }
    this.#downloaded += 1;
    this.#news.abort();
  }
}

/** How far each generation of a run is, as its lead reports it. */
class BroadcastProgress {
  readonly now = new Map<InstanceKey, Progress>();
  /** The newest row that was read; undefined: none was. */
  last: number | undefined;
  readonly #team: Team;
  readonly #run: string;

  constructor(team: Team, run: string) {
    this.#team = team;
    this.#run = run;
  }

  async look(): Promise<void> {
    this.last ??= await newestTurn(this.#team.database, this.#run);
    for (;;) {
      const { events, last } = await broadcastAfter(this.#team.database, this.#run, this.last);
      this.last = last;
      for (const event of events) applyProgress(this.now, event);
      if (events.length === 0) return;
    }
  }
}
