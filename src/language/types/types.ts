/** What is known about a value before it exists: the types of expressions, and what each kind of step gives. */

import type { Source, Span } from '../../model/diagnostic.ts';
import { DERIVED_FIELDS } from '../../model/media/derived-media.ts';
import type { MediaKind } from '../../model/media/media.ts';

export type Type =
  /** Anything: the JSON of a command, the request of a result. Never raises an error. */
  | { readonly is: 'any'; readonly without?: 'schema' }
  /** Already complained about: never raises a second error. */
  | { readonly is: 'wrong' }
  | { readonly is: 'null' }
  | { readonly is: 'bool' }
  | { readonly is: 'int' | 'double'; readonly values?: readonly Possible[] }
  | TextType
  /** `max`: how many entries it has at most, where a schema bounds it. */
  | { readonly is: 'list'; readonly of: Type; readonly max?: number | ComputedMax }
  | { readonly is: 'map'; readonly of: Type }
  | RecordType;

/** `maxItems: ${{ params.n }}` */
export interface ComputedMax {
  /** An expression over `params` and `data`, of one file alone. */
  readonly code: string;
  readonly of: Source;
}

export interface TextType {
  readonly is: 'text';
  /** An address or path of media. `media`: of a kind that is not known yet. `none`: certainly not one. Absent: could be. */
  readonly leadsTo?: MediaKind | 'media' | 'none';
  readonly values?: readonly Possible[];
}

export interface RecordType {
  readonly is: 'record';
  /** How it is called in messages: `a video result`. */
  readonly called: string;
  /** Its name in CEL. */
  readonly cel:
    | 'MediaResult'
    | 'TextResult'
    | 'Usage'
    | 'CommandResult'
    | 'Files'
    | 'CommandFile'
    | 'ListedFile'
    | 'Media'
    | 'Approval'
    | 'Json';
  readonly fields: ReadonlyMap<string, Type>;
  /** Of a whole result: what its media is. */
  readonly leadsTo?: MediaKind | 'media' | 'none';
}

/** One value it may take, and where the author wrote it. */
export interface Possible {
  readonly value: string | number;
  readonly at: Span;
}

export const ANY: Type = { is: 'any' };
/** The JSON of a chat without a `schema`: reading it is a mistake. */
export const NO_SCHEMA: Type = { is: 'any', without: 'schema' };
export const WRONG: Type = { is: 'wrong' };
export const BOOL: Type = { is: 'bool' };
export const INT: Type = { is: 'int' };
export const DOUBLE: Type = { is: 'double' };
export const TEXT: Type = { is: 'text' };
export const PLAIN_TEXT: Type = { is: 'text', leadsTo: 'none' };
/** The address of one frame. */
export const FRAME: Type = { is: 'text', leadsTo: 'image' };
const SOUND: Type = { is: 'text', leadsTo: 'audio' };
export const list = (of: Type): Type => ({ is: 'list', of });

/** A mapping with known names. @param leadsTo of a whole result: what its media is. */
export const record = (
  called: string,
  fields: Iterable<readonly [name: string, type: Type]>,
  cel: RecordType['cel'] = 'Json',
  leadsTo: RecordType['leadsTo'] = 'none',
): RecordType => ({ is: 'record', called, cel, fields: new Map(fields), leadsTo });

/** The same with more fields; what is no record stays as it is. */
export const withFields = (type: Type, fields: Iterable<readonly [string, Type]>): Type =>
  type.is === 'record' ? { ...type, fields: new Map([...type.fields, ...fields]) } : type;

/** `MediaFacts` of model/media/media.ts. */
export const mediaFacts = record(
  'media facts',
  [
    ['kind', PLAIN_TEXT],
    ['format', PLAIN_TEXT],
    ['width', INT],
    ['height', INT],
    ['duration', DOUBLE],
    ['fps', DOUBLE],
    ['video_codec', PLAIN_TEXT],
    // null when there is no sound
    ['audio_codec', ANY],
    ['source_type', PLAIN_TEXT],
    ['c2pa', BOOL],
  ],
  'Media',
);

/** `MediaResult` of model/run/result.ts. Kind `media`: a model whose catalog entry is not known here. */
export const mediaResult = (kind: MediaKind | 'media'): RecordType => results[kind];
const result = (kind: MediaKind | 'media'): RecordType =>
  record(
    kind === 'media' ? 'a result' : `${kind === 'video' ? 'a' : 'an'} ${kind} result`,
    [
      ['result_url', { is: 'text', leadsTo: kind }],
      ['file', { is: 'text', leadsTo: kind }],
      ['sha256', PLAIN_TEXT],
      ['bytes', INT],
      // null with `via: sync`
      ['generation_id', ANY],
      ['request', ANY],
      // null where no price is known
      ['cost', ANY],
      ['media', mediaFacts],
      ...derivedOf(kind),
    ],
    'MediaResult',
    kind,
  );

const results = { video: result('video'), image: result('image'), audio: result('audio'), media: result('media') };

/** What can be taken of a video (model/media/derived-media.ts), and of what may be one. */
function derivedOf(kind: MediaKind | 'media'): readonly (readonly [string, Type])[] {
  if (kind === 'image' || kind === 'audio') return [];
  return DERIVED_FIELDS.map(name => [name, name === 'sound' ? SOUND : FRAME]);
}

/** Frames and sound can be taken of it: it is a video, or may turn out to be one. */
export const isOrMayBeVideo = (type: Type): boolean => type.is === 'record' && type.fields.has('last_frame');

/** `ChatUsage` of api/chat-completions.ts: tokens. */
const USAGE = record(
  'the usage of a chat',
  ['prompt_tokens', 'completion_tokens', 'total_tokens'].map(name => [name, INT] as const),
  'Usage',
);

/** `TextResult` of model/run/result.ts; `json` as the step's `schema:` types it. */
export const textResult = (json: Type): RecordType =>
  record(
    'a text result',
    [
      ['text', TEXT],
      ['json', json],
      ['finish_reason', PLAIN_TEXT],
      ['usage', USAGE],
      ['request', ANY],
      // null where no price is known
      ['cost', ANY],
    ],
    'TextResult',
  );

/** The path of a name under `creates`. */
export interface CreatedPath {
  /** Where it is written out, with its expressions as they are written. */
  readonly path: string | undefined;
  /** It holds a star. */
  readonly isList: boolean;
}

/** `CommandResult` of model/run/result.ts, with the files this very step creates. */
export function commandResult(creates: Iterable<readonly [name: string, created: CreatedPath]>): RecordType {
  const files = [...creates].map(([name, created]) => [name, createdType(created)] as const);
  const fields = { stdout: TEXT, json: ANY, files: record('the files of a command', files, 'Files') };
  return record('the result of a command', Object.entries(fields), 'CommandResult');
}

function createdType({ path = '', isList }: CreatedPath): Type {
  const kind = kindOfPath(path) ?? 'media';
  const fields: readonly (readonly [string, Type])[] = [
    ['file', { is: 'text', leadsTo: kind }],
    ['result_url', { is: 'text', leadsTo: kind }],
    ['sha256', PLAIN_TEXT],
    ['bytes', INT],
    ['media', mediaFacts],
    ...derivedOf(kind),
  ];
  return isList
    ? list(record('a file of a command', [['name', PLAIN_TEXT], ...fields], 'ListedFile', kind))
    : record('a file of a command', fields, 'CommandFile', kind);
}

const EXTENSIONS: Readonly<Record<MediaKind, string>> = {
  video: 'mp4 mov m4v webm mkv avi',
  image: 'png jpg jpeg webp gif avif bmp tif tiff',
  audio: 'wav mp3 m4a aac flac ogg opus',
};
const KINDS: ReadonlyMap<string, MediaKind> = new Map(
  Object.entries(EXTENSIONS).flatMap(([kind, names]) => names.split(' ').map(name => [name, kind as MediaKind])),
);

/** The kind of media that the ending of a path or address names; undefined where it names none. */
export function kindOfPath(path: string): MediaKind | undefined {
  const extension = /\.([A-Za-z0-9]+)(?:[?#].*)?$/.exec(path)?.[1]?.toLowerCase();
  return extension === undefined ? undefined : KINDS.get(extension);
}

/** The same for an output, which may be a text. */
export const promiseOf = (path: string): MediaKind | 'text' | undefined =>
  /\.(txt|md|json|jsonl|csv|srt|vtt|html|xml|ya?ml)$/i.test(path) ? 'text' : kindOfPath(path);

/** The type of a value that has one of two: the two arms of a condition, the values of an axis. */
export function join(a: Type, b: Type): Type {
  // Also so that lists of lists of themselves are as quick as they are short.
  if (a === b) return a;
  if (a.is === 'wrong' || b.is === 'wrong') return WRONG;
  if (a.is === 'any' || b.is === 'any') return ANY;
  if (a.is === 'text' && b.is === 'text') return joinTexts(a, b);
  if ((a.is === 'int' || a.is === 'double') && (b.is === 'int' || b.is === 'double')) {
    const is = a.is === 'int' && b.is === 'int' ? 'int' : 'double';
    const values = joinValues(a.values, b.values);
    return values ? { is, values } : { is };
  }
  if (a.is === 'list' && b.is === 'list') return list(join(a.of, b.of));
  if (a.is === 'record' && b.is === 'record')
    return a === b ? a : a.cel === b.cel && a.cel === 'MediaResult' ? mediaResult('media') : ANY;
  return a.is === b.is ? a : ANY;
}

function joinTexts(a: TextType, b: TextType): Type {
  const leadsTo = a.leadsTo === b.leadsTo ? a.leadsTo : undefined;
  const values = joinValues(a.values, b.values);
  return { is: 'text', ...(leadsTo ? { leadsTo } : {}), ...(values ? { values } : {}) };
}

/** Each once: conditions inside conditions would double them at every turn. They are the same objects wherever they came by. */
function joinValues(
  a: readonly Possible[] | undefined,
  b: readonly Possible[] | undefined,
): readonly Possible[] | undefined {
  if (!a || !b) return undefined;
  const known = b.length > 8 ? new Set(a) : { has: (value: Possible) => a.includes(value) };
  return [...a, ...b.filter(value => !known.has(value))];
}

/** `choice` of what a pick gives. */
export const CHOICE = record('a choice', [
  ['by', PLAIN_TEXT],
  ['who', PLAIN_TEXT],
  ['at', PLAIN_TEXT],
  // null where there is no note, or no score
  ['note', ANY],
  ['score', ANY],
]);

/** The result of an `approve` step. */
export const APPROVED = record(
  'an approval',
  [
    ['approved', BOOL],
    ['by', PLAIN_TEXT],
    ['at', PLAIN_TEXT],
    // null where there is no note
    ['note', ANY],
  ],
  'Approval',
);
