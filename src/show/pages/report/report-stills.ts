/** Stills of a run's media: drawn once for each content and width, and kept on this machine beside the store. */
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../../machine/time/clock.ts';
import { Posters } from '../../../media/cut/poster-workers.ts';
import type { ReportedMedia } from '../../../model/run/run-report.ts';
import { intactPath, type Store } from '../../../records/store/store.ts';

interface StillsOptions {
  readonly store: Pick<Store, 'has' | 'pathOf' | 'partials'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called after each that had to be drawn. */
  readonly onDrawn?: (drawn: number, of: number) => void;
}

/** Each decodes a video, and a run may be going on beside it. */
const AT_ONCE = 2;

/**
 * Where the still of each lies, by digest; of a sound, and of what is not here or cannot be drawn, there is none.
 * @throws the signal's reason when it aborts.
 */
export async function drawStills(
  media: readonly ReportedMedia[],
  within: number,
  { store, clock, signal, onDrawn = () => {} }: StillsOptions,
): Promise<ReadonlyMap<string, string>> {
  const folder = join(dirname(store.partials), 'posters');
  const stills = new Map<string, string>();
  const missing: { readonly one: ReportedMedia; readonly to: string }[] = [];
  for (const one of media) {
    if (one.facts.kind === 'audio') continue;
    const to = join(folder, one.sha256.slice(0, 2), `${one.sha256}-${within}.jpg`);
    if (await isThere(to)) stills.set(one.sha256, to);
    else if (store.has(one.sha256)) missing.push({ one, to });
  }
  if (missing.length === 0) return stills;
  await using posters = new Posters({ clock });
  let [drawn, next] = [0, 0];
  const drawOn = async () => {
    for (let job = missing[next++]; job; job = missing[next++]) {
      const { one, to } = job;
      const file = await intactPath(store, one.sha256);
      const outcome = file && (await posters.draw({ file, facts: one.facts, within, to }, signal));
      if (outcome && outcome.is === 'ok') stills.set(one.sha256, to);
      drawn += 1;
      onDrawn(drawn, missing.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, drawOn));
  return stills;
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );
