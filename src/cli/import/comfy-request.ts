/**
 * What arrives at a sampler of ComfyUI → one request. An empty latent is made of words, one with a first picture is animated, an encoded one
 * is edited. What a service decides by itself, or cannot be told, is left, with a sentence.
 */
import { carried, ratioOf, resolutionOf } from './carried.ts';
import { type ImportedStep, type ImportedValue, literal } from './imported.ts';

interface Sampled {
  /** Joined where there are several; none: nothing arrives. */
  readonly prompt: readonly ImportedValue[];
  readonly negative: ImportedValue | undefined;
  /** The first picture of a film. */
  readonly start: ImportedValue | undefined;
  /** What is edited. */
  readonly source: ImportedValue | undefined;
  readonly frames: Frames;
  readonly seed: number | undefined;
  readonly steps: number | undefined;
  /** Of the whole, 0 to 1. */
  readonly denoise: number | undefined;
  readonly cfg: number | undefined;
  readonly sampler: string | undefined;
  readonly scheduler: string;
}

export interface Frames {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** How many pictures; absent for a still. */
  readonly length?: number | undefined;
  readonly batch?: number | undefined;
}

interface SampledRequest {
  readonly model: string;
  readonly kind: 'image' | 'video';
  readonly fields: ImportedStep['fields'];
  readonly batch: number | undefined;
  /** What is not carried over, a sentence each. */
  readonly left: readonly string[];
}

/** Frames a second where a graph does not say: of the models that these nodes were made for. */
const USUAL_FPS = 24;

export function requestOf(sampled: Sampled): SampledRequest {
  const { prompt, negative, start, source, frames, seed, steps, cfg } = sampled;
  const isVideo = frames.length !== undefined;
  const model = source ? 'I-EDIT-A' : isVideo ? (start ? 'V-I2V-B' : 'V-T2V-A') : 'I-GEN-A';
  const { width, height, length, batch } = frames;
  const isSized = width !== undefined && height !== undefined;
  const hasNegative = negative?.is === 'literal' && negative.value !== '';
  const { fields, left } = carried(model, {
    prompt: promptOf(prompt),
    input_image: source ?? start,
    negative_prompt: hasNegative ? negative : undefined,
    seed: seed === undefined ? undefined : literal(model === 'V-T2V-A' ? seed % 2 ** 31 : seed),
    num_inference_steps: isVideo || steps === undefined ? undefined : literal(steps),
    guidance: source && cfg !== undefined ? literal(cfg) : undefined,
    aspect_ratio: isSized && (isVideo || width !== height) ? literal(ratioOf(width, height)) : undefined,
    resolution: isSized && isVideo ? literal(resolutionOf(width, height)) : undefined,
    duration: length === undefined ? undefined : literal(Math.max(1, Math.round(length / USUAL_FPS))),
  });
  const missing = prompt.length === 0 ? ['no prompt arrives there; one is written in its place'] : [];
  return {
    ...{ model, fields, batch, kind: isVideo && !source ? 'video' : 'image' },
    left: [...missing, ...left, ...decidedByService(sampled)],
  };
}

function promptOf(parts: readonly ImportedValue[]): ImportedValue {
  const [first, ...more] = parts;
  if (first === undefined) return literal('slow, gentle movement');
  return more.length === 0 ? first : { is: 'joined', parts };
}

function decidedByService({ source, frames, steps, cfg, denoise, sampler, scheduler }: Sampled): readonly string[] {
  return [
    ...(frames.length !== undefined && steps !== undefined ? [`${steps} sampling steps: the service decides`] : []),
    ...(cfg !== undefined && !source ? [`cfg ${cfg}: the service decides`] : []),
    ...(denoise !== undefined && denoise < 1 ? [`denoise ${denoise}: say in the prompt how much is to change`] : []),
    ...(sampler !== undefined ? [`sampler ${sampler}, scheduler ${scheduler}: the service decides`] : []),
  ];
}
