/** One run of a film that is being written: begun, and ended early when the film is saved again. */
import { relative, resolve } from 'node:path';
import type { Service } from '../../api/service.ts';
import type { CommandRunner } from '../../machine/process/command-runner.ts';
import { systemClock } from '../../machine/time/clock.ts';
import type { Plan } from '../../model/plan.ts';
import type { Reporter } from '../../model/run/event.ts';
import type { InstanceKey, RunId } from '../../model/run/key.ts';
import type { Journal } from '../../records/journal/journal.ts';
import { type Outcome, start } from '../../run/engine/run.ts';
import { appendEnd, cancelAt } from '../../run/requests/cancel.ts';
import type { Film } from '../film/open-film.ts';
import { budgetsOf } from '../film-budgets.ts';
import { filmEnvironment } from '../local-environment.ts';
import { lockKeeper } from '../results/lock-of-film.ts';
import type { ServiceChoice } from '../service/service-choice.ts';
import { stopUnlessDrawable } from '../service/stop-unless-drawable.ts';

export interface FilmRunTerms {
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
  /** Hears what a team's store could not give, in sentences. */
  readonly told: (words: readonly string[]) => void;
}

export interface FilmRun {
  readonly film: Film;
  /** What its plan asked for when it began. */
  readonly identity: string;
  /** Resolves once the lock is written and the film is closed. */
  readonly done: Promise<Outcome>;
  /** It begins nothing new and lets go; what it has sent and `wanted` lacks is ended. */
  stop(wanted: ReadonlySet<string> | 'everything'): Promise<readonly string[]>;
}

/** Takes the film, and closes it. @throws Refusal where nothing can be drawn or cut on this machine. */
export async function startFilmRun(film: Film, terms: FilmRunTerms): Promise<FilmRun> {
  const { service, choice, commands, file, again, options, reporters, told } = terms;
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
  for (const choice of (await film.said?.keepAll()) ?? []) lock.decided(choice);
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
      told(film.shared?.takeProblems() ?? []);
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
    stop: async still => {
      wanted = still;
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
export const planIdentity = ({ instances, outputs, open }: Plan): string =>
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
