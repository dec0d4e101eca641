/**
 * The loop in which one writes a film: a save is read and planned, what it asks for is drawn, and what is there stays.
 *
 *     saved ──▶ read ─┬─ mistaken: shown with its place; what is being drawn goes on, what was made stays
 *                     ├─ asks for the same as what is being drawn: that goes on
 *                     └─ otherwise: the run lets go, what is asked for no more is cancelled, and the rest goes on in a run of the new plan
 *
 * Process, studio and renderers stay warm from one save to the next; the film is opened anew each time, as by a command, so that a run is
 * what any run is: journal, lock and store are those of `shotlist run --draft`. Files we write ourselves are not among those looked at.
 */

import { relative, resolve } from 'node:path';
import type { Service } from '../../api/service.ts';
import { FileWatch } from '../../machine/files/file-watch.ts';
import type { CommandRunner } from '../../machine/process/command-runner.ts';
import { type Clock, systemClock } from '../../machine/time/clock.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { isLoopback } from '../../model/loopback.ts';
import type { Plan } from '../../model/plan.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import type { RecordedEvent, Reporter } from '../../model/run/event.ts';
import type { InstanceKey, RunId } from '../../model/run/key.ts';
import { FilmBusy } from '../../records/journal/film-lease.ts';
import type { Journal } from '../../records/journal/journal.ts';
import { type Outcome, start } from '../../run/engine/run.ts';
import { appendEnd, cancelAt } from '../../run/requests/cancel.ts';
import { type FilmToOpen, LookedAt } from '../film/film-to-open.ts';
import { type Film, openFilm } from '../film/open-film.ts';
import { budgetsOf } from '../film-budgets.ts';
import { filmEnvironment } from '../local-environment.ts';
import { lockKeeper } from '../results/keep-lock.ts';
import type { ServiceChoice } from '../service/service-choice.ts';
import { stopUnlessDrawable } from '../service/stop-unless-drawable.ts';

interface WatchTerms extends Omit<FilmRunTerms, 'reporters' | 'onStoreProblems'> {
  /** The film as its file is now: read anew each time. `isFirst`: one-time requests, like `--redo`, apply. @throws errors with readable words. */
  readonly film: (isFirst: boolean) => Promise<Omit<FilmToOpen, 'to' | 'found'>>;
  /** Absolute paths of files that are looked at in any case: the film's own, and what the command line names. */
  readonly files: readonly string[];
  readonly onNews: OnNews;
  readonly clock: Clock;
  /** Errors with readable words that the next save may mend; anything else is thrown. */
  readonly wordsOf: (error: unknown) => string | undefined;
}

/** Milliseconds after which a film that another process holds is tried again. */
const BUSY = 1_000;

/** Resolves when the signal has aborted and nothing is at work any more. @throws a mistake of ours. */
export async function watchFilm(terms: WatchTerms, signal: AbortSignal): Promise<void> {
  const watch = new FileWatch(terms.clock);
  const loop = new WatchLoop(terms);
  try {
    let saved: readonly string[] = [];
    await watch.follow({ files: new Set(terms.files), lists: new Map(), read: new Map() });
    while (!signal.aborted) {
      terms.onNews({ is: 'saved', at: terms.clock.now(), files: saved });
      await watch.begin();
      const looked = new LookedAt(terms.files);
      const isHeld = await loop.take(looked, signal);
      await watch.follow(looked);
      const over = new AbortController();
      const either = AbortSignal.any([signal, over.signal, loop.broken]);
      if (isHeld) void terms.clock.sleep(BUSY, either, 'in the background').then(() => over.abort());
      saved = await watch.changed(either);
      over.abort();
      loop.throwIfBroken();
    }
  } finally {
    watch.close();
    await loop.stop();
  }
}

class WatchLoop {
  readonly #terms: WatchTerms;
  readonly #reporter: Reporter;
  readonly #broken = new AbortController();
  #going: FilmRun | undefined;
  #isFirst = true;
  /** Reported once, and tried again each second. */
  #heldBy: string | undefined;
  /** Messages about the team's store: they are the same at each save. */
  readonly #advised = new Set<string>();

  constructor(terms: WatchTerms) {
    this.#terms = terms;
    const { onNews, clock } = terms;
    this.#reporter = firstFrames(onNews, { clock });
  }

  /** A run has ended by a mistake of ours. */
  get broken(): AbortSignal {
    return this.#broken.signal;
  }

  throwIfBroken(): void {
    this.#broken.signal.throwIfAborted();
  }

  /** True where another process runs the film at this moment. */
  async take(looking: LookedAt, signal: AbortSignal): Promise<boolean> {
    const { onNews } = this.#terms;
    let cancelled: readonly string[] = [];
    if (this.#going) {
      // Beside the run, which is not disturbed by what cannot be read.
      const read = await this.#open('look', looking);
      if (read.is !== 'open') return read.is === 'held';
      const { plan } = read.film;
      const [now, wanted] = [planIdentity(plan), wantedBy(plan)];
      await read.film.close();
      // It may have come to its end meanwhile.
      if (this.#going?.identity === now) {
        onNews({ is: 'same' });
        return false;
      }
      cancelled = (await this.#going?.stop(wanted)) ?? [];
      if (signal.aborted) return false;
    }
    const opened = await this.#open('run', looking);
    if (opened.is !== 'open') return opened.is === 'held';
    const { film, diagnostics } = opened;
    onNews({ is: 'planned', plan: film.plan, cancelled: cancelled as readonly InstanceKey[] });
    this.#advise(diagnostics, film.shared?.takeProblems() ?? []);
    try {
      this.#begin(
        await startFilmRun(film, {
          ...this.#terms,
          reporters: [this.#reporter],
          onStoreProblems: words => this.#advise([], words),
        }),
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      onNews({ is: 'mistaken', diagnostics: [], words: [error.message] });
    }
    return false;
  }

  async stop(): Promise<void> {
    await this.#going?.stop('everything');
    await this.#reporter.close();
  }

  #advise(diagnostics: readonly Diagnostic[], all: readonly string[]): void {
    const words = all.filter(text => !this.#advised.has(text));
    for (const text of words) this.#advised.add(text);
    if (diagnostics.length + words.length > 0) this.#terms.onNews({ is: 'advised', diagnostics, words });
  }

  #begin(run: FilmRun): void {
    this.#isFirst = false;
    this.#going = run;
    void run.done.then(
      outcome => {
        if (this.#going === run) this.#going = undefined;
        this.#terms.onNews({ is: 'ended', outcome });
      },
      bug => {
        if (this.#going === run) this.#going = undefined;
        this.#broken.abort(bug);
      },
    );
  }

  async #open(to: FilmToOpen['to'], looking: LookedAt): Promise<Opened> {
    const { onNews, film, wordsOf } = this.#terms;
    const diagnostics: Diagnostic[] = [];
    const closed = (words: readonly string[] = []) => {
      onNews({ is: 'mistaken', diagnostics, words });
      return { is: 'closed' } as const;
    };
    try {
      const asked = await film(this.#isFirst);
      const opened = await openFilm({ ...asked, to, looking, found: more => diagnostics.push(...more) });
      switch (opened.is) {
        case 'open':
          if (to === 'run') this.#heldBy = undefined;
          return { ...opened, diagnostics };
        case 'mistaken':
          return closed();
        case 'unselectable':
          return closed(opened.messages);
        case 'unreachable':
          return closed([opened.message]);
      }
    } catch (error) {
      const words = wordsOf(error);
      if (words === undefined) throw error;
      const isBusy = error instanceof FilmBusy;
      if (!isBusy) onNews({ is: 'mistaken', diagnostics, words: [words] });
      else if (this.#heldBy !== words) onNews({ is: 'held', words: [words] });
      this.#heldBy = isBusy ? words : undefined;
      return { is: isBusy ? 'held' : 'closed' };
    }
  }
}

type Opened =
  | { readonly is: 'open'; readonly film: Film; readonly diagnostics: readonly Diagnostic[] }
  | { readonly is: 'closed' }
  /** By another process. */
  | { readonly is: 'held' };

const wantedBy = ({ instances }: Plan): ReadonlySet<string> =>
  new Set([...instances].flatMap(({ fingerprint }) => (fingerprint === undefined ? [] : [fingerprint])));

/** Bytes: a picture of a draft has some fifty thousand. */
const LARGEST = 8e6;

function firstFrames(onNews: OnNews, { clock }: { readonly clock: Clock }): Reporter {
  const shown = new Map<InstanceKey, string>();
  const closed = new AbortController();

  async function show(key: InstanceKey, address: string): Promise<void> {
    const jpeg = await pictureAt(address, closed.signal).catch(() => undefined);
    // It is finished already, or something else is drawn in its place.
    if (jpeg === undefined || shown.get(key) !== address || closed.signal.aborted) return;
    onNews({ is: 'first_frame', key, at: clock.now(), jpeg });
  }

  return {
    report(event: RecordedEvent) {
      onNews({ is: 'event', event });
      if (event.type === 'run_started') shown.clear();
      else if (event.type === 'progress' && event.preview !== undefined) {
        if (shown.get(event.key) === event.preview) return;
        shown.set(event.key, event.preview);
        void show(event.key, event.preview);
      } else if ('key' in event && event.type !== 'progress') shown.delete(event.key);
    },
    async close() {
      closed.abort();
    },
  };
}

async function pictureAt(address: string, signal: AbortSignal): Promise<Uint8Array | undefined> {
  const url = new URL(address);
  if (url.protocol !== 'http:' || !isLoopback(url.hostname)) return undefined;
  const answer = await fetch(url, { signal, redirect: 'error' });
  if (!answer.ok || Number(answer.headers.get('content-length') ?? LARGEST + 1) > LARGEST) return undefined;
  return new Uint8Array(await answer.arrayBuffer());
}

/** News of the loop: the terminal and the page get the same. */
export type WatchNews =
  /** Unix milliseconds. `files`: absolute paths of what has changed; none at the beginning. */
  | { readonly is: 'saved'; readonly at: number; readonly files: readonly string[] }
  /** Something is wrong with the film as it is now; what was made last stays, and what is being drawn goes on. */
  | { readonly is: 'mistaken'; readonly diagnostics: readonly Diagnostic[]; readonly words: readonly string[] }
  /** Another process runs the film, or holds it: it is tried again and again. */
  | { readonly is: 'held'; readonly words: readonly string[] }
  /** What is odd about a film that is drawn, and what a team's store could not give for it. */
  | { readonly is: 'advised'; readonly diagnostics: readonly Diagnostic[]; readonly words: readonly string[] }
  /** It reads otherwise, and asks for the same as what is being drawn. */
  | { readonly is: 'same' }
  /** It is drawn as it is now. `cancelled`: what was being drawn and is asked for no more. */
  | { readonly is: 'planned'; readonly plan: Plan; readonly cancelled: readonly InstanceKey[] }
  | { readonly is: 'event'; readonly event: RecordedEvent }
  /** The first picture of what is being drawn. */
  | { readonly is: 'first_frame'; readonly key: InstanceKey; readonly at: number; readonly jpeg: Uint8Array }
  | { readonly is: 'ended'; readonly outcome: Outcome };

export type OnNews = (news: WatchNews) => void;

interface FilmRunTerms {
  /** The built-in studio. */
  readonly service: Service;
  readonly choice: ServiceChoice;
  readonly commands: CommandRunner;
  /** As it was named. */
  readonly file: string;
  /** What to type to go on with it. */
  readonly again: string;
  readonly options: string;
  readonly reporters: readonly Reporter[];
  /** Called with what a team's store could not give, in sentences. */
  readonly onStoreProblems: (words: readonly string[]) => void;
}

interface FilmRun {
  readonly film: Film;
  /** What its plan asked for when it began. */
  readonly identity: string;
  /** Resolves once the lock is written and the film is closed. */
  readonly done: Promise<Outcome>;
  /** It begins nothing new and lets go; what it has sent and `wanted` lacks is ended. */
  stop(wanted: ReadonlySet<string> | 'everything'): Promise<readonly string[]>;
}

/** Takes the film, and closes it. @throws Refusal where nothing can be drawn or cut on this machine. */
async function startFilmRun(film: Film, terms: FilmRunTerms): Promise<FilmRun> {
  const { service, choice, commands, file, again, options, reporters, onStoreProblems } = terms;
  try {
    stopUnlessDrawable(film.plan, film.context.library, false);
  } catch (error) {
    await film.close();
    throw error;
  }
  const lock = lockKeeper(film);
  const identity = planIdentity(film.plan);
  const environment = filmEnvironment(film, {
    ...{ choice, service, commands, lock, reporters },
    budgets: budgetsOf(film, service.account, { project: choice.budget }),
    // A person decides on the page or by `shotlist pick`: the run waits for that, and for the next save.
    decide: (_question, signal) => untilAborted(signal),
    settings: {
      onInterrupt: 'detach',
      onFailure: 'go_on',
      root: film.root,
      keptIn: relative('', film.keptIn),
      reserved: [file, film.lockPath].map(path => relative(film.root, resolve(path))),
      resume: again,
      options,
    },
  });
  for (const choice of (await film.presets?.keepAll()) ?? []) lock.decided(choice);
  const run = start(film.plan, environment);
  let wanted: ReadonlySet<string> | 'everything' = 'everything';
  let withdrawn: readonly string[] = [];
  const end = async () => {
    try {
      const outcome = await run.done;
      if (outcome.is === 'done') await film.ended();
      const keys = [...film.plan.instances].map(({ key }) => key);
      await (outcome.is === 'done' ? lock.close({ instances: keys }) : lock.close());
      if (wanted !== 'everything') withdrawn = await withdraw({ service, journal: film.journal }, wanted);
      return outcome;
    } finally {
      onStoreProblems(film.shared?.takeProblems() ?? []);
      await film.close();
    }
  };
  const done = end();
  // Its waiters receive a mistake of ours.
  done.catch(() => {});
  return {
    film,
    identity,
    done,
    stop: async stillWanted => {
      wanted = stillWanted;
      run.detach();
      await done;
      return withdrawn;
    },
  };
}

const untilAborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise(resolve => {
    if (signal.aborted) return resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });

/** Equal where the plans ask for the same things and put them into the same places. */
const planIdentity = ({ instances, outputs, open }: Plan): string =>
  JSON.stringify(
    [
      // An unknown part is compared by its step, as it is written.
      [...instances].map(({ key, fingerprint, request, step }) => [key, fingerprint ?? [request, step]]),
      outputs,
      open,
    ],
    (name, value: unknown) => (PLACES.has(name) ? undefined : value instanceof Map ? [...value] : value),
  );

/** Places in the file. */
const PLACES: ReadonlySet<string> = new Set(['span', 'at', 'source', 'decision']);

/**
 * Ends what is being drawn and is asked for no more: in the built-in studio that costs nothing, and makes room for what is.
 * @param wanted fingerprints of what is still asked for. @returns what was ended. What has finished meanwhile stays owned.
 */
async function withdraw(
  { service, journal }: { readonly service: Service; readonly journal: Journal },
  wanted: ReadonlySet<string>,
): Promise<readonly InstanceKey[]> {
  const unwanted = journal.views.ledger.open.filter(
    ({ id, fingerprint }) => id !== undefined && !wanted.has(fingerprint),
  );
  const ended = await Promise.all(
    unwanted.map(async open => {
      const cancelled = await cancelAt(service, open, systemClock, new AbortController().signal);
      if (cancelled.is !== 'ended') return [];
      appendEnd(journal, open, cancelled.failure, `withdrawn ${open.nonce}` as RunId);
      return [open.key];
    }),
  );
  await journal.durable();
  return ended.flat();
}
