/**
 * Puts finished films where the author asked for them, each as soon as it is there. What it stands for is paid for and in the
 * store, so a disk's refusal may cost no more than that one place: it is reported, and tried again at the end.
 *
 * Texts go through the store too. Then one rule tells our own work from other people's: bytes that the store has can be
 * replaced, as nothing is lost by that.
 */
import { createHash } from 'node:crypto';
import { extname } from 'node:path';
import PQueue from 'p-queue';
import { codeOf } from '../../machine/error-code.ts';
import { writeErrorText } from '../../machine/files/disk-error.ts';
import { retryTransient } from '../../machine/time/backoff.ts';
import type { Clock } from '../../machine/time/clock.ts';
import { withoutPlate } from '../../media/encode/clean-plate.ts';
import { type Edit, growth, together } from '../../media/marking/byte-edits.ts';
import type { Mark } from '../../media/marking/mark.ts';
import { canBeMarked, markingEdits, ownMarks } from '../../media/marking/mark.ts';
import type { DerivedMedia } from '../../model/media/derived-media.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import { formatOf } from '../../model/media/media.ts';
import type { OutputForm } from '../../model/pipeline.ts';
import type { PlannedOutput } from '../../model/plan.ts';
import { Refusal } from '../../model/run/decision-page.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import {
  type CommandFile,
  countStems,
  endOf,
  fittingPath,
  isFileList,
  isKnownExtension,
  pieceOf,
  type Result,
  renamedNote,
  type TextResult,
  textExtensionMismatch,
} from '../../model/run/result.ts';
import type { Marked } from '../../model/source-type.ts';
import { recordOf } from '../../plan/values/result-kinds.ts';
import type { Store } from '../../records/store/store.ts';
import { cannotTake } from '../derived-inputs.ts';
import type { DeriveOutcome } from '../ports/executor.ts';
import { assertUnchanged, fold, makeRoom, placeFor, Unwritable } from './safe-output-path.ts';

/** The last word on one output. `path`: from the project's root, as it is on the disk: with the extension where one was added. */
export type Placed = { readonly output: string; readonly key: InstanceKey; readonly path: string } & (
  | {
      readonly is: 'written';
      /** What its author should know about it, in words. */
      readonly note?: string;
      /** What it is, where that is not what the result is; null: no media. */
      readonly media?: MediaFacts | null;
      readonly marked?: Marked;
      readonly unchanged?: true;
    }
  /** The reason ends with what to do. */
  | { readonly is: 'failed'; readonly reason: string }
);

type Written = Extract<Placed, { readonly is: 'written' }>;

export interface OutputsGiven {
  readonly root: string;
  readonly store: Pick<Store, 'has' | 'file' | 'put' | 'pathOf' | 'materialise' | 'wrote'>;
  readonly clock: Clock;
  /** Takes a frame or the sound out of a video; absent: no output is one. */
  readonly derive?: (media: DerivedMedia) => Promise<DeriveOutcome>;
  /** The text that is made of a result for this place. @throws Unwritable where it cannot be. Absent: nothing is made of any. */
  readonly textAs?: (output: PlannedOutput, as: OutputForm, place: PlaceMedium) => Promise<string>;
  /** What an output is marked as; undefined where nothing synthetic is in it. Absent: nothing is marked. */
  readonly mark?: (output: PlannedOutput) => Mark | undefined;
  /** Of something that was made in rounds: whether its round is the one that is taken. Absent: nothing is made in rounds. */
  readonly isTaken?: (output: PlannedOutput) => boolean;
  /** Below the root, and never written: the pipeline, its lock, the settings. `.git` and `.shotlist` need not be named. */
  readonly reserved?: readonly string[];
}

/** A medium that a text names: its kind, and the instance that made it. */
interface Medium {
  readonly sha256: string;
  readonly file: string;
  readonly facts: MediaFacts;
  /** The instance that made it; absent where only a part of what that made is used. */
  readonly maker?: InstanceKey | undefined;
}

/** Gives the path, from the root, at which a text can name a medium: of an output which holds it, else the given one, where it is put. @throws Unwritable */
export type PlaceMedium = (medium: Medium, path: string) => Promise<string>;

/** Copies at a time: a disk gains nothing by more. */
const AT_ONCE = 4;

export class Outputs {
  readonly #given: OutputsGiven;
  readonly #planned: PlannedOutput[] = [];
  /** The places of a list, one for each of its files. */
  readonly #ofLists = new Map<PlannedOutput, readonly FilePlace[]>();
  readonly #byKey = new Map<InstanceKey, PlannedOutput[]>();
  /** Which output has a path: those that were asked for, and those that got their extension here. */
  readonly #owners = new Map<string, PlannedOutput>();
  readonly #stems = new Map<string, number>();
  readonly #words = new Map<PlannedOutput, Placed>();
  /** The content of what was written, by its digest. */
  readonly #holds = new Map<PlannedOutput, string>();
  readonly #turns = new Map<PlannedOutput, Promise<unknown>>();
  readonly #queue = new PQueue({ concurrency: AT_ONCE });

  constructor(planned: readonly PlannedOutput[], given: OutputsGiven) {
    this.#given = given;
    this.add(planned);
  }

  /** More places, of a plan that has grown. */
  add(planned: readonly PlannedOutput[]): void {
    for (const output of planned) {
      this.#planned.push(output);
      const known = this.#byKey.get(output.instance);
      if (known) known.push(output);
      else this.#byKey.set(output.instance, [output]);
      this.#owners.set(fold(output.path), output);
    }
    countStems(planned.map(askedPath), this.#stems);
  }

  /** Whether anything of this instance is placed. */
  has(key: InstanceKey): boolean {
    return this.#byKey.has(key);
  }

  /** Instances inside a round of which something is placed. */
  inside(round: InstanceKey): readonly InstanceKey[] {
    const all = this.#planned.filter(({ rounds = [] }) => rounds.some(one => one.round === round));
    return [...new Set(all.map(({ instance }) => instance))];
  }

  /** An instance has its result: made, or owned before. Returns what is new to show; never throws for a disk's fault. */
  async place(key: InstanceKey, result: Result): Promise<readonly Placed[]> {
    const wanted = (this.#byKey.get(key) ?? []).filter(output => this.#given.isTaken?.(output) ?? true);
    const outputs = wanted.flatMap(output => this.#placesOf(output, result));
    const placed = await Promise.all(outputs.map(output => this.#inTurn(output, result)));
    return placed.filter(news => news !== undefined);
  }

  /** At the end: outputs not yet placed, and once more those that were refused; a disk may have been freed. */
  async rest(resultOf: (key: InstanceKey) => Result | undefined): Promise<readonly Placed[]> {
    const placed = [...this.#byKey.keys()].map(async key => {
      const result = resultOf(key);
      return result ? this.place(key, result) : [];
    });
    return (await Promise.all(placed)).flat();
  }

  /** The last word on each output that has one, in the order of the plan. */
  get placed(): readonly Placed[] {
    return this.#planned
      .flatMap((output): readonly PlannedOutput[] => this.#ofLists.get(output) ?? [output])
      .map(output => this.#words.get(output))
      .filter(word => word !== undefined);
  }

  /** A list has a place for each of its files: `{n}` is its number. How many there are is known with the result. */
  #placesOf(output: PlannedOutput, result: Result): readonly PlannedOutput[] {
    const files = output.list ? membersOf(output, result) : undefined;
    if (!files) return [output];
    let places = this.#ofLists.get(output);
    if (!places) {
      places = files.map((_, at) => ({ ...output, at, path: output.path.replaceAll('{n}', String(at + 1)) }));
      this.#ofLists.set(output, places);
    }
    return places;
  }

  /** One after the other for one output: asked twice, it is written once. */
  #inTurn(output: PlannedOutput, result: Result): Promise<Placed | undefined> {
    const before = this.#turns.get(output) ?? Promise.resolve();
    const once = () => this.#once(output, result);
    // A text waits for the places of the media that it names, and meanwhile holds none of the queue's.
    const turn = before.then(() => (output.as ? once() : this.#queue.add(once)));
    this.#turns.set(output, turn);
    return turn;
  }

  async #once(output: PlannedOutput, result: Result): Promise<Placed | undefined> {
    const before = this.#words.get(output);
    if (before?.is === 'written') return undefined;
    const { name, instance: key, path } = output;
    const placed: Placed = await retryTransient(this.#given.clock, () => this.#write(output, result)).then(
      written => ({ is: 'written', output: name, key, ...written }),
      error => ({ is: 'failed', output: name, key, path, reason: reasonFor(error, path) }),
    );
    this.#words.set(output, placed);
    // Refused as before: that is reported already.
    return before?.is === 'failed' && placed.is === 'failed' && before.reason === placed.reason ? undefined : placed;
  }

  async #write(output: PlannedOutput, result: Result): Promise<Omit<Written, 'is' | 'output' | 'key'>> {
    const content = await this.#contentOf(output, result);
    const { path, note } = await this.#nameOf(output, content);
    if (isOfList(output)) this.#claim(path, output);
    const { marked, notes, isWritten } = await this.#put(output, content, path);
    this.#holds.set(output, content.sha256);
    const all = [note, ...notes].filter(line => line !== undefined);
    const isOther = output.part !== undefined || output.as !== undefined;
    return {
      path,
      ...(all.length > 0 && { note: all.join('; ') }),
      ...(isOther && { media: ('facts' in content && content.facts) || null }),
      ...(marked && { marked }),
      ...(!isWritten && { unchanged: true as const }),
    };
  }

  async #put(output: PlannedOutput, content: Content, path: string) {
    const { store, root, reserved } = this.#given;
    const place = await placeFor(path, root, reserved ?? []);
    const { marked, own, edits: marks } = await this.#markOf(output, content);
    const edits = together('facts' in content ? await withoutPlate(content.file) : [], marks);
    const room = await makeRoom(place.target, store, content, growth(edits));
    await assertUnchanged(place);
    const isWritten = await store.materialise(content.sha256, place.target, edits);
    return { marked, notes: [room, own], isWritten };
  }

  async #placeMedium(text: PlannedOutput, { maker, ...content }: Medium, path: string): Promise<string> {
    const planned = maker === undefined ? [] : (this.#byKey.get(maker) ?? []);
    // A text of it is never waited for: two might wait for each other.
    const files = planned.flatMap((one): readonly PlannedOutput[] => (one.as ? [] : (this.#ofLists.get(one) ?? [one])));
    for (const output of files) {
      await this.#turns.get(output);
      const word = this.#words.get(output);
      if (word?.is === 'written' && this.#holds.get(output) === content.sha256) return word.path;
    }
    this.#claim(path, text);
    await this.#put({ ...text, instance: maker ?? text.instance, path }, content, path);
    return path;
  }

  /** `own`: why its own words about its making stay as they are. */
  async #markOf(output: PlannedOutput, content: Content): Promise<Marking> {
    const facts = 'facts' in content ? content.facts : null;
    const mark = facts && canBeMarked(facts) ? this.#given.mark?.(output) : undefined;
    if (!facts || !mark) return { edits: [] };
    if (output.unmarked) return { marked: 'none', edits: [] };
    const edits = await markingEdits(content.file, facts, mark);
    if (edits.length > 0) return { marked: mark.type, edits };
    const own = await ownMarks(content.file, facts);
    return {
      edits,
      own: own.c2pa ? 'its Content Credentials are as they came, and no mark is added to them' : undefined,
    };
  }

  /** How many files a list has is not known when the paths of all outputs are compared. */
  #claim(path: string, output: PlannedOutput): void {
    const owner = this.#owners.get(fold(path));
    if (owner && owner !== output) throw new Unwritable('another output has this place: change `to:` of one of them');
    this.#owners.set(fold(path), output);
  }

  async #contentOf(output: PlannedOutput, given: Result): Promise<Content> {
    const { file, path, as } = output;
    if (as) {
      const text = await this.#given.textAs?.(output, as, (medium, place) => this.#placeMedium(output, medium, place));
      if (text === undefined) throw new Unwritable(`nothing here writes it as ${as}: take \`as\` out`);
      return this.#keptText(text, `.${as}`, true);
    }
    const result = pieceFor(output, given);
    if (result.is === 'approved')
      return this.#keptText(`${JSON.stringify(recordOf(result), null, 2)}\n`, '.json', true);
    if (result.is === 'text') {
      const isJson = result.json !== null;
      return this.#keptText(textFor(path, result), isJson ? '.json' : '.txt', isJson);
    }
    const made = result.is === 'media' ? result : fileFor(output, result);
    if (!made)
      throw new Unwritable(`its step made no file${file === undefined ? '' : ` \`${file}\``}: change \`from:\``);
    const { store } = this.#given;
    if (output.part) return this.#partOf({ of: made.sha256, what: output.part }, output);
    // An output that is in place is not read again: the digest is checked before a copy.
    const here = store.file(made.sha256);
    if (here === undefined) throw new Unwritable('its bytes are not in the store any more');
    return { sha256: made.sha256, file: here, facts: made.media };
  }

  async #partOf(media: DerivedMedia, { instance }: PlannedOutput): Promise<Content> {
    const { derive, store } = this.#given;
    if (!derive) throw new Error(`an output is a part of ${instance}, and nothing takes it`);
    const taken = await derive(media);
    if (taken.is === 'stopped') throw new Unwritable('the run was stopped before it was taken out of its video');
    if (taken.is === 'failed') throw new Unwritable(cannotTake(media, instance, taken.message));
    return { sha256: taken.sha256, file: await store.pathOf(taken.sha256), facts: taken.media };
  }

  async #keptText(text: string, extension: string, isJson: boolean): Promise<Content> {
    const { store } = this.#given;
    const sha256 = createHash('sha256').update(text).digest('hex');
    const isKept = store.has(sha256);
    const file = isKept ? await store.pathOf(sha256) : (await store.put([Buffer.from(text)], extension)).file;
    return { sha256, file, isJson };
  }

  /** The path that was asked for, with the extension of what it holds, unless that is another output's. */
  async #nameOf(output: PlannedOutput, content: Content): Promise<{ path: string; note?: string | undefined }> {
    const asked = askedPath(output);
    const end = endOf(asked);
    if ('isJson' in content) {
      if (end !== '') return { path: asked, note: textExtensionMismatch(end, content.isJson) };
      return this.#ending(output, content.isJson ? '.json' : '.txt');
    }
    if (!isKnownExtension(end)) return { path: asked };
    const format = formatOf(content.facts ?? {}) ?? formatOf(await sniffed(content.file));
    if (end === '') return this.#ending(output, format?.ends[0] ?? extname(content.file));
    const path = fittingPath(asked, format, this.#stems);
    if (path === asked || !format) return { path };
    this.#claim(path, output);
    return { path, note: renamedNote(asked, path, format) };
  }

  #ending(output: PlannedOutput, end: string): { path: string; note?: string } {
    const { path } = output;
    const whole = `${path}${end}`;
    const owner = this.#owners.get(fold(whole));
    if (owner && owner !== output)
      return { path, note: `it has no extension, as ${whole} is another output: give \`to:\` one` };
    this.#owners.set(fold(whole), output);
    return { path: whole };
  }
}

const askedPath = ({ asked, path }: PlannedOutput): string => asked ?? path;

/** The place of one file of a list. */
interface FilePlace extends PlannedOutput {
  /** In the list, from 0. */
  readonly at: number;
}

const isOfList = (output: PlannedOutput | FilePlace): output is FilePlace => 'at' in output;

/** What a list is made of: the files of a star, or what a pick has chosen. */
function membersOf(output: PlannedOutput, result: Result): readonly unknown[] | undefined {
  if (result.is === 'picked' && result.isList) return result.chosen;
  const files = result.is === 'command' ? result.files[output.file ?? ''] : undefined;
  return files && isFileList(files) ? files : undefined;
}

/** What a pick has chosen is what its output holds. */
function pieceFor(output: PlannedOutput | FilePlace, result: Result): Result {
  if (result.is === 'round') return pieceFor(output, result.result);
  if (result.is !== 'picked') return result;
  const one = isOfList(output) && result.isList ? result.chosen[output.at] : undefined;
  return pieceOf(one ? one.result : result);
}

function fileFor(output: PlannedOutput | FilePlace, result: Result): CommandFile | undefined {
  const made = result.is === 'command' && output.file !== undefined ? result.files[output.file] : undefined;
  if (made && isFileList(made)) return isOfList(output) ? made[output.at] : undefined;
  return isOfList(output) ? undefined : made;
}

interface Marking {
  readonly marked?: Marked;
  readonly edits: readonly Edit[];
  readonly own?: string | undefined;
}

/** What is put in a place, and what is known of it. */
type Content = { readonly sha256: string; readonly file: string } & (
  | { readonly facts: MediaFacts | null }
  | { readonly isJson: boolean }
);

async function sniffed(file: string): Promise<{ format?: string }> {
  const { fileTypeFromFile } = await import('file-type');
  const type = await fileTypeFromFile(file);
  return type ? { format: type.ext } : {};
}

/** As it was written; into a `.json`, or what will be called so, as other programs would lay it out. */
function textFor(path: string, { text, json }: TextResult): string {
  const isLaidOut = json !== null && ['.json', ''].includes(endOf(path));
  return `${isLaidOut ? JSON.stringify(json, null, 2) : text.trimEnd()}\n`;
}

/** The error is reported and not thrown: nothing else may fail with this one place. */
function reasonFor(error: unknown, path: string): string {
  return `${troubleOf(error, path)}, then run again: nothing is paid for twice`;
}

function troubleOf(error: unknown, path: string): string {
  if (error instanceof Refusal) return error.message;
  const long = path.split('/').find(name => Buffer.byteLength(name) > 255);
  if (codeOf(error) === 'ENAMETOOLONG' && long !== undefined)
    return `its name is ${Buffer.byteLength(long)} bytes long, and a disk takes 255: shorten \`to:\``;
  return writeErrorText(error);
}
