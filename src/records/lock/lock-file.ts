/**
 * The lock file beside the pipeline, in git: what each instance gave, in sections for each service and each profile. Sorted, so that a diff reads
 * like a story. It holds no addresses and no paths: content only. `lock-keeper.ts` writes it while a run goes on.
 */
import { createHash } from 'node:crypto';
import { adoptedFingerprint } from '../../model/plan.ts';
import { apart } from '../../model/profile.ts';
import type { Choice, Rejections } from '../../model/run/choice.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { StoredResult } from '../../model/run/result.ts';
import type { LockedCharge } from '../views/charges.ts';
import { choicesIn, choicesSection, rejectionsIn, rejectionsSection } from './lock-choices.ts';
import { type AdoptedFields, chargeOfLocked, isWhole, type LockEntry, readEntry, resultOf } from './lock-entry.ts';
import { type Block, LockText } from './lock-text.ts';

export { LockRefused, readLockText } from './lock-yaml.ts';

/** `pipelines/fox.yaml` → `pipelines/fox.lock.yaml`. */
export const lockPath = (pipeline: string): string => pipeline.replace(/(\.ya?ml)?$/i, '.lock.yaml');

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** False: another process may have written it. */
type Ours = false | { readonly settled?: string | undefined };

type AdoptedEntry = LockEntry & { readonly adopted: AdoptedFields };

export class LockFile {
  readonly section: string;
  readonly #path: string;
  readonly text: string | undefined;
  /** We wrote it last, so the journal knows all that is in it. */
  readonly isOurs: boolean;
  /** What was put into it when we wrote it: see `LockKeeping`. */
  readonly settled: string | undefined;
  #adoptions: ReadonlyMap<InstanceKey, AdoptedEntry> | undefined;
  #read: LockText | undefined;
  #entries: ReadonlyMap<string, LockEntry> | undefined;
  #others: ReadonlyMap<string, Block> | undefined;

  private constructor(text: string | undefined, section: string, path: string, ours: Ours) {
    this.text = text;
    this.isOurs = ours !== false;
    this.settled = ours === false ? undefined : ours.settled;
    this.section = section;
    this.#path = path;
  }

  /**
   * @param ours the text is known to be what we wrote last: it is read only when something is missing from the journal.
   * @throws LockRefused when the text is not a lock file of a version we know, or an entry of this section is none.
   */
  static open(text: string | undefined, section: string, path: string, ours: Ours): LockFile {
    const lock = new LockFile(text, section, path, ours);
    if (!lock.isOurs) {
      lock.#byFingerprint();
      lock.choices();
    }
    return lock;
  }

  /** The service of the section, without the profile. */
  get service(): string {
    return serviceOf(this.section);
  }

  find(fingerprint: string): StoredResult | undefined {
    const entry = this.#byFingerprint().get(fingerprint) ?? this.#inOtherProfile(fingerprint);
    return entry && isWhole(entry) ? resultOf(entry) : undefined;
  }

  /** Making the other profile reports what is wrong with its entry. */
  #inOtherProfile(fingerprint: string): LockEntry | undefined {
    this.#others ??= new Map(
      this.#otherProfiles().flatMap(name =>
        [...this.#content().section(name).values()].map(block => [block.fingerprint() ?? '', block] as const),
      ),
    );
    return soundEntry(this.#others.get(fingerprint));
  }

  #otherProfiles(): readonly string[] {
    return this.#content().services.filter(name => name !== this.section && isOfSameService(name, this.section));
  }

  /** Entries of a section that are sound. */
  *#soundIn(section: string): Iterable<readonly [InstanceKey, LockEntry]> {
    for (const [key, block] of this.#content().section(section)) {
      const entry = soundEntry(block);
      if (entry) yield [key as InstanceKey, entry];
    }
  }

  /** The same, also of what was done for another service: it was done. */
  findAnywhere(fingerprint: string): StoredResult | undefined {
    const found = this.find(fingerprint);
    if (found) return found;
    for (const service of this.#content().services) {
      if (service === this.section) continue;
      for (const block of this.#content().section(service).values()) {
        const entry = block.fingerprint() === fingerprint ? soundEntry(block) : undefined;
        if (entry && isWhole(entry)) return resultOf(entry);
      }
    }
    return undefined;
  }

  /** What was decided for this service. @throws LockRefused where an entry is none. */
  choices(): readonly Choice[] {
    // Most locks have none, and are not read for it.
    if (this.isOurs && !this.text?.includes(choicesSection(this.section))) return [];
    return choicesIn(this.#content(), this.section);
  }

  /** Rejections of candidates. @throws LockRefused where an entry is none. */
  rejections(): Rejections {
    if (!this.text?.includes(rejectionsSection(this.section))) return new Map();
    return rejectionsIn(this.#content(), this.section);
  }

  /** What was paid for all that is in it, in whichever profile. */
  charges(): readonly LockedCharge[] {
    const own = [...this.#byFingerprint().values()].flatMap(entry => charged(entry, this.section));
    const known = new Set(own.map(({ fingerprint }) => fingerprint));
    const others = this.#otherProfiles().flatMap(name =>
      [...this.#soundIn(name)].flatMap(([, entry]) => charged(entry, name)),
    );
    // What two profiles share was paid for once.
    return [...own, ...others.filter(({ fingerprint }) => !known.has(fingerprint))];
  }

  /** Every result that the file names, of any service and profile. Making it reports what is wrong with an entry. */
  *everyResult(): Iterable<{ readonly key: InstanceKey; readonly result: StoredResult }> {
    for (const section of this.#content().services)
      for (const [key, entry] of this.#soundIn(section)) yield { key, result: resultOf(entry) };
  }

  /** The entry of an instance; undefined where there is none. */
  entry(key: InstanceKey): LockEntry | undefined {
    const block = this.#content().section(this.section).get(key);
    return block?.fingerprint() === undefined ? undefined : soundEntry(block);
  }

  /** The entries of persons' own files. Most locks have none, and are not read for it. */
  adoptions(): ReadonlyMap<InstanceKey, AdoptedEntry> {
    if (this.#adoptions) return this.#adoptions;
    const found = new Map<InstanceKey, AdoptedEntry>();
    this.#adoptions = found;
    if (!this.text?.includes('adopted:')) return found;
    for (const [key, block] of this.#content().section(this.section)) {
      const entry = block.fingerprint()?.startsWith(ADOPTED) ? soundEntry(block) : undefined;
      if (entry?.adopted) found.set(key as InstanceKey, { ...entry, adopted: entry.adopted });
    }
    return found;
  }

  /** The instances that have each fingerprint, in the order of the file. */
  keysByFingerprint(): ReadonlyMap<string, readonly InstanceKey[]> {
    const keys = [...this.#content().section(this.section)];
    const grouped = Map.groupBy(keys, ([, block]) => block.fingerprint() ?? '');
    return new Map([...grouped].map(([fingerprint, of]) => [fingerprint, of.map(([key]) => key as InstanceKey)]));
  }

  fingerprintOf(key: InstanceKey): string | undefined {
    return this.#content().section(this.section).get(key)?.fingerprint();
  }

  /** Fingerprints that its lines name: for asking for many results together. It is not read for them, so some may be missing. */
  namedFingerprints(): readonly string[] {
    const named: string[] = [];
    const { text = '' } = this;
    for (let at = text.indexOf(FIELD); at >= 0; at = text.indexOf(FIELD, at)) {
      at += FIELD.length;
      named.push(text.slice(at, text.indexOf('\n', at)).replaceAll('"', ''));
    }
    return named;
  }

  #content(): LockText {
    this.#read ??= LockText.read(this.text, this.#path);
    return this.#read;
  }

  #byFingerprint(): ReadonlyMap<string, LockEntry> {
    this.#entries ??= new Map(
      this.#content()
        .read(this.section, (_, value) => readEntry(value))
        .map(entry => [entry.fingerprint, entry]),
    );
    return this.#entries;
  }
}

function charged(entry: LockEntry, section: string): readonly LockedCharge[] {
  const charge = chargeOfLocked(entry);
  const profile = profileOfSection(section);
  return charge ? [{ ...charge, ...(profile !== undefined && { profile }) }] : [];
}

const ADOPTED = adoptedFingerprint('');
const FIELD = ' fingerprint: ';

function soundEntry(block: Block | undefined): LockEntry | undefined {
  const entry = readEntry(block?.value() ?? null);
  return typeof entry === 'string' ? undefined : entry;
}

/** The name of a section: `studio` for the results of the real film at that service, `studio in draft` for those of a profile. */
export const lockSection = (service: string, profile: string | undefined): string => {
  const name = apart(profile);
  return name === undefined ? service : `${service} in ${name}`;
};

/** The profile of a section; undefined for the real film. */
const profileOfSection = (section: string): string | undefined => / in ([a-z][a-z0-9_]*)$/.exec(section)?.[1];

/** The same film at the same service, in whichever profile: what is asked for alike was made once. */
const isOfSameService = (section: string, other: string): boolean => serviceOf(section) === serviceOf(other);

export const serviceOf = (section: string): string => section.replace(/ in [a-z][a-z0-9_]*$/, '');
