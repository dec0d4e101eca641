/** The file beside an output: what it is, what made it, and all that it was made from. Documented JSON: fields are added, never renamed. */

import type { InstanceKey } from '../../../model/run/key.ts';
import type { ReportedInstance, ReportedMedia, RunReport } from '../../../model/run/run-report.ts';
import { type Marked, type SourceType, sourceTypeAddress } from '../../../model/source-type.ts';
import type { Json, JsonObject } from '../../../model/text/json.ts';

/** Separates our own sidecar from other files. */
export const SIDECAR_VERSION = 'shotlist_provenance';
export const sidecarPath = (path: string): string => `${path}.provenance.json`;

export function sidecar(report: RunReport, file: OutputFile): JsonObject {
  const { run } = report;
  const { path, media, instance, marked } = file;
  return {
    [SIDECAR_VERSION]: 1,
    path,
    ...contentOf(file),
    ...(marked && { marked }),
    media_type: mediaType(media),
    media: { ...media.facts } as JsonObject,
    run: {
      ...{ id: run.id, name: run.name, file: run.file, service: run.service, profile: run.profile },
      ...{ began: iso(run.began), ended: run.ended === null ? null : iso(run.ended), shotlist: run.shotlist },
    },
    made: madeBy(instance),
    from: ancestorsOf(report, instance.key).map(madeBy),
  };
}

const madeBy = ({ key, step, kind, model, prompt, seed, generation, fingerprint, ...one }: ReportedInstance): Json => ({
  ...{ key, step, kind, model: model === '' ? null : model, prompt, seed, generation, fingerprint },
  request: one.request,
  sha256: one.media?.sha256 ?? null,
  files: one.files.map(({ name, media }) => ({ name, sha256: media.sha256 })),
  needs: one.needs,
  decided: one.decision && {
    ...{ by: one.decision.by, who: one.decision.who, at: iso(one.decision.at), note: one.decision.note },
    chosen: one.decision.chosen,
  },
});

const iso = (at: number): string => new Date(at).toISOString();

/** What the placed file holds: a marked film is another file than the result that it was copied from. */
export const contentOf = ({ media, written }: OutputFile): { sha256: string; bytes: number | null } =>
  written ?? { sha256: media.sha256, bytes: media.bytes };

/** Of a film that no run has marked: what is put together of others, what a computer draws by rules, what models make of words. */
function unmarkedType(isFree: boolean, isComposed: boolean): SourceType {
  if (isFree) return 'algorithmicMedia';
  return isComposed ? 'compositeSynthetic' : 'trainedAlgorithmicMedia';
}

export function c2paManifest(report: RunReport, file: OutputFile): JsonObject {
  const { run } = report;
  const { instance, media, path, marked } = file;
  const ancestors = ancestorsOf(report, instance.key);
  const withMedia = ancestors.filter(one => one.media !== null);
  const all = [instance, ...ancestors];
  const type = marked && marked !== 'none' ? marked : unmarkedType(run.isFree, withMedia.length > 0);
  return {
    claim_generator_info: [{ name: 'shotlist', version: run.shotlist }],
    title: path.split('/').at(-1) ?? path,
    format: mediaType(media),
    instance_id: `urn:sha256:${contentOf(file).sha256}`,
    ingredients: withMedia.map(one => ingredient(one)),
    assertions: [
      {
        label: 'c2pa.actions.v2',
        data: {
          actions: [
            {
              action: 'c2pa.created',
              when: new Date(run.ended ?? run.began).toISOString(),
              softwareAgent: { name: agentOf(instance, run.service) },
              digitalSourceType: sourceTypeAddress(type),
              parameters: { description: instance.prompt ?? instance.key },
            },
          ],
        },
      },
      {
        label: 'com.shotlist.provenance',
        data: {
          run: run.id,
          pipeline: run.file,
          models: [...new Set(all.map(({ model }) => model))].filter(model => model !== ''),
          generations: all.flatMap(({ generation }) => generation ?? []),
        },
      },
    ],
  };
}

const ingredient = ({ key, media }: ReportedInstance): JsonObject => ({
  title: key,
  format: media ? mediaType(media) : '',
  instance_id: `urn:sha256:${media?.sha256 ?? ''}`,
  relationship: 'componentOf',
});

const agentOf = ({ model, kind }: ReportedInstance, service: string): string =>
  model === '' ? `shotlist ${kind}` : `${model} at ${service}`;

/** A film that is handed on: an output of the run that is media and is there. */
export interface OutputFile {
  /** Relative to the project's root, with `/`. */
  readonly path: string;
  readonly media: ReportedMedia;
  readonly instance: ReportedInstance;
  readonly marked: Marked | null;
  /** What was written there, where that is not the result itself. */
  readonly written?: { readonly sha256: string; readonly bytes: number };
}

/** Each path once. */
export function outputFiles(report: RunReport): readonly OutputFile[] {
  const byKey = new Map(report.instances.map(one => [one.key, one]));
  const files = report.outputs.flatMap(({ path, media, marked, key, failed }): readonly OutputFile[] => {
    const instance = byKey.get(key);
    return media && instance && failed === null ? [{ path, media, marked, instance }] : [];
  });
  return [...new Map(files.map(file => [file.path, file])).values()];
}

/** What it was made from, nearest first; each once, itself not among them. */
function ancestorsOf(report: RunReport, key: InstanceKey): readonly ReportedInstance[] {
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
