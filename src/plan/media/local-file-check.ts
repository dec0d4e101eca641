/**
 * Files of this machine in requests. The built-in studio reads them where they are; a service on another machine cannot, and no
 * path of this machine is its business. `check` looks at the texts of the file, `plan` at the requests they come to. Where files are
 * published, an input may be one of this machine: a path among other words is reported all the same.
 */

import type { Diagnostic, Span } from '../../model/diagnostic.ts';
import { imagesField } from '../../model/media/chat-images.ts';
import { derivedIn, isDerivedField } from '../../model/media/derived-media.ts';
import { fieldOf, type ModelLibrary, type Part, pathText } from '../../model/model.ts';
import type { ExpressionValue, Pipeline, Root, Step, Value } from '../../model/pipeline.ts';
import { isToBeMade, type Plan } from '../../model/plan.ts';
import { calledAs, groupInside, type StepName } from '../../model/run/key.ts';
import { contentIn } from '../../model/run/result.ts';
import { cleanText } from '../../model/text/clean.ts';
import { formatBytes } from '../../model/text/format.ts';
import { isObject, type Json, type JsonObject, textsIn } from '../../model/text/json.ts';
import { sourceOf } from '../graph/plan-graph.ts';
import { kindOf } from '../kinds/index.ts';
import { PlanDiagnostics } from '../obstacles.ts';
import { messages } from '../plan-messages.ts';
import { placeAt } from './media-fields.ts';

const CODE = 'file-out-of-reach';

/** What becomes of the inputs of a request that are files of this machine. */
export type InputFiles = 'stay here' | 'are published';

/** Names of files that a service on another machine could not read, as far as they are in the file: nothing is planned for this. */
export function localFilesInPipeline(
  pipeline: Pipeline,
  library: ModelLibrary,
  service: string,
  inputs: InputFiles = 'stay here',
): readonly Diagnostic[] {
  const diagnostics = new PlanDiagnostics(pipeline.source);
  const where = { pipeline, library, service, inputs, diagnostics };
  for (const step of pipeline.steps) new RequestReader(step, where).read();
  return diagnostics.all;
}

/**
 * Names of files that a service on another machine could not read, before anything is paid for: each place once.
 * @param library given where inputs are published: then what is in a prompt, or is no input that we know.
 */
export function localFilesInPlan(
  { instances, pipeline, service }: Plan,
  library?: ModelLibrary,
): readonly Diagnostic[] {
  const diagnostics = new PlanDiagnostics(pipeline.source);
  const where: Where = { pipeline, library, service, inputs: library ? 'are published' : 'stay here', diagnostics };
  const readers = new Map<Step, RequestReader>();
  const readerOf = (step: Step) => {
    const reader = readers.get(step) ?? new RequestReader(step, where);
    if (!readers.has(step)) reader.read();
    readers.set(step, reader);
    return reader;
  };
  for (const { step, decision, request } of instances) {
    // An instance that is owned already sends nothing.
    const sent = isToBeMade(decision) ? kindOf(step).sent(step) : undefined;
    if (!sent) continue;
    const reader = readerOf(step);
    for (const { path, url, whole } of localFiles(request ?? {}))
      if (!library || !isLocalMedia(whole)) reader.report(path, url, placeAt(sent, path));
  }
  for (const step of pipeline.steps) if (instances.isOpen(step.name)) readerOf(step);
  return diagnostics.all;
}

/**
 * Files of this machine are to be published, and there is no key for that.
 * @param first the first of those files.
 * @param key where the bucket is set, and what to set.
 */
export function publishingWithoutKey(
  [first]: readonly Diagnostic[],
  { where, why }: { readonly where: string; readonly why: string },
  severity: 'error' | 'warning',
): readonly Diagnostic[] {
  if (!first) return [];
  const { source, span } = first;
  return [{ severity, code: 'publish-without-key', message: messages.publishWithoutKey(where, why), source, span }];
}

interface Where {
  readonly pipeline: Pipeline;
  readonly library: ModelLibrary | undefined;
  readonly service: string;
  readonly inputs: InputFiles;
  readonly diagnostics: PlanDiagnostics;
}

/** The first field that names a file of this machine, anywhere in the request. */
export function localFileIn(request: JsonObject): { readonly field: string; readonly url: string } | undefined {
  for (const { path, url } of localFiles(request)) return { field: pathText(path), url };
  return undefined;
}

type Path = readonly Part[];

interface LocalFile {
  readonly path: Path;
  readonly url: string;
  /** The text around it. */
  readonly whole: string;
}

function* localFiles(value: Json, path: Path = []): Iterable<LocalFile> {
  if (typeof value === 'string') {
    const isAddress = isUrlPart(path) && isPlace(value);
    const url = isAddress ? value : localPathIn(value);
    if (url !== undefined) yield { path, url, whole: value };
  } else if (Array.isArray(value)) {
    for (const [index, item] of (value as readonly Json[]).entries()) yield* localFiles(item, [...path, index]);
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) yield* localFiles(item, [...path, name]);
  }
}

/** `image_url.url` of a chat message's part. */
const isUrlPart = (path: Path): boolean => path.length > 1 && path.at(-1) === 'url';

/** One step's request as it is written. */
class RequestReader {
  readonly #step: Step;
  readonly #where: Where;
  readonly #diagnostics: PlanDiagnostics;
  readonly #publishes: boolean;

  constructor(step: Step, where: Where) {
    this.#step = step;
    this.#where = where;
    this.#diagnostics = where.diagnostics.in(sourceOf(where.pipeline, step));
    this.#publishes = where.inputs === 'are published';
  }

  report(path: Path, url: string, at: Span): void {
    const [{ name }, { service }, field] = [this.#step, this.#where, pathText(path)];
    const outOfReach = () => messages.outOfReach(name, field, url, service);
    this.#diagnostics.error(CODE, this.#publishes ? messages.notPublished(name, field, url) : outOfReach(), at);
  }

  read(): void {
    const { model: named, sent } = kindOf(this.#step);
    const model = this.#where.library?.get(named(this.#step) ?? '');
    for (const { name, value } of sent(this.#step)?.entries ?? []) {
      const field = model && (fieldOf(model, name) ?? (name === 'images' ? imagesField(model) : undefined));
      const isMedia = field !== undefined && (field.media ?? field.items?.media) !== undefined;
      this.#walk(value, [name], isMedia || field?.format === 'uri' || field?.items?.format === 'uri');
    }
  }

  #walk(value: Value, path: Path, isAddress: boolean): void {
    switch (value.is) {
      case 'literal':
        this.#text(value.value, value.at, path, isAddress);
        return;
      case 'text':
        for (const part of value.parts) {
          if (typeof part !== 'string') this.#expression(part, path);
          else this.#text(part, value.at, path, false);
        }
        return;
      case 'expression':
        if (!this.#publishes) this.#expression(value, path);
        if (isAddress) this.#axis(value, path);
        return;
      case 'list':
        for (const [index, item] of value.items.entries()) this.#walk(item, [...path, index], isAddress);
        return;
      case 'map':
        for (const { name, value: inner } of value.entries) {
          const deeper = [...path, name];
          this.#walk(inner, deeper, isUrlPart(deeper));
        }
    }
  }

  #text(text: unknown, at: Span, path: Path, isAddress: boolean): void {
    if (typeof text !== 'string') return;
    const url = isAddress && isPlace(text) ? text : localPathIn(text);
    if (url === undefined || (this.#publishes && isAddress && !/^file:/i.test(text))) return;
    this.report(path, url, at);
  }

  /** `steps.cut.files.film.file` and `each.file` read a path of this machine. */
  #expression({ code, reads, at }: ExpressionValue, path: Path): void {
    for (const { root, path: read } of reads) {
      const [name, fields] = this.#sourceOf(root, read);
      if (name === undefined) continue;
      const named = this.#stepCalled(name);
      const from = named && 'rounds' in named ? this.#stepCalled(named.rounds) : named;
      const staysHere = from !== undefined && kindOf(from).staysHere;
      // What is made on this machine has no other address than its file.
      if (!isFile(fields, code) && !(staysHere && fields[0] === 'result_url')) continue;
      const asked = { step: this.#step.name, field: pathText(path), from: name };
      this.#diagnostics.error(CODE, messages.readsFileHere(asked, this.#where.service, staysHere), at);
    }
  }

  #stepCalled(name: string): Step | undefined {
    return this.#where.pipeline.steps.find(step => step.name === (name as StepName));
  }

  /** The step that a reference reads, and the fields it reads of it. */
  #sourceOf(root: Root, path: readonly string[]): readonly [step: string | undefined, fields: readonly string[]] {
    const { each } = this.#step.fanOut;
    if (root === 'steps')
      return [groupInside(this.#step.inside && calledAs(this.#step.inside.by), path[0] ?? ''), path.slice(1)];
    if (root === 'previous') return [this.#step.name, path];
    if (root !== 'each') return [undefined, path];
    if (each[0]?.name === undefined) return [each[0]?.step, path];
    return [each.find(({ name }) => name === path[0])?.step, path.slice(1)];
  }

  /** `matrix.photo`, with photos that are listed in the file. */
  #axis({ code, reads }: ExpressionValue, path: Path): void {
    const [only] = reads;
    if (only?.root !== 'matrix' || code.trim() !== `matrix.${only.path[0]}`) return;
    const axis = this.#step.fanOut.matrix.find(({ name }) => name === only.path[0]);
    if (axis?.values.is !== 'list') return;
    for (const item of axis.values.items) if (item.is === 'literal') this.#text(item.value, item.at, path, true);
  }
}

/** Other fields of a file: none of them is a path. */
const FACTS = new Set(['sha256', 'bytes', 'media']);

function isFile(fields: readonly string[], code: string): boolean {
  const [first, , third] = fields;
  // A frame is made on this machine.
  if (isDerivedField(fields.at(-1)) || /\.frame_at\s*\(/.test(code)) return true;
  if (first === 'file') return true;
  if (first === 'files' && third === undefined) return fields.length < 2 || readsPath(code) || isWhole(fields, code);
  if (first === 'files') return !FACTS.has(third ?? '');
  // All of a result, or a list of them: `steps.cut.map(c, c.file)`.
  return first === undefined && /\.file\b/.test(code);
}

const readsPath = (code: string): boolean => /\.(file|result_url)\b/.test(code);
/** `steps.cut.files.film`, handed over as it is, one by one or all of a list: `steps.cut.files.parts[0]`. */
const isWhole = (fields: readonly string[], code: string): boolean =>
  code
    .trim()
    .replace(/\[[^\]]*\]$/, '')
    .endsWith(`.${fields.join('.')}`);

/** The whole value is meant as a place: it is a path unless it is an address. */
const isPlace = (text: string): boolean =>
  !/^(https?|data):/i.test(text.trim()) && text.trim() !== '' && !/^sha256:/.test(text);

/** The first name of a file of this machine in it. */
function localPathIn(text: string): string | undefined {
  const trimmed = text.trim();
  if (/^data:/i.test(trimmed)) return undefined;
  if (WHOLE.some(pattern => pattern.test(trimmed))) return trimmed;
  for (const spelling of new Set([text, decoded(text)]))
    for (const pattern of AMONG_WORDS) {
      const found = pattern.exec(spelling)?.groups?.path;
      if (found !== undefined) return found.replace(/[.,;:!?)]+$/, '');
    }
  return undefined;
}

const WHOLE: readonly RegExp[] = [
  /^file:/i,
  // A frame of a video is made on this machine.
  /^derived:/,
  // C:\films, C:/films, \\server\share, ~/films
  /^[a-z]:[\\/]\S/i,
  /^\\\\[^\\\s]+\\\S/,
  /^~[\w.-]*\/\S/,
  // /films/fox and /fox.mp4; `/fɒks/` and `/imagine a fox` are words.
  /^\/[^\s/]+\/[^\s/]\S*$/,
  /^\/[^/\n][^\n]*\.[a-z0-9]{2,5}$/i,
];

const MEDIA = 'mp4|mov|m4v|webm|mkv|avi|png|jpe?g|webp|gif|avif|bmp|tiff?|wav|mp3|m4a|aac|flac|ogg|opus';

/** Among words, only a text that can be nothing but a path: `and/or` and a sign that reads `/exit` stay words. */
const AMONG_WORDS: readonly RegExp[] = [
  /\b(?<path>file:[/\\][^\s"'<>]*)/i,
  /(?:^|[\s"'(<`])(?<path>[a-z]:\\[^\s"'<>]+)/i,
  /(?:^|[\s"'(<`])(?<path>\\\\[^\\\s]+\\[^\s"'<>]+)/,
  new RegExp(`(?:^|[\\s"'(<\`])(?<path>~?(?:/[^\\s/"'<>]+)+\\.(?:${MEDIA}))\\b`, 'i'),
];

/** `file%3A%2F%2F`, `f%69le:`; any other text stays as it is. */
const decoded = (text: string): string =>
  text.includes('%')
    ? text.replaceAll(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;

// What a plan would publish to a service that cannot read files of this machine.

export interface PublishedFiles {
  /** Where to: `s3://films/in`. */
  readonly to: string;
  readonly files: number;
  /** Of those with a known size: frames are taken, and files made, when they are used. */
  readonly bytes: number;
  readonly unmeasured: number;
}

/** Addresses of files of this machine in what is still to be sent, each once. */
export function localMediaIn({ instances }: Plan): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { step, decision, request } of instances) {
    const isSent = isToBeMade(decision) && kindOf(step).sent(step) !== undefined;
    if (!isSent) continue;
    for (const text of textsIn(request ?? {})) if (isLocalMedia(text)) found.add(text);
  }
  return found;
}

/** A whole text: a file of the author's, content, or a frame that is taken of it. */
export const isLocalMedia = (text: string): boolean =>
  /^file:\/\//i.test(text) ||
  /^sha256:[0-9a-f]{64}$/.test(text) ||
  (text.startsWith('/content/') && contentIn(text).length === 1) ||
  (text.startsWith('derived:') && derivedIn(text).length === 1);

/** An address that is over before a request's time is: a queue may be that long. */
export function shortLivedAddresses(plan: Plan, expires: number): readonly Diagnostic[] {
  const steps = new Set<Step>();
  for (const { step, request } of plan.instances)
    if (kindOf(step).sent(step) && [...textsIn(request ?? {})].some(isLocalMedia)) steps.add(step);
  return [...steps].flatMap((step): readonly Diagnostic[] => {
    // Milliseconds that the author gives it in the service's queue.
    const wait = step.timeout?.queue ?? step.timeout?.total;
    if (wait === undefined || wait <= expires) return [];
    const message = messages.addressesTooShort(step.name, expires, wait);
    const span = kindOf(step).sent(step)?.at ?? { start: 0, end: 0 };
    const source = sourceOf(plan.pipeline, step);
    return [{ severity: 'warning', code: 'short-lived-address', message, source, span }];
  });
}

/** `2 files (3.1 MB) to s3://films/in, if not there yet; anyone with the address of one can read it` */
export function publishedText({ to, files, bytes, unmeasured }: PublishedFiles): string {
  const what = `${files.toLocaleString('en-US')} ${files === 1 ? 'file' : 'files'}`;
  const size =
    unmeasured === 0 ? formatBytes(bytes) : bytes === 0 ? 'made meanwhile' : `${formatBytes(bytes)} and more`;
  return `${what} (${size}) to ${cleanText(to)}, if not there yet; anyone with the address of one can read it`;
}
