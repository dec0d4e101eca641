/**
 * Where media come from that are not there yet: the instances that make them, or a file that is there already. Both sides of a choice that is not
 * decided count, and of an expression that does more than name a result nothing is claimed.
 */

import type { NeededRead } from '../../language/types/needed-reads.ts';
import type { Possible } from '../../language/types/possible-values.ts';
import { valueExpressions } from '../../language/types/values.ts';
import type { Span } from '../../model/diagnostic.ts';
import { type DerivedPart, isDerivedField, isPastEnd } from '../../model/media/derived-media.ts';
import type { MediaFacts } from '../../model/media/media.ts';
import type { ExpressionValue, Value } from '../../model/pipeline.ts';
import { groupInside, type InstanceKey, localName } from '../../model/run/key.ts';
import { memoized } from '../../model/text/json.ts';
import { fansOut, type PlanGraph, type Slot, stepNamed } from '../graph/plan-graph.ts';
import { roundsOfSlot } from '../graph/round-order.ts';
import type { Inputs } from '../obstacles.ts';
import type { LocalMedia, UnusableFile } from '../plan-context.ts';
import { messages } from '../plan-messages.ts';
import type { PartialEvaluator } from '../values/partial-evaluation.ts';
import { outputsOf } from '../values/value-reads.ts';

export interface MediaSources {
  readonly graph: PlanGraph;
  readonly slot: Slot;
  readonly inputs: Inputs;
  readonly values: Pick<PartialEvaluator, 'possible' | 'outer'>;
  readonly localMedia: (path: string) => LocalMedia | UnusableFile | undefined;
}

/** Both undefined: origin unknown. */
interface Origin {
  readonly from?: InstanceKey | undefined;
  /** A frame of what that instance gives, or its sound. */
  readonly part?: DerivedPart | undefined;
  readonly facts?: MediaFacts | undefined;
}

/** More than one where it is not decided which it is. */
export type Origins = readonly Origin[];

type OriginsOfValue =
  | { readonly is: 'one'; readonly origins: Origins }
  /** How many items the value will have, and where each comes from. */
  | { readonly is: 'list'; readonly length: number; readonly item: (place: number) => Origins };

/** Undefined where nothing is claimed. */
export function originsOf(value: Value, sources: MediaSources): OriginsOfValue | undefined {
  if (value.is === 'list') {
    const { items } = value;
    const item = (place: number) => itemOf(items[place] && originsOf(items[place], sources));
    return { is: 'list', length: items.length, item };
  }
  const values = value.is === 'expression' ? sources.values.possible(value) : undefined;
  if (!values) return undefined;
  if (values.is === 'list')
    return {
      is: 'list',
      length: values.length,
      item: place => values.item(place)?.flatMap(possible => originsAt(possible, sources)) ?? NOWHERE,
    };
  const [only, ...others] = values.of;
  const alone = only?.is === 'read' && others.length === 0 ? only.read : undefined;
  const given = alone && givenOrigins(alone, sources);
  return given ?? { is: 'one', origins: values.of.flatMap(possible => originsAt(possible, sources)) };
}

const itemOf = (origins: OriginsOfValue | undefined): Origins => (origins?.is === 'one' ? origins.origins : NOWHERE);

/** What a param is given where its file is used. */
function givenOrigins({ root, path }: NeededRead, sources: MediaSources): OriginsOfValue | undefined {
  const { slot, inputs, values } = sources;
  const [name, place, ...more] = path;
  if (root !== 'params' || !slot.outer || !inputs.outer || !values.outer) return undefined;
  const given = inputs.outer.given.get(String(name));
  // A path that is written there is looked up when it is given.
  const around = {
    ...sources,
    slot: slot.outer,
    inputs: inputs.outer,
    values: values.outer,
    localMedia: () => undefined,
  };
  const origins = given && originsOf(given, around);
  if (place === undefined) return origins;
  return origins?.is === 'list' && typeof place === 'number' && more.length === 0
    ? { is: 'one', origins: origins.item(place) }
    : undefined;
}

const NOWHERE: Origins = [{}];

function originsAt(possible: Possible, sources: MediaSources): Origins {
  const given = possible.is === 'read' ? givenOrigins(possible.read, sources) : undefined;
  return given ? itemOf(given) : [originOf(possible, sources)];
}

function originOf(possible: Possible, { graph, slot, inputs, localMedia }: MediaSources): Origin {
  if (possible.is === 'read') {
    const { root, path } = possible.read;
    const field = path.at(-1);
    const part: DerivedPart | undefined =
      possible.frameAt === undefined
        ? isDerivedField(field) && !isOutputName(path)
          ? { is: field }
          : undefined
        : { is: 'frame_at', at: possible.frameAt };
    const isField = part !== undefined && part.is !== 'frame_at';
    return madeBy(instanceAt({ root, path: isField ? path.slice(0, -1) : path }, graph, slot), part);
  }
  const { text } = possible;
  const known = inputs.known.get(text);
  if (known) return { from: known.from, part: known.part, facts: known.facts };
  const own = localMedia(text);
  return own && 'url' in own ? { facts: own.facts } : {};
}

/** An output of a used file may be a frame already. */
const madeBy = (made: Made | undefined, part: DerivedPart | undefined): Origin =>
  made === undefined || (part && made.part) ? {} : { from: made.key, part: part ?? made.part };

/** `outputs.sound` is an output that its author has called so. */
const isOutputName = (path: NeededRead['path']): boolean => path.at(-2) === 'outputs' || path.at(-2) === 'files';

interface Made {
  readonly key: InstanceKey;
  readonly part?: DerivedPart | undefined;
}

/** The instance with the one piece of media there. A file that a command makes is not the result itself. */
function instanceAt({ root, path }: NeededRead, graph: PlanGraph, slot: Slot): Made | undefined {
  switch (root) {
    case 'steps': {
      const [name, place] = path;
      const group = groupInside(slot.outer?.key, String(name));
      const slots = graph.instances.of(group);
      if (!fansOut(graph.pipeline, group)) return madeAt(slots[0], path.slice(1), graph);
      return typeof place === 'number' ? madeAt(slots[place], path.slice(2), graph) : undefined;
    }
    case 'each': {
      const { each } = slot.step.fanOut;
      const isOne = each[0]?.name === undefined;
      const place = isOne ? 0 : each.findIndex(({ name }) => name === path[0]);
      const [key, source] = [slot.each?.[place], each[place]];
      return (
        key &&
        source &&
        madeAt({ key, step: stepNamed(graph.pipeline, source.step) }, isOne ? path : path.slice(1), graph)
      );
    }
    case 'previous':
      return slot.previous && madeAt({ key: slot.previous, step: slot.step }, path, graph);
    default:
      return undefined;
  }
}

/** The instance itself, or the one inside it that makes `outputs.film`. */
function madeAt(
  of: Pick<Slot, 'key' | 'step'> | undefined,
  path: NeededRead['path'],
  graph: PlanGraph,
): Made | undefined {
  if (!of || isMedia(path)) return of && { key: of.key };
  if ('rounds' in of.step) {
    // What one round gives, all of them give.
    const slot = graph.instances.get(of.key);
    return madeAt(slot && roundsOfSlot(graph, slot)[0], path, graph);
  }
  const [field, name, ...rest] = path;
  const output = field === 'outputs' ? outputsOf(of.step)?.find(one => one.name === name) : undefined;
  // A list of lists is unknown before it is there.
  if (!output || output.file !== undefined || (output.isList && output.output !== undefined)) return undefined;
  const slots = graph.instances.of(groupInside(of.key, localName(output.from)));
  const [place, ...more] = output.isList ? rest : [0, ...rest];
  if (typeof place !== 'number') return undefined;
  const made = madeAt(slots[place], output.output === undefined ? more : ['outputs', output.output, ...more], graph);
  return made && output.part ? { ...made, part: output.part } : made;
}

/** `result_url` and `file` name the media of a result, and so does the result as a whole. */
const isMedia = ([field, ...more]: NeededRead['path']): boolean =>
  field === undefined || (more.length === 0 && (field === 'result_url' || field === 'file'));

export interface PartRead {
  readonly from: InstanceKey;
  readonly part: DerivedPart;
  readonly at: Span;
}

/** Only where the frame's video is certain: of a choice that is not decided, nothing is claimed. */
export const partsRead = (values: readonly Value[], sources: MediaSources): readonly PartRead[] =>
  values.flatMap(partExpressions).flatMap(value => {
    const origins = originsOf(value, sources);
    const [only, ...others] = origins?.is === 'one' ? origins.origins : [];
    if (!only?.part || only.facts || only.from === undefined || others.length > 0) return [];
    return [{ from: only.from, part: only.part, at: value.at }];
  });

/** Seconds that a model may make less or more than it was asked for. */
const TOLERANCE = 0.1;

/** The mistake of reading it; undefined without one, or while it is unknown. */
export function partProblem({ from, part }: PartRead, video: MediaFacts | undefined): string | undefined {
  if (!video) return undefined;
  if (video.kind !== 'video') return messages.partOfNoVideo(from, part.is, video.kind);
  if (part.is === 'sound') return video.audio_codec === null ? messages.noSound(from) : undefined;
  const { duration } = video;
  if (part.is !== 'frame_at' || duration === undefined) return undefined;
  return isPastEnd(part.at, { duration: duration + TOLERANCE })
    ? messages.frameBeyondEnd(from, part.at, duration)
    : undefined;
}

/** The expressions in it that may read one: asked for each instance, found once for each value. */
const partExpressions = memoized((value: Value): readonly ExpressionValue[] =>
  valueExpressions(value).filter(({ code }) => /\b(first_frame|last_frame|frame_at|sound)\b/.test(code)),
);
