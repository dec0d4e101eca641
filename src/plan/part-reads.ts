/** Frames and sound that an instance reads of videos that are not there yet: what certainly cannot be had is told before the run. */
import { type DerivedPart, isPastEnd } from '../domain/derived-media.ts';
import type { Span } from '../domain/diagnostic.ts';
import type { InstanceKey } from '../domain/key.ts';
import type { MediaFacts } from '../domain/media.ts';
import { memoized } from '../domain/memoized.ts';
import type { ExpressionValue, Value } from '../domain/pipeline.ts';
import { type MediaSources, originsOf } from './media-origins.ts';
import { messages } from './plan-messages.ts';
import { expressionsIn } from './value-reads.ts';

export interface PartRead {
  readonly from: InstanceKey;
  readonly part: DerivedPart;
  readonly at: Span;
}

/** Only where it is certain whose frame it is: of a choice that is not decided, nothing is claimed. */
export const partsRead = (values: readonly Value[], sources: MediaSources): readonly PartRead[] =>
  values.flatMap(partExpressions).flatMap(value => {
    const origins = originsOf(value, sources);
    const [only, ...others] = origins?.is === 'one' ? origins.origins : [];
    if (!only?.part || only.facts || only.from === undefined || others.length > 0) return [];
    return [{ from: only.from, part: only.part, at: value.at }];
  });

/** Seconds that a model may make less or more than it was asked for. */
const TOLERANCE = 0.1;

/** What is wrong with reading it; undefined where nothing is, or nobody can tell yet. */
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
  expressionsIn(value).filter(({ code }) => /\b(first_frame|last_frame|frame_at|sound)\b/.test(code)),
);
