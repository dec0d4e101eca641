/**
 * Bugs of the kind that cost money, put into the core for a test, each where two of its parts meet. Those of real runs are among them:
 * paid fifteen times in half a minute, a login page kept as a film, ids lost on a full disk.
 */
import type { NotTaken, Service } from '../../src/api/service.ts';
import { NO_AMOUNTS, type Spending } from '../../src/model/budget.ts';
import type { JournalViews } from '../../src/records/views/journal-views.ts';
import type { JournalBudgets } from '../../src/run/admission/journal-budgets.ts';
import type { RunEnvironment } from '../../src/run/engine/run-core.ts';
import { Watcher } from '../../src/run/requests/watcher.ts';
import type { RunnerOptions } from './runner.ts';

export interface PlantedBug {
  readonly name: string;
  /** A seed of the short form that sees it: tried first. */
  readonly hint: number;
  /** It shows in what a service is sent: the seed at whose door the checker sees it. */
  readonly atDoor?: number;
  readonly change?: (world: RunEnvironment, options: RunnerOptions, budgets: JournalBudgets) => RunEnvironment;
  /** A commit that fails says nothing of it. */
  readonly hidesFailedCommits?: true;
}

/**
 * The seeds that `npm test` tries: few and quick worlds that have every vice and every fault between them, and in which each planted bug
 * is seen. Where a change of the core or of the simulation loses one, `npm run simulate -- --choose` finds others.
 */
export const SHORT_FORM: readonly number[] = [
  12, 13, 15, 20, 24, 26, 29, 34, 40, 46, 61, 64, 97, 101, 103, 106, 113, 123, 141, 143, 149, 221, 226, 234, 245, 769,
];

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'absent is believed of one look, at once',
    atDoor: 29,
    hint: 29,
    change: withProof({ settled: 0, settledBehindGateway: 0, apart: 0, witnessAfter: Number.NEGATIVE_INFINITY }),
  },
  { name: 'any history is taken for whole', atDoor: 24, hint: 24, change: withProof({ trusted: true }) },
  {
    name: "a gateway's 504 is taken for a no",
    hint: 26,
    change: withPost(answer =>
      answer.is === 'unknown' && answer.gateway ? { is: 'refused', status: 504, message: answer.message } : answer,
    ),
  },
  {
    name: 'a lost answer is taken for a request that never arrived',
    atDoor: 29,
    hint: 26,
    change: withPost(answer => (answer.is === 'unknown' ? { is: 'unreached', message: answer.message } : answer)),
  },
  {
    name: 'a 404 of a known id closes it',
    hint: 103,
    change: withRecord(answer =>
      answer.is === 'absent' ? { status: 'failed', error_message: 'no longer known' } : undefined,
    ),
  },
  {
    name: 'a status nobody knows is taken for the end',
    hint: 101,
    change: withRecord(answer =>
      answer.is === 'ok' && answer.value.status === 'warming_up'
        ? { status: 'failed', error_message: 'warming_up' }
        : undefined,
    ),
  },
  {
    name: 'a success without an address is taken for a failure',
    hint: 123,
    change: withRecord(answer =>
      answer.is === 'ok' && answer.value.status === 'succeeded' && !answer.value.result_url
        ? { status: 'failed', error_message: 'no address' }
        : undefined,
    ),
  },
  {
    name: 'equal requests are each sent',
    atDoor: 24,
    hint: 103,
    change: world => ({
      ...world,
      admission: changed(world.admission, {
        admit: (asked, signal) => world.admission.admit({ ...asked, shared: false }, signal),
      }),
    }),
  },
  {
    name: 'what an earlier run sent is not taken up',
    atDoor: 149,
    hint: 149,
    change: world => {
      Object.defineProperty(world.admission, 'openSubmissions', { get: () => [] });
      return world;
    },
  },
  {
    name: 'what another film is at is not seen',
    atDoor: 24,
    hint: 24,
    change: withViews('sent', { openElsewhere: () => undefined }),
  },
  {
    name: 'an id that is claimed is believed again',
    hint: 101,
    change: withViews('sent', { isClaimed: () => false, claimedAmong: async () => new Set() }),
  },
  { name: 'how often it was lost is not counted', hint: 61, change: withViews('sent', { timesLost: () => 0 }) },
  {
    name: 'how often it was tried again is not counted',
    hint: 12,
    change: withViews('work', { attempts: () => ({ retried: 0, unfit: 0, until: 0 }) }),
  },
  {
    name: 'a rate counts what this run has sent alone',
    hint: 103,
    change: world => {
      const { sent } = world.journal.views;
      const began = world.clock.now();
      const nth = sent.nthIntent;
      sent.nthIntent = (account, asked) => nth(account, { ...asked, since: Math.max(asked.since, began) });
      return world;
    },
  },
  {
    name: 'what another running film has in flight is taken over',
    hint: 769,
    change: world => {
      const { sent } = world.journal.views;
      const { openElsewhere } = sent;
      sent.openElsewhere = (...asked) => {
        const theirs = openElsewhere(...asked);
        return theirs && { ...theirs, submission: { ...theirs.submission, idle: true } };
      };
      return world;
    },
  },
  {
    name: 'what earlier runs have under way is not counted',
    hint: 13,
    change: world => {
      const { sent } = world.journal.views;
      const began = world.clock.now();
      const { underWay } = sent;
      sent.underWay = (...asked) => underWay(...asked).filter(({ at }) => at >= began);
      return world;
    },
  },
  {
    name: 'it is sent before its intent is on the disk',
    atDoor: 141,
    hint: 123,
    change: world => ({
      ...world,
      admission: changed(world.admission, { admit: async asked => ({ is: 'go', nonce: asked.intend() }) }),
    }),
  },
  { name: 'a commit that fails loses its group', hint: 15, hidesFailedCommits: true },
  {
    name: 'the lock is not told',
    hint: 26,
    change: world => ({ ...world, lock: { learn: () => {}, reuse: () => {} } }),
  },
  {
    name: 'a login page is kept as a film',
    hint: 12,
    change: world => ({
      ...world,
      executor: changed(world.executor, {
        download: ({ url, id }, turn, signal) => world.executor.download({ url, id }, turn, signal),
      }),
    }),
  },
  {
    name: 'the client repeats a POST by itself',
    atDoor: 26,
    hint: 13,
    change: withService(service => ({
      enqueue: async (...asked) => {
        const answer = await service.enqueue(...asked);
        return answer.is === 'unknown' ? service.enqueue(...asked) : answer;
      },
    })),
  },
  {
    name: '"too many requests" is answered by another, at once',
    hint: 226,
    change: withService(service => ({
      enqueue: async (...asked) => {
        for (let again = 0; ; again++) {
          const answer = await service.enqueue(...asked);
          if (again === 20 || answer.is !== 'refused' || answer.status !== 429) return answer;
        }
      },
    })),
  },
  {
    name: 'a price is lost on the way through the journal',
    hint: 141,
    change: world =>
      ({
        ...world,
        lock:
          world.lock &&
          changed(world.lock, {
            reuse: (key, model, fingerprint, result) =>
              world.lock?.reuse(key, model, fingerprint, 'cost' in result ? { ...result, cost: null } : result),
          }),
      }) as RunEnvironment,
  },
  {
    name: 'only the event stream is believed',
    hint: 149,
    change: withService(service => {
      const told = new Set<string>();
      return {
        listen: listener =>
          service.listen({
            ...{ up: () => listener.up(), down: reason => listener.down(reason) },
            completed: id => {
              told.add(id);
              listener.completed(id);
            },
          }),
        generation: (id, signal) => (told.has(id) ? service.generation(id, signal) : new Promise(() => {})),
      };
    }),
  },
  {
    name: 'the budget is asked before the journal is locked, and not again',
    atDoor: 34,
    hint: 34,
    change: (world, _, budgets) => {
      const asks = budgets.stopFor.bind(budgets);
      budgets.stopFor = () => undefined;
      const admit: RunEnvironment['admission']['admit'] = async (asked, signal) => {
        const stop = asks(asked.demand);
        if (stop) return { is: 'over_budget', stop };
        await world.clock.sleep(50, signal);
        return world.admission.admit(asked, signal);
      };
      return { ...world, admission: changed(world.admission, { admit }) };
    },
  },
  {
    name: 'a budget knows what is spent, and nothing of what is in flight',
    atDoor: 34,
    hint: 34,
    change: world => withSpending(world, spending => ({ ...spending, inFlight: NO_AMOUNTS })),
  },
  {
    name: 'a budget counts what this run has sent alone',
    atDoor: 34,
    hint: 34,
    change: world => {
      const { charges } = world.journal.views;
      const begin = charges.newest();
      const whole = charges.spending;
      charges.spending = (account, of) => whole(account, of, begin);
      return world;
    },
  },
];

function withSpending(world: RunEnvironment, change: (spending: Spending) => Spending): RunEnvironment {
  const { charges } = world.journal.views;
  const whole = charges.spending;
  charges.spending = (...asked) => change(whole(...asked));
  return world;
}

/** The same, but for some of it. Classes with private parts are asked as themselves. */
function changed<T extends object>(whole: T, change: Partial<T>): T {
  return new Proxy(whole, {
    get(_, name) {
      const own = Reflect.get(change, name);
      if (own !== undefined) return own;
      const value = Reflect.get(whole, name, whole);
      return typeof value === 'function' ? value.bind(whole) : value;
    },
  });
}

function withProof(proof: Partial<RunEnvironment['settings']['proof']>): NonNullable<PlantedBug['change']> {
  return world => ({ ...world, settings: { ...world.settings, proof: { ...world.settings.proof, ...proof } } });
}

/** Whoever follows generations asks the changed service as well. */
function withService(change: (service: Service) => Partial<Service>): NonNullable<PlantedBug['change']> {
  return world => {
    const service = changed(world.service, change(world.service));
    return { ...world, service, watcher: new Watcher(service, world.clock, world.settings.pace) };
  };
}

function withPost(change: (answer: NotTaken) => NotTaken): NonNullable<PlantedBug['change']> {
  return withService(service => ({
    enqueue: async (...asked) => {
      const answer = await service.enqueue(...asked);
      return answer.is === 'accepted' ? answer : change(answer);
    },
  }));
}

type Record = Awaited<ReturnType<Service['generation']>>;

function withRecord(
  change: (answer: Record) => { status: string; error_message: string } | undefined,
): NonNullable<PlantedBug['change']> {
  return withService(service => ({
    generation: async (id, signal) => {
      const answer = await service.generation(id, signal);
      const other = change(answer);
      return other ? { is: 'ok', value: { generation_id: id, ...other } } : answer;
    },
  }));
}

/** Admission stands on the same journal: what is changed of it is changed for both. */
function withViews<V extends 'sent' | 'work'>(
  view: V,
  change: Partial<JournalViews[V]>,
): NonNullable<PlantedBug['change']> {
  return world => {
    Object.assign(world.journal.views[view], change);
    return world;
  };
}
