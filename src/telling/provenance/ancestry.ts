/** Where a file of a run comes from: what made it, and what that was made from, back to the author's own words. */
import type { InstanceKey } from '../../domain/key.ts';
import type { ReportedInstance, ReportedMedia, RunReport } from '../../domain/run-report.ts';

/** A film that is handed on: an output of the run that is media and is there. */
export interface OutputFile {
  /** Relative to the project's root, with `/`. */
  readonly path: string;
  readonly media: ReportedMedia;
  readonly instance: ReportedInstance;
}

/** Each path once. */
export function outputFiles(report: RunReport): readonly OutputFile[] {
  const byKey = new Map(report.instances.map(one => [one.key, one]));
  const files = report.outputs.flatMap(({ path, media, key, failed }): readonly OutputFile[] => {
    const instance = byKey.get(key);
    return media && instance && failed === null ? [{ path, media, instance }] : [];
  });
  return [...new Map(files.map(file => [file.path, file])).values()];
}

/** What it was made from, nearest first; each once, itself not among them. */
export function ancestorsOf(report: RunReport, key: InstanceKey): readonly ReportedInstance[] {
  const byKey = new Map(report.instances.map(one => [one.key, one]));
  const seen = new Set<InstanceKey>([key]);
  const found: ReportedInstance[] = [];
  let next: readonly InstanceKey[] = [key];
  while (next.length > 0) {
    const needs = next.flatMap(one => byKey.get(one)?.needs ?? []);
    next = [...new Set(needs)].filter(one => !seen.has(one));
    for (const one of next) {
      seen.add(one);
      const instance = byKey.get(one);
      if (instance && isMade(instance)) found.push(instance);
    }
  }
  return found;
}

export const isMade = ({ state }: Pick<ReportedInstance, 'state'>): boolean => state === 'made' || state === 'reused';

/** As the web names its format. */
export function mediaType({ facts }: Pick<ReportedMedia, 'facts'>): string {
  const { kind, format = '' } = facts;
  return `${kind}/${TYPES[format] ?? (/^[a-z\d.+-]+$/.test(format) ? format : 'x-unknown')}`;
}

const TYPES: Readonly<Record<string, string>> = {
  ...{ jpg: 'jpeg', mov: 'quicktime', mkv: 'x-matroska', mp3: 'mpeg', m4a: 'mp4', wav: 'wav', mp4: 'mp4' },
};
