/** Who is told of a run by the settings, or by a program (`on`). */
import { join } from 'node:path';
import { systemClock } from '../../host/clock.ts';
import { CommandRunner } from '../../host/command-runner.ts';
import type { HookName, HookSettings } from '../../host/hook-settings.ts';
import { type BesideReporter, beside } from '../../reporters/beside.ts';
import { hookReporter } from '../../reporters/hooks.ts';
import type { Film } from '../film/open-film.ts';
import { hookDelivery } from '../hook-delivery.ts';
import { messages } from '../hook-messages.ts';

interface Told {
  /** Absent: nobody. */
  readonly hooks: HookSettings | undefined;
  readonly film: Pick<Film, 'root' | 'runs' | 'secrets' | 'store'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Takes what came to nothing, as a sentence. */
  readonly say: (line: string) => void;
}

export function hooksOf({ hooks, film, environment, say }: Told): readonly BesideReporter[] {
  if (!hooks) return [];
  const { root, runs, secrets, store } = film;
  // Places of their own: those of the run may be taken for hours.
  const commands = new CommandRunner({ environment, atOnce: 4, secrets, grace: 500 });
  const reporter = hookReporter({
    wanted: new Set(Object.keys(hooks) as HookName[]),
    deliver: hookDelivery({
      ...{ hooks, commands, root, secrets, clock: systemClock, environment },
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
