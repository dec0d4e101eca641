/**
 * The lock file beside the pipeline, in git: what each instance gave, in sections for each service. Sorted and written
 * atomically by one writer, so that a diff reads like a story. It holds no addresses and no paths: content only.
 */
import { createHash } from 'node:crypto';
import { parse, stringify } from 'yaml';
import type { ChatUsage } from '../api/chat.ts';
import { type JsonObject, jsonIn } from '../domain/json.ts';
import type { GenerationId, InstanceKey } from '../domain/key.ts';
import type { MediaFacts } from '../domain/media.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Result } from '../domain/result.ts';

const VERSION = 1;
/** Longer output of a command is not kept in git; the journal has it. */
const STDOUT_KEPT = 4_096;

/** `pipelines/fox.yaml` → `pipelines/fox.lock.yaml`. */
export const lockPath = (pipeline: string): string => pipeline.replace(/(\.ya?ml)?$/i, '.lock.yaml');

export type LockEntry = LockedMedia | LockedText | LockedCommand | LockedTuning;
interface LockedMedia {
  readonly fingerprint: string;
  readonly model: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly media: MediaFacts;
  /** Null where a call made it. */
  readonly generation: string | null;
  readonly cost: number | null;
}
interface LockedText {
  readonly fingerprint: string;
  readonly model: string;
  readonly text: string;
  readonly finish_reason: string;
  readonly usage: ChatUsage | null;
  readonly cost: number | null;
}
interface LockedTuning {
  readonly fingerprint: string;
  readonly fine_tune: JsonObject;
}
interface LockedCommand {
  readonly fingerprint: string;
  readonly stdout: string;
  readonly files: {
    readonly [name: string]: { readonly sha256: string; readonly bytes: number; readonly media: MediaFacts | null };
  };
}

type Sections = { [service: string]: { [key: string]: LockEntry } };

/** The lock file is not ours to read; the message says why. */
export class LockRefused extends Refusal {}

export class LockFile {
  readonly #service: string;
  readonly #path: string;
  /** The file as it was found. */
  readonly text: string | undefined;
  /** We wrote it last, so the journal knows all that is in it. */
  readonly isOurs: boolean;
  #read: { readonly sections: Sections; readonly byFingerprint: ReadonlyMap<string, LockEntry> } | undefined;

  private constructor(text: string | undefined, service: string, path: string, isOurs: boolean) {
    this.text = text;
    this.isOurs = isOurs;
    this.#service = service;
    this.#path = path;
  }

  /**
   * @param ours the text is known to be what we wrote last: it is read only when something is missing from the journal.
   * @throws LockRefused when the text is not a lock file of a version we know.
   */
  static open(text: string | undefined, service: string, path: string, ours: boolean): LockFile {
    const lock = new LockFile(text, service, path, ours);
    if (!ours) lock.#content();
    return lock;
  }

  find(fingerprint: string): Result | undefined {
    const entry = this.#content().byFingerprint.get(fingerprint);
    return entry && resultOf(entry);
  }

  fingerprintOf(key: InstanceKey): string | undefined {
    return this.#content().sections[this.#service]?.[key]?.fingerprint;
  }

  /**
   * The text with this service's section brought up to date. Instances that have no result this time keep what they had;
   * instances that are gone from the file go from the lock; sections of other services stay as they are.
   */
  with(instances: readonly LockedInstance[]): string {
    const { sections } = this.#content();
    const before = sections[this.#service] ?? {};
    const section: { [key: string]: LockEntry } = {};
    for (const { key, model, done } of instances) {
      const entry = done ? entryOf(done.fingerprint, model, done.result) : before[key];
      if (entry) section[key] = entry;
    }
    const services = sorted({ ...sections, [this.#service]: sorted(section) });
    return HEAD + stringify({ shotlist: VERSION, services }, { lineWidth: 0, aliasDuplicateObjects: false });
  }

  #content() {
    this.#read ??= this.#parse();
    return this.#read;
  }

  #parse() {
    const sections = sectionsOf(this.text, this.#path);
    const byFingerprint = new Map<string, LockEntry>();
    for (const entry of Object.values(sections[this.#service] ?? {})) byFingerprint.set(entry.fingerprint, entry);
    return { sections, byFingerprint };
  }
}

export interface LockedInstance {
  readonly key: InstanceKey;
  readonly model: string;
  readonly done: { readonly fingerprint: string; readonly result: Result } | undefined;
}

const HEAD =
  '# Written by shotlist; commit it. It says what every instance of the film gave, so that nothing is paid for twice.\n';

function sectionsOf(text: string | undefined, path: string): Sections {
  if (text === undefined || text.trim() === '') return {};
  let content: unknown;
  try {
    content = parse(text);
  } catch {
    throw new LockRefused(
      `${path} is not readable YAML, perhaps after a merge; mend it, or delete it: what is owned is still in the journal`,
    );
  }
  const { shotlist, services } = (content ?? {}) as { shotlist?: unknown; services?: Sections };
  if (shotlist !== VERSION) {
    const found = shotlist === undefined ? 'no version' : `version ${JSON.stringify(shotlist)}`;
    throw new LockRefused(`${path} has ${found}; this shotlist reads lock files of version ${VERSION}`);
  }
  const sections = services ?? {};
  const wrong = [sections, ...Object.values(sections)].some(map => typeof map !== 'object' || map === null);
  if (wrong) {
    throw new LockRefused(
      `${path} is not as shotlist wrote it: \`services\` must hold a map for each service; mend it, or delete it: what is owned is still in the journal`,
    );
  }
  return sections;
}

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

function entryOf(fingerprint: string, model: string, result: Result): LockEntry {
  if (result.is === 'media') {
    const { sha256, bytes, media, generation_id, cost } = result;
    return { fingerprint, model, sha256, bytes, media, generation: generation_id, cost };
  }
  if (result.is === 'text') {
    const { text, finish_reason, usage, cost } = result;
    return { fingerprint, model, text, finish_reason, usage, cost };
  }
  if (result.is === 'fine_tune') return { fingerprint, fine_tune: result.fine_tune };
  const files = Object.fromEntries(
    Object.entries(result.files).map(([name, { sha256, bytes, media }]) => [name, { sha256, bytes, media }]),
  );
  return { fingerprint, stdout: result.stdout.length <= STDOUT_KEPT ? result.stdout : '', files };
}

function resultOf(entry: LockEntry): Result {
  if ('generation' in entry) {
    return {
      is: 'media',
      // Not an address: it is read from the generation again before it is used.
      result_url: entry.generation === null ? `sha256:${entry.sha256}` : `generation:${entry.generation}`,
      file: '',
      sha256: entry.sha256,
      bytes: entry.bytes,
      generation_id: entry.generation as GenerationId | null,
      request: {},
      cost: entry.cost,
      media: entry.media,
    };
  }
  if ('text' in entry) {
    const { text, finish_reason, usage, cost } = entry;
    return { is: 'text', text, json: jsonIn(text), finish_reason, usage, request: {}, cost };
  }
  if ('fine_tune' in entry) return { is: 'fine_tune', fine_tune: entry.fine_tune };
  const files = Object.fromEntries(Object.entries(entry.files).map(([name, file]) => [name, { ...file, file: '' }]));
  return { is: 'command', stdout: entry.stdout, json: jsonOf(entry.stdout), files };
}

function jsonOf(text: string): JsonObject | null {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return null;
  }
}

const sorted = <T>(record: { readonly [name: string]: T }): { [name: string]: T } =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
