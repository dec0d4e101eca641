/** The limits of the document (section "Limits") on what a model is given, held against the facts of its media. Unknown facts break nothing. */
import type { JsonObject } from '../domain/json.ts';
import type { MediaFacts } from '../domain/media.ts';
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
    const is = { field: input.field, from: input.from, label: model.label };
    const section = sectionMessage(model, request, input, facts);
    return [
      ...[...mediaMessages(input, facts, is)].map(message => ({ path: input.field, message, at: input.at })),
      ...(section === undefined ? [] : [{ path: SECTION, message: section, at: placeOf(SECTION, step) }]),
    ];
  });
}

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
  if (facts.duration === undefined) return;
  if (limit.maxSeconds !== undefined && facts.duration > limit.maxSeconds + TOLERANCE)
    yield messages.tooLong(is, limit.maxSeconds, facts.duration);
  if (limit.minSeconds !== undefined && facts.duration < limit.minSeconds - TOLERANCE)
    yield messages.tooShort(is, limit.minSeconds, facts.duration);
}

const SECTION = 'retake_start_time';

/** A retake's section lies within its clip. */
function sectionMessage(
  model: Model,
  request: JsonObject,
  input: MediaInput,
  facts: MediaFacts | undefined,
): string | undefined {
  if (model.kind !== 'retake' || input.field !== 'input_video' || facts?.duration === undefined) return undefined;
  const { [SECTION]: start, retake_duration: length } = request;
  if (typeof start !== 'number') return undefined;
  const end = start + (typeof length === 'number' ? length : 0);
  const isInside = start < facts.duration && end <= facts.duration + TOLERANCE;
  return isInside ? undefined : messages.sectionPastEnd(start, end, facts.duration);
}
