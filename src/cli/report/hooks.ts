/** Who is told of a run by the settings (`on`). */
import { join } from 'node:path';
import { systemClock } from '../../host/clock.ts';
import { CommandRunner } from '../../host/command-runner.ts';
import type { HookName } from '../../host/hook-settings.ts';
import { type BesideReporter, beside } from '../../reporters/beside.ts';
import { hookReporter } from '../../reporters/hooks.ts';
import { hookDelivery } from '../../session/hook-delivery.ts';
import { messages } from '../../session/hook-messages.ts';
import { say } from '../outlets.ts';
import type { ServiceChoice } from '../service/choose-service.ts';
import type { Session } from '../session/session.ts';

interface Told {
  readonly choice: Pick<ServiceChoice, 'hooks'>;
  readonly session: Pick<Session, 'root' | 'runs' | 'secrets' | 'store'>;
}

/** None where the settings name nobody. */
export function hooksOf({ choice: { hooks }, session }: Told): readonly BesideReporter[] {
  if (!hooks) return [];
  const { root, runs, secrets, store } = session;
  // Places of their own: those of the run may be taken for hours.
  const commands = new CommandRunner({ environment: process.env, atOnce: 4, secrets, grace: 500 });
  const reporter = hookReporter({
    wanted: new Set(Object.keys(hooks) as HookName[]),
    deliver: hookDelivery({
      ...{ hooks, commands, root, secrets, clock: systemClock, environment: process.env },
      scratch: join(runs, 'hooks'),
    }),
    fileOf: sha256 => store.file(sha256),
    clock: systemClock,
    failed: (name, many, why) => say(messages.failed(name, hooks[name]?.where ?? name, many, why)),
  });
  const close = async () => {
    await reporter.close();
    await commands.close();
  };
  return [beside({ report: event => reporter.report(event), close }, messages.broken)];
}
