import type { DerivedPart } from '../media/derived-media.ts';
import { type Format, MEDIA_EXTENSIONS, type MediaFacts } from '../media/media.ts';
import type { Json, JsonObject } from '../text/json.ts';
import type { Choice } from './choice.ts';
import { unreachable } from './failure.ts';
import type { GenerationId, InstanceKey } from './key.ts';

/** What a finished instance gives to the steps after it. Content, never a place on some machine: a path is found where it is used. */
export type Result = StoredResult | OutputsResult | PickedResult | ApprovedResult | RoundResult;

/** What was made, and is kept. */
export type StoredResult = MediaResult | TextResult | CommandResult | TuningResult;

/** What the file of a `uses` step gives. It is gathered from the results inside whenever they are there, and kept nowhere itself. */
export interface OutputsResult {
  readonly is: 'outputs';
  /** By output; of one with a fanned-out step, all in order. An output that was not made, because its step was skipped, is left out. */
  readonly outputs: { readonly [name: string]: UsedResult | readonly UsedResult[] };
}

/** One result inside, or one file of it. */
export interface UsedResult {
  readonly key: InstanceKey;
  readonly result: StoredResult | ApprovedResult;
  readonly file?: string;
  /** Which one, of a list of files. */
  readonly index?: number;
  /** A frame of that, or its sound. */
  readonly part?: DerivedPart;
}

/** What a `pick` gives: the results that were chosen. Only the choice is kept; the results are those of the candidates. */
export interface PickedResult {
  readonly is: 'picked';
  readonly choice: Choice;
  /** Best first. */
  readonly chosen: readonly PickedOne[];
  /** It is read as a list, however many there are. */
  readonly isList: boolean;
}

export interface PickedOne {
  readonly key: InstanceKey;
  readonly result: Exclude<Result, ApprovedResult>;
  /** Which of the candidates it was: its own coordinates. */
  readonly matrix: JsonObject;
}

/** What a step with `until` gives: the result of one of its rounds, which is kept as that round's own. */
export interface RoundResult {
  readonly is: 'round';
  readonly key: InstanceKey;
  /** From 1. */
  readonly round: number;
  /** None holds: it is taken all the same. */
  readonly otherwise?: true;
  readonly result: StoredResult | OutputsResult;
}

/** What an `approve` gives: a person's word. Only the choice is kept. */
export interface ApprovedResult {
  readonly is: 'approved';
  readonly approved: boolean;
  readonly choice: Choice;
}

/** It is kept in the journal and the lock. */
export const isStored = (result: Result): result is StoredResult =>
  result.is !== 'outputs' && result.is !== 'round' && !isDecision(result);

/** Nothing was made: it is a decision. */
export const isDecision = (result: Result): result is PickedResult | ApprovedResult =>
  result.is === 'picked' || result.is === 'approved';

/** The one piece that a result is: of a pick, what was chosen first; of rounds, the one that was taken. */
export function pieceOf(result: Result): StoredResult | OutputsResult | ApprovedResult {
  let piece = result;
  while (piece.is === 'picked' || piece.is === 'round') {
    const [first] = piece.is === 'picked' ? piece.chosen : [piece];
    if (!first) throw new Error('a pick that chose nothing');
    piece = first.result;
  }
  return piece;
}

export interface MediaResult {
  readonly is: 'media';
  /** Where the service keeps it. May expire; never part of a cache key. */
  readonly result_url: string;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Of its file, with its dot; empty where it has none. */
  readonly extension: string;
  readonly bytes: number;
  /** Null where it was made by a call that answers at once (`via: sync`) and leaves nothing to ask for. */
  readonly generation_id: GenerationId | null;
  /** The request as it was sent, without the key. */
  readonly request: JsonObject;
  /** US dollars; an estimate until the service reports the real cost; null where no price is known. */
  readonly cost: number | null;
  readonly media: MediaFacts;
}

/** Common: `stop`, `length` (cut off at `max_tokens`), `content_filter`, `refusal`. Any other word is kept as it is. */
export type FinishReason = 'stop' | 'length' | (string & {});

/** The answer ends where its tokens ran out, in the words of this service or another. */
export const isCutOff = (finish_reason: FinishReason): boolean =>
  ['length', 'max_tokens', 'max_output_tokens'].includes(finish_reason);

/** Tokens, as the service counts and bills them. */
export type ChatUsage = {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
};

/** What a chat model wrote. */
export interface TextResult {
  readonly is: 'text';
  readonly text: string;
  /** `text` read as JSON: with `schema:` it fits the schema; null where it is no JSON. */
  readonly json: Json;
  readonly finish_reason: FinishReason;
  /** Tokens, of all calls it took; null where the service does not tell. */
  readonly usage: ChatUsage | null;
  /** The request as it was asked, without the key. */
  readonly request: JsonObject;
  /** US dollars of all calls it took, from the tokens the service counted; null where no price is known. */
  readonly cost: number | null;
}

/** The fine-tune by the service's last answer: expressions read its fields. */
export interface TuningResult {
  readonly is: 'fine_tune';
  readonly fine_tune: JsonObject;
  /** False where the service took it, and does not tell when it is ready. */
  readonly ready?: false;
}

export interface CommandResult {
  readonly is: 'command';
  readonly stdout: string;
  /** `stdout` read as JSON, where that is an object or a list. */
  readonly json: JsonObject | readonly Json[] | null;
  readonly files: CommandFiles;
  /** It acted outside of this machine: it stays done, whatever becomes of its files. */
  readonly effect?: true;
}

/** What each name under `creates` has become: one file, or, where its path holds a star, a list in natural order. */
export interface CommandFiles {
  readonly [name: string]: CommandFile | readonly ListedFile[];
}

export interface CommandFile {
  readonly sha256: string;
  /** Of its file, with its dot; empty where it has none. */
  readonly extension: string;
  readonly bytes: number;
  readonly media: MediaFacts | null;
}

/** One of the files that a star matches. */
export interface ListedFile extends CommandFile {
  /** As the command called it, without its folder: `part_2.mp4`. */
  readonly name: string;
}

// How a value names content before its place is known. Expressions read `steps.shot.file` as such a path, and whoever uses it puts
// the real one in its place: at the moment of use, on the machine that uses it.

export interface Content {
  /** Lower-case hex. */
  readonly sha256: string;
  /** Of its file, with its dot; empty where it has none. */
  readonly extension: string;
}

/** `/content/9f86….mp4` */
export const contentPath = ({ sha256, extension }: Content): string => `/content/${sha256}${extension}`;

/** Such a path as an address: `file:///content/9f86….mp4`. */
export const contentUrl = (path: string): string => `file://${path}`;

const PATHS = /(file:\/\/)?\/content\/([0-9a-f]{64})(\.[a-z0-9]{1,16})?/gi;

/** The digests that a text names by such paths and addresses. */
export const contentIn = (text: string): readonly string[] =>
  text.includes('/content/') ? [...text.matchAll(PATHS)].map(([, , sha256 = '']) => sha256) : [];

/** The text with real paths and addresses in the place of those that `placeOf` knows. */
export const withRealPaths = (
  text: string,
  placeOf: (sha256: string) => { readonly path: string; readonly url: string } | undefined,
): string =>
  text.includes('/content/')
    ? text.replaceAll(PATHS, (found, scheme: string | undefined, sha256: string) => {
        const place = placeOf(sha256);
        if (!place) return found;
        return scheme === undefined ? place.path : place.url;
      })
    : text;

// The files of a command: each name is one file, or a list of them.

export const isFileList = (made: CommandFile | readonly ListedFile[]): made is readonly ListedFile[] =>
  Array.isArray(made);

/** All of them, those of a list in its order. */
export const everyFile = (files: CommandFiles): readonly CommandFile[] =>
  Object.values(files).flatMap((made): readonly CommandFile[] => (isFileList(made) ? made : [made]));

/** Each file changed into something else, in its place: a list stays a list. */
export function mapFiles<T>(
  files: CommandFiles,
  change: (file: CommandFile | ListedFile) => T,
): { readonly [name: string]: T | readonly T[] } {
  return Object.fromEntries(
    Object.entries(files).map(([name, made]) => [name, isFileList(made) ? made.map(change) : change(made)]),
  );
}

// Names of outputs: the path that the author asked for, with the extension of what the file holds.

const TEXT: Format = { name: 'text', ends: ['.txt'] };
const JSON_TEXT: Format = { name: 'JSON', ends: ['.json'] };

/** Extensions of texts, which no picture, film or sound should have. */
const OF_TEXTS = ['.txt', '.md', '.json', '.csv', '.srt', '.vtt', '.html', '.xml', '.yaml', '.yml'];
const KNOWN = new Set([...MEDIA_EXTENSIONS, ...OF_TEXTS]);

/** `.png` of `out/fox.png`; `''` where the name has none: the `.5` of `shot-1.5` is part of it. */
export function endOf(path: string): string {
  return /[^/\\](\.(?=[a-z0-9]*[a-z])[a-z0-9]{1,8})$/.exec(path.toLowerCase())?.[1] ?? '';
}

/** Whether the content has to be read to know if this extension fits. */
export const isKnownExtension = (end: string): boolean => end === '' || KNOWN.has(end);

/**
 * The path at which media of this format is placed: the path that was asked for where its extension fits or promises nothing, otherwise
 * the same path with the format's usual extension. That is added and not replaced where another output differs in its extension alone:
 * `fox.webp.png` beside `fox.mp4`.
 * @param stems of all outputs of the film, as `countStems` gives them.
 */
export function fittingPath(path: string, format: Format | undefined, stems: ReadonlyMap<string, number>): string {
  const end = endOf(path);
  const [usual] = format?.ends ?? [];
  if (usual === undefined || !KNOWN.has(end) || format?.ends.includes(end)) return path;
  return (stems.get(stemOf(path)) ?? 0) > 1 ? `${path}${usual}` : `${path.slice(0, -end.length)}${usual}`;
}

/** How many of these paths are the same but for their extension. */
export function countStems(paths: Iterable<string>, counts = new Map<string, number>()): Map<string, number> {
  for (const path of paths) counts.set(stemOf(path), (counts.get(stemOf(path)) ?? 0) + 1);
  return counts;
}

const stemOf = (path: string): string => path.slice(0, path.length - endOf(path).length).toLowerCase();

/** Why a file has another extension than `to:` asked for: `it holds PNG, so it ends in .png, where …`. */
export const renamedNote = (asked: string, path: string, { name }: Format): string =>
  `it holds ${name}, so it ends in ${endOf(path)}, where \`to:\` says ${asked}`;

/** Why this extension does not fit the text, and what to do; undefined where it fits. Only media's and `.json` promise something. */
export function textExtensionMismatch(end: string, isJson: boolean): string | undefined {
  if (end === '.json' ? isJson : !MEDIA_EXTENSIONS.has(end)) return undefined;
  const { name, ends } = isJson ? JSON_TEXT : TEXT;
  return `it is ${name}, though its name ends in ${end}: end \`to:\` in ${ends[0]}, or convert it`;
}

/**
 * What an instance asks for, field by field, as it is kept to explain later why something is made again: `prompt`, `input_images[0]`,
 * `env.LOOK`. Media appears as its digest, and nothing of it is secret: it is what a reader of a plan is shown.
 */
export type Asked = Readonly<Record<string, AskedValue>>;
export type AskedValue = null | boolean | number | string;

// The files that a result is made of, by content. A text and a fine-tune have none: the lock holds all of them.

export interface ResultContent {
  /** Lower-case hex. */
  readonly sha256: string;
  /** With its dot; empty where it has none, or none is known. */
  readonly extension: string;
  readonly bytes: number;
}

export function contentsOf(result: StoredResult): readonly ResultContent[] {
  switch (result.is) {
    case 'media':
      return [result];
    case 'command':
      return everyFile(result.files);
    case 'text':
    case 'fine_tune':
      return [];
    default:
      return unreachable(result);
  }
}
