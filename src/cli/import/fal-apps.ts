/** Which of our models replaces a fal app, by its name and its input, and what its fields are called here. */
import type { JsonObject } from '../../model/text/json.ts';
import { rows } from './imported.ts';

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
  ...rows('image_url image_urls input_image_url reference_image_urls', 'input_image'),
  ...{ guidance_scale: 'guidance', steps: 'num_inference_steps' },
};
const FRAME_FIELDS = {
  ...rows('image_url start_image_url first_frame_url first_image_url', 'input_image'),
  ...rows('tail_image_url end_image_url last_frame_url last_image_url', 'tail_image_url'),
};
const VIDEO_FIELDS = { video_url: 'input_video', video: 'input_video' };
const RETAKE_FIELDS = { ...VIDEO_FIELDS, start_time: 'retake_start_time', duration: 'retake_duration' };
const REFERENCE_FIELDS = {
  ...rows('image_urls reference_image_urls', 'input_images'),
  ...{ video_urls: 'input_videos', audio_urls: 'input_audios' },
};
const CHAT_FIELDS = { system_prompt: 'system', image_url: 'images', image_urls: 'images' };

const PICTURES =
  /flux|stable-diffusion|sdxl|sd3|imagen|ideogram|recraft|seedream|text-to-image|nano-banana|qwen-image|hidream|sana|gpt-image|dall/;

type Makes = (AppKind & { readonly is: 'model' })['makes'];
const model = (label: string, makes: Makes, fields: Readonly<Record<string, string>>): AppKind => ({
  ...{ is: 'model', label, makes, fields },
});
const EDIT = model('I-EDIT-A', 'image', IMAGE_FIELDS);
const LOOKED_AT = model('C-B', 'text', CHAT_FIELDS);
const FILM_OF_WORDS = model('V-T2V-A', 'video', {});
const FILM_OF_A_PICTURE = model('V-I2V-B', 'video', FRAME_FIELDS);

const hasVideo = (input: JsonObject) => 'video_url' in input;
const hasImage = (input: JsonObject) => 'image_url' in input;
const hasImages = (input: JsonObject) => hasImage(input) || 'image_urls' in input;
const hasNoMedia = (input: JsonObject) => !hasImage(input) && !hasVideo(input);

/** The first row that fits, by the app's name and its input; `undefined` where nothing here does it. */
const ROWS: readonly (readonly [app: RegExp, kind: AppKind | undefined, fits?: (input: JsonObject) => boolean])[] = [
  [/text-concat|merge-text|concat-text/, { is: 'text_join' }],
  [/merge-videos|concat-videos|ffmpeg-api\/compose|video-concat/, { is: 'merge' }],
  [/any-llm|openrouter|\/llm|\/vision$|moondream|llava/, LOOKED_AT, hasImages],
  [/any-llm|openrouter|\/llm/, model('C-D', 'text', CHAT_FIELDS)],
  [/reframe/, model('V-RF', 'video', VIDEO_FIELDS), hasVideo],
  [/upscal|topaz|seedvr/, model('V-UP', 'video', VIDEO_FIELDS), hasVideo],
  [/retake/, model('V-RT', 'video', RETAKE_FIELDS)],
  [/reference-to-video|ref2v|elements/, model('V-REF', 'video', REFERENCE_FIELDS)],
  [/image-to-video|i2v|first-last-frame/, FILM_OF_A_PICTURE],
  [/video-to-video|v2v|modify/, model('V-V2V', 'video', VIDEO_FIELDS)],
  [
    /text-to-video|t2v|\/veo|sora|hunyuan-video|wan|kling-video|minimax.*video|ltx|mochi|pixverse|luma|vidu|seedance/,
    FILM_OF_WORDS,
    hasNoMedia,
  ],
  [
    /kling-video|wan|veo|minimax.*video|ltx|pixverse|luma-dream|vidu|seedance|hunyuan-video|svd|stable-video/,
    FILM_OF_A_PICTURE,
    hasImage,
  ],
  [
    /background\/remove|rembg|birefnet|depth|canny|segment|ocr|whisper|tts|music|audio|speech|lipsync|3d|upscal|esrgan|train/,
    undefined,
  ],
  [/edit|kontext|image-to-image|inpaint|redux|nano-banana/, EDIT, hasImages],
  [PICTURES, EDIT, hasImages],
  [PICTURES, model('I-GEN-A', 'image', IMAGE_FIELDS)],
];

/** Undefined where none of our models does that. */
export const appKind = (app: string, input: JsonObject): AppKind | undefined =>
  ROWS.find(([name, , fits]) => name.test(app) && (fits === undefined || fits(input)))?.[1];
