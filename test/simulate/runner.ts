/** One process that runs one film: the real core, wired to a simulated world. It ends, or its life does. */

import type { DatabaseSync } from 'node:sqlite';
import type { AppliedBudget } from '../../src/model/budget.ts';
import type { Pipeline } from '../../src/model/pipeline.ts';
import type { ServiceRates } from '../../src/model/request-rates.ts';
import type { RecordedEvent } from '../../src/model/run/event.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { JOURNAL } from '../../src/records/journal/journal-tables.ts';
import { presetDecider } from '../../src/run/ports/decider.ts';
import { HOSTED_PROOF, STUDIO_PROOF } from '../../src/run/requests/proof-of-absence.ts';
import { ATTEMPTS, type Judge, type TimedFailure } from './judge.ts';
import { commandsFor, digestIn, fetchFor, type Place } from './machine.ts';
import type { PlantedBug } from './planted-bugs.ts';
import { PRICES, type RunOfLife, startRunOfLife } from './run-of-life.ts';
import { ServiceOverNetwork } from './service-over-network.ts';

export const TABLES = JOURNAL.migrations as readonly string[];

export interface RunnerOptions extends Place {
  readonly film: string;
  readonly pipeline: Pipeline;
  readonly params: JsonObject;
  readonly onUnknown: 'fail' | 'resubmit';
  readonly onInterrupt: 'detach' | 'cancel';
  readonly judge: Judge;
  readonly newId: () => string;
  readonly isRunning: (film: string) => boolean;
  readonly report: (event: RecordedEvent) => void;
  readonly plant: PlantedBug | undefined;
  /** What the service allows, as the settings say. */
  readonly rates?: ServiceRates | undefined;
  readonly budgets: readonly AppliedBudget[];
  /** A folder for what commands scribble. */
  readonly work: string;
}

export interface Runner extends RunOfLife {
  readonly failures: ReadonlyMap<string, TimedFailure>;
  /** The last request of each instance that had one. */
  readonly fingerprints: ReadonlyMap<string, string>;
}

/** As the cheapest chat models: any price will do, as long as there is one. */
const CHAT_PRICED: typeof PRICES = new Map([
  ...PRICES,
  ['C-D', { method: 'token', input_cost_per_token: 0.001, output_cost_per_token: 0.002 }],
]);

const LIMITS = { in_flight: 4, per_model: 3, submits_per_second: 20, attempts: ATTEMPTS, commands: 2, downloads: 2 };

/** It begins with the next thing that happens. */
export function startRunner(options: RunnerOptions): Runner {
  const { life, provider, film, judge, plant, rates, budgets } = options;
  const failures = new Map<string, TimedFailure>();
  const fingerprints = new Map<string, string>();
  const { isStudio } = provider;
  const run = startRunOfLife(options, film, options.pipeline, {
    plan: { params: options.params, pricing: CHAT_PRICED },
    service: new ServiceOverNetwork({
      ...options,
      known: () => knownIn(options.disk.database),
      taken: made => judge.took(made),
      posted: nonce => judge.posted(nonce),
      // A budget counts nothing for what was refused, until it is known to be taken.
      refusesWhatItTook: isStudio && budgets.length === 0,
    }),
    executor: {
      commands: commandsFor(options),
      probe: async path =>
        provider.get(options.disk.store.get(digestIn(path)) ?? '')?.model.startsWith('I-')
          ? { kind: 'image' }
          : { kind: 'video', duration: 5 },
      fetchResult: fetchFor(options),
    },
    decider: presetDecider(
      options.onUnknown === 'resubmit' ? [{ option: 'resubmit', by: '--on-unknown resubmit' }] : [],
    ),
    report: event => {
      options.report(event);
      if ('key' in event && 'fingerprint' in event) fingerprints.set(event.key, event.fingerprint);
      if (event.type === 'failed') failures.set(event.key, { failure: event.failure, at: event.at - life.skew });
    },
    settings: {
      ...{ limits: LIMITS, rates, onInterrupt: options.onInterrupt },
      pace: isStudio ? { slow: 30_000, least: 200, progress: 1_000 } : { slow: 30_000, least: 500 },
      proof: isStudio ? STUDIO_PROOF : HOSTED_PROOF,
      ...(provider.isIdempotent && { idempotent: true }),
    },
    ...{ budgets, newId: options.newId, isRunning: options.isRunning, work: options.work },
    random: () => options.dice.next(),
    change: (environment, all) => plant?.change?.(environment, options, all) ?? environment,
  });
  judge.knows(film, run.plan);
  return Object.assign(run, { failures, fingerprints });
}

/** Generations that the films of this project know of, newest last. */
const knownIn = (database: DatabaseSync): readonly string[] =>
  database
    .prepare('SELECT generation_id AS id FROM submission WHERE generation_id IS NOT NULL ORDER BY at DESC LIMIT 200')
    .all()
    .map(({ id }) => String(id))
    .reverse();
