/** What the gallery shows of each kind: a few requests that together use its fields. The names stand under the pictures. */
import type { JsonObject } from '../../src/model/text/json.ts';

/** Media the gallery makes for itself before anything else. */
export type Prop = 'portrait' | 'landscape' | 'swatch' | 'clip' | 'tone';

export interface Take {
  readonly label: string;
  readonly request: JsonObject;
  readonly inputs?: { readonly [field: string]: readonly Prop[] };
}

const FOX = 'a red fox crossing a frozen river at dawn, tracking shot, snow in the air';
const CITY =
  '[0-2s] wide shot of a neon city in the rain, pan right [2-5s] close-up of a woman with an umbrella, night';
const still = ['portrait', 'landscape', 'swatch'] as const satisfies readonly Prop[];
const crowd = Array.from({ length: 16 }, (_, i): Prop => still[i % 3] ?? 'swatch');

export const TAKES: readonly Take[] = [
  { label: 'V-T2V-A', request: { prompt: FOX, duration: 5, resolution: '720P', seed: 11, negative_prompt: 'people' } },
  { label: 'V-T2V-A', request: { prompt: CITY, duration: 5, aspect_ratio: '9:16', seed: 4, watermark: true } },
  { label: 'V-T2V-B', request: { prompt: '沙漠 日落 骆驼 远景 缓慢推进', duration: 5, resolution: '480P' } },
  {
    label: 'V-T2V-C',
    request: { prompt: 'a sailing ship in a storm at night, crane up', duration: 4, generate_audio: false },
  },
  {
    label: 'V-I2V-A',
    request: { prompt: 'she breathes out, slow dolly in', duration: '5s', aspect_ratio: '16:9', loop: true },
    inputs: { input_image: ['portrait'], reference_image_urls: ['landscape', 'swatch'] },
  },
  {
    label: 'V-I2V-B',
    request: { prompt: 'night falls, pan left', duration: 4 },
    inputs: { input_image: ['landscape'], tail_image_url: ['portrait'] },
  },
  { label: 'V-I2V-C', request: { prompt: 'handheld, wind', duration: '5' }, inputs: { input_image: ['landscape'] } },
  { label: 'V-I2V-D', request: { prompt: 'zoom out, snow', duration: 5 }, inputs: { input_image: ['portrait'] } },
  { label: 'V-I2V-E', request: { prompt: 'orbit, fog', duration: 5 }, inputs: { input_image: ['landscape'] } },
  { label: 'V-V2V', request: { prompt: 'as an oil painting, golden hour' }, inputs: { input_video: ['clip'] } },
  ...['9:16', '1:1', '21:9'].map((aspect_ratio): Take => {
    return {
      label: 'V-RF',
      request: { prompt: 'the snowy forest goes on', aspect_ratio },
      inputs: { input_video: ['clip'] },
    };
  }),
  {
    label: 'V-RT',
    request: { prompt: 'the fox stops and looks at us, dusk', retake_start_time: 1.5, retake_duration: 2 },
    inputs: { input_video: ['clip'] },
  },
  { label: 'V-UP', request: { resolution: '1080p', grain: 0.3, details: 0.5 }, inputs: { input_video: ['clip'] } },
  {
    label: 'V-REF',
    request: { prompt: 'they meet at the harbour at dusk', duration: 5, generate_audio: true },
    inputs: {
      input_face_images: ['portrait'],
      input_images: ['landscape', 'swatch'],
      input_videos: ['clip'],
      input_audios: ['tone'],
    },
  },
  ...[1, 8, 50].map((num_inference_steps): Take => {
    return {
      label: 'I-GEN-A',
      request: { prompt: 'a lighthouse keeper in a yellow raincoat, storm', seed: 7, num_inference_steps },
    };
  }),
  {
    label: 'I-EDIT-A',
    request: { prompt: 'relight at night, warm lantern light', resolution: '1 MP', aspect_ratio: '16:9' },
    inputs: { input_image: ['portrait'] },
  },
  {
    label: 'I-EDIT-A',
    request: { prompt: 'as a pencil sketch', resolution: '1 MP' },
    inputs: { input_image: ['landscape'] },
  },
  {
    label: 'I-EDIT-A',
    request: { prompt: 'oil painting, extend', resolution: '2 MP', aspect_ratio: '21:9' },
    inputs: { input_image: ['portrait'] },
  },
  {
    label: 'I-EDIT-B',
    request: { prompt: 'heavy snow at dusk, "North"', resolution: '2K', aspect_ratio: '16:9' },
    inputs: { input_image: crowd.slice(0, 14) },
  },
  {
    label: 'I-EDIT-B',
    request: { prompt: 'in the style of image 2', resolution: '2K' },
    inputs: { input_image: ['landscape', 'swatch'] },
  },
  {
    label: 'I-EDIT-C',
    request: { prompt: 'black and white, more contrast', resolution: '1600x900', quality: 'max' },
    inputs: { input_image: crowd },
  },
  {
    label: 'I-EDIT-C',
    request: {
      prompt: 'a red fox, close shot, golden hour',
      resolution: '1024x1024',
      background: 'transparent',
      output_format: 'png',
    },
  },
  ...['low', 'high'].map((quality): Take => {
    return {
      label: 'I-EDIT-C',
      request: { prompt: 'an old harbour at sunrise', resolution: '2K', aspect_ratio: '3:2', quality },
    };
  }),
];
