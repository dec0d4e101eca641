/** Runs for reports: North Light, whose media are small films made here, and runs of any size. */
import { join } from 'node:path';
import { encode } from '../../src/media/encode/encoder.ts';
import { hevcMain10, rateOf } from '../../src/media/encode/encoder-settings.ts';
import { toYuv } from '../../src/media/filtergraph.ts';
import type { ReportedInstance, ReportedMedia, RunReport } from '../../src/model/run/run-report.ts';
import { LocalStore } from '../../src/records/store/local-store.ts';
import { drift, film } from '../media/footage.ts';

export { largeRun, northLight } from './large-run.ts';

/** Two takes' worth of content, and a tall one, in a store. */
export async function storeOfFilms(folder: string) {
  const store = await LocalStore.open(join(folder, 'store'));
  const adopted = async (name: string, width: number, height: number, frames: number): Promise<ReportedMedia> => {
    const path = await film(join(folder, name), { width, height, frames });
    const { sha256, bytes } = await store.adopt(path, '.mp4');
    const facts = { kind: 'video', format: 'mp4', width, height, duration: frames / 24, fps: 24 } as const;
    const known = { ...facts, video_codec: 'h264', audio_codec: 'aac' };
    return { sha256, bytes, facts: known, needsProxy: false };
  };
  const films = [
    await adopted('one.mp4', 320, 180, 24),
    await adopted('two.mp4', 320, 180, 26),
    await adopted('tall.mp4', 90, 160, 24),
  ] as const;
  return { store, films };
}

/** H.265 of such a film, as a service gives it. */
export async function hevcOf(store: LocalStore, of: ReportedMedia, folder: string): Promise<ReportedMedia> {
  const to = join(folder, 'hevc.mp4');
  const { width = 0, height = 0, fps = 0, duration = 0 } = of.facts;
  const frames = { width, height, fps, pixels: drift(width, height, duration * fps) };
  await encode({ frames, graph: `[raw]${toYuv('yuv420p10le')}[v]`, video: hevcMain10(rateOf(fps)), out: to });
  const { sha256, bytes } = await store.adopt(to, '.mp4');
  return { sha256, bytes, facts: { ...of.facts, video_codec: 'hevc', audio_codec: null }, needsProxy: true };
}

/** The run with these in the place of its own: wide ones for what is wide. */
export function shownWith(report: RunReport, [one, two, tall]: readonly [ReportedMedia, ReportedMedia, ReportedMedia]) {
  const instances = report.instances.map((it, at): ReportedInstance => {
    if (!it.media) return it;
    const isTall = (it.media.facts.height ?? 0) > (it.media.facts.width ?? 0);
    return { ...it, media: isTall ? tall : at % 2 === 0 ? one : two };
  });
  return { ...report, instances, film: report.film && { ...report.film, media: one } };
}
