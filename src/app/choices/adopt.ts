/**
 * A person's own file in the place of what an instance makes: checked, kept by content, written into the lock. It stays until the person removes
 * it, even if the request changes: nothing replaces a person's file by itself.
 */
import { randomUUID } from 'node:crypto';
import { copyFile, rm, stat } from 'node:fs/promises';
import { basename, extname, join, relative, resolve, sep } from 'node:path';
import { isInside } from '../../machine/files/project.ts';
import type { Inspector } from '../../media/decode/inspector.ts';
import type { Misfit } from '../../media/decode/verify.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import type { Step } from '../../model/pipeline.ts';
import type { Instance, Plan } from '../../model/plan.ts';
import { adoptedFingerprint } from '../../model/plan.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { asTyped } from '../../model/text/clean.ts';
import { formatSeconds, listed } from '../../model/text/format.ts';
import type { JsonObject } from '../../model/text/json.ts';
import { stepNamed } from '../../plan/graph/plan-graph.ts';
import { kindOf, labelOf } from '../../plan/kinds/index.ts';
import { outputsOf } from '../../plan/values/value-reads.ts';
import { entryOf, type LockEntry } from '../../records/lock/lock-entry.ts';
import type { LockFile } from '../../records/lock/lock-file.ts';
import type { LockDisk } from '../../records/lock/lock-keeper.ts';
import { blockOf } from '../../records/lock/lock-text.ts';
import type { Film } from '../film/open-film.ts';
import { probeMade } from '../results/fetch-results.ts';
import { rewriteSection } from '../results/keep-lock.ts';

type Adopting =
  | { readonly is: 'adopted'; readonly sha256: string; readonly notes: readonly string[] }
  | { readonly is: 'refused'; readonly message: string };

interface AdoptAsked {
  readonly key: InstanceKey;
  /** Of the file. */
  readonly path: string;
  readonly by: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly inspector: () => Promise<Inspector>;
  readonly disk: LockDisk;
}

/** @param film opened to be run, so that no other process writes its lock meanwhile. @throws the disk's error. */
export async function adopt(film: Film, asked: AdoptAsked): Promise<Adopting> {
  const { key, path } = asked;
  const instance = film.plan.instances.get(key);
  if (!instance) throw new Error(`no instance ${key} in this plan`);
  const step = makerOf(instance.step, film.plan);
  const adopts = kindOf(step).adopts?.(step, film.context.library);
  if (!adopts) return refused(messages.nothingToAdopt(key, adoptableFor(instance, film)));
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return refused(found ? messages.noFile(path) : messages.notThere(path));
  const copy = join(film.store.partials, `adopted-${randomUUID()}.part`);
  try {
    // What is looked at is what is kept, whatever becomes of the file meanwhile.
    await copyFile(path, copy);
    const looked = adopts.kind
      ? await (await asked.inspector()).verify(copy, adopts.kind)
      : await probeMade(asked.inspector)(copy);
    if (looked && 'misfit' in looked && adopts.isMedia) return refused(messages.misfit(path, looked.misfit, key));
    const facts = factsOf(looked);
    const stored = await film.store.adopt(copy, extname(path).toLowerCase());
    const { sha256, bytes } = stored;
    const result = adopts.result({ sha256, bytes, extension: extname(stored.file), media: facts });
    const entry = entryOf(adoptedFingerprint(sha256), labelOf(step), result);
    await write(film, asked, entry);
    return { is: 'adopted', sha256, notes: [...differences(instance, facts), ...whereKept(film, path)] };
  } finally {
    await rm(copy, { force: true });
  }
}

/** What a step with `until` gives is what its rounds make: a file that is adopted for it is taken, and no round is made. */
const makerOf = (step: Step, { pipeline }: Plan): Step => ('rounds' in step ? stepNamed(pipeline, step.rounds) : step);

/** Instances that make what this one only gathers: those inside a used file, the candidates of a pick. None where nothing can be adopted. */
function adoptableFor(
  instance: Instance,
  film: Film,
  seen: ReadonlySet<InstanceKey> = new Set(),
): readonly InstanceKey[] {
  const { plan, context } = film;
  const step = makerOf(instance.step, plan);
  if (!kindOf(step).isDecided && !outputsOf(instance.step) && !('rounds' in instance.step)) return [];
  // What lost its pick is no help to anybody.
  const without = new Set<InstanceKey>(instance.excludes?.instances);
  const needs = [...instance.needs, ...instance.needsAll.flatMap(name => plan.instances.of(name).map(one => one.key))];
  const found = needs.flatMap(key => {
    const one = plan.instances.get(key);
    if (!one || seen.has(key) || without.has(key)) return [];
    const own = makerOf(one.step, plan);
    if (kindOf(own).adopts?.(own, context.library)) return [key];
    return adoptableFor(one, film, new Set([...seen, instance.key]));
  });
  return [...new Set(found)];
}

const refused = (message: string): Adopting => ({ is: 'refused', message });
const factsOf = (looked: MediaFacts | Misfit | null): MediaFacts | null => (looked && 'kind' in looked ? looked : null);

async function write({ root, lock, lockPath }: Film, asked: AdoptAsked, entry: LockEntry): Promise<void> {
  const { key, path, by, at, disk } = asked;
  const before = lock.entry(key);
  const kept = before?.adopted ? before.adopted.before : (before as unknown as JsonObject | undefined);
  const adopted = {
    file: placeIn(root, path),
    by,
    at: `${new Date(at).toISOString().slice(0, 19)}Z`,
    ...(kept && { before: kept }),
  };
  await rewriteSection(
    { disk, path: lockPath, section: lock.section },
    new Map([[key, blockOf(key, { ...entry, adopted })]]),
  );
}

/** Gives up what was adopted: the entry that stood there before is there again. */
export async function giveUp(
  key: InstanceKey,
  { lock, path, disk }: { readonly lock: LockFile; readonly path: string; readonly disk: LockDisk },
): Promise<void> {
  const before = lock.adoptions().get(key)?.adopted.before;
  const put = new Map(before ? [[key as string, blockOf(key, before)]] : []);
  await rewriteSection({ disk, path, section: lock.section }, put, one => one === key);
}

/** From the project's root; of a file outside, its name alone: a lock in git shows nothing of one machine's folders. */
function placeIn(root: string, path: string): string {
  const whole = resolve(path);
  return isInside(whole, root) ? relative(root, whole).split(sep).join('/') : basename(whole);
}

const whereKept = ({ root }: Film, path: string): readonly string[] =>
  isInside(resolve(path), root) ? [] : [messages.outside(path)];

/** What the film expects of it and finds otherwise: the steps behind it see it as it is. */
function differences({ facts: expected }: Instance, facts: MediaFacts | null): readonly string[] {
  if (!expected || !facts) return [];
  const { width, height, duration } = expected;
  const isOther = (a: number | undefined, b: number | undefined, by: number) =>
    a !== undefined && b !== undefined && Math.abs(a - b) > by;
  return [
    ...(isOther(duration, facts.duration, 0.25) ? [messages.otherLength(facts.duration ?? 0, duration ?? 0)] : []),
    ...(isOther(width, facts.width, 0) || isOther(height, facts.height, 0)
      ? [messages.otherSize(facts, { width, height })]
      : []),
  ];
}

/** Messages about adopting a person's own file. */
interface Size {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
}

const messages = {
  nothingToAdopt: (key: string, instead: readonly string[]) =>
    instead.length > 0
      ? `${key} makes no file itself: it gives what others make; adopt it for ${listed(instead.slice(0, MOST_NAMED).map(asTyped), 'or')}${instead.length > MOST_NAMED ? `, or for another of ${instead.length}` : ''}`
      : `${key} gives no single file that another one could stand in for; adopt a file for a step that makes a film, a picture or a sound, or for a command that creates one file`,
  notThere: (path: string) => `${asTyped(path)}: there is no such file`,
  noFile: (path: string) => `${asTyped(path)} is no file; name a file`,
  misfit: (path: string, misfit: string, key: string) => `${asTyped(path)} cannot stand in for ${key}: it is ${misfit}`,
  otherLength: (is: number, expected: number) =>
    `it is ${formatSeconds(is)} long, and the film expects ${formatSeconds(expected)}`,
  otherSize: (is: Size, expected: Size) => `it is ${size(is)}, and the film expects ${size(expected)}`,
  outside: (path: string) =>
    `${asTyped(path)} lies outside of the project: other machines have the lock, and not its bytes; put it into the project and adopt it from there`,
} as const;

const MOST_NAMED = 4;

const size = ({ width, height }: Size): string => `${width ?? '?'}×${height ?? '?'}`;
