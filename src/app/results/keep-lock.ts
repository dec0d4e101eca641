/** Keeps the lock beside a film up to date while it runs. */
import { relative } from 'node:path';
import { systemClock } from '../../machine/time/clock.ts';
import { isStored } from '../../model/run/result.ts';
import { labelOf } from '../../plan/kinds/index.ts';
import { type LockDisk, LockKeeper, lockOnDisk } from '../../records/lock/lock-keeper.ts';
import { LockText } from '../../records/lock/lock-text.ts';
import type { ResultSink } from '../../run/engine/run-recorder.ts';
import { rejections } from '../../run/rejections.ts';
import type { Film } from '../film/open-film.ts';

/** @param writing called before the lock is written. */
export function lockKeeper({ journal, lock, lockPath, secrets }: Film, writing: () => void = () => {}): LockKeeper {
  const disk = lockOnDisk(lockPath);
  const write: typeof disk.write = (text, over) => {
    writing();
    return disk.write(text, over);
  };
  const note = (value: string) => {
    // Without the note, the next run reads the lock once more: that is no reason to end this one.
    void journal.notes.set('lock', value).catch(() => {});
  };
  return new LockKeeper({
    disk: { ...disk, write },
    clock: systemClock,
    service: lock.section,
    path: relative('', lockPath),
    found: lock.text,
    isOurs: lock.isOurs,
    settled: lock.settled,
    rejections: () => rejections(journal),
    hide: asked => secrets.redactIn(asked),
    written: (digest, settled) => note(settled === undefined ? digest : `${digest} ${settled}`),
    stale: () => note(''),
  });
}

/** Another process may write first. */
const TRIES = 8;

/**
 * Removes entries of a section of a lock, and puts others into it, as blocks of YAML; other writers of the lock lose nothing. @throws LockRefused,
 * and the disk's error.
 */
export async function rewriteSection(
  { disk, path, section }: { readonly disk: LockDisk; readonly path: string; readonly section: string },
  put: ReadonlyMap<string, string>,
  isGone: (key: string) => boolean = () => false,
): Promise<void> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const before = await disk.read();
    const after = LockText.read(before, path).with(section, put, isGone).text;
    if (after === (before ?? '') || (await disk.write(after, before))) return;
  }
  throw new Error('another program changes the lock all the time: end that');
}

/**
 * Paid results that are no part of the film any more, because they lost a pick, or judged: the run that made them kept them in its lock, which
 * stayed with the worker. So they get into the lock of the machine that fetches the run: a pick that is taken back costs nothing, with the team or
 * without it.
 */
export function lockLeftOut({ plan, journal }: Pick<Film, 'plan' | 'journal'>, lock: Pick<ResultSink, 'reuse'>): void {
  for (const { key, step, decision } of plan.instances) {
    if (decision.is !== 'left_out' && decision.is !== 'skip') continue;
    const event = journal.views.owned.resultsOf(key)[0]?.event;
    if (!event) continue;
    const { fingerprint } = event;
    // With what it came to in the end.
    const { result } = journal.views.owned.find(fingerprint) ?? event;
    const asked = event.type === 'succeeded' ? event.asked : undefined;
    if (isStored(result)) lock.reuse(key, labelOf(step), fingerprint, result, () => asked);
  }
}
