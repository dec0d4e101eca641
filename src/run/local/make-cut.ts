/** Renders a cut on this machine: into an empty folder, looked at before it is believed, and moved into the store as one whole file. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DiskError } from '../../machine/files/disk-error.ts';
import { type Cut, sourcesIn, sourcesOf } from '../../model/media/cut.ts';
import { contentPath, contentUrl } from '../../model/run/result.ts';
import type { Store } from '../../records/store/store.ts';
import type { CutOutcome, CutWork } from '../ports/executor.ts';
import type { Probe } from './created-files.ts';

/** The cutting room's door; see `media/cut/index.ts`. Rejects with the signal's reason when that aborts. */
export type RenderCut = (order: {
  readonly cut: Cut;
  readonly to: string;
  readonly fileOf: (sha256: string) => string;
  /** Frames that are in the film so far. */
  readonly onProgress: (frames: number) => void;
  readonly signal: AbortSignal;
}) => Promise<{ readonly is: 'ok' } | { readonly is: 'failed'; readonly message: string; readonly here?: true }>;

interface CutContext {
  /** Absolute, empty, this cut's alone. */
  readonly folder: string;
  readonly store: Pick<Store, 'has' | 'pathOf' | 'adopt'>;
  readonly probe: Probe;
  readonly render: RenderCut;
  readonly progress: (fraction: number) => void;
  readonly signal: AbortSignal;
}

export async function makeCut({ cut, authorPaths }: CutWork, context: CutContext): Promise<CutOutcome> {
  const { folder, store, probe, render, progress, signal } = context;
  const paths = new Map<string, string>();
  for (const { sha256 } of sourcesOf(cut)) {
    const own = authorPaths.get(sha256);
    if (paths.has(sha256)) continue;
    if (store.has(sha256)) paths.set(sha256, await store.pathOf(sha256));
    else if (own !== undefined && existsSync(own)) paths.set(sha256, own);
    else return failed(gone(cut, sha256));
  }
  const extension = cut.codec === 'prores' ? '.mov' : '.mp4';
  const to = join(folder, `film${extension}`);
  const onProgress = (frames: number) => progress(Math.min(1, frames / cut.frames));
  try {
    const rendered = await render({ cut, to, fileOf: sha256 => paths.get(sha256) ?? '', onProgress, signal });
    if (signal.aborted) return { is: 'stopped' };
    if (rendered.is === 'failed') return failed(rendered.message, rendered.here);
    const facts = await probe(to);
    if (signal.aborted) return { is: 'stopped' };
    if (!facts || !('kind' in facts)) return failed('what was rendered cannot be read back; run again', true);
    const { sha256, bytes } = await store.adopt(to, extension);
    const result_url = contentUrl(contentPath({ sha256, extension }));
    const made = { is: 'media', result_url, sha256, extension, bytes, generation_id: null, cost: 0 } as const;
    return { is: 'ok', result: { ...made, request: {}, media: facts } };
  } catch (error) {
    if (signal.aborted) return { is: 'stopped' };
    if (error instanceof DiskError) return failed(error.message, true);
    throw error;
  }
}

const failed = (message: string, here?: true): CutOutcome => ({
  is: 'failed',
  failure: { code: 'cut_failed', message, ...(here && { here }) },
});

function gone({ shots }: Cut, sha256: string): string {
  const shot = shots.find(({ picture }) => sourcesIn(picture).some(source => source.sha256 === sha256));
  const what = shot ? `the file of ${shot.name} is` : 'one of its files is';
  return `${what} not on this machine any more (sha256 ${sha256.slice(0, 12)}…); run again to have it made or fetched`;
}
