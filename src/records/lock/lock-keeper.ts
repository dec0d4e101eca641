/**
 * Keeps the lock file up to date while a run goes on: on a slow beat, and at every end.
 *
 * The file is not ours alone. In eight hours a `git pull` may bring a colleague's entries, another process may write to it, a
 * merge may leave it in pieces. So it is read again before each write, and only what this run has learnt is put into it:
 *
 *     read ─▶ merge ─▶ write, where the file is still as it was read ─┬▶ done
 *       ▲                                                             │
 *       └───────────────────────── it has changed ◀───────────┘
 *
 * A file in pieces is left to the person who mends it, and tried again with the next beat. At the end all that would have been in it is put beside
 * it. Putting the pieces together here was considered: a person decides which side of a merge is right.
 *
 */
import { basename } from 'node:path';
import { writeErrorText } from '../../machine/files/disk-error.ts';
import { rewriteAtomically, writeAtomically } from '../../machine/files/files.ts';
import { retryTransient } from '../../machine/time/backoff.ts';
import type { Clock } from '../../machine/time/clock.ts';
import type { Choice, Rejections } from '../../model/run/choice.ts';
import type { GenerationId, InstanceKey } from '../../model/run/key.ts';
import type { Asked, StoredResult } from '../../model/run/result.ts';
import { isFree } from '../../model/run/run-money.ts';
import { choiceEntry, choicesSection, rejectionEntry, rejectionsIn, rejectionsSection } from './lock-choices.ts';
import { entryOf, type LockEntry, readEntry, resultOf } from './lock-entry.ts';
import { digestOf, serviceOf } from './lock-file.ts';
import { type Block, blockOf, LockText } from './lock-text.ts';
import { LockRefused, readLockText } from './lock-yaml.ts';

/** Milliseconds from the first result that is missing in the file to the next write. */
const BEAT = 10_000;
/** How often in a row another process may write first. */
const TRIES = 8;

export interface LockDisk {
  /** The file's text now; null where there is none. */
  read(): Promise<string | null>;
  /** All of it or nothing, and only where the file's text is still `over`; returns whether it did. */
  write(text: string, over: string | null): Promise<boolean>;
  /** Puts a text beside the file, and returns its name. */
  writeAside(text: string): Promise<string>;
}

interface LockKeeping {
  readonly disk: LockDisk;
  readonly clock: Clock;
  readonly service: string;
  /** The lock's path as a person reads it. */
  readonly path: string;
  /** The file's text when the run was planned. */
  readonly found: string | undefined;
  /** It is what we wrote last: `written` has it. */
  readonly isOurs: boolean;
  /** The second argument of `written`, beside the digest. */
  readonly settled?: string | undefined;
  /**
   * The journal knows all that is in a file of this digest, and that nothing is missing from it.
   * @param settled a digest of what was put into it: where the same is put into the same file, nothing changes.
   */
  written(digest: string, settled: string | undefined): void;
  /** The journal's rejections: one that could not be written to the file when it was made is written with the results. */
  readonly rejections?: () => Rejections;
  /** Takes secrets out of what was asked for. */
  readonly hide?: (asked: Asked) => Asked;
  /** From now on something is missing from the file, whatever its digest. */
  stale(): void;
}

interface Learnt {
  readonly model: string;
  readonly fingerprint: string;
  readonly result: StoredResult;
  readonly asked: Asked | ((key: InstanceKey) => Asked | undefined) | undefined;
  /** This run made it; otherwise it was owned before. */
  readonly isNew: boolean;
}

export class LockKeeper {
  readonly #given: LockKeeping;
  readonly #learnt = new Map<InstanceKey, Learnt>();
  readonly #choices = new Map<InstanceKey, Choice>();
  readonly #end = new AbortController();
  /** Generations that the service no longer has: any other keeps its place in the file. */
  readonly #gone = new Set<GenerationId>();
  /** Choices as this run has put them into the file. */
  readonly #written = new Set<string>();
  #isMissing = false;
  /** The last note to `written` is not true of the file, or not any more. */
  #isStale: boolean;
  #beating: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #problem: string | undefined;
  /** The last text that could be read. */
  #sound: string | null;

  constructor(given: LockKeeping) {
    this.#given = given;
    this.#sound = given.found ?? null;
    this.#isStale = !given.isOurs;
  }

  /** This run has made it, or has learnt its real cost. */
  learn(key: InstanceKey, model: string, fingerprint: string, result: StoredResult, asked?: Asked): void {
    this.#learnt.set(key, { model, fingerprint, result, asked, isNew: true });
    this.#writeSoon();
  }

  /** It was owned already. It gets into the file where it is missing: the run that made it may have been killed. */
  reuse(
    key: InstanceKey,
    model: string,
    fingerprint: string,
    result: StoredResult,
    asked?: (key: InstanceKey) => Asked | undefined,
  ): void {
    if (!this.#learnt.get(key)?.isNew) this.#learnt.set(key, { model, fingerprint, result, asked, isNew: false });
  }

  /** The service no longer has this generation: the file names another one as soon as there is one. */
  gone(id: GenerationId): void {
    this.#gone.add(id);
  }

  /** A choice of this run: it gets into the file with the next beat. */
  decided(choice: Choice): void {
    this.#choices.set(choice.key, choice);
    this.#writeSoon();
  }

  /** It was decided before. It gets into the file where it is missing: the run that decided it may have been killed. */
  replayed(choice: Choice): void {
    this.#choices.set(choice.key, choice);
  }

  /**
   * Writes what is missing. With `instances`, for a run that went to its end: entries that were there when it began and belong
   * to no instance any more are taken out; what came in the meantime stays.
   */
  close(finished?: { readonly instances: readonly InstanceKey[] }): Promise<void> {
    this.#closing ??= this.#close(finished && new Set<string>(finished.instances));
    return this.#closing;
  }

  /** What is the matter with the file, and what to do; undefined where all is well. */
  problem(): string | undefined {
    return this.#problem;
  }

  #writeSoon(): void {
    if (!this.#isStale) this.#note(() => this.#given.stale());
    this.#isStale = true;
    this.#isMissing = true;
    this.#beating ??= this.#beat();
  }

  async #beat(): Promise<void> {
    while (this.#isMissing && !this.#end.signal.aborted) {
      await this.#given.clock.sleep(BEAT, this.#end.signal, 'in the background');
      if (!this.#end.signal.aborted) await this.#save(undefined);
    }
    this.#beating = undefined;
  }

  async #close(instances: ReadonlySet<string> | undefined): Promise<void> {
    this.#end.abort();
    await this.#beating;
    if (this.#learnt.size + this.#choices.size === 0 && !instances) return;
    const refused = await this.#save(instances);
    if (refused) await this.#saveAside(refused, instances);
  }

  /** Never throws: the film is worth more than its lock. Gives the refusal where the file is in pieces. */
  async #save(instances: ReadonlySet<string> | undefined): Promise<LockRefused | undefined> {
    try {
      await retryTransient(this.#given.clock, () => this.#merge(instances));
      this.#problem = undefined;
      return undefined;
    } catch (error) {
      this.#isMissing = true;
      if (error instanceof LockRefused) {
        this.#problem = error.message;
        return error;
      }
      const { path } = this.#given;
      this.#problem = `${path} could not be written: ${writeErrorText(error)}; what is missing in it is in the journal, and the next run writes it`;
      return undefined;
    }
  }

  async #merge(instances: ReadonlySet<string> | undefined): Promise<void> {
    const { disk } = this.#given;
    for (let attempt = 0; attempt < TRIES; attempt++) {
      // What is learnt from here on is for the next time.
      this.#isMissing = false;
      const before = await disk.read();
      const settled = this.#settled(instances);
      const isAsBefore = settled !== undefined && settled === this.#given.settled && before === this.#given.found;
      if (isAsBefore && !this.#isStale) return;
      const text = this.#merged(before, instances);
      this.#sound = before;
      const isSame = text === (before ?? '');
      if (!isSame && !(await disk.write(text, before))) continue;
      if (text !== '' && (!isSame || this.#isStale)) this.#note(() => this.#given.written(digestOf(text), settled));
      if (this.#isMissing) this.#note(() => this.#given.stale());
      this.#isStale = this.#isMissing;
      return;
    }
    throw new Error('another program changes it all the time: end that');
  }

  /** It saves the next run some reading, and is not worth a word where the journal's disk is full. */
  #note(note: () => void): void {
    try {
      note();
    } catch {
      // The next run looks for what is missing, whatever the note holds.
    }
  }

  /** A digest of all that goes into the file at the end of a whole run, where no choices and rejections do. */
  #settled(instances: ReadonlySet<string> | undefined): string | undefined {
    if (!instances || this.#choices.size + (this.#given.rejections?.().size ?? 0) > 0) return undefined;
    for (const key of this.#learnt.keys()) if (!instances.has(key)) return undefined;
    return digestOf(
      Array.from(instances, key => `${key} ${this.#learnt.get(key as InstanceKey)?.fingerprint}`).join('\n'),
    );
  }

  #merged(before: string | null, instances: ReadonlySet<string> | undefined): string {
    const { service, path, found } = this.#given;
    const lock = LockText.read(before, path);
    const section = lock.section(service);
    const atStart = before === (found ?? null) ? section : this.#atStart().section(service);
    const put = new Map<string, string>();
    for (const [key, learnt] of this.#learnt) {
      const now = section.get(key);
      if (learnt.isNew ? this.#isSameByOtherId(now, learnt) : isSettled(now, atStart.get(key), learnt)) continue;
      const asked = typeof learnt.asked === 'function' ? learnt.asked(key) : learnt.asked;
      const shown = asked && (this.#given.hide?.(asked) ?? asked);
      put.set(
        key,
        blockOf(key, entryOf(learnt.fingerprint, learnt.model, this.#withoutStudioId(learnt.result), shown)),
      );
    }
    const isGone = (key: string) => instances !== undefined && !instances.has(key);
    const gone = (key: string) => isGone(key) && atStart.has(key);
    const asked = new Set([...this.#learnt.values()].map(({ fingerprint }) => fingerprint));
    const acts = actsToKeep(section, key => put.has(key) || gone(key), asked);
    const chosen = this.#withChoices(lock.with(service, put, gone), isGone);
    return this.#withRejections(chosen).with(ACTED_OUTSIDE, acts).text;
  }

  /** The studio gives the same result another id each time, and equal results leave equal locks. */
  #withoutStudioId(result: StoredResult): StoredResult {
    return this.#isStudio && result.is === 'media' ? { ...result, generation_id: null } : result;
  }

  /** Whether the file names a generation that gave the same bytes for the same request, and that a hosted service still has. */
  #isSameByOtherId(now: Block | undefined, { fingerprint, result }: Learnt): boolean {
    if (this.#isStudio || result.is !== 'media' || now?.fingerprint() !== fingerprint) return false;
    const entry = readEntry(now.value() ?? null);
    const locked = typeof entry === 'string' ? undefined : resultOf(entry);
    if (locked?.is !== 'media' || locked.generation_id === null || locked.sha256 !== result.sha256) return false;
    return locked.generation_id !== result.generation_id && !this.#gone.has(locked.generation_id);
  }

  get #isStudio(): boolean {
    return isFree({ service: serviceOf(this.#given.service) });
  }

  /** A choice that replaced one since the run began is another person's, and stays. */
  #withChoices(lock: LockText, gone: (key: string) => boolean): LockText {
    const name = choicesSection(this.#given.service);
    const section = lock.section(name);
    if (this.#choices.size === 0 && section.size === 0) return lock;
    const atStart = this.#atStart().section(name);
    const put = new Map<string, string>();
    for (const [key, choice] of this.#choices) {
      const block = blockOf(key, choiceEntry(choice));
      const now = section.get(key);
      const isForeign = now !== undefined && now.text() !== atStart.get(key)?.text() && !this.#written.has(now.text());
      if (isForeign) continue;
      this.#written.add(block);
      put.set(key, block);
    }
    const isGone = (key: string) => !this.#choices.has(key as InstanceKey) && atStart.has(key) && gone(key);
    return lock.with(name, put, isGone);
  }

  #withRejections(lock: LockText): LockText {
    const { service, rejections } = this.#given;
    const known = [...(rejections?.() ?? [])];
    if (known.length === 0) return lock;
    const newest = new Map([...rejectionsIn(lock, service).values()].map(({ key, at }) => [key, at]));
    const put = new Map<string, string>();
    for (const [id, one] of known) {
      const { key, at } = one;
      if (key === undefined || !this.#learnt.has(key) || at <= (newest.get(key) ?? -1)) continue;
      put.set(key, blockOf(key, rejectionEntry(id, one)));
      newest.set(key, at);
    }
    return lock.with(rejectionsSection(service), put, () => false);
  }

  /** The lock when the run began; empty where it was in pieces. */
  #atStart(): LockText {
    const { found, path } = this.#given;
    try {
      return LockText.read(found, path);
    } catch (error) {
      if (error instanceof LockRefused) return LockText.read('', path);
      throw error;
    }
  }

  async #saveAside(refused: LockRefused, instances: ReadonlySet<string> | undefined): Promise<void> {
    const { disk, clock, found } = this.#given;
    try {
      const sound = this.#sound ?? found ?? null;
      const name = await retryTransient(clock, () => disk.writeAside(this.#merged(sound, instances)));
      this.#problem = `${refused.message}. What this run would have written is in ${name}: run again when the lock is mended, and delete that`;
    } catch (error) {
      this.#problem = `${refused.message}. Nor could it be put beside it: ${writeErrorText(error)}; it is in the journal, and the next run writes it`;
    }
  }
}

/** Whether an owned result has nothing to add: its entry is there, or another came to its place since the run began. */
function isSettled(now: Block | undefined, atStart: Block | undefined, { fingerprint }: Learnt): boolean {
  return now !== undefined && (now.fingerprint() === fingerprint || now.text() !== atStart?.text());
}

/** `fox.lock.yaml` on a real disk; aside is `fox.lock.new.yaml`. */
export const lockOnDisk = (path: string): LockDisk => ({
  read: async () => readLockText(path, basename(path)) ?? null,
  write: (text, over) => rewriteAtomically(path, text, over),
  writeAside: async text => {
    const aside = path.replace(/(\.yaml)?$/, '.new.yaml');
    await writeAtomically(aside, text);
    return basename(aside);
  },
});

/** The section of what acted outside, beside those of the services: it stays done, also when its step asks for something else now, or is gone. */
const ACTED_OUTSIDE = 'acted-outside';

/**
 * Entries, by the keys that they have in their own section, that would be lost with these changes: another entry replaces them, or none, and the
 * same is not asked for again.
 */
function actsToKeep(
  section: ReadonlyMap<string, Block>,
  isReplaced: (key: string) => boolean,
  asked: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const kept = new Map<string, string>();
  for (const [key, block] of section) {
    if (!isReplaced(key)) continue;
    const fingerprint = block.fingerprint();
    if (fingerprint === undefined || asked.has(fingerprint)) continue;
    const entry = actIn(block);
    if (!entry) continue;
    const own = keyOf(key, fingerprint);
    kept.set(own, blockOf(own, entry));
  }
  return kept;
}

/** Few entries are, so the others are not read for it. */
function actIn(block: Block): LockEntry | undefined {
  if (!/^ +effect: true$/m.test(block.text())) return undefined;
  const entry = readEntry(block.value() ?? null);
  return typeof entry !== 'string' && 'effect' in entry ? entry : undefined;
}

/** `post[n=2]` → `post-1a2b3c4d[n=2]` */
const keyOf = (key: string, fingerprint: string): string =>
  key.replace(/^[^[]*/, step => `${step}-${fingerprint.slice(0, 8)}`);
