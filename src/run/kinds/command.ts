/** Carries out a local `run` step in a folder of its own. */
import { createHash } from 'node:crypto';
import type { Failure } from '../../domain/failure.ts';
import type { Instance } from '../../domain/plan.ts';
import type { Resolved } from '../../plan/resolve.ts';
import type { Context } from '../context.ts';
import { runCommand } from '../local/run-command.ts';
import type { RunServices } from '../scheduler.ts';

export async function executeCommand(
  instance: Instance,
  resolved: Resolved & { is: 'command' },
  crew: RunServices,
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
    const files = await onThisMachine(resolved.files, context);
    if (context.signal.aborted) return;
    if (files.is === 'failed') return context.fail(key, files.failure);
    const done = await runCommand(
      { ...resolved, files: files.paths },
      {
        folder,
        root: settings.root,
        runner: commands,
        adopt: (path, extension) => store.adopt(path, extension),
        probe,
        signal: context.signal,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      },
    );
    // Cut off by us: it is simply done again next time.
    if (context.signal.aborted && done.is !== 'ok') return;
    context.finish(key, resolved.fingerprint, done);
  } finally {
    await crew.desks.giveBack(folder);
  }
}

type Fetched =
  | { readonly is: 'ok'; readonly paths: { readonly [name: string]: string } }
  | { readonly is: 'failed'; readonly failure: Failure };

/** What a command reads by address is fetched first, once. */
async function onThisMachine(files: { readonly [name: string]: string }, context: Context): Promise<Fetched> {
  const paths: { [name: string]: string } = {};
  for (const [name, source] of Object.entries(files)) {
    paths[name] = source;
    if (!/^https?:/i.test(source)) continue;
    const id = `input-${createHash('sha256').update(source).digest('hex').slice(0, 32)}`;
    const fetched = await context.pools.download(() => context.world.fetchResult(source, id, context.signal));
    if (fetched.is !== 'ok') {
      const message = `files.${name} could not be fetched from ${source}: ${fetched.message}`;
      return { is: 'failed', failure: { code: 'command_failed', exit: null, message } };
    }
    paths[name] = fetched.file;
  }
  return { is: 'ok', paths };
}
