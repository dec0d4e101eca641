/** Carries out a local `run` step in a folder of its own. */
import type { Instance } from '../domain/plan.ts';
import type { Resolved } from '../plan/resolve.ts';
import { runCommand } from '../steps/command.ts';
import type { Crew } from './scheduler.ts';

export async function runLocally(
  instance: Instance,
  resolved: Resolved & { is: 'command' },
  crew: Crew,
): Promise<void> {
  const { context } = crew;
  const { key } = instance;
  // The slot may have been long in coming.
  if (context.signal.aborted) return;
  const { store, commands, probe, settings } = context.world;
  context.emit({ type: 'command_started', key, fingerprint: resolved.fingerprint });
  const folder = crew.desks.take();
  const timeoutMs = instance.step.timeout?.total ?? instance.step.timeout?.run;
  try {
    const done = await runCommand(resolved, {
      folder,
      root: settings.root,
      runner: commands,
      adopt: (path, extension) => store.adopt(path, extension),
      probe,
      signal: context.signal,
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    // Cut off by us: it is simply done again next time.
    if (context.signal.aborted && done.is !== 'ok') return;
    if (done.is === 'failed') return context.emit({ type: 'failed', key, failure: done.failure });
    context.owned.set(resolved.fingerprint, done.result);
    context.emit({ type: 'succeeded', key, fingerprint: resolved.fingerprint, result: done.result });
  } finally {
    await crew.desks.giveBack(folder);
  }
}
