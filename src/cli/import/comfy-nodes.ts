/** ComfyUI's own nodes: which of them sample, save, or hand on what comes in, and which are known at all. */
import { byName } from './imported.ts';

export const SAMPLERS: ReadonlySet<string> = new Set([
  'KSampler',
  'KSamplerAdvanced',
  'SamplerCustomAdvanced',
  'SamplerCustom',
]);
export const NOTES: ReadonlySet<string> = new Set(['Note', 'MarkdownNote']);

/** What is saved, and by which input it arrives. */
export const SAVES: ReadonlyMap<string, string> = byName({
  SaveImage: 'images',
  PreviewImage: 'images',
  SaveAnimatedWEBP: 'images',
  SaveAnimatedPNG: 'images',
  SaveWEBM: 'images',
  SaveVideo: 'video',
});

/** Nodes that hand on what comes in, and what is lost by that. */
export const PASSES: ReadonlyMap<string, { readonly input: string; readonly lost?: string }> = byName({
  VAEDecode: { input: 'samples' },
  VAEDecodeTiled: { input: 'samples' },
  CreateVideo: { input: 'images', lost: 'the service decides how many frames a second there are' },
  FluxGuidance: { input: 'conditioning', lost: 'guidance: the service decides' },
  LTXVConditioning: { input: 'positive' },
  GetVideoComponents: { input: 'video' },
  ControlNetApply: {
    input: 'conditioning',
    lost: 'a ControlNet is not carried over: a reference image of I-EDIT-A comes near',
  },
  ControlNetApplyAdvanced: {
    input: 'positive',
    lost: 'a ControlNet is not carried over: a reference image of I-EDIT-A comes near',
  },
  unCLIPConditioning: { input: 'conditioning', lost: 'its image is not carried over' },
  ConditioningSetTimestepRange: {
    input: 'conditioning',
    lost: 'a prompt for a part of the steps holds for all of them',
  },
  ConditioningSetArea: { input: 'conditioning', lost: 'a prompt for an area holds for the whole picture' },
  ImageScale: { input: 'image', lost: 'the picture keeps its size' },
  ImageScaleBy: { input: 'image', lost: 'the picture keeps its size' },
  ImageScaleToTotalPixels: { input: 'image', lost: 'the picture keeps its size' },
  LatentUpscale: { input: 'samples', lost: 'the picture keeps its size' },
  LatentUpscaleBy: { input: 'samples', lost: 'the picture keeps its size' },
  ImageSharpen: { input: 'image', lost: 'it is not sharpened' },
  ImageInvert: { input: 'image', lost: 'it is not inverted' },
  ImageCrop: { input: 'image', lost: 'it is not cropped' },
});

/** All of ComfyUI's own nodes that mean something here, or may be passed over because what they hold is told elsewhere. */
export const KNOWN: ReadonlySet<string> = new Set([
  ...SAMPLERS,
  ...NOTES,
  ...SAVES.keys(),
  ...PASSES.keys(),
  ...[
    'Reroute',
    'CLIPTextEncode',
    'CLIPTextEncodeFlux',
    'CLIPTextEncodeSDXL',
    'ConditioningCombine',
    'ConditioningConcat',
  ],
  ...[
    'ConditioningZeroOut',
    'EmptyLatentImage',
    'EmptySD3LatentImage',
    'EmptyHunyuanLatentVideo',
    'EmptyLTXVLatentVideo',
  ],
  ...[
    'EmptyMochiLatentVideo',
    'VAEEncode',
    'VAEEncodeForInpaint',
    'WanImageToVideo',
    'HunyuanImageToVideo',
    'LTXVImgToVideo',
  ],
  ...['SVD_img2vid_Conditioning', 'LoadImage', 'LoadVideo', 'ImageUpscaleWithModel', 'UpscaleModelLoader'],
  ...['PrimitiveNode', 'PrimitiveString', 'PrimitiveStringMultiline', 'PrimitiveInt', 'PrimitiveFloat'],
  ...['CheckpointLoaderSimple', 'ImageOnlyCheckpointLoader', 'UNETLoader', 'VAELoader', 'CLIPLoader', 'DualCLIPLoader'],
  ...[
    'TripleCLIPLoader',
    'CLIPVisionLoader',
    'CLIPVisionEncode',
    'LoraLoader',
    'LoraLoaderModelOnly',
    'ControlNetLoader',
  ],
  ...['CLIPSetLastLayer', 'ModelSamplingSD3', 'ModelSamplingFlux', 'ModelSamplingDiscrete', 'VideoLinearCFGGuidance'],
  ...['RandomNoise', 'BasicScheduler', 'KSamplerSelect', 'BasicGuider', 'CFGGuider', 'Flux2Scheduler'],
]);
