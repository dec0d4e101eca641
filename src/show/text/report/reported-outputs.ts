/** What a run was to put where its author wants it, and the film that it ends with. */

import { formatOf } from '../../../model/media/media.ts';
import type { KeptOutput } from '../../../model/run/kept-plan.ts';
import type { InstanceKey } from '../../../model/run/key.ts';
import { countStems, fittingPath } from '../../../model/run/result.ts';
import type {
  ReportedFilm,
  ReportedInstance,
  ReportedMedia,
  ReportedOutput,
  ReportedStep,
  RunReport,
} from '../../../model/run/run-report.ts';
import { cleanText, messageText } from '../../../model/text/clean.ts';
import type { RunView } from '../../../records/views/run-view.ts';
import { messages, STATE_WORDS } from './state-words.ts';

type Instances = ReadonlyMap<InstanceKey, ReportedInstance>;

export function outputsOf(
  kept: readonly KeptOutput[],
  instances: Instances,
  { failedOutputs, outputs }: RunView,
): readonly ReportedOutput[] {
  const reasons = new Map(failedOutputs.map(({ output, path, reason }) => [`${output} ${path}`, reason]));
  // A frame of a result, its sound, its timeline: the facts of the result are not theirs.
  const parts = new Set(
    outputs.filter(({ media }) => media !== undefined).map(({ output, key }) => `${output} ${key}`),
  );
  const stems = countStems(kept.map(({ path }) => path));
  return kept.flatMap(({ name, key, path: planned, file, isWhole, unmarked }) => {
    const instance = instances.get(key);
    // Nothing was to be made of it: a round that is not needed, a take that lost.
    if (!instance || instance.state === 'left_out') return [];
    const media = parts.has(`${cleanText(name)} ${key}`) ? null : mediaOf(instance, file);
    const reason = reasons.get(`${cleanText(name)} ${cleanText(planned)}`);
    // What a service delivers was not known when the run was planned.
    const path = isWhole && media ? fittingPath(planned, formatOf(media.facts), stems) : planned;
    const isThere = instance.state === 'made' || instance.state === 'reused';
    const failed = reason ?? (isThere ? undefined : messages.outputNotMade(key, STATE_WORDS[instance.state]));
    return {
      ...{ name: cleanText(name), key, path: cleanText(path), media },
      marked: unmarked ? 'none' : null,
      failed: failed === undefined ? null : messageText(failed),
    };
  });
}

/** Outputs that the run itself reported as failed. Where an instance was not made, that says enough. */
export const unwrittenOutputs = ({
  outputs,
  instances,
}: Pick<RunReport, 'outputs' | 'instances'>): readonly ReportedOutput[] => {
  const states = new Map(instances.map(({ key, state }) => [key, state]));
  return outputs.filter(({ key, failed }) => {
    const state = states.get(key);
    return failed !== null && state !== undefined && failed !== messages.outputNotMade(key, STATE_WORDS[state]);
  });
};

/** Of the outputs, the last with a step that nothing else reads; of a film without any, the last such step. */
export function filmOf(
  outputs: readonly ReportedOutput[],
  instances: Instances,
  steps: readonly ReportedStep[],
  { isWanted, shots }: { readonly isWanted: boolean; readonly shots: ReadonlyMap<InstanceKey, ReportedShots> },
): ReportedFilm | null {
  const read = new Set(steps.flatMap(({ needs }) => needs));
  const isLast = (key: InstanceKey) => !read.has(instances.get(key)?.step ?? ('' as ReportedStep['name']));
  const placed = outputs.flatMap(({ key, media, path, failed }) =>
    media?.facts.kind === 'video' && failed === null ? [{ key, media, path }] : [],
  );
  const unplaced = [...instances.values()].flatMap(({ key, media }) =>
    media?.facts.kind === 'video' && isLast(key) ? [{ key, media, path: null }] : [],
  );
  const film = placed.findLast(({ key }) => isLast(key)) ?? placed.at(-1) ?? (isWanted ? undefined : unplaced.at(-1));
  return film ? { ...film, shots: shotsOf(shots.get(film.key) ?? [], instances) } : null;
}

type ReportedShots = readonly { readonly at: number; readonly for: number; readonly name: string }[];

const shotsOf = (shots: ReportedShots, instances: Instances): ReportedFilm['shots'] =>
  shots.map(({ at, for: length, name }) => {
    const key = name as InstanceKey;
    return { at, for: length, key: instances.has(key) ? key : null, name: cleanText(name) };
  });

function mediaOf({ media, files }: ReportedInstance, file: string | undefined): ReportedMedia | null {
  if (file === undefined) return media;
  return files.find(({ name }) => name === file || name.startsWith(`${file}/`))?.media ?? null;
}
