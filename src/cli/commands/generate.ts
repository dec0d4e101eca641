/**
 * `shotlist generate MODEL field=value …`: one request, made and saved, without a pipeline file. What an earlier command with the very
 * same request left open is taken up first; otherwise each command makes a new one.
 */

import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import type { Pricing } from '../../api/catalog.ts';
import { modelLibrary } from '../../api/model-library.ts';
import { validateRequest } from '../../api/validate-request.ts';
import { LocalFiles } from '../../app/local-files.ts';
import { fetchResults } from '../../app/results/fetch-results.ts';
import { modelFromCatalog, studioLibrary } from '../../app/service/model-from-catalog.ts';
import { stopUnlessDrawable } from '../../app/service/stop-unless-drawable.ts';
import { VERSION } from '../../app/service/version.ts';
import { systemClock } from '../../machine/time/clock.ts';
import { type Mark, markOf } from '../../media/marking/mark.ts';
import { fieldOf, type Model } from '../../model/model.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import type { MediaResult } from '../../model/run/result.ts';
import { asTyped } from '../../model/text/clean.ts';
import { formatBytes } from '../../model/text/format.ts';
import { type Json, type JsonObject, recordIn } from '../../model/text/json.ts';
import { brokenLimits, type MediaInput } from '../../plan/media/media-fields.ts';
import { isUrl } from '../../plan/media/media-index.ts';
import { sourceTypes } from '../../plan/values/source-types.ts';
import { digestOf } from '../../records/store/digest.ts';
import { Outputs } from '../../run/outputs/outputs.ts';
import { nothingSent, UsageError } from '../arguments.ts';
import { command } from '../command-line/read-arguments.ts';
import { CommandError, unhandledSystemErrorText } from '../errors/command-error.ts';
import { generateMedia } from '../generate/generate-media.ts';
import {
  parseFieldValues,
  type SingleRequest,
  type SingleStep,
  singleStep,
  unknownModel,
} from '../generate/single-step.ts';
import { markDelivered, openWorkspace, type Workspace } from '../generate/workspace.ts';
import { jsonText, print, say } from '../outlets.ts';
import type { ServiceChoice } from '../service/choose-service.ts';
import { forgetSubmissions } from '../service/end-at-service.ts';
import { type Connection, valueOrThrow, withService } from '../service/with-service.ts';
import { INTERRUPTED } from '../terminal/signals.ts';

export const main = command('generate', async ({ values, positionals }, args) => {
  const [name, ...fields] = positionals;
  if (name === undefined) throw new UsageError('which model? shotlist generate MODEL field=value …');
  const label = /^\w+=/.test(name) && fields.find(word => !word.includes('='));
  if (label) throw new UsageError(`the model comes first: shotlist generate ${[label, name].map(asTyped).join(' ')}`);
  const { 'on-unknown': onUnknown, sync, out: to } = values;
  const again = ['shotlist', 'generate', ...args.filter(word => word !== '--forget')].map(asTyped).join(' ');
  return withService(values, async connection => {
    const { model, pricing } = await findModel(name, connection);
    const { step, request } = await planned(
      { name, model, pricing, fields: parseFieldValues(model, fields), sync },
      connection,
    );
    await using workspace = await openWorkspace(connection, step.film, step.key);
    if (values.forget)
      await forgetSubmissions(
        [...workspace.journal.views.ledger.open, ...workspace.journal.views.sent.lost()],
        workspace.journal,
      );
    const made = await generateMedia({
      ...{ connection, step, workspace, label: model.label, sync, again },
      onUnknown: onUnknown ?? connection.choice.onUnknown,
    });
    const files = await saveFiles(made, { connection, workspace, name, step, to, again });
    await markDelivered(workspace.journal, step.key);
    const whole = { model: name, request, generation_id: made.generation_id, files };
    if (values.json) print(jsonText(whole));
    else for (const { path } of files) print(`${path}\n`);
    return 0;
  });
});

type Wanted = Omit<SingleRequest, 'what' | 'choice' | 'localMedia'>;

/** @throws UsageError with everything that is wrong with it. */
async function planned(
  wanted: Wanted,
  { choice }: Connection,
): Promise<{ readonly step: SingleStep; readonly request: JsonObject }> {
  const { request, reasons, files } = await prepareRequest(wanted.model, wanted.fields, choice);
  if (reasons.length > 0) throw nothingSent(reasons);
  const step = singleStep({ ...wanted, what: 'generate', choice, localMedia: path => files.get(path) });
  if (!step.plan) throw nothingSent(step.diagnostics.map(({ message }) => message));
  stopUnlessDrawable(step.plan, step.context.library, choice.hosted);
  return { step: { ...step, authorFiles: files }, request };
}

/** A label of the interface document, or any other id of the service's catalog, which has the price. */
async function findModel(name: string, connection: Connection): Promise<Pick<Wanted, 'model' | 'pricing'>> {
  const { service, signal, choice } = connection;
  const known = modelLibrary.get(name);
  if (known?.produces === 'text') throw isChat(name);
  const own = choice.hosted ? undefined : studioLibrary.get(name);
  if (known && own) return { model: known, pricing: own.pricing as unknown as Pricing };
  const answer = await service.model(name, signal);
  if (known) return { model: known, pricing: answer.is === 'ok' ? answer.value.pricing : undefined };
  if (answer.is === 'absent') throw unknownModel(service.name, name, 'model');
  const found = valueOrThrow(answer, signal);
  const model = modelFromCatalog(found);
  if (model === undefined || model.produces === 'text') throw isChat(name);
  return { model, pricing: found.pricing };
}

const isChat = (name: string): UsageError =>
  new UsageError(`${name} is a chat model: talk to it with \`shotlist chat ${name}\``);

type Receiver = Pick<ServiceChoice, 'hosted'>;

interface PreparedRequest {
  /** Files replaced by addresses the service can read. */
  readonly request: JsonObject;
  /** Everything that is wrong with it; nothing may be sent unless this is empty. */
  readonly reasons: readonly string[];
  /** The files that it names, read already. */
  readonly files: LocalFiles;
}

/** A hosted service cannot read this machine's files. */
async function prepareRequest(model: Model, written: JsonObject, service: Receiver): Promise<PreparedRequest> {
  const files = new LocalFiles(process.cwd());
  // Reading a file's facts takes a while: the first pass names the files, and the second knows them.
  let seen = withAddresses(model, written, files, service);
  if (await files.load()) seen = withAddresses(model, written, files, service);
  const { request, inputs, missing } = seen;
  const reasons = [
    ...validateRequest(model, request),
    ...brokenLimits(NOWHERE, model, request, inputs),
    ...missing.map(message => ({ path: '', message })),
  ];
  return { request, files, reasons: [...new Set(reasons.map(({ message }) => message))] };
}

/** The command line has no places in a file. */
const NO_PLACE = { start: 0, end: 0 };
const NOWHERE = { with: { is: 'map', entries: [], at: NO_PLACE }, modelAt: NO_PLACE } as const;

function withAddresses(model: Model, written: JsonObject, files: LocalFiles, { hosted }: Receiver) {
  const inputs: MediaInput[] = [];
  const missing: string[] = [];
  const address = (name: string, value: Json): Json => {
    const field = fieldOf(model, name.replace(/\[\d+\]$/, ''));
    const limit = field?.media ?? field?.items?.media;
    if (limit === undefined || typeof value !== 'string' || isUrl(value)) return value;
    if (hosted) {
      missing.push(`${name} is a file of this machine, which the service cannot read: give it an https:// address`);
      return 'file:///';
    }
    const media = files.get(value);
    if (media === undefined) missing.push(`${name}: there is no file ${value}`);
    else if ('unusable' in media) missing.push(`${name}: ${value} ${media.unusable}`);
    else inputs.push({ field: name, at: NO_PLACE, limit, facts: media.facts, bytes: media.bytes });
    return media && 'url' in media ? media.url : 'file:///';
  };
  const request = Object.fromEntries(
    Object.entries(written).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map((item, index) => address(`${name}[${index}]`, item)) : address(name, value),
    ]),
  );
  return { request, inputs, missing };
}

interface SavedFile {
  /** As a person would type it. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly result_url: string;
}

interface SaveOptions {
  readonly connection: Connection;
  readonly workspace: Workspace;
  readonly name: string;
  readonly step: SingleStep;
  readonly to: string | undefined;
  readonly again: string;
}

/** @throws CommandError when a place refuses it: the result stays in the store, and the same command brings it again. */
async function saveFiles(made: MediaResult, options: SaveOptions): Promise<readonly SavedFile[]> {
  const { workspace, name, to } = options;
  const stem = `${name}-${(made.generation_id ?? made.sha256).slice(0, 8)}`;
  const saved: SavedFile[] = [];
  for (const [index, one] of [made, ...(await others(made, options))].entries()) {
    const nth = index === 0 ? '' : `-${index + 1}`;
    // Paid for: the team has it, also where its place here refuses it.
    workspace.shared?.share(one);
    const path = await place(one, targetOf(to, stem, nth, one.extension), options);
    say(`${name}: ${path}, ${formatBytes(one.bytes)}`);
    saved.push({ path, ...(await digestOf(path)), result_url: one.result_url });
  }
  if (saved.length > 1) await workspace.journal.notes.set('more', '');
  return saved;
}

/** What a call made beside its first result: a step has one. */
async function others(
  made: MediaResult,
  { workspace, name, connection, again }: SaveOptions,
): Promise<readonly MediaResult[]> {
  const noted = workspace.journal.notes.get('more');
  if (made.generation_id !== null || !noted) return [];
  const fetchResult = fetchResults(workspace.store, connection.choice.baseUrl);
  const found: MediaResult[] = [];
  for (const [index, url] of ((recordIn(noted) ?? []) as readonly string[]).entries()) {
    const fetched = await fetchResult(
      url,
      `${workspace.journal.views.film}-${index + 2}`,
      connection.signal,
      made.media.kind,
    );
    if (fetched.is !== 'ok') {
      const exitCode = connection.signal.aborted ? INTERRUPTED : 1;
      throw new CommandError(exitCode, [
        `${name} is made, and could not be fetched: ${fetched.message}; \`${again}\` fetches it again`,
        `  it is at ${url}`,
      ]);
    }
    const { sha256, bytes, media } = fetched;
    const extension = extname(await workspace.store.pathOf(sha256));
    found.push({ ...made, sha256, bytes, extension, result_url: url, media: media ?? made.media });
  }
  return found;
}

async function place(made: MediaResult, path: string, { workspace, again, name, step }: SaveOptions): Promise<string> {
  const folder = dirname(path);
  const refused = (why: string) =>
    new CommandError(
      1,
      `${name} is made and paid for, and ${path} was not written: ${why}; \`${again}\`, with another --out if you like, writes it and sends nothing`,
    );
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    const trouble = unhandledSystemErrorText(error);
    if (trouble === undefined) throw error;
    throw refused(trouble);
  }
  const key = 'generate' as string as InstanceKey;
  const planned = { name: 'generate', instance: key, path: basename(path) };
  const outputs = new Outputs([{ ...planned, ...(workspace.isUnmarked && { unmarked: true }) }], {
    ...{ root: resolve(folder), store: workspace.store, clock: systemClock },
    mark: () => markOfOne(made, step),
  });
  const [placed] = await outputs.place(key, made);
  if (placed === undefined) throw new Error(`${path} was asked for, and has no outcome`);
  if (placed.is === 'failed') throw refused(placed.reason);
  const written = relative('', join(folder, placed.path));
  if (placed.note !== undefined) say(`${name}: ${written}: ${placed.note}`);
  return written;
}

function markOfOne(made: MediaResult, { plan, key, context }: SingleStep): Mark | undefined {
  const type = plan && sourceTypes(plan, one => (one === key ? made : undefined), context)(key);
  return type && markOf(type, VERSION);
}

/** `to` is a folder, a path, or undefined: then the file goes here, under a name of its own. */
function targetOf(to: string | undefined, name: string, nth: string, ext: string): string {
  const own = `${name.replaceAll(/[^\w.-]+/g, '_')}${nth}${ext}`;
  if (to === undefined) return own;
  if (to.endsWith('/') || (existsSync(to) && statSync(to).isDirectory())) return join(to, own);
  if (nth === '') return to;
  return `${to.slice(0, to.length - extname(to).length)}${nth}${extname(to)}`;
}
