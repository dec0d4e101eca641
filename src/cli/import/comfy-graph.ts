/**
 * A ComfyUI graph in one shape, from either of its two: what `Save` writes (nodes with places, links between slots, values of widgets in
 * their order) and what `Export (API)` writes (inputs by name). An older version saved the values without names. The
 * names for ComfyUI's own nodes are listed here; the values of any other node are then unknown.
 */
import { isObject, type Json, type JsonObject } from '../../model/text/json.ts';
import {
  carried,
  type ImportedStep,
  type ImportedValue,
  literal,
  ratioOf,
  resolutionOf,
  shownName,
  wordIn,
} from './imported.ts';

export interface ComfyNode {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly inputs: Readonly<Record<string, ComfyInput>>;
}

type ComfyInput =
  | { readonly is: 'value'; readonly value: Json }
  | { readonly is: 'link'; readonly from: string; readonly slot: number };

export interface ComfyGraph {
  readonly nodes: ReadonlyMap<string, ComfyNode>;
  readonly left: readonly string[];
}

/** Undefined where it is no graph of ComfyUI. */
export function comfyGraph(document: Json): ComfyGraph | undefined {
  if (!isObject(document)) return undefined;
  if (Array.isArray(document.nodes) && (Array.isArray(document.links) || isObject(document.links ?? null)))
    return ofSaved(document);
  // What a server is sent holds the graph in a field of its own.
  const graph = isObject(document.prompt ?? null) ? (document.prompt as JsonObject) : document;
  const entries = Object.entries(graph);
  const isGraph =
    entries.length > 0 && entries.every(([, node]) => isObject(node) && typeof node.class_type === 'string');
  return isGraph ? ofApi(graph) : undefined;
}

function ofApi(graph: JsonObject): ComfyGraph {
  const nodes = new Map<string, ComfyNode>();
  for (const [id, node] of Object.entries(graph) as [string, JsonObject][]) {
    const meta = isObject(node._meta ?? null) ? (node._meta as JsonObject) : {};
    const inputs = isObject(node.inputs ?? null) ? (node.inputs as JsonObject) : {};
    const type = String(node.class_type);
    nodes.set(id, {
      ...{ id, type, title: typeof meta.title === 'string' ? meta.title : type },
      inputs: Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, inputOf(value)])),
    });
  }
  return { nodes, left: [] };
}

/** `["4", 1]` is the second output of node 4. */
function inputOf(value: Json): ComfyInput {
  const isLink =
    Array.isArray(value) &&
    value.length === 2 &&
    (typeof value[0] === 'string' || typeof value[0] === 'number') &&
    Number.isInteger(value[1]);
  return isLink ? { is: 'link', from: String(value[0]), slot: Number(value[1]) } : { is: 'value', value };
}

const MUTED = 2;
const BYPASSED = 4;

function ofSaved(document: JsonObject): ComfyGraph {
  const links = new Map<number, { readonly from: string; readonly slot: number }>();
  for (const link of Object.values((document.links ?? []) as Json[])) {
    if (Array.isArray(link)) links.set(Number(link[0]), { from: wordIn(link[1]), slot: Number(link[2]) });
    else if (isObject(link))
      links.set(Number(link.id), { from: wordIn(link.origin_id), slot: Number(link.origin_slot) });
  }
  const nodes = new Map<string, ComfyNode>();
  const left: string[] = [];
  const raw = (document.nodes as Json[]).filter(isObject);
  for (const node of raw) {
    const id = wordIn(node.id);
    const type = wordIn(node.type);
    const title = typeof node.title === 'string' ? node.title : type;
    const name = nodeName({ id, type, title });
    if (node.mode === MUTED) {
      left.push(`${name} is muted: it is left out`);
      continue;
    }
    const slots = (Array.isArray(node.inputs) ? node.inputs : []).filter(isObject);
    const values = node.widgets_values ?? null;
    const named = widgets(WIDGETS.get(type) ?? widgetsIn(slots, values), values);
    const inputs: (readonly [name: string, input: ComfyInput])[] = named.map(([widget, value]) => [
      widget,
      { is: 'value', value },
    ]);
    for (const slot of slots) {
      const link = typeof slot.link === 'number' ? links.get(slot.link) : undefined;
      if (link) inputs.push([wordIn(slot.name), { is: 'link', ...link }]);
    }
    if (node.mode === BYPASSED) left.push(`${name} is bypassed: what comes in goes on`);
    nodes.set(id, { id, type: node.mode === BYPASSED ? 'Reroute' : type, title, inputs: Object.fromEntries(inputs) });
  }
  return { nodes, left };
}

export const nodeName = ({ id, type, title }: Pick<ComfyNode, 'id' | 'type' | 'title'>): string =>
  title === type
    ? `node ${shownName(id)} (${shownName(type)})`
    : `node ${shownName(id)} (${shownName(type)}, "${shownName(title)}")`;

/** As newer versions of ComfyUI save them: each value has a slot; what becomes of a seed behind it has none. */
function widgetsIn(slots: readonly JsonObject[], values: Json): readonly string[] {
  const names: string[] = [];
  for (const { name, widget } of slots) {
    if (!isObject(widget)) continue;
    names.push(wordIn(name));
    if (Array.isArray(values) && /seed$/.test(wordIn(name)) && AFTER_SEED.has(wordIn(values[names.length])))
      names.push('_');
  }
  return names;
}

const AFTER_SEED: ReadonlySet<string> = new Set(['fixed', 'increment', 'decrement', 'randomize']);

function widgets(names: readonly string[], values: Json): readonly (readonly [name: string, value: Json])[] {
  if (isObject(values)) return Object.entries(values);
  if (!Array.isArray(values)) return [];
  return names.flatMap((name, at) =>
    values[at] === undefined || values[at] === null ? [] : [[name, values[at]] as const],
  );
}

/** Nodes, and the values of a saved one in its order. `_` is none that a graph needs. */
const VALUES = `
KSampler: seed _ steps cfg sampler_name scheduler denoise
KSamplerAdvanced: add_noise noise_seed _ steps cfg sampler_name scheduler start_at_step end_at_step
RandomNoise: noise_seed
BasicScheduler: scheduler steps denoise
KSamplerSelect: sampler_name
CFGGuider: cfg
FluxGuidance: guidance
CLIPTextEncode Note MarkdownNote: text
CLIPTextEncodeFlux: clip_l t5xxl guidance
CLIPTextEncodeSDXL: width height crop_w crop_h target_width target_height text_g text_l
EmptyLatentImage EmptySD3LatentImage: width height batch_size
EmptyHunyuanLatentVideo EmptyLTXVLatentVideo EmptyMochiLatentVideo: width height length batch_size
WanImageToVideo HunyuanImageToVideo LTXVImgToVideo: width height length batch_size
LTXVConditioning: frame_rate
SVD_img2vid_Conditioning: width height video_frames motion_bucket_id fps augmentation_level
CheckpointLoaderSimple ImageOnlyCheckpointLoader: ckpt_name
UNETLoader: unet_name weight_dtype
LoraLoader: lora_name strength_model strength_clip
LoraLoaderModelOnly: lora_name strength_model
ControlNetLoader: control_net_name
UpscaleModelLoader: model_name
LoadImage: image
LoadVideo: file
SaveImage: filename_prefix
SaveAnimatedWEBP SaveAnimatedPNG: filename_prefix fps
SaveWEBM: filename_prefix codec fps
SaveVideo: filename_prefix format codec
CreateVideo: fps
ImageScale LatentUpscale: upscale_method width height crop
ImageScaleBy LatentUpscaleBy: upscale_method scale_by
PrimitiveNode PrimitiveString PrimitiveStringMultiline PrimitiveInt PrimitiveFloat: value
`;

export const WIDGETS: ReadonlyMap<string, readonly string[]> = new Map(
  VALUES.trim()
    .split('\n')
    .flatMap(line => {
      const [nodes = [], values = []] = line.split(': ').map(words => words.split(' '));
      return nodes.map(node => [node, values] as const);
    }),
);

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
