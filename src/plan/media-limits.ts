/** The limits of the document (section "Limits") on what a model is given, held against the facts of its media. Unknown facts break nothing. */
import { partName } from '../domain/derived-media.ts';
import type { JsonObject } from '../domain/json.ts';
import { isMeasured, type MediaFacts } from '../domain/media.ts';
import type { Model } from '../domain/model.ts';
import { type MediaInput, type Placed, placeOf } from './media-fields.ts';
import type { Problem } from './partial-evaluation.ts';
import { messages } from './plan-messages.ts';

/** Seconds: encoders pad the last frame, and an MP3's length is an estimate. */
const TOLERANCE = 0.1;

export function brokenLimits(
  step: Placed,
  model: Model,
  request: JsonObject,
  inputs: readonly MediaInput[],
  /** What is expected of media that do not exist yet. */
  expected: (input: MediaInput) => MediaFacts | undefined = () => undefined,
): readonly Problem[] {
  return inputs.flatMap(input => {
    const facts = input.facts ?? expected(input);
    const is = { field: input.field, from: nameOf(input), label: model.label };
    const section = brokenSection(model, request, input, facts);
    return [
      ...[...mediaMessages(input, facts, is)].map(message => ({ path: input.field, message, at: input.at })),
      ...(section ? [{ ...section, at: placeOf(section.path, step) }] : []),
    ];
  });
}

/** `framed`, or `framed or trimmed` where that is not decided yet. */
function nameOf(input: MediaInput): string | undefined {
  const { either } = input;
  if (!either) return nameOfOrigin(input);
  const names = either.map(nameOfOrigin);
  return names.includes(undefined) ? undefined : [...new Set(names)].join(' or ');
}

/** `shot`, `last_frame of shot[beat=2]` */
export const nameOfOrigin = ({ from, part }: Pick<MediaInput, 'from' | 'part'>): string | undefined =>
  from === undefined || !part ? from : `${partName(part)} of ${from}`;

interface Named {
  readonly field: string;
  readonly from: string | undefined;
  readonly label: string;
}

function* mediaMessages({ limit, bytes }: MediaInput, facts: MediaFacts | undefined, is: Named): Iterable<string> {
  if (limit.maxBytes !== undefined && bytes !== undefined && bytes > limit.maxBytes)
    yield messages.tooLarge(is, limit.maxBytes, bytes);
  if (!facts) return;
  if (facts.kind !== limit.kind) return yield messages.wrongKind(is, limit.kind, facts.kind);
  if (limit.formats && facts.format !== undefined && !limit.formats.includes(facts.format))
    yield messages.wrongFormat(is, limit.formats, facts.format);
  const side = Math.max(facts.width ?? 0, facts.height ?? 0);
  if (limit.maxSide !== undefined && side > limit.maxSide) yield messages.tooWide(is, limit.maxSide, side);
  if (!isMeasured(facts.duration)) return;
  if (limit.maxSeconds !== undefined && facts.duration > limit.maxSeconds + TOLERANCE)
    yield messages.tooLong(is, limit.maxSeconds, facts.duration);
  if (limit.minSeconds !== undefined && facts.duration < limit.minSeconds - TOLERANCE)
    yield messages.tooShort(is, limit.minSeconds, facts.duration);
}

/** A retake's section lies within its clip. Where it begins may be left to the model: then it is at least no longer. */
function brokenSection(
  model: Model,
  { retake_start_time: start, retake_duration: length }: JsonObject,
  input: MediaInput,
  facts: MediaFacts | undefined,
): { readonly path: string; readonly message: string } | undefined {
  if (model.kind !== 'retake' || input.field !== 'input_video' || !isMeasured(facts?.duration)) return undefined;
  const { duration } = facts as { readonly duration: number };
  const seconds = typeof length === 'number' ? length : 0;
  if (typeof start !== 'number') {
    const message = messages.sectionTooLong(nameOf(input), seconds, duration);
    return seconds <= duration + TOLERANCE ? undefined : { path: 'retake_duration', message };
  }
  const end = start + seconds;
  const isInside = start < duration && end <= duration + TOLERANCE;
  return isInside
    ? undefined
    : { path: 'retake_start_time', message: messages.sectionPastEnd(nameOf(input), start, end, duration) };
}
