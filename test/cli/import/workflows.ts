/** Workflows of other systems, in the shapes in which those save them; ours, so that each holds what a test is about. */

const API_IMAGE = {
  '3': {
    class_type: 'KSampler',
    inputs: {
      seed: 42,
      steps: 20,
      cfg: 7,
      sampler_name: 'euler',
      scheduler: 'normal',
      denoise: 1,
      model: ['10', 0],
      positive: ['6', 0],
      negative: ['7', 0],
      latent_image: ['5', 0],
    },
  },
  '4': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'sd_xl_base_1.0.safetensors' } },
  '5': { class_type: 'EmptyLatentImage', inputs: { width: 1024, height: 576, batch_size: 2 } },
  '6': {
    class_type: 'CLIPTextEncode',
    inputs: { text: 'a red fox on a frozen river', clip: ['10', 1] },
    _meta: { title: 'Prompt' },
  },
  '7': { class_type: 'CLIPTextEncode', inputs: { text: 'blurry', clip: ['10', 1] } },
  '8': { class_type: 'VAEDecode', inputs: { samples: ['3', 0], vae: ['4', 2] } },
  '9': { class_type: 'SaveImage', inputs: { filename_prefix: 'river/fox', images: ['8', 0] } },
  '10': {
    class_type: 'LoraLoader',
    inputs: { lora_name: 'snow.safetensors', strength_model: 0.8, strength_clip: 1, model: ['4', 0], clip: ['4', 1] },
  },
};

/** A picture is edited, brought to life, and made larger; a custom node looks on. */
const API_VIDEO = {
  '1': { class_type: 'LoadImage', inputs: { image: 'fox.png', upload: 'image' } },
  '2': { class_type: 'VAEEncode', inputs: { pixels: ['1', 0], vae: ['20', 2] } },
  '3': { class_type: 'CLIPTextEncode', inputs: { text: 'in winter', clip: ['20', 1] } },
  '4': {
    class_type: 'KSampler',
    inputs: {
      seed: 1,
      steps: 30,
      cfg: 2.5,
      sampler_name: 'euler',
      scheduler: 'normal',
      denoise: 0.6,
      model: ['20', 0],
      positive: ['3', 0],
      negative: ['3', 0],
      latent_image: ['2', 0],
    },
    _meta: { title: 'Winter edit' },
  },
  '5': { class_type: 'VAEDecode', inputs: { samples: ['4', 0], vae: ['20', 2] } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: 'it turns its head', clip: ['20', 1] } },
  '7': {
    class_type: 'WanImageToVideo',
    inputs: {
      positive: ['6', 0],
      negative: ['3', 0],
      vae: ['20', 2],
      width: 832,
      height: 480,
      length: 121,
      batch_size: 1,
      start_image: ['5', 0],
    },
  },
  '8': {
    class_type: 'KSampler',
    inputs: {
      seed: 9,
      steps: 20,
      cfg: 6,
      sampler_name: 'uni_pc',
      scheduler: 'simple',
      denoise: 1,
      model: ['21', 0],
      positive: ['7', 0],
      negative: ['7', 1],
      latent_image: ['7', 2],
    },
  },
  '9': { class_type: 'VAEDecode', inputs: { samples: ['8', 0], vae: ['20', 2] } },
  '10': { class_type: 'ImageUpscaleWithModel', inputs: { upscale_model: ['11', 0], image: ['9', 0] } },
  '11': { class_type: 'UpscaleModelLoader', inputs: { model_name: '4x.pth' } },
  '12': { class_type: 'CreateVideo', inputs: { images: ['10', 0], fps: 24 } },
  '13': {
    class_type: 'SaveVideo',
    inputs: { filename_prefix: 'video/fox', format: 'auto', codec: 'auto', video: ['12', 0] },
  },
  '14': { class_type: 'FaceDetailerPipe', inputs: { image: ['5', 0] } },
  '20': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'a.safetensors' } },
  '21': { class_type: 'UNETLoader', inputs: { unet_name: 'wan.safetensors', weight_dtype: 'default' } },
};

/** The same picture as `API_IMAGE`, as `Save` writes it, with a reroute, a note, a muted node and one that is bypassed. */
const SAVED = {
  last_node_id: 12,
  last_link_id: 12,
  version: 0.4,
  groups: [],
  config: {},
  extra: {},
  nodes: [
    {
      id: 3,
      type: 'KSampler',
      mode: 0,
      inputs: [
        { name: 'model', type: 'MODEL', link: 11 },
        { name: 'positive', type: 'CONDITIONING', link: 4 },
        { name: 'negative', type: 'CONDITIONING', link: 6 },
        { name: 'latent_image', type: 'LATENT', link: 2 },
      ],
      outputs: [{ name: 'LATENT', type: 'LATENT', links: [7] }],
      widgets_values: [42, 'randomize', 20, 7, 'euler', 'normal', 1],
    },
    { id: 4, type: 'CheckpointLoaderSimple', mode: 0, inputs: [], widgets_values: ['sd_xl_base_1.0.safetensors'] },
    { id: 5, type: 'EmptyLatentImage', mode: 0, inputs: [], widgets_values: [1024, 576, 2] },
    {
      id: 6,
      type: 'CLIPTextEncode',
      title: 'Prompt',
      mode: 0,
      inputs: [{ name: 'clip', type: 'CLIP', link: 3 }],
      widgets_values: ['a red fox on a frozen river'],
    },
    {
      id: 7,
      type: 'CLIPTextEncode',
      mode: 0,
      inputs: [{ name: 'clip', type: 'CLIP', link: 5 }],
      widgets_values: ['blurry'],
    },
    {
      id: 8,
      type: 'VAEDecode',
      mode: 0,
      inputs: [
        { name: 'samples', type: 'LATENT', link: 7 },
        { name: 'vae', type: 'VAE', link: 8 },
      ],
    },
    {
      id: 9,
      type: 'SaveImage',
      mode: 0,
      inputs: [{ name: 'images', type: 'IMAGE', link: 12 }],
      widgets_values: ['river/fox'],
    },
    {
      id: 10,
      type: 'LoraLoader',
      mode: 4,
      inputs: [
        { name: 'model', type: 'MODEL', link: 1 },
        { name: 'clip', type: 'CLIP', link: 10 },
      ],
      widgets_values: ['snow.safetensors', 0.8, 1],
    },
    { id: 11, type: 'Note', mode: 0, inputs: [], widgets_values: ['the fox looks left\nalways'] },
    { id: 12, type: 'Reroute', mode: 0, inputs: [{ name: '', type: '*', link: 9 }] },
    { id: 13, type: 'PreviewImage', mode: 2, inputs: [{ name: 'images', type: 'IMAGE', link: null }] },
  ],
  links: [
    [1, 4, 0, 10, 0, 'MODEL'],
    [2, 5, 0, 3, 3, 'LATENT'],
    [3, 4, 1, 6, 0, 'CLIP'],
    [4, 6, 0, 3, 1, 'CONDITIONING'],
    [5, 4, 1, 7, 0, 'CLIP'],
    [6, 7, 0, 3, 2, 'CONDITIONING'],
    [7, 3, 0, 8, 0, 'LATENT'],
    [8, 4, 2, 8, 1, 'VAE'],
    [9, 8, 0, 12, 0, 'IMAGE'],
    [10, 4, 1, 10, 1, 'CLIP'],
    [11, 10, 0, 3, 0, 'MODEL'],
    [12, 12, 0, 9, 0, '*'],
  ],
};

const FAL = {
  name: 'Story of a Fox',
  contents: {
    name: 'workflow',
    nodes: {
      output: {
        id: 'output',
        type: 'display',
        depends: ['node-film'],
        input: {},
        fields: { film: '$node-film.video.url', still: '$node-still.images.0.url' },
      },
      'node-llm': {
        id: 'node-llm',
        type: 'run',
        depends: ['input'],
        app: 'fal-ai/any-llm',
        input: { prompt: '$input.idea', system_prompt: 'You write one prompt.', model: 'google/gemini-flash' },
      },
      'node-still': {
        id: 'node-still',
        type: 'run',
        depends: ['node-llm'],
        app: 'fal-ai/flux/dev',
        input: {
          prompt: '$node-llm.output',
          image_size: 'landscape_16_9',
          num_inference_steps: 28,
          seed: 7,
          enable_safety_checker: true,
        },
      },
      'node-shot': {
        id: 'node-shot',
        type: 'run',
        depends: ['node-still'],
        app: 'fal-ai/kling-video/v2.1/standard/image-to-video',
        input: { prompt: 'slow push in', image_url: '$node-still.images.0.url', duration: '5', cfg_scale: 0.5 },
      },
      'node-other': {
        id: 'node-other',
        type: 'run',
        depends: ['input'],
        app: 'fal-ai/veo3',
        input: { prompt: '$input.idea', aspect_ratio: '16:9', duration: '8s' },
      },
      'node-cutout': {
        id: 'node-cutout',
        type: 'run',
        depends: ['node-still'],
        app: 'fal-ai/bria/background/remove',
        input: { image_url: '$node-still.images.0.url' },
      },
      'node-film': {
        id: 'node-film',
        type: 'run',
        depends: ['node-shot', 'node-other'],
        app: 'fal-ai/ffmpeg-api/merge-videos',
        input: { video_urls: ['$node-shot.video.url', '$node-other.video.url'] },
      },
    },
    output: { film: '$node-film.video.url' },
    schema: {
      input: { idea: { name: 'idea', label: 'What it is about', type: 'string', required: true, modelId: 'node-llm' } },
      output: {},
    },
    version: '1',
  },
};

/** As the documentation writes one by hand: nodes at the top. */
const FAL_BY_HAND = {
  input: { id: 'input', type: 'input', depends: [], input: { prompt: 'a fox' } },
  node_1: {
    id: 'node_1',
    type: 'run',
    depends: ['input'],
    app: 'fal-ai/flux/dev',
    input: { prompt: '$input.prompt', num_images: 3 },
  },
  node_2: {
    id: 'node_2',
    type: 'run',
    depends: ['node_1'],
    app: 'fal-ai/flux-pro/kontext',
    input: { prompt: 'in winter', image_url: '$node_1.images.0.url' },
  },
  output: { id: 'output', type: 'display', depends: ['node_2'], fields: { image: '$node_2.images.0.url' } },
};

export const WORKFLOWS = { API_IMAGE, API_VIDEO, SAVED, FAL, FAL_BY_HAND } as const;
