/** Puts what one request made where a person can see it: by the rules of a film's outputs, under the name that was typed. */
import { existsSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { formatBytes } from '../../domain/format.ts';
import type { InstanceKey } from '../../domain/key.ts';
import type { MediaResult } from '../../domain/result.ts';
import { systemClock } from '../../host/clock.ts';
import { Outputs } from '../../run/outputs/outputs.ts';
import { Stop } from '../errors/command-error.ts';
import { machineTrouble } from '../errors/system-error-text.ts';
import { INTERRUPTED, type OneOff, say } from '../service/with-service.ts';
import { fetchResults } from '../session/fetch-results.ts';
import type { OneFilm } from './workspace.ts';

export interface Saved {
  /** As a person would type it. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly result_url: string;
}

interface Order {
  readonly given: OneOff;
  readonly film: OneFilm;
  readonly name: string;
  readonly to: string | undefined;
  readonly again: string;
}

/** @throws Stop when a place refuses it: it stays in the store, and the same command brings it again. */
export async function save(made: MediaResult, order: Order): Promise<readonly Saved[]> {
  const { film, name, to } = order;
  const stem = `${name}-${(made.generation_id ?? made.sha256).slice(0, 8)}`;
  const saved: Saved[] = [];
  for (const [index, one] of [made, ...(await others(made, order))].entries()) {
    const nth = index === 0 ? '' : `-${index + 1}`;
    const path = await place(one, targetOf(to, stem, nth, extname(one.file)), order);
    say(`${name}: ${path}, ${formatBytes(one.bytes)}`);
    const { sha256, bytes, result_url } = one;
    saved.push({ path, sha256, bytes, result_url });
  }
  if (saved.length > 1) await film.journal.setNote('more', '');
  return saved;
}

/** What a call made beside the first, which is all that a step is. */
async function others(made: MediaResult, { film, name, given, again }: Order): Promise<readonly MediaResult[]> {
  const noted = film.journal.note('more');
  if (made.generation_id !== null || !noted) return [];
  const fetchResult = fetchResults(film.store, given.choice.baseUrl);
  const found: MediaResult[] = [];
  for (const [index, url] of (JSON.parse(noted) as string[]).entries()) {
    const fetched = await fetchResult(url, `${film.journal.film}-${index + 2}`, given.signal, made.media.kind);
    if (fetched.is !== 'ok') {
      const exit = given.signal.aborted ? INTERRUPTED : 1;
      throw new Stop(
        exit,
        `${name} is made, and could not be fetched: ${fetched.message}; \`${again}\` fetches it again\n  it is at ${url}`,
      );
    }
    const { sha256, bytes } = fetched;
    found.push({
      ...made,
      sha256,
      bytes,
      file: film.store.file(sha256) ?? '',
      result_url: url,
      media: fetched.media ?? made.media,
    });
  }
  return found;
}

async function place(made: MediaResult, path: string, { film, again, name }: Order): Promise<string> {
  const folder = dirname(path);
  const refused = (why: string) =>
    new Stop(
      1,
      `${name} is made and paid for, and ${path} was not written: ${why}; \`${again}\`, with another --to if you like, writes it and sends nothing`,
    );
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    const trouble = machineTrouble(error);
    if (trouble === undefined) throw error;
    throw refused(trouble);
  }
  const key = 'generate' as string as InstanceKey;
  const planned = [{ name: 'generate', instance: key, path: basename(path) }];
  const outputs = new Outputs(planned, { root: resolve(folder), store: film.store, clock: systemClock });
  const [placed] = await outputs.place(key, made);
  if (placed === undefined) throw new Error(`${path} was asked for, and nobody said what became of it`);
  if (placed.is === 'failed') throw refused(placed.reason);
  const written = relative('', join(folder, placed.path));
  if (placed.note !== undefined) say(`${name}: ${written}: ${placed.note}`);
  return written;
}

/** A folder, a path, or nothing: then here, under a name of its own. */
function targetOf(to: string | undefined, name: string, nth: string, ext: string): string {
  const own = `${name.replaceAll(/[^\w.-]+/g, '_')}${nth}${ext}`;
  if (to === undefined) return own;
  if (to.endsWith('/') || (existsSync(to) && statSync(to).isDirectory())) return join(to, own);
  if (nth === '') return to;
  return `${to.slice(0, to.length - extname(to).length)}${nth}${extname(to)}`;
}
