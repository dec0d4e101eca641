/** Runs for reports: North Light, whose media are small films made here, and runs of any size. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LocalStore } from '../../src/artifacts/local-store.ts';
import { renderCut } from '../../src/cutting/index.ts';
import type { ReportedInstance, ReportedMedia, RunReport } from '../../src/domain/run-report.ts';
import { systemClock } from '../../src/host/clock.ts';
import { film } from '../media/footage.ts';

export const northLight = (): RunReport =>
  JSON.parse(readFileSync(new URL('./north-light.json', import.meta.url), 'utf8'));

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

/** H.265 of the same film, as a service gives it. */
export async function hevcOf(store: LocalStore, of: ReportedMedia, folder: string): Promise<ReportedMedia> {
  const to = join(folder, 'hevc.mp4');
  const source = { sha256: of.sha256, path: `/content/${of.sha256}.mp4`, facts: of.facts };
  const whole = { at: 0, frames: 24, fadeIn: 0, fadeOut: 0 };
  const made = await renderCut({
    cut: {
      ...{ size: { width: 320, height: 180 }, rate: { frames: 24, seconds: 1 }, frames: 24 },
      ...{ overlays: [], sounds: [], loudness: null, codec: 'h265' },
      shots: [{ ...whole, dissolve: 0, name: 'hevc', picture: { is: 'video', source, in: 0, speed: 1, fit: 'crop' } }],
    },
    ...{ to, fileOf: () => store.file(of.sha256) ?? '', clock: systemClock, signal: new AbortController().signal },
  });
  if (made.is !== 'ok') throw new Error(made.message);
  const { sha256, bytes } = await store.adopt(to, '.mp4');
  return { sha256, bytes, facts: { ...of.facts, video_codec: 'hevc' }, needsProxy: true };
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

/** The same film with so many instances: shots repeated, each with its own key, prompt, ids and digest. */
export function largeRun(count: number): RunReport {
  const base = northLight();
  const shots = base.instances.filter(({ step }) => step === 'shot');
  const others = base.instances.filter(({ step }) => step !== 'shot');
  const more = Array.from({ length: count - others.length }, (_, at): ReportedInstance => {
    const shot = shots[at % shots.length]!;
    const [beat, take] = [String(Math.floor(at / 3) + 1), String((at % 3) + 1)];
    const hex = (salt: number, length: number) =>
      Array.from({ length }, (_, i) => (((at + 7) * (i + salt) * 2654435761) >>> 13).toString(16).slice(-1)).join('');
    const later = Math.floor(at / 8) * 9000;
    return {
      ...shot,
      key: `shot[beat=${beat},take=${take}]` as ReportedInstance['key'],
      label: `shot[beat=${beat},take=${take}]`,
      coordinates: { beat, take },
      prompt: `${shot.prompt}, number ${beat}`,
      media: shot.media && { ...shot.media, sha256: hex(3, 64) },
      fingerprint: hex(5, 64),
      generation: hex(11, 32),
      attempts: shot.attempts.map(it => ({
        ...it,
        ...{ queued: it.queued + later, running: it.running && it.running + later },
        ...{ fetching: it.fetching && it.fetching + later, ended: it.ended && it.ended + later },
      })),
    };
  });
  const first = base.instances.findIndex(({ step }) => step === 'shot');
  const instances = [...others.slice(0, first), ...more, ...others.slice(first)];
  const ends = instances.flatMap(({ attempts }) => attempts.map(({ ended }) => ended ?? 0));
  return { ...base, instances, run: { ...base.run, ended: Math.max(...ends) } };
}
