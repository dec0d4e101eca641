/**
 * Where media come from that are not there yet: the instances whose results they are, or a file that is there already. Both sides of a
 * choice that is not decided count, and of an expression that does more than name a result nothing is claimed.
 */
import type { InstanceKey, StepName } from '../domain/key.ts';
import type { MediaFacts } from '../domain/media.ts';
import type { Value } from '../domain/pipeline.ts';
import type { NeededRead } from '../language/needed-reads.ts';
import type { Possible } from '../language/possible-values.ts';
import type { PartialEvaluator } from './partial-evaluation.ts';
import type { LocalMedia, UnusableFile } from './plan-context.ts';
import { fansOut, type PlanGraph, type Slot } from './plan-graph.ts';
import type { Inputs } from './step-inputs.ts';

export interface MediaSources {
  readonly graph: PlanGraph;
  readonly slot: Slot;
  readonly inputs: Inputs;
  readonly values: Pick<PartialEvaluator, 'possible'>;
  readonly localMedia: (path: string) => LocalMedia | UnusableFile | undefined;
}

/** Neither: nobody knows. */
export interface Origin {
  readonly from?: InstanceKey | undefined;
  readonly facts?: MediaFacts | undefined;
}

/** More than one where it is not decided which it is. */
export type Origins = readonly Origin[];

export type OriginsOfValue =
  | { readonly is: 'one'; readonly origins: Origins }
  /** How many items the value will have, and where each comes from. */
  | { readonly is: 'list'; readonly length: number; readonly item: (place: number) => Origins };

/** Undefined where nothing is claimed. */
export function originsOf(value: Value, sources: MediaSources): OriginsOfValue | undefined {
  const values = value.is === 'expression' ? sources.values.possible(value) : undefined;
  if (!values) return undefined;
  if (values.is === 'list')
    return {
      is: 'list',
      length: values.length,
      item: place => values.item(place)?.map(possible => originOf(possible, sources)) ?? NOWHERE,
    };
  return { is: 'one', origins: values.of.map(possible => originOf(possible, sources)) };
}

const NOWHERE: Origins = [{}];

function originOf(possible: Possible, { graph, slot, inputs, localMedia }: MediaSources): Origin {
  if (possible.is === 'read') return { from: instanceAt(possible.read, graph, slot) };
  const { text } = possible;
  const known = inputs.known.get(text);
  if (known) return { from: known.from, facts: known.facts };
  const own = localMedia(text);
  return own && 'url' in own ? { facts: own.facts } : {};
}

/** The instance whose one piece of media stands there. A file that a command makes is not the result itself. */
function instanceAt({ root, path }: NeededRead, graph: PlanGraph, slot: Slot): InstanceKey | undefined {
  switch (root) {
    case 'steps': {
      const [name, place] = path as [StepName, ...NeededRead['path']];
      const slots = graph.instances.of(name);
      if (!fansOut(graph.pipeline, name)) return isMedia(path.slice(1)) ? slots[0]?.key : undefined;
      return typeof place === 'number' && isMedia(path.slice(2)) ? slots[place]?.key : undefined;
    }
    case 'each': {
      const { each } = slot.step.fanOut;
      if (each[0]?.name === undefined) return isMedia(path) ? slot.each?.[0] : undefined;
      return isMedia(path.slice(1)) ? slot.each?.[each.findIndex(({ name }) => name === path[0])] : undefined;
    }
    case 'previous':
      return isMedia(path) ? slot.previous : undefined;
    default:
      return undefined;
  }
}

/** `result_url` and `file` name the media of a result, and so does the result as a whole. */
const isMedia = ([field, ...more]: NeededRead['path']): boolean =>
  field === undefined || (more.length === 0 && (field === 'result_url' || field === 'file'));
