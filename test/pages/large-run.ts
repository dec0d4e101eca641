/** North Light as a run of any size. */
import { readFileSync } from 'node:fs';
import type { ReportedInstance, RunReport } from '../../src/model/run/run-report.ts';

export const northLight = (): RunReport =>
  JSON.parse(readFileSync(new URL('./north-light.json', import.meta.url), 'utf8'));

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
