/**
 * A run as a Workflow Run RO-Crate (profile 0.5, on RO-Crate 1.1): the pipeline is the workflow, the run an action that has the films as its
 * result, and what each instance did an action of its own. Files of the crate are its outputs; what they were made from is named by digest.
 */

import type { InstanceKey } from '../../../model/run/key.ts';
import type { ReportedInstance, ReportedMedia, RunReport } from '../../../model/run/run-report.ts';
import type { JsonObject } from '../../../model/text/json.ts';
import { contentOf, isMade, mediaType, type OutputFile } from './sidecar.ts';

export interface CrateFile {
  /** In the crate's folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly mediaType: string;
}

interface CrateContent {
  /** The pipeline's file. */
  readonly workflow: CrateFile;
  /** Outputs with bytes that are in the crate. */
  readonly outputs: readonly OutputFile[];
  /** What lies beside them: the lock, sidecars, manifests, signed films. */
  readonly others: readonly (CrateFile & { readonly name: string })[];
  /** Names a licence, as an address; null where it is not set. */
  readonly license: string | null;
}

const PROFILES = [
  { '@id': 'https://w3id.org/ro/wfrun/process/0.5', name: 'Process Run Crate', version: '0.5' },
  { '@id': 'https://w3id.org/ro/wfrun/workflow/0.5', name: 'Workflow Run Crate', version: '0.5' },
  { '@id': 'https://w3id.org/workflowhub/workflow-ro-crate/1.0', name: 'Workflow RO-Crate', version: '1.0' },
] as const;
const [, , WORKFLOW_CRATE] = PROFILES;
const PACKAGE = 'https://www.npmjs.com/package/shotlist';
const RO_CRATE = 'https://w3id.org/ro/crate/1.1';

export function crate(report: RunReport, content: CrateContent): JsonObject {
  const { run } = report;
  const ended = new Date(run.ended ?? run.began).toISOString();
  const files = [...content.outputs.map(({ path }) => path), ...content.others.map(({ path }) => path)];
  const actions = report.instances.filter(isMade).map(one => actionOf(one, report, content));
  const root: JsonObject = {
    '@id': './',
    '@type': 'Dataset',
    name: `${run.name}: ${outcome(run)}`,
    description: run.description ?? `A run of ${run.file} with Shotlist on ${run.service}.`,
    datePublished: ended,
    license: content.license === null ? 'No licence is declared.' : ref(content.license),
    conformsTo: PROFILES.map(one => ref(one['@id'])),
    hasPart: [content.workflow.path, ...files].map(path => ref(idOf(path))),
    mainEntity: ref(idOf(content.workflow.path)),
    mentions: [ref(runId(report)), ...actions.map(one => ref(String(one['@id'])))],
  };
  return {
    '@context': ['https://w3id.org/ro/crate/1.1/context', 'https://w3id.org/ro/terms/workflow-run/context'],
    '@graph': [
      {
        '@id': 'ro-crate-metadata.json',
        '@type': 'CreativeWork',
        about: ref('./'),
        conformsTo: [RO_CRATE, WORKFLOW_CRATE['@id']].map(ref),
      },
      root,
      ...PROFILES.map(one => ({ '@type': 'CreativeWork', ...one })),
      workflowOf(report, content),
      {
        ...{ '@id': '#shotlist', '@type': 'ComputerLanguage', name: 'Shotlist', version: '1' },
        ...{ alternateName: 'Shotlist YAML', identifier: ref(PACKAGE), url: ref(PACKAGE) },
      },
      runAction(report, content, ended),
      ...content.outputs.map(outputEntity),
      ...content.others.map(({ path, name, bytes, mediaType: encodingFormat }) => ({
        ...{ '@id': idOf(path), '@type': 'File', name, contentSize: String(bytes), encodingFormat },
      })),
      ...actions,
      ...unincluded(report, content),
      ...toolsOf(report),
      ...(content.license === null ? [] : [{ '@id': content.license, '@type': 'CreativeWork', name: content.license }]),
    ],
  };
}

const outcome = ({ outcome: is }: RunReport['run']): string =>
  is === 'done' ? 'a run that is done' : `a run that ended ${is}`;
const ref = (id: string): JsonObject => ({ '@id': id });
const runId = ({ run }: RunReport): string => `#run-${inAddress(run.id)}`;
/** Half of a character has no place in an address. */
const inAddress = (text: string): string => encodeURIComponent(text.toWellFormed());
/** A path as a relative address: a colon at the start would be read as a scheme. */
const idOf = (path: string): string => path.split('/').map(inAddress).join('/');
const actionId = (key: InstanceKey): string => `#made-${inAddress(key)}`;
const mediaId = ({ sha256 }: ReportedMedia): string => `#sha256-${sha256}`;
const toolId = ({ model, kind }: ReportedInstance): string => `#tool-${inAddress(model === '' ? kind : model)}`;

function workflowOf(report: RunReport, { workflow }: CrateContent): JsonObject {
  return {
    '@id': idOf(workflow.path),
    '@type': ['File', 'SoftwareSourceCode', 'ComputationalWorkflow'],
    name: report.run.name,
    ...(report.run.description !== null && { description: report.run.description }),
    contentSize: String(workflow.bytes),
    encodingFormat: workflow.mediaType,
    programmingLanguage: ref('#shotlist'),
    hasPart: toolsOf(report).map(({ '@id': id }) => ref(String(id))),
  };
}

function runAction(report: RunReport, { workflow, outputs }: CrateContent, endTime: string): JsonObject {
  const { run } = report;
  const isDone = run.outcome === 'done';
  return {
    '@id': runId(report),
    '@type': 'CreateAction',
    name: `Run ${run.id} of ${run.name}`,
    instrument: ref(idOf(workflow.path)),
    startTime: new Date(run.began).toISOString(),
    ...(run.ended !== null && { endTime }),
    actionStatus: ref(`http://schema.org/${isDone ? 'Completed' : 'Failed'}ActionStatus`),
    ...(isDone ? {} : { error: run.reason ?? run.outcome }),
    object: [],
    result: outputs.map(({ path }) => ref(idOf(path))),
  };
}

function outputEntity(file: OutputFile): JsonObject {
  const { path, media, instance } = file;
  const { sha256, bytes } = contentOf(file);
  return {
    ...{ '@id': idOf(path), '@type': 'File', name: path.split('/').at(-1) ?? path, encodingFormat: mediaType(media) },
    ...(bytes !== null && { contentSize: String(bytes) }),
    sha256,
    description: `The result of ${instance.key}.`,
  };
}

/** The id of a medium in the crate: its file, or its digest alone. */
function entityOf(media: ReportedMedia, { outputs }: CrateContent): string {
  const file = outputs.find(one => one.media.sha256 === media.sha256);
  return file ? idOf(file.path) : mediaId(media);
}

function actionOf(instance: ReportedInstance, report: RunReport, content: CrateContent): JsonObject {
  const byKey = new Map(report.instances.map(one => [one.key, one]));
  const used = instance.needs.flatMap(key => byKey.get(key)?.media ?? []);
  const { key, attempts, prompt, media, generation, kind, model, state } = instance;
  const began = attempts.at(0)?.queued;
  const ended = attempts.at(-1)?.ended;
  return {
    '@id': actionId(key),
    '@type': 'CreateAction',
    name: key,
    description: [
      prompt ?? `${kind} ${model}`.trim(),
      ...(state === 'reused' ? ['(made by an earlier run)'] : []),
    ].join(' '),
    instrument: ref(toolId(instance)),
    ...(began !== undefined && { startTime: new Date(began).toISOString() }),
    ...(typeof ended === 'number' && { endTime: new Date(ended).toISOString() }),
    actionStatus: ref('http://schema.org/CompletedActionStatus'),
    object: [...new Set(used.map(one => entityOf(one, content)))].map(ref),
    result: media ? [ref(entityOf(media, content))] : [],
    ...(generation !== null && { identifier: generation }),
  };
}

/** Media that are named and are no file of the crate. */
function unincluded(report: RunReport, content: CrateContent): readonly JsonObject[] {
  const inside = new Set(content.outputs.map(({ media }) => media.sha256));
  const media = report.instances
    .filter(isMade)
    .flatMap(one => (one.media && !inside.has(one.media.sha256) ? [{ key: one.key, media: one.media }] : []));
  return [...new Map(media.map(one => [one.media.sha256, one])).values()].map(({ key, media: one }) => ({
    ...{ '@id': mediaId(one), '@type': 'MediaObject', name: key, encodingFormat: mediaType(one), sha256: one.sha256 },
    ...(one.bytes !== null && { contentSize: String(one.bytes) }),
  }));
}

/** Models and kinds of steps that made something, once each. */
function toolsOf(report: RunReport): readonly JsonObject[] {
  const made = new Map(report.instances.filter(isMade).map(one => [toolId(one), one]));
  return [...made].map(([id, { model, kind }]) => ({
    ...{ '@id': id, '@type': 'SoftwareApplication', name: model === '' ? kind : model },
    description: model === '' ? `A ${kind} step of Shotlist.` : `A model of ${report.run.service}.`,
  }));
}
