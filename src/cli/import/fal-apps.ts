/** Which of our models replaces a fal app, by its name and its input, and what its fields are called here. */
import type { JsonObject } from '../../model/text/json.ts';

export type AppKind =
  | {
      readonly is: 'model';
      readonly label: string;
      readonly makes: 'image' | 'video' | 'text';
      /** fal's name of a field → ours. */
      readonly fields: Readonly<Record<string, string>>;
    }
  /** Texts behind one another. */
  | { readonly is: 'text_join' }
  /** Films behind one another. */
  | { readonly is: 'merge' };

const IMAGE_FIELDS = {
  ...{
    image_url: 'input_image',
    image_urls: 'input_image',
    input_image_url: 'input_image',
    reference_image_urls: 'input_image',
  },
  ...{ guidance_scale: 'guidance', steps: 'num_inference_steps' },
} as const;
const FRAME_FIELDS = {
  ...{
    image_url: 'input_image',
    start_image_url: 'input_image',
    first_frame_url: 'input_image',
    first_image_url: 'input_image',
  },
  ...{
    tail_image_url: 'tail_image_url',
    end_image_url: 'tail_image_url',
    last_frame_url: 'tail_image_url',
    last_image_url: 'tail_image_url',
  },
} as const;
const VIDEO_FIELDS = { video_url: 'input_video', video: 'input_video' } as const;
const CHAT_FIELDS = { system_prompt: 'system', image_url: 'images', image_urls: 'images' } as const;

const PICTURES =
  /flux|stable-diffusion|sdxl|sd3|imagen|ideogram|recraft|seedream|text-to-image|nano-banana|qwen-image|hidream|sana|gpt-image|dall/;

/** The first row that fits; `undefined` where nothing here does it. */
const ROWS: readonly {
  readonly app: RegExp;
  readonly kind: AppKind | undefined;
  readonly if?: (input: JsonObject) => boolean;
}[] = [
  { app: /text-concat|merge-text|concat-text/, kind: { is: 'text_join' } },
  { app: /merge-videos|concat-videos|ffmpeg-api\/compose|video-concat/, kind: { is: 'merge' } },
  {
    app: /any-llm|openrouter|\/llm|\/vision$|moondream|llava/,
    if: input => 'image_url' in input || 'image_urls' in input,
    kind: { is: 'model', label: 'C-B', makes: 'text', fields: CHAT_FIELDS },
  },
  { app: /any-llm|openrouter|\/llm/, kind: { is: 'model', label: 'C-D', makes: 'text', fields: CHAT_FIELDS } },
  {
    app: /reframe/,
    if: input => 'video_url' in input,
    kind: { is: 'model', label: 'V-RF', makes: 'video', fields: VIDEO_FIELDS },
  },
  {
    app: /upscal|topaz|seedvr/,
    if: input => 'video_url' in input,
    kind: { is: 'model', label: 'V-UP', makes: 'video', fields: VIDEO_FIELDS },
  },
  {
    app: /retake/,
    kind: {
      is: 'model',
      label: 'V-RT',
      makes: 'video',
      fields: { ...VIDEO_FIELDS, start_time: 'retake_start_time', duration: 'retake_duration' },
    },
  },
  {
    app: /reference-to-video|ref2v|elements/,
    kind: {
      is: 'model',
      label: 'V-REF',
      makes: 'video',
      fields: {
        image_urls: 'input_images',
        reference_image_urls: 'input_images',
        video_urls: 'input_videos',
        audio_urls: 'input_audios',
      },
    },
  },
  {
    app: /image-to-video|i2v|first-last-frame/,
    kind: { is: 'model', label: 'V-I2V-B', makes: 'video', fields: FRAME_FIELDS },
  },
  { app: /video-to-video|v2v|modify/, kind: { is: 'model', label: 'V-V2V', makes: 'video', fields: VIDEO_FIELDS } },
  {
    app: /text-to-video|t2v|\/veo|sora|hunyuan-video|wan|kling-video|minimax.*video|ltx|mochi|pixverse|luma|vidu|seedance/,
    if: input => !('image_url' in input || 'video_url' in input),
    kind: { is: 'model', label: 'V-T2V-A', makes: 'video', fields: {} },
  },
  {
    app: /kling-video|wan|veo|minimax.*video|ltx|pixverse|luma-dream|vidu|seedance|hunyuan-video|svd|stable-video/,
    if: input => 'image_url' in input,
    kind: { is: 'model', label: 'V-I2V-B', makes: 'video', fields: FRAME_FIELDS },
  },
  {
    app: /background\/remove|rembg|birefnet|depth|canny|segment|ocr|whisper|tts|music|audio|speech|lipsync|3d|upscal|esrgan|train/,
    kind: undefined,
  },
  {
    app: /edit|kontext|image-to-image|inpaint|redux|nano-banana/,
    if: input => 'image_url' in input || 'image_urls' in input,
    kind: { is: 'model', label: 'I-EDIT-A', makes: 'image', fields: IMAGE_FIELDS },
  },
  {
    app: PICTURES,
    if: input => 'image_url' in input || 'image_urls' in input,
    kind: { is: 'model', label: 'I-EDIT-A', makes: 'image', fields: IMAGE_FIELDS },
  },
  {
    app: PICTURES,
    kind: { is: 'model', label: 'I-GEN-A', makes: 'image', fields: IMAGE_FIELDS },
  },
];

/** Undefined where none of our models does that. */
export const appKind = (app: string, input: JsonObject): AppKind | undefined =>
  ROWS.find(row => row.app.test(app) && (row.if === undefined || row.if(input)))?.kind;
