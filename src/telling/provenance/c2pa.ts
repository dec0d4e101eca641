/** A manifest definition for a signer of Content Credentials (C2PA 2): what made the film, and its ancestors as ingredients. */
import type { JsonObject } from '../../domain/json.ts';
import type { ReportedInstance, RunReport } from '../../domain/run-report.ts';
import { ancestorsOf, mediaType, type OutputFile } from './ancestry.ts';

/** What models make of words, what is put together of that, and what a computer draws by rules. */
const SOURCE = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
const TRAINED = `${SOURCE}trainedAlgorithmicMedia`;
const COMPOSED = `${SOURCE}compositeWithTrainedAlgorithmicMedia`;
const DRAWN = `${SOURCE}algorithmicMedia`;

export function c2paManifest(report: RunReport, file: OutputFile): JsonObject {
  const { run } = report;
  const { instance, media, path } = file;
  const ancestors = ancestorsOf(report, instance.key);
  const withMedia = ancestors.filter(one => one.media !== null);
  const all = [instance, ...ancestors];
  return {
    claim_generator_info: [{ name: 'shotlist', version: run.shotlist }],
    title: path.split('/').at(-1) ?? path,
    format: mediaType(media),
    instance_id: `urn:sha256:${media.sha256}`,
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
              digitalSourceType: run.isFree ? DRAWN : withMedia.length > 0 ? COMPOSED : TRAINED,
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
