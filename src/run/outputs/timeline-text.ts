/** The timeline of a cut as an editing program reads it: its media by the paths that lead there from the file itself. */
import { dirname, join, relative, sep } from 'node:path';
import { sourcesOf } from '../../domain/cut.ts';
import type { PlannedOutput } from '../../domain/plan.ts';
import { timelineOf } from '../../plan/cut/otio.ts';
import { resolve } from '../../plan/resolve.ts';
import type { Downloads } from '../requests/download-result.ts';
import type { RunCore } from '../run-core.ts';
import { settledCut } from '../settled-cut.ts';
import { Unwritable } from './output-place.ts';

type Needs = Downloads & Pick<RunCore, 'planContext' | 'store'>;

/** @throws Unwritable where there is no cut: something else stands in for it, or one of its media cannot be had any more. */
export async function timelineText({ instance: key, path }: PlannedOutput, run: Needs): Promise<string> {
  const instance = run.plan.instances.get(key);
  const work = instance && resolve(run.plan, instance, run.state.lookup, run.planContext);
  if (!instance || work?.is !== 'cut')
    throw new Unwritable('what stands in for it is no cut, and has no timeline: give it a condition of its own');
  const settled = await settledCut(work, key, run, run.stopping.signal);
  if (settled.is !== 'ok')
    throw new Unwritable(settled.is === 'failed' ? settled.failure.message : 'the run was interrupted');
  const { cut } = settled;
  const from = dirname(join(run.settings.root, path));
  const paths = new Map<string, string>();
  // Where its media lie is asked for beforehand: a place may be far away.
  for (const { sha256 } of sourcesOf(cut)) {
    const own = work.authorPaths.get(sha256);
    const file = run.store.has(sha256) ? await run.store.pathOf(sha256) : own;
    if (file === undefined)
      throw new Unwritable(`one of its media (sha256 ${sha256.slice(0, 12)}…) is not on this machine`);
    paths.set(sha256, addressFrom(from, own ?? file));
  }
  const timeline = timelineOf(cut, { name: key, urlOf: ({ sha256 }) => paths.get(sha256) ?? '' });
  return `${JSON.stringify(timeline, null, 2)}\n`;
}

const addressFrom = (folder: string, file: string): string =>
  relative(folder, file).split(sep).map(encodeURIComponent).join('/');
