/**
 * Carries out the work of a run on this machine: commands in scratch folders of their own, downloads into the content store. Work begins at once: the queue of
 * the run (`work-queue.ts`) limits how much of it there is, and orders it.
 */

import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { CommandRunner } from '../../machine/process/command-runner.ts';
import type { DerivedMedia } from '../../model/media/derived-media.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import type { InstanceKey } from '../../model/run/key.ts';
import { contentIn } from '../../model/run/result.ts';
import { mapTexts, textsIn } from '../../model/text/json.ts';
import type { Store } from '../../records/store/store.ts';
import type {
  CommandOutcome,
  CommandWork,
  CutOutcome,
  CutTurn,
  CutWork,
  DeriveOutcome,
  DownloadNews,
  DownloadOutcome,
  DownloadTurn,
  DownloadWork,
  Executor,
  Turn,
} from '../ports/executor.ts';
import { realPathsIn } from '../real-paths.ts';
import type { CommandLog } from './command-logs.ts';
import type { Probe } from './created-files.ts';
import type { DerivedFiles } from './derived-files.ts';
import { makeCut, type RenderCut } from './make-cut.ts';
import { runCommand } from './run-command.ts';

interface LocalExecutorOptions {
  readonly store: Store;
  readonly commands: CommandRunner;
  readonly probe: Probe;
  /** Absent: what commands write is kept nowhere. */
  readonly logs?: { begin(key: InstanceKey): Pick<CommandLog, 'line' | 'close'> };
  readonly fetchResult: FetchResult;
  /** Absent: nothing is taken out of videos here. */
  readonly derived?: DerivedFiles;
  /** Absent: this machine renders no films. */
  readonly renderCut?: RenderCut | undefined;
  /** Absolute path of the project's root, which a command sees as `$SHOTLIST_PROJECT`. */
  readonly root: string;
  /** Absolute path of the folder that scratch folders are made in; whatever an earlier run left in it goes. */
  readonly scratch: string;
  readonly newId: () => string;
}

/** Brings a result into the store; see `records/store/download.ts`. `media`: what looking for its kind found, where one was asked for. */
export type FetchResult = (
  url: string,
  id: string,
  signal: AbortSignal,
  kind?: DownloadWork['kind'],
  news?: DownloadNews,
) => Promise<
  | { readonly is: 'ok'; readonly sha256: string; readonly bytes: number; readonly media?: MediaFacts | undefined }
  | Exclude<DownloadOutcome, { readonly is: 'ok' }>
>;

export class LocalExecutor implements Executor {
  readonly #options: LocalExecutorOptions;
  readonly #scratch: ScratchFolders;

  constructor(options: LocalExecutorOptions) {
    this.#options = options;
    this.#scratch = new ScratchFolders(options.scratch, options.newId);
  }

  async runCommand(work: CommandWork, turn: Turn, signal: AbortSignal): Promise<CommandOutcome> {
    // The turn may have been long in coming.
    if (signal.aborted || turn.isWanted?.() === false) return { is: 'stopped' };
    turn.started();
    const folder = this.#scratch.take();
    try {
      return await this.#runIn(folder, work, turn, signal);
    } finally {
      await this.#scratch.giveBack(folder);
    }
  }

  async makeCut(work: CutWork, { started, progress }: CutTurn, signal: AbortSignal): Promise<CutOutcome> {
    if (signal.aborted) return { is: 'stopped' };
    const { store, probe, renderCut: render } = this.#options;
    if (!render) return { is: 'failed', failure: { code: 'cut_failed', message: 'this machine renders no films' } };
    started();
    const folder = this.#scratch.take();
    try {
      return await makeCut(work, { folder, store, probe, render, progress, signal });
    } finally {
      await this.#scratch.giveBack(folder);
    }
  }

  async download(
    { url, id, kind }: DownloadWork,
    { started, ...news }: DownloadTurn,
    signal: AbortSignal,
  ): Promise<DownloadOutcome> {
    if (signal.aborted) return { is: 'failed', message: 'stopped' };
    started();
    const { fetchResult, probe, store } = this.#options;
    const fetched = await fetchResult(url, id, signal, kind, news);
    if (fetched.is !== 'ok') return fetched;
    const { sha256, bytes } = fetched;
    const path = await store.pathOf(sha256);
    return { is: 'ok', sha256, extension: extname(path), bytes, media: fetched.media ?? factsOf(await probe(path)) };
  }

  async derive(media: DerivedMedia, signal: AbortSignal): Promise<DeriveOutcome> {
    const { derived } = this.#options;
    return derived ? derived.get(media, signal) : { is: 'failed', message: 'nothing here takes frames out of videos' };
  }

  async #runIn(folder: string, work: CommandWork, { begin }: Turn, signal: AbortSignal): Promise<CommandOutcome> {
    const { store, commands: runner, probe, root, logs } = this.#options;
    // A value is never part of a script: only arguments hold any.
    const named = { argv: argumentsOf(work), env: work.env, files: work.files };
    const here = await realPathsIn(textsIn(named), store);
    const gone = goneFrom(work, here, store);
    if (gone !== undefined) return failed(gone);
    if (begin && !(await begin())) return { is: 'stopped' };
    const { argv, env, files } = mapTexts(named, here) as typeof named;
    const ready = { ...work, command: 'argv' in work.command ? { argv } : work.command, env, files };
    const log = logs?.begin(work.key) ?? NO_LOG;
    const done = await runCommand(ready, { folder, root, runner, store, probe, log, signal });
    return signal.aborted && done.is !== 'ok' && !work.effect ? { is: 'stopped' } : done;
  }
}

/** A file that it reads by its path and that is no longer here: a command would look for it in vain. */
function goneFrom(work: CommandWork, here: (text: string) => string, store: Store): string | undefined {
  const named = [
    ...argumentsOf(work).map(text => ['an argument', text] as const),
    ...Object.entries(work.env).map(([name, text]) => [`env.${name}`, text] as const),
    ...Object.entries(work.files).map(([name, text]) => [`files.${name}`, text] as const),
  ];
  for (const [where, text] of named) {
    if (/^https?:/i.test(text)) continue;
    const sha256 = contentIn(text).find(one => !store.has(one));
    if (sha256 !== undefined && here(text).includes(sha256))
      return `${where} names a file that is no longer on this machine (sha256 ${sha256.slice(0, 12)}…), and what acts outside is not done again for it: read something else of that step`;
  }
  return undefined;
}

const failed = (message: string) =>
  ({ is: 'failed', failure: { code: 'command_failed', exit: null, message } }) as const;

const factsOf = (found: Awaited<ReturnType<Probe>>): MediaFacts | null => (found && 'kind' in found ? found : null);

const NO_LOG = { line: () => {}, close: () => undefined };

const argumentsOf = ({ command }: CommandWork): readonly string[] => ('argv' in command ? command.argv : []);

/** Empty folders for commands to work in. Each folder belongs to one command, and a folder that is left empty is used again. */
class ScratchFolders {
  readonly #root: string;
  readonly #newId: () => string;
  readonly #free: string[] = [];
  #swept = false;

  /** @param root absolute; whatever an earlier run left in it is removed. */
  constructor(root: string, newId: () => string) {
    this.#root = root;
    this.#newId = newId;
  }

  take(): string {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (!this.#swept) rmSync(this.#root, { recursive: true, force: true });
    this.#swept = true;
    const folder = join(this.#root, this.#newId());
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  async giveBack(folder: string): Promise<void> {
    if (readdirSync(folder).length === 0) this.#free.push(folder);
    else await rm(folder, { recursive: true, force: true });
  }
}
