/** ComfyUI's own nodes: which of them sample, save, or hand on what comes in, and which are known at all. */
import { WIDGETS } from './comfy-graph.ts';
import {
  byName,
  type Carried,
  carried,
  type ImportedValue,
  literal,
  ratioOf,
  resolutionOf,
  rows,
  shownName,
  wordIn,
} from './imported.ts';

export const SAMPLERS = byName(rows('KSampler KSamplerAdvanced SamplerCustomAdvanced SamplerCustom', true));
export const NOTES: ReadonlySet<string> = new Set(['Note', 'MarkdownNote']);

/** What is saved, and by which input it arrives. */
export const SAVES: ReadonlyMap<string, string> = byName({
  ...rows('SaveImage PreviewImage SaveAnimatedWEBP SaveAnimatedPNG SaveWEBM', 'images'),
  SaveVideo: 'video',
});

const NO_CONTROL = 'a ControlNet is not carried over: a reference image of I-EDIT-A comes near';
const KEEPS_SIZE = 'the picture keeps its size';

/** Nodes that hand on what comes in, and what is lost by that. */
export const PASSES: ReadonlyMap<string, { readonly input: string; readonly lost?: string }> = byName({
  ...rows('VAEDecode VAEDecodeTiled', { input: 'samples' }),
  CreateVideo: { input: 'images', lost: 'the service decides how many frames a second there are' },
  FluxGuidance: { input: 'conditioning', lost: 'guidance: the service decides' },
  LTXVConditioning: { input: 'positive' },
  GetVideoComponents: { input: 'video' },
  ControlNetApply: { input: 'conditioning', lost: NO_CONTROL },
  ControlNetApplyAdvanced: { input: 'positive', lost: NO_CONTROL },
  unCLIPConditioning: { input: 'conditioning', lost: 'its image is not carried over' },
  ConditioningSetTimestepRange: {
    input: 'conditioning',
    lost: 'a prompt for a part of the steps holds for all of them',
  },
  ConditioningSetArea: { input: 'conditioning', lost: 'a prompt for an area holds for the whole picture' },
  ...rows('ImageScale ImageScaleBy ImageScaleToTotalPixels', { input: 'image', lost: KEEPS_SIZE }),
  ...rows('LatentUpscale LatentUpscaleBy', { input: 'samples', lost: KEEPS_SIZE }),
  ImageSharpen: { input: 'image', lost: 'it is not sharpened' },
  ImageInvert: { input: 'image', lost: 'it is not inverted' },
  ImageCrop: { input: 'image', lost: 'it is not cropped' },
});

/** All of ComfyUI's own nodes that mean something here, or that may be skipped because others hold the same. */
export const KNOWN: ReadonlySet<string> = new Set([
  ...WIDGETS.keys(),
  ...SAMPLERS.keys(),
  ...SAVES.keys(),
  ...PASSES.keys(),
  ...['Reroute', 'ConditioningCombine', 'ConditioningConcat', 'ConditioningZeroOut', 'VAEEncode'],
  ...['VAEEncodeForInpaint', 'ImageUpscaleWithModel', 'VAELoader', 'CLIPLoader', 'DualCLIPLoader'],
  ...['TripleCLIPLoader', 'CLIPVisionLoader', 'CLIPVisionEncode', 'CLIPSetLastLayer', 'ModelSamplingSD3'],
  ...['ModelSamplingFlux', 'ModelSamplingDiscrete', 'VideoLinearCFGGuidance', 'BasicGuider', 'Flux2Scheduler'],
]);

interface Partner {
  readonly label: string;
  readonly makes: 'image' | 'video';
  /** The node's name of an input → ours, where they differ. */
  readonly fields: ReadonlyMap<string, string>;
}

const MAKERS = [
  ...['Kling', 'Luma', 'Runway', 'Veo', 'Mini[Mm]ax', 'Hailuo', 'Pika', 'Pixverse', 'Vidu', 'Moonvalley', 'LtxvApi'],
  ...['ByteDance', 'Wan\\w*Api$', 'OpenAI(?:Video|Dalle|GPTImage)', 'Flux\\w*(?:Pro|Kontext)', 'Ideogram', 'Recraft'],
  ...['Stability', 'GeminiImage', 'GrokImage', 'GrokVideo'],
];
const MADE_BY_PARTNER = new RegExp(`^(?:${MAKERS.join('|')})`);
/** What they do and no model here does, and settings that are nodes of their own. */
const UNFIT =
  /Extend|LipSync|TryOn|Effect|affects|Upscal|Background|Vector|3D|Audio|Speech|Voice|Controls$|Concepts|Style|Color|Character|^LumaReferenceNode$/;
const PICTURES =
  /Image(?:Generation|Modify|Edit|Node|$)|(?:To|2)Image|Image\d|Seedream|Dalle|^Flux|^Ideogram|^Recraft|^Stability/;
const REFERENCES = /Reference|Subject|Elements|Scenes|Omni/;

const FIRST = ['image', 'start_frame', 'first_frame', 'first_image', 'first_frame_image', 'start_image', 'image_start'];
const LAST = ['end_frame', 'last_frame', 'last_image', 'last_frame_image', 'end_image', 'image_end'];
const FIELDS = [
  ...['prompt_text', 'text'].map(name => [name, 'prompt'] as const),
  ...[...FIRST, 'images', 'image_1', 'reference_image'].map(name => [name, 'input_image'] as const),
  ...LAST.map(name => [name, 'tail_image_url'] as const),
  ...['video', 'reference_video'].map(name => [name, 'input_video'] as const),
  ...[['duration_seconds', 'duration'] as const, ['ratio', 'aspect_ratio'] as const],
  ...['size', 'quality'].map(name => [name, 'resolution'] as const),
];
const FRAMES = new Map<string, string>(FIELDS);
const REFERENCE_FIELDS = new Map<string, string>([
  ...FIELDS,
  ...[...FIRST, 'images', 'image_1', 'subject', 'reference_image'].map(name => [name, 'input_images'] as const),
  ...['video', 'reference_video'].map(name => [name, 'input_videos'] as const),
]);

/** Undefined where the node is no partner's, or where no model here does what it does. */
export function partnerOf(type: string, inputs: ReadonlyMap<string, ImportedValue>): Partner | undefined {
  if (!isPartner(type) || UNFIT.test(type)) return undefined;
  const has = (field: string) => [...inputs.keys()].some(name => FRAMES.get(name) === field);
  if (PICTURES.test(type) && !/Video/.test(type))
    return { label: has('input_image') ? 'I-EDIT-A' : 'I-GEN-A', makes: 'image', fields: FRAMES };
  if (REFERENCES.test(type)) return { label: 'V-REF', makes: 'video', fields: REFERENCE_FIELDS };
  return { label: videoLabel(has, name => isOn(inputs.get(name))), makes: 'video', fields: FRAMES };
}

export const isPartner = (type: string): boolean => MADE_BY_PARTNER.test(type);

function videoLabel(has: (field: string) => boolean, on: (name: string) => boolean): string {
  if (has('input_video')) return 'V-V2V';
  if (has('tail_image_url')) return 'V-I2V-B';
  if (has('input_image')) return on('loop') ? 'V-I2V-A' : 'V-I2V-B';
  return on('generate_audio') ? 'V-T2V-C' : 'V-T2V-A';
}

const isOn = (value: ImportedValue | undefined): boolean => value?.is === 'literal' && value.value === true;

/** What belongs to the node's form. */
const OF_FORM: ReadonlySet<string> = new Set(['control_after_generate', '_']);

/** The request that replaces the node's, and a sentence for each part that is not carried over. */
export function partnerRequest(
  { label, fields }: Partner,
  inputs: ReadonlyMap<string, ImportedValue>,
): Pick<Carried, 'fields' | 'left'> {
  const model = inputs.get('model') ?? inputs.get('model_name');
  const named = model?.is === 'literal' ? wordIn(model.value) : 'its model';
  // A field may be called `__proto__`.
  const wanted: Record<string, ImportedValue> = Object.create(null);
  for (const [name, value] of inputs) {
    // What is off is not asked for.
    if (OF_FORM.has(name) || value === model || (value.is === 'literal' && value.value === false)) continue;
    const ours = fields.get(name) ?? name;
    Object.assign(wanted, ours === 'aspect_ratio' || ours === 'resolution' ? sized(ours, value) : { [ours]: value });
  }
  const missing = wanted.prompt === undefined ? ['no prompt arrives there; one is written in its place'] : [];
  wanted.prompt ??= literal('slow, gentle movement');
  const { seed } = wanted;
  if (seed?.is === 'literal' && typeof seed.value === 'number') wanted.seed = literal(seed.value % 2 ** 31);
  const { fields: taken, left } = carried(label, wanted);
  return { fields: taken, left: [`${shownName(named)}: ${label} replaces it`, ...missing, ...left] };
}

/** Pixels, `1280:720` or `480p: 1:1 (624x624)`, are a ratio and a resolution. */
function sized(name: string, value: ImportedValue): Readonly<Record<string, ImportedValue>> {
  const [, wide, high] = (value.is === 'literal' && /(\d{3,4})[:x×*](\d{3,4})/.exec(String(value.value))) || [];
  if (wide === undefined || high === undefined) return { [name]: value };
  const [width, height] = [Number(wide), Number(high)];
  return { aspect_ratio: literal(ratioOf(width, height)), resolution: literal(resolutionOf(width, height)) };
}
