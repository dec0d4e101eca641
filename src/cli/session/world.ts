/** The world that a run touches on this machine: the same for a film, for one request and for a turn of a conversation. */
import { randomUUID } from 'node:crypto';
import type { Service } from '../../api/service.ts';
import type { Store } from '../../artifacts/store.ts';
import type { Reporter } from '../../domain/event.ts';
import { systemClock } from '../../host/clock.ts';
import type { CommandRunner } from '../../host/command-runner.ts';
import type { Redactor } from '../../host/redactor.ts';
import type { PlanContext } from '../../plan/plan.ts';
import type { LockSink, RunSettings, World } from '../../run/context.ts';
import { hideSecrets } from '../../run/hide-secrets.ts';
import { LocalAdmission } from '../../run/local/local-admission.ts';
import type { LocalJournal } from '../../run/local/local-journal.ts';
import type { ServiceChoice } from '../service/choose-service.ts';
import type { Reached } from './failpoint-setting.ts';
import { fetchResults, inspectorLater } from './fetch-results.ts';

export interface Staged {
  readonly choice: ServiceChoice;
  readonly service: Service;
  readonly journal: LocalJournal;
  readonly store: Store;
  readonly context: PlanContext;
  readonly commands: CommandRunner;
  readonly secrets: Redactor;
  readonly reporters: readonly Reporter[];
  /** Whether another film of the project is being run at the moment. */
  readonly isRunning: (film: string) => boolean;
  readonly failpoint: Reached;
  readonly lock?: LockSink;
  readonly frozen?: boolean;
  /** What the settings of the service do not tell. */
  readonly settings: Pick<RunSettings, 'root' | 'work' | 'resume' | 'reserved' | 'cancel'> &
    Partial<Pick<RunSettings, 'onUnknown' | 'onInterrupt'>>;
}

export function worldOf(staged: Staged): World {
  const inspector = inspectorLater();
  const { choice, service, journal, store, context, commands, secrets, reporters, failpoint, lock, frozen } = staged;
  return {
    ...{ service, journal, store, commands, reporters, failpoint },
    admission: new LocalAdmission({
      ...{ journal, clock: systemClock, account: service.account, limits: choice.limits },
      owned: fingerprint => context.owned.find(fingerprint),
      isRunning: staged.isRunning,
      ...(frozen !== undefined && { frozen }),
    }),
    ...(lock && { lock }),
    hide: event => hideSecrets(event, secrets),
    clock: systemClock,
    newId: randomUUID,
    probe: async path => (await inspector()).probe(path).catch(() => null),
    fetchResult: fetchResults(store, choice.baseUrl, inspector),
    planContext: context,
    settings: {
      limits: choice.limits,
      onUnknown: choice.onUnknown,
      onInterrupt: choice.onInterrupt,
      pace: choice.pace,
      patience: 120_000,
      proof: choice.proof,
      settleActivation: 2_000,
      localStudio: !choice.hosted,
      elsewhere: choice.elsewhere,
      ...staged.settings,
    },
  };
}
