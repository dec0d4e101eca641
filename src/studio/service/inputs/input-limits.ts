/** What the document allows a model to be given (section "Limits"), in one sentence where it is broken. */

import type { MediaFacts } from '../../../model/media/media.ts';
import type { MediaLimit, Model } from '../../../model/model.ts';
import type { JsonObject } from '../../../model/text/json.ts';
import { type LocalInput, RenderRefusal } from '../../animatic/index.ts';

/** Seconds: encoders pad, and an MP3's length is an estimate. */
const TOLERANCE = 0.1;

/** Beyond the document: what this machine can hold in memory and draw in good time. 8K is 33 megapixels. */
const MOST_PIXELS = { image: 100e6, video: 36e6 } as const;
/** Seconds. */
const LONGEST = 30 * 60;

export function checkLimit(
  name: string,
  label: string,
  limit: MediaLimit,
  { input: { facts }, bytes }: { readonly input: LocalInput; readonly bytes: number },
): void {
  const { kind, formats, minSeconds, maxSeconds, maxBytes, maxSide } = limit;
  const refuse = (is: string, takes: string) => {
    throw new RenderRefusal(`${name} is ${is}; ${label} takes ${takes}`);
  };
  if (facts.kind !== kind) refuse(`${article(facts.kind)} ${facts.kind}`, `${article(kind)} ${kind} there`);
  if (formats && facts.format !== undefined && !formats.includes(facts.format)) {
    refuse(`in the format ${facts.format}`, formats.join(' or '));
  }
  if (maxBytes !== undefined && bytes > maxBytes)
    refuse(`${megabytes(bytes)} MB large`, `at most ${megabytes(maxBytes)} MB`);
  const side = Math.max(facts.width ?? 0, facts.height ?? 0);
  if (maxSide !== undefined && side > maxSide) refuse(`${side} pixels on its longer side`, `at most ${maxSide}`);
  const { duration } = facts;
  if (duration !== undefined && maxSeconds !== undefined && duration > maxSeconds + TOLERANCE) {
    refuse(`${seconds(duration)} long`, `at most ${maxSeconds} s`);
  }
  if (duration !== undefined && minSeconds !== undefined && duration < minSeconds - TOLERANCE) {
    refuse(`${seconds(duration)} long`, `at least ${minSeconds} s`);
  }
  checkSize(name, facts);
}

function checkSize(name: string, { kind, width = 0, height = 0, duration = 0 }: MediaFacts): void {
  const most = kind === 'audio' ? Number.POSITIVE_INFINITY : MOST_PIXELS[kind];
  if (width * height > most) {
    throw new RenderRefusal(
      `${name} is ${width}×${height} pixels large; the studio takes at most ${most / 1e6} megapixels: send a smaller copy`,
    );
  }
  if (duration > LONGEST) {
    throw new RenderRefusal(
      `${name} is ${Math.round(duration / 60)} minutes long; the studio takes at most ${LONGEST / 60}: send the part you need`,
    );
  }
}

/** A retake's section must lie within its clip. */
export function checkSection(
  model: Model,
  request: JsonObject,
  inputs: { readonly [field: string]: readonly LocalInput[] },
): void {
  const length = inputs.input_video?.[0]?.facts.duration;
  if (model.kind !== 'retake' || length === undefined) return;
  const start = typeof request.retake_start_time === 'number' ? request.retake_start_time : 0;
  const duration = typeof request.retake_duration === 'number' ? request.retake_duration : 0;
  const isWithin = start >= 0 && duration >= 0 && start < length && start + duration <= length + TOLERANCE;
  if (isWithin) return;
  throw new RenderRefusal(
    `the section to retake is ${seconds(start)} to ${seconds(start + duration)}, but input_video is ${seconds(length)} long: choose a section that lies within it`,
  );
}

const seconds = (value: number): string => `${value.toFixed(1)} s`;
const megabytes = (bytes: number): string => (bytes / (1024 * 1024)).toFixed(1).replace(/\.0$/, '');
const article = (kind: string): string => (/^[aeiou]/.test(kind) ? 'an' : 'a');
