/** Copies what one request made out of the store, by the rules of a film's outputs, under the name that was typed. */
import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { digestOf } from '../../artifacts/digest.ts';
import { formatBytes } from '../../domain/format.ts';
import { recordIn } from '../../domain/json.ts';
import type { InstanceKey } from '../../domain/key.ts';
import type { MediaResult } from '../../domain/result.ts';
import { systemClock } from '../../host/clock.ts';
import { type Mark, markOf } from '../../media/marking/xmp.ts';
import { sourceTypes } from '../../plan/source-types.ts';
import { Outputs } from '../../run/outputs/outputs.ts';
import { fetchResults } from '../../session/fetch-results.ts';
import { VERSION } from '../../session/version.ts';
import { CommandError } from '../errors/command-error.ts';
import { unhandledSystemErrorText } from '../errors/unhandled-system-error.ts';
import { say } from '../outlets.ts';
import type { Connection } from '../service/with-service.ts';
import { INTERRUPTED } from '../terminal/signals.ts';
import type { SingleStep } from './single-step.ts';
import type { Workspace } from './workspace.ts';

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
export async function saveFiles(made: MediaResult, options: SaveOptions): Promise<readonly SavedFile[]> {
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
    const { sha256, bytes } = fetched;
    found.push({
      ...made,
      sha256,
      bytes,
      extension: extname(await workspace.store.pathOf(sha256)),
      result_url: url,
      media: fetched.media ?? made.media,
    });
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
  if (placed === undefined) throw new Error(`${path} was asked for, and nobody said what became of it`);
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
